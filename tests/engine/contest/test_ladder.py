"""Ladders held to their laws (rules F100 to F106)."""

from hypothesis import given
from hypothesis import strategies as st

from engine.contest.ladder import Event, Kind, Ladder, Options, Refusal, fold
from engine.contest.results import Key

ENTRIES = "ABCDEFG"


@st.composite
def histories(draw) -> tuple[list[Event], Options]:
    events, day, challenges = [], 0, 0
    for _ in range(draw(st.integers(0, 25))):
        day += draw(st.integers(0, 9))
        kind = draw(st.sampled_from(Kind))
        if kind is Kind.CHALLENGE:
            challenges += 1
            by, to = draw(st.sampled_from(ENTRIES)), draw(st.sampled_from(ENTRIES))
            events.append(Event(day, kind, f"c{challenges}", by=by, to=to))
        elif kind in (Kind.JOIN, Kind.LEAVE, Kind.AWAY, Kind.BACK):
            events.append(Event(day, kind, draw(st.sampled_from("ABCDEFGXY"))))
        else:
            events.append(Event(day, kind, f"c{draw(st.integers(1, max(challenges, 1)))}"))
    return events, Options(
        reach=draw(st.integers(1, 4)),
        is_swap=draw(st.booleans()),
        idle_days=draw(st.none() | st.integers(1, 30)),
    )


@given(histories())
def test_nobody_is_lost_and_folding_in_pieces_gives_the_same(history) -> None:
    events, options = history
    today = max((event.day for event in events), default=0) + 20
    whole = fold(ENTRIES, events, today, options)
    known: set[Key] = set(ENTRIES)
    for step in whole.trail:
        if step.reason is None and step.what in ("join", "leave"):
            known ^= {step.of}
    assert sorted(whole.order) == sorted(known)

    pieces = Ladder(list(ENTRIES), options)
    for event in events:
        pieces.pass_until(event.day)
        pieces.apply(event)
    for day in range(max((event.day for event in events), default=0), today + 1):
        pieces.pass_until(day)
    assert pieces.trail == whole.trail


@given(histories())
def test_f101_nobody_has_two_challenges_of_their_own_or_two_against_them(history) -> None:
    events, options = history
    ladder = Ladder(list(ENTRIES), options)
    for event in events:
        why = ladder.refusal_of(event.by, event.to, event.day) if event.kind is Kind.CHALLENGE else None
        ladder.apply(event)
        assert len(ladder.open) == len(set(ladder.open))
        if why is not None and not any(
            step.what in ("unanswered", "unplayed", "idle") for step in ladder.trail
        ):
            assert ladder.trail[-1].reason is why


def test_f103_the_winner_takes_the_place_and_a_loss_changes_nothing() -> None:
    def order(winner: str | None, *, is_swap: bool) -> str:
        events = [
            Event(1, Kind.CHALLENGE, "c", by="D", to="A"),
            Event(2, Kind.ACCEPT, "c"),
            Event(3, Kind.RESULT, "c", winner=winner),
        ]
        return "".join(str(entry) for entry in fold("ABCDE", events, 9, Options(is_swap=is_swap)).order)

    assert order("D", is_swap=False) == "DABCE"
    assert order("D", is_swap=True) == "DBCAE"
    assert order("A", is_swap=False) == order(None, is_swap=True) == "ABCDE"


def test_f101_the_reason_in_place_of_the_button() -> None:
    ladder = Ladder(list("ABCDE"))
    assert ladder.refusal_of("D", "A", 1) is None
    assert ladder.refusal_of("E", "A", 1) is Refusal.OUT_OF_REACH
    ladder.apply(Event(1, Kind.AWAY, "B"))
    assert ladder.refusal_of("E", "A", 1) is None
    assert ladder.refusal_of("B", "A", 1) is Refusal.AWAY
    assert ladder.refusal_of("A", "D", 1) is Refusal.NOT_ABOVE
