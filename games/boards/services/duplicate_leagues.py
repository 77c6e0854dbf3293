"""The boards of a duplicate league: a sealed set for every round, dealt to every match, whenever matches are there."""

from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _

from engine import game
from engine.boards.sealing import DelayedInformation, DelayedKind
from games.boards.services import boards
from games.models import BoardSet, Duplicate
from league.actors import Actor
from league.models import Competition, Fixture, Round
from league.standings import round_names

#: Spare boards of a round, in case one is mis-dealt at a table.
RESERVE = 2


def supply(*, actor: Actor, competition: Competition) -> None:
    """Seals a set for each round that has none, and deals the rounds' sets to matches that have no boards yet.

    Called in the transaction that publishes a competition, draws it again, or adds matches; it may be called at any
    time. A match that comes so late that everybody knows the round's cards plays deals of its own. Nothing happens
    where the tables do not play the same boards, or in an evening, whose movement says who plays what.
    """
    duplicate = Duplicate.objects.filter(competition=competition).first()
    if duplicate is None or not is_league(competition) or competition.state == Competition.State.DRAFT:
        return
    sets = {
        each.round_id: each
        for each in BoardSet.objects.filter(competition=competition, discarded_at=None, round__isnull=False)
    }
    bare = set(
        Fixture.with_rooms.at_tables()
        .of_competition(competition.pk)
        .filter(boards__isnull=True)
        .values_list("round_id", flat=True)
    )
    for played in competition.stage.rounds.order_by("number"):
        if played.pk not in sets:
            _seal(actor, competition, played, duplicate)
        elif played.pk in bare and not boards.is_any_released(sets[played.pk]):
            boards.assign(actor=actor, board_set=sets[played.pk])


def is_league(competition: Competition) -> bool:
    """Whether rounds of pairs that meet each other play the boards, and no movement."""
    return competition.stage.is_league


def _seal(actor: Actor, competition: Competition, played: Round, duplicate: Duplicate) -> BoardSet:
    offered = game.get(competition.game)
    return boards.make(
        actor=actor,
        competition=competition,
        round=played,
        count=offered.deals_in_match(competition.rules) or 1,
        reserve=RESERVE,
        delayed=delayed_of(played, duplicate.delayed),
    )


def delayed_of(played: Round, wanted: dict[str, Any]) -> DelayedInformation:
    """What is mixed into the deals of a round: as it was set up, known on the day before; else an agreed text."""
    if wanted:
        day = played.starts_on - timedelta(days=1)
        return DelayedInformation(DelayedKind(wanted["kind"]), wanted["source"], day)
    agreed = f"{played.competition.name[:150]}, {round_names.of_round(played)}"
    return DelayedInformation(DelayedKind.AGREED_TEXT, _("name and round of the competition"), value=agreed)
