"""A sealed board on a table in the browser: nobody is told a card that is not for them, by page or by socket.

A socket sends what asking gives: both come from games.tables.state.seat_view alone.
"""

import re

import pytest

from engine.seats import Seat
from games.boards.services import releases
from games.models import Board
from games.tables.state.facts import memory
from tests.leaks.event import Event, make_event
from tests.live.tables import PEOPLE, Laid, laid_in, moves
from tests.permissions import walking

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

CARD = re.compile(rb'"([2-9TJQKA][shdc])"')
# Who sits at no seat: who has played, who directs, a director who plays elsewhere, a member, and nobody in particular.
OTHERS = ("visitor", "stranger", "iris", "olga", "sam", "dora", "olive")


@pytest.fixture
def event() -> Event:
    return make_event()


@pytest.fixture
def laid(event: Event) -> Laid:
    """The match that is still to be played, at its table, some actions into its first board."""
    laid = laid_in(event.scene)
    facts = moves(laid, 8)
    assert facts.deal is not None
    assert facts.deal.is_sealed
    return laid


def told(event: Event, laid: Laid, visitor: str) -> set[bytes]:
    """Every card in all that the table's addresses tell this person."""
    client = walking._client(event.stage, visitor)
    found: set[bytes] = set()
    for part in ("", "view/", "hands/0/meaning/", "deals/1/replay/", "deals/1/"):
        found |= set(
            CARD.findall(client.get(f"/tables/{laid.table.pk}/{part}").content.replace(b"\\u0022", b'"'))
        )
    return found


@pytest.mark.parametrize("visitor", OTHERS)
def test_who_does_not_sit_there_is_told_no_card(event: Event, laid: Laid, visitor: str) -> None:
    assert told(event, laid, visitor) == set()


@pytest.mark.parametrize("seat", PEOPLE)
def test_who_sits_there_is_told_the_own_cards_and_those_that_were_played(
    event: Event, laid: Laid, seat: str
) -> None:
    facts = laid.facts()
    assert facts.deal is not None
    dealt = event.deals[1]
    own = {card.encode() for card in str(dealt[Seat.parse(seat)]).split()}
    played = {line.token.encode() for line in facts.deal.fold.counting if len(line.token) == 2}
    assert told(event, laid, PEOPLE[seat]) == own | played


def test_after_the_release_everybody_sees_what_was_played(event: Event, laid: Laid) -> None:
    board = Board.objects.get(board_set=event.board_set, number=1)
    releases.release(
        actor=event.scene.users["dora"],
        board_set=event.board_set,
        board=board,
        reason="It was seen in the hall",
    )
    # Whether a board is sealed is read with the deal, not with each action.
    memory.forget()
    facts = moves(laid, 1)
    assert facts.deal is not None
    played = {line.token.encode() for line in facts.deal.fold.counting if len(line.token) == 2}
    assert played <= told(event, laid, "stranger")
