"""An invitation opened in two tabs at once: one account, one player, and the link is used once."""

from typing import Any

import pytest
from django.utils import timezone

from league.errors import Conflict
from league.models import AuditEntry, Role, User
from league.people.services import joining, players
from tests.concurrency.test_scoresheet_races import at_once
from tests.concurrency.test_set_up_races import meet, unlocked
from tests.league import factories

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def two_accounts_with_one_slip() -> list[Any]:
    club = factories.club()
    dora = factories.member(club, Role.DIRECTOR)
    luis = players.add(actor=dora, club=club, name="Luis Reyes")
    (slip,) = joining.make_slips(actor=dora, club=club, players=[luis.pk], at=timezone.now())
    token = slip.address.rstrip("/").rpartition("/")[2]
    holders = [factories.user() for _each in range(2)]
    return at_once(
        *(lambda user=user: joining.join(actor=user, token=token, at=timezone.now()) for user in holders)
    )


def test_of_two_who_hold_one_slip_one_is_the_player(monkeypatch: pytest.MonkeyPatch) -> None:
    meet(monkeypatch, joining, "is_for")
    outcomes = two_accounts_with_one_slip()
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 1
    assert AuditEntry.objects.filter(action="player.joined").count() == 1


def test_control_without_locks_both_use_it(monkeypatch: pytest.MonkeyPatch) -> None:
    unlocked(monkeypatch)
    meet(monkeypatch, joining, "is_for")
    outcomes = two_accounts_with_one_slip()
    assert not any(isinstance(outcome, Conflict) for outcome in outcomes)
    assert AuditEntry.objects.filter(action="player.joined").count() == 2


def test_a_mailed_link_in_two_tabs_makes_one_account(monkeypatch: pytest.MonkeyPatch) -> None:
    club = factories.club()
    dora = factories.member(club, Role.DIRECTOR)
    eva = players.add(actor=dora, club=club, name="Eva Novak", email="eva@example.org")
    monkeypatch.setattr("secrets.token_urlsafe", lambda _size: "of-the-mail")
    joining.invite(actor=dora, club=club, players=[eva.pk], at=timezone.now())
    meet(monkeypatch, joining, "has_account")
    word = {"token": "of-the-mail", "language": "", "at": timezone.now()}
    outcomes = at_once(
        *(
            lambda word=word, each=each: joining.join_anew(password=each, **word)
            for each in ("one tab", "the other")
        )
    )
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 1
    assert User.objects.filter(email="eva@example.org").count() == 1
