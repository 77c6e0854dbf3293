"""Two challenge the same, one challenges twice, an answer comes while the sweep runs: one of the two counts."""

import threading
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from league.draws.services import challenges
from league.models import Challenge, Entry, Ladder, LadderEvent
from league.standings import ladders
from tests.concurrency.test_scoresheet_races import at_once
from tests.concurrency.test_set_up_races import meet, unlocked
from tests.league import factories
from tests.league.factories import DIRECTOR

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
AT = datetime.now(UTC).replace(hour=12)
DATABASE = "got there first"


def ladder_of_five() -> list[Entry]:
    competition = factories.running(factories.club(), pairs=5, format="ladder")
    return list(competition.entries.order_by("number"))


def challenged_at_once(monkeypatch: pytest.MonkeyPatch, *who: tuple[int, int]) -> list[str]:
    """What those are told who challenge at the same moment, by their places."""
    entries = ladder_of_five()
    meet(monkeypatch, challenges, "_check_allowed")
    acts = [
        partial(
            challenges.challenge,
            actor=DIRECTOR,
            challenger=entries[by],
            challenged=entries[to],
            at=AT,
        )
        for by, to in who
    ]
    return [str(each) for each in at_once(*acts) if not isinstance(each, Challenge)]


TWO_THE_SAME, TWICE_AT_ONCE = ((4, 2), (3, 2)), ((4, 2), (4, 3))


@pytest.mark.parametrize(
    ("who", "reason"),
    [(TWO_THE_SAME, "Already challenged"), (TWICE_AT_ONCE, "already has an open challenge")],
)
def test_f101_one_open_challenge_each_way(monkeypatch: pytest.MonkeyPatch, who, reason) -> None:
    told = challenged_at_once(monkeypatch, *who)
    assert len(told) == 1
    assert reason in told[0]
    assert Challenge.objects.count() == LadderEvent.objects.count() == 1


@pytest.mark.parametrize("who", [TWO_THE_SAME, TWICE_AT_ONCE])
def test_control_without_the_lock_the_database_itself_has_to_refuse_it(
    monkeypatch: pytest.MonkeyPatch, who
) -> None:
    unlocked(monkeypatch)
    told = challenged_at_once(monkeypatch, *who)
    assert [DATABASE in each for each in told] == [True]


def answered_during_the_sweep(monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the challenge's row and the events say the same after both."""
    entries = ladder_of_five()
    made = challenges.challenge(actor=DIRECTOR, challenger=entries[4], challenged=entries[2], at=AT)
    late = AT + timedelta(days=8)
    meet(monkeypatch, ladders, "standing")
    at_once(
        partial(challenges.accept, actor=DIRECTOR, challenge=made, at=AT + timedelta(days=7)),
        partial(challenges.sweep, at=late),
    )
    made.refresh_from_db()
    found = ladders.standing(Ladder.objects.get(), late.date())
    is_accepted = LadderEvent.objects.filter(kind="accept").exists()
    assert is_accepted == (made.pk in found.open)
    return is_accepted == (made.state == Challenge.State.ACCEPTED)


def test_f102_an_answer_counts_or_the_sweep_was_there_before(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answered_during_the_sweep(monkeypatch)


def test_control_without_the_lock_it_is_accepted_and_unanswered(monkeypatch: pytest.MonkeyPatch) -> None:
    unlocked(monkeypatch)
    is_accepted = threading.Event()
    lapse, record = challenges._lapse, challenges._record

    def lapse_later(*args: Any) -> None:
        # If the answer came last, it would write over what the sweep did, and both would say the same.
        is_accepted.wait(timeout=2)
        lapse(*args)

    def record_and_say(actor: Any, action: str, *args: Any) -> None:
        record(actor, action, *args)
        if action == "challenge.accepted":
            is_accepted.set()

    monkeypatch.setattr(challenges, "_lapse", lapse_later)
    monkeypatch.setattr(challenges, "_record", record_and_say)
    assert not answered_during_the_sweep(monkeypatch)
