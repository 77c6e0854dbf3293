"""What is still to be settled before a sheet can be sent, each thing with the way to its place on the entry page."""

from dataclasses import dataclass

from engine import game
from games.records.display.places import Places
from games.records.parsing import Reading
from league.models import Fixture
from league.web.wording import in_words


@dataclass(frozen=True, slots=True)
class ToSettle:
    """One thing to settle; `fragment` leads to its hand or field."""

    where: str
    message: str
    proposal: str
    fragment: str
    refuses: bool


def to_settle(fixture: Fixture, reading: Reading, places: Places) -> tuple[ToSettle, ...]:
    """Everything that is wrong, missing or odd, in the order of the sheet."""
    offered = game.get(fixture.round.competition.game)
    return tuple(
        ToSettle(
            where=places.in_words(problem, offered, reading.boards),
            message=in_words(problem.message),
            proposal=in_words(problem.proposal),
            fragment=places.fragment(problem),
            refuses=problem.refuses,
        )
        for problem in reading.problems
    )
