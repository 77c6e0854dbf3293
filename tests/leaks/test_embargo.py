"""Who still has to play a board finds nothing of it anywhere: every page, part, answer, record and mail is searched.

Each test of what is hidden has a control: the same search finds it for those who may see it, and for everybody after
the release. So a needle that is written otherwise on some page does not make a test pass by itself.
"""

import re
from collections import Counter
from collections.abc import Callable

import pytest

from games.boards.services import releases
from games.models import Board
from games.scoresheets.services import scoresheets
from tests.leaks.event import BY_CARDS, Event, content_of, make_event
from tests.leaks.needles import Haystack, Needle
from tests.leaks.sources import SHOWING, SOURCES, addresses_of, pages
from tests.permissions import walking

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

Allowed = Callable[[Needle], bool]
NOTHING: Allowed = lambda _needle: False  # noqa: E731


def own_table(needle: Needle) -> bool:
    """Who has played sees the cards, and what was done at the own table."""
    return needle.kind != "key"


def entered(needle: Needle) -> bool:
    """An official who plays nowhere reads the sheet that they judge, and no card that is not in it."""
    return needle.kind in {"play", "words"} or (needle.kind == "cards" and needle.board in BY_CARDS)


#: What each of them may find while the boards are sealed.
WHILE_SEALED = {
    "visitor": NOTHING,
    "anna": NOTHING,
    "chidi": NOTHING,
    "iris": own_table,
    "dora": entered,
}


def found_by(event: Event, visitor: str) -> dict[str, list[Needle]]:
    """Every needle that this person can find, by the place."""
    needles = event.needles()
    return {
        place: found
        for source in SOURCES
        for place, raw in source(event, visitor)
        if (found := Haystack(raw).found(needles))
    }


def shown_to(event: Event, visitor: str) -> set[tuple[str, int]]:
    """The same, of the pages that show boards and matches: kinds and boards."""
    needles = event.needles()
    return {
        (needle.kind, needle.board)
        for _place, raw in pages(event, visitor, SHOWING)
        for needle in Haystack(raw).found(needles)
    }


def described(found: dict[str, list[Needle]]) -> str:
    return "\n".join(
        f"{place}: {needle.what} (board {needle.board})" for place in found for needle in found[place]
    )


@pytest.fixture
def event() -> Event:
    return make_event()


@pytest.mark.parametrize("visitor", WHILE_SEALED)
def test_while_boards_are_sealed(
    event: Event, visitor: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    may = WHILE_SEALED[visitor]
    found = found_by(event, visitor)
    leaks = {place: [n for n in needles if not may(n)] for place, needles in found.items()}
    leaks = {place: needles for place, needles in leaks.items() if needles}
    assert not leaks, described(leaks)
    # Where a traceback stands in a file is no points.
    logged = re.sub(r"\bline \d+, in ", "", "\n".join((*capfd.readouterr(), caplog.text)))
    assert not Haystack(logged.encode()).found(event.needles()), "the log tells"
    if may is not NOTHING:
        told = Counter((n.kind, n.board) for needles in found.values() for n in needles)
        assert {("play", number) for number in event.records} <= set(told), "the search itself finds nothing"


def test_the_last_match_releases_everything_for_everybody(event: Event) -> None:
    scene = event.scene
    sheet = scoresheets.submit(
        actor=scene.users["anna"],
        fixture=event.unplayed,
        content=content_of(event),
        origin="page",
    )
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    assert not Board.objects.filter(board_set=event.board_set, purpose="original", released_at=None).exists()
    told = shown_to(event, "visitor")
    assert {("play", number) for number in event.records} <= told
    assert {("cards", number) for number in event.deals} <= told


def test_a_board_that_is_released_by_itself_opens_no_other(event: Event) -> None:
    board = event.boards[2]
    releases.release(
        actor=event.scene.users["dora"], board_set=event.board_set, board=board, reason="Played in the hall"
    )
    for visitor in ("visitor", "anna"):
        told = shown_to(event, visitor)
        assert {number for kind, number in told if kind not in {"key", "words"}} <= {2}
        assert ("key", 0) not in told


def test_a_directors_release_opens_all_of_it(event: Event) -> None:
    releases.release(actor=event.scene.users["dora"], board_set=event.board_set, reason="The round is over")
    told = shown_to(event, "anna")
    assert {("cards", number) for number in event.deals} <= told
    assert ("key", 0) in told


def test_every_address_of_the_site_is_walked(event: Event) -> None:
    unwalked = {name for name, pattern in walking.addresses() if not list(addresses_of(event, name, pattern))}
    assert not unwalked, "tests.leaks.sources does not know what to put into these addresses"
