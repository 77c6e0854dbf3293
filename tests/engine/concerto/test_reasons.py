"""Why a robot did what it did last: sentences of open cards and signals, and of nothing else."""

from __future__ import annotations

import pytest

from engine.concerto.game import CONCERTO
from engine.concerto.options import read_options
from engine.concerto.play import State, start
from engine.concerto.robots.reasons import reasons
from engine.concerto.signals.systems import PARLETT, System
from engine.concerto.view import view
from engine.deals import Deal
from engine.seats import Seat

# West deals, so that North leads.
DEAL = "N:J62.Q97.42.QT952 K.KJ653.QJ653.K4 AQ9874.T4.A7.J87 T53.A82.KT98.A63"
NORTH, SOUTH, WEST = Seat.N, Seat.S, Seat.W


def after(*tokens: str, deal: str = DEAL) -> State:
    state = start(Deal.parse(deal), WEST, read_options({}))
    for token in tokens:
        state = state.apply(token)
    return state


def told(state: State, seat: Seat, system: System | None = PARLETT) -> list[str]:
    return [str(each) for each in reasons(view(state, None), seat, system)]


@pytest.mark.parametrize(
    ("tokens", "seat", "begin"),
    [
        (["Qc"], NORTH, "It leads the Q♣. What it does after your pass"),
        (["Qc", "-"], SOUTH, "It passes so that you can tell it more"),
        (["Qc", "-", "-"], NORTH, "It led the Q♣ and then passed. This can show:"),
        (["Tc", "-", "9c"], NORTH, "It led the 10♣ and then played the 9♣. This can show:"),
        (["Qc", "-", "-", "Qs"], SOUTH, "It had to play a card, after two passes."),
        (["Tc", "-", "9c", "-"], SOUTH, "It passes because it expects more"),
        (["Tc", "-", "9c", ">"], SOUTH, "It says “Play”"),
    ],
)
def test_what_it_says_of_each_kind_of_action(tokens: list[str], seat: Seat, begin: str) -> None:
    assert told(after(*tokens), seat)[0].startswith(begin)


def test_a_signal_is_told_by_every_meaning_that_is_left() -> None:
    found = told(after("Qc", "-", "-"), NORTH)
    assert len(found) > 1
    nothing = System("Silent", (), (), ())
    assert told(after("Qc", "-", "-"), NORTH, nothing) == [
        "Its first two actions of this hand show nothing in your system."
    ]


def test_a_robot_that_does_not_signal_says_so() -> None:
    assert told(after("Qc"), NORTH, None)[0].endswith("It doesn’t signal.")
    assert told(after("Qc", "-"), SOUTH, None)[0].startswith("It passes because it plays by its own cards")


def test_a_hand_completed_is_told_by_what_it_made() -> None:
    state = after("Qc", "-", "Tc", "-", "9c", "-", "-", "8c", "2c")
    assert told(state, NORTH)[0].startswith("It completes the hand with the 2♣: flush, 6 points.")


def test_before_it_has_done_anything_there_is_nothing_to_say() -> None:
    assert told(after("Qc"), SOUTH) == []


def test_the_cards_that_nobody_has_shown_make_no_difference() -> None:
    tokens = ("Tc", "-", "9c", "-", "5c", "-", "-", "8c")
    # N and S change all the cards that are not played here, E and W all they have.
    other = "N:A98.T4.A7.T952QJ T53.A82.KT98.A63 QJ7642.Q97.42.87 K.KJ653.QJ653.K4"
    for number in range(1, len(tokens) + 1):
        for seat in (NORTH, SOUTH):
            said = [told(after(*tokens[:number], deal=deal), seat) for deal in (DEAL, other)]
            assert said[0] == said[1]


def test_a_seats_own_view_is_refused() -> None:
    with pytest.raises(ValueError, match="S"):
        reasons(view(after("Qc"), SOUTH), NORTH, PARLETT)


def test_the_seam_lets_only_robots_signal_that_do() -> None:
    seen = CONCERTO.view(after("Qc"), None)
    said = {robot.key: str(CONCERTO.signals.reasons(seen, "N", robot.key)[0]) for robot in CONCERTO.robots}
    assert said["player"] == said["expert"] != said["novice"]
