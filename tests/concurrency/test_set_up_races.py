"""Two people at once where a club is set up: nobody is entered twice, and no club loses its last owner."""

import threading

import pytest
from django.core.files.base import ContentFile
from django.db.models import QuerySet

from league.clubs.services import clubs
from league.competitions.services import drafts
from league.draws.services import draws
from league.entries.services import entries
from league.errors import Conflict
from league.imports.services import imports
from league.models import AuditEntry, DraftChange, Entry, Lineup, Player, PlayerMerge, Role
from league.people.services import lineups, merging
from tests.concurrency.test_scoresheet_races import at_once
from tests.league import factories
from tests.league.factories import BEFORE, DIRECTOR

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def meet(monkeypatch, owner, name, *, seconds=1):
    """Holds whoever has passed the check `owner.name` until another has passed it too, or a second is over.

    Without a lock both then write; with it, the second has not even looked yet.
    """
    meeting, check = threading.Barrier(2), getattr(owner, name)

    def check_and_meet(*args, **kwargs):
        found = check(*args, **kwargs)
        try:
            meeting.wait(timeout=seconds)
        except threading.BrokenBarrierError:
            return found
        return found

    monkeypatch.setattr(owner, name, check_and_meet)


def unlocked(monkeypatch):
    """Switches all row locks off: what the controls of these tests need."""
    monkeypatch.setattr(QuerySet, "select_for_update", lambda self, *args, **kwargs: self.all())


def two_owners_step_down():
    club = factories.club()
    owners = [factories.member(club, Role.OWNER) for _each in range(2)]
    steps = [
        lambda owner=owner: clubs.set_role(
            actor=owner, membership=club.memberships.get(user=owner), role=Role.MEMBER
        )
        for owner in owners
    ]
    return club, at_once(*steps)


def test_of_two_owners_who_step_down_at_once_one_stays(monkeypatch):
    meet(monkeypatch, clubs, "_keep_an_owner")
    club, outcomes = two_owners_step_down()
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 1
    assert club.memberships.filter(role=Role.OWNER).count() == 1


def test_control_without_locks_the_club_loses_its_owners(monkeypatch):
    unlocked(monkeypatch)
    meet(monkeypatch, clubs, "_keep_an_owner")
    club, outcomes = two_owners_step_down()
    assert not any(isinstance(outcome, Conflict) for outcome in outcomes)
    assert club.memberships.filter(role=Role.OWNER).count() == 0


def one_player_in_two_pairs():
    club = factories.club()
    anna = factories.player(club)
    division = factories.competition(club, 0).stage.divisions.get()
    pairs = [factories.pair(club, anna) for _each in range(2)]
    return at_once(
        *(
            lambda pair=pair: entries.enter(actor=DIRECTOR, division=division, lineup=pair, at=BEFORE)
            for pair in pairs
        )
    )


def test_a_player_is_not_entered_in_two_pairs_at_once(monkeypatch):
    meet(monkeypatch, entries.TakingPart, "check_players")
    outcomes = one_player_in_two_pairs()
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 1
    assert Entry.objects.count() == 1


def test_control_without_locks_a_player_is_in_two_pairs(monkeypatch):
    unlocked(monkeypatch)
    meet(monkeypatch, entries.TakingPart, "check_players")
    # Both want the same number: the database's constraint is out of the way for the control.
    numbers = iter([1, 2])
    monkeypatch.setattr(entries, "_next_number", lambda division: next(numbers))
    one_player_in_two_pairs()
    assert Entry.objects.count() == 2


def test_a_pair_made_twice_at_once_is_one_pair():
    club = factories.club()
    anna, carl = factories.player(club), factories.player(club)
    outcomes = at_once(
        *(lambda: lineups.line_up(actor=DIRECTOR, club=club, players=[anna, carl]) for _each in range(2))
    )
    assert outcomes[0] == outcomes[1] == Lineup.objects.get()


def test_two_draws_at_once_leave_one_draw():
    competition = factories.competition(factories.club(), 6)
    outcomes = at_once(
        *(
            lambda: draws.draw(actor=DIRECTOR, competition=competition, order=draws.BY_LOT)
            for _each in range(2)
        )
    )
    assert outcomes[0].pk == outcomes[1].pk == competition.pk
    assert competition.stage.rounds.count() == 5
    assert competition.stage.divisions.get().fixtures.count() == 15


def test_a_merge_and_its_mirror_image_at_once_merge_once():
    club = factories.club()
    first, second = factories.player(club), factories.player(club)
    outcomes = at_once(
        lambda: merging.merge(actor=DIRECTOR, keep=first, duplicate=second),
        lambda: merging.merge(actor=DIRECTOR, keep=second, duplicate=first),
    )
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 1
    assert PlayerMerge.objects.count() == 1
    assert Player.objects.present().count() == 1


def test_an_import_carried_out_twice_at_once_is_done_once():
    club = factories.club()
    batch = imports.preview(
        actor=DIRECTOR, club=club, kind="players", upload=ContentFile(b"name\nAnna Berg\n", "x.csv")
    )
    outcomes = at_once(*(lambda: imports.commit(actor=DIRECTOR, batch=batch) for _each in range(2)))
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 1
    assert club.players.count() == 1


def one_act_undone_twice():
    club = factories.club()
    competition = factories.competition(club, 0)
    division = competition.stage.divisions.get()
    pair = factories.pair(club, factories.player(club))
    entries.enter(actor=DIRECTOR, division=division, lineup=pair, at=BEFORE)
    change = DraftChange.objects.get(competition_id=competition.pk)
    outcomes = at_once(*(lambda: drafts.undo(actor=DIRECTOR, change=change) for _each in range(2)))
    assert not competition.entries.exists()
    return outcomes, AuditEntry.objects.filter(competition=competition, action="draft.undone").count()


def test_an_act_undone_twice_at_once_is_undone_once(monkeypatch):
    meet(monkeypatch, drafts, "_check_draft")
    outcomes, recorded = one_act_undone_twice()
    assert sorted(type(outcome) for outcome in outcomes if not isinstance(outcome, int)) == [Conflict]
    assert recorded == 1


def test_control_without_locks_an_act_is_undone_twice(monkeypatch):
    unlocked(monkeypatch)
    meet(monkeypatch, drafts, "_check_draft")
    # Both have read what stands before either writes.
    meet(monkeypatch, drafts, "check_seen")
    outcomes, recorded = one_act_undone_twice()
    assert outcomes == [1, 1]
    assert recorded == 2
