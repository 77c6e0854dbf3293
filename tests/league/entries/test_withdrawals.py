"""Leaving a competition and coming back: the half-played rule and its exact undo."""

from datetime import date

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.html import escape

from league import formats
from league.draws.services import draws
from league.entries.services import entries, withdrawals
from league.errors import Conflict, Invalid, NotAllowed
from league.fixtures.services import fixtures
from league.models import Appearance, AuditEntry, Entry, Fixture, Role
from league.standings.queries import compute_table, read_facts
from tests.league import factories
from tests.league.factories import BEFORE, DIRECTOR, NOW

pytestmark = pytest.mark.django_db


def league_of_five():
    """A running competition of five pairs, so four matches each, and its first entry."""
    competition = factories.running(factories.club(), 5)
    return competition, competition.entries.get(number=1)


def play(entry, count):
    """Lets the pair win its first `count` matches 60-40."""
    for fixture in Fixture.objects.of_entry(entry.pk).unplayed().order_by("round__number")[:count]:
        at_home = fixture.home_id == entry.pk
        factories.result(fixture, 60 if at_home else 40, 40 if at_home else 60)


def leave(entry, reason="Moved away"):
    return withdrawals.withdraw(actor=DIRECTOR, entry=entry, reason=reason, at=NOW)


def back(entry):
    return withdrawals.reinstate(actor=DIRECTOR, entry=entry, reason="Stays after all", at=NOW)


def rows():
    """All that a withdrawal may change, as values."""
    return (
        list(Fixture.objects.order_by("pk").values_list("pk", "status", "starts_at")),
        list(Entry.objects.order_by("pk").values()),
        list(Appearance.objects.order_by("pk").values()),
    )


def statuses(entry):
    return sorted(Fixture.objects.of_entry(entry.pk).values_list("status", flat=True))


def table_of(competition):
    return compute_table(read_facts(competition.stage.divisions.get()))


def test_with_less_than_half_played_nothing_counts():
    competition, entry = league_of_five()
    play(entry, 1)
    leave(entry)
    assert statuses(entry) == ["confirmed", "void", "void", "void"]
    table = table_of(competition)
    assert entry.pk not in [row.entry for row in table.rows]
    assert all(row.played == 0 for row in table.rows)


def test_with_half_played_results_stand_and_the_rest_are_walkovers():
    competition, entry = league_of_five()
    play(entry, 2)
    leave(entry)
    assert statuses(entry) == ["confirmed", "confirmed", "walkover", "walkover"]
    for fixture in Fixture.objects.filter(status="walkover"):
        winner = "walkover_away" if fixture.home_id == entry.pk else "walkover_home"
        assert fixture.result.kind == winner
    table = table_of(competition)
    row = next(row for row in table.rows if row.entry == entry.pk)
    assert (row.won, row.lost) == (2, 2)


def test_who_enters_with_another_partner_stands_in_a_round_twice_as_a_player_but_no_entry_does():
    competition, entry = league_of_five()
    play(entry, 2)
    leave(entry)
    stays = entry.lineup.players[0]
    again = entries.enter(
        actor=DIRECTOR,
        division=entry.division,
        lineup=factories.pair(competition.club, stays),
        at=NOW,
        way=entries.Way(catch_up=True),
    )
    lost = set(Fixture.objects.of_entry(entry.pk).filter(status="walkover").values_list("round", flat=True))
    assert lost & set(Fixture.objects.of_entry(again.pk).values_list("round", flat=True))
    with pytest.raises(IntegrityError), transaction.atomic():
        Appearance.objects.create(round_id=next(iter(lost)), entry=entry, outcome=Appearance.Outcome.BYE)


@pytest.mark.parametrize("played", [0, 1, 2, 3])
def test_the_preview_is_what_happens(played):
    competition, entry = league_of_five()
    play(entry, played)
    before = rows()
    shown = withdrawals.preview(entry=entry, reason="Moved away")
    assert rows() == before
    leave(entry)
    assert (shown.played, shown.matches) == (played, 4)
    assert {f.pk for f in shown.voided} == set(
        Fixture.objects.of_entry(entry.pk).filter(status="void").values_list("pk", flat=True)
    )
    assert {f.pk for f in shown.walkovers} == set(
        Fixture.objects.of_entry(entry.pk).filter(status="walkover").values_list("pk", flat=True)
    )
    assert shown.after.digest() == table_of(competition).digest()


@pytest.mark.parametrize("played", [0, 1, 2, 3, 4])
def test_coming_back_restores_everything(played):
    competition, entry = league_of_five()
    play(entry, played)
    open_one = Fixture.objects.of_entry(entry.pk).unplayed().first()
    if open_one is not None:
        fixtures.postpone(actor=DIRECTOR, fixture=open_one, reason="Snow", starts_at=NOW)
    before, table = rows(), table_of(competition).digest()
    leave(entry)
    back(entry)
    assert rows() == before
    assert table_of(competition).digest() == table


def test_two_leave_and_the_first_comes_back():
    _competition, first = league_of_five()
    play(first, 2)
    shared = Fixture.objects.of_entry(first.pk).unplayed().first()
    second = shared.away if shared.home_id == first.pk else shared.home
    leave(first)
    play(second, 4)
    leave(second)
    back(first)
    shared.refresh_from_db()
    assert shared.status == "walkover"
    assert (shared.result.kind == "walkover_home") == (shared.home_id == first.pk)
    back(Entry.objects.get(pk=second.pk))
    shared.refresh_from_db()
    assert shared.status == "scheduled"


def test_a_result_that_is_not_settled_stands_in_the_way():
    _competition, entry = league_of_five()
    fixture = Fixture.objects.of_entry(entry.pk).first()
    fixtures.await_confirmation(actor=DIRECTOR, fixture=fixture)
    assert [f.pk for f in withdrawals.preview(entry=entry).waiting] == [fixture.pk]
    before = rows()
    with pytest.raises(Conflict, match="still open"):
        leave(entry)
    assert rows() == before


def test_leaving_twice_and_coming_back_twice_are_refused():
    _competition, entry = league_of_five()
    with pytest.raises(Conflict, match="didn’t withdraw"):
        back(entry)
    leave(entry)
    with pytest.raises(Conflict, match="already withdrew"):
        leave(entry)


def test_a_reason_is_needed_and_kept():
    competition, entry = league_of_five()
    with pytest.raises(Invalid, match="reason"):
        leave(entry, "  ")
    leave(entry, "Illness")
    trail = AuditEntry.objects.get(action="entry.withdrawn", competition=competition)
    assert trail.reason == "Illness"
    assert trail.after["rule"] == "removed"


def test_a_pair_left_out_of_a_draw_comes_back_as_a_late_entry():
    competition, entry = league_of_five()
    leave(entry)
    Fixture.objects.update(status="scheduled")
    draws.draw(actor=DIRECTOR, competition=competition)
    assert not Fixture.objects.of_entry(entry.pk).exists()
    withdrawals.reinstate(actor=DIRECTOR, entry=entry, reason="Stays", at=BEFORE)
    assert Fixture.objects.of_entry(entry.pk).count() == 4


def test_nobody_comes_back_while_a_player_is_in_another_pair():
    competition, entry = league_of_five()
    leave(entry)
    other = factories.pair(competition.club, entry.lineup.players[0])
    entries.enter(actor=DIRECTOR, division=entry.division, lineup=other, at=NOW)
    with pytest.raises(Conflict, match="only once in a competition"):
        back(entry)


def test_only_directors_decide():
    competition, entry = league_of_five()
    with pytest.raises(NotAllowed):
        withdrawals.withdraw(
            actor=factories.member(competition.club, Role.SCORER), entry=entry, reason="No", at=NOW
        )
    assert statuses(entry) == ["scheduled"] * 4


def test_the_director_is_offered_the_ways_of_a_replacement_with_what_each_means(client):
    club = factories.club()
    competition = factories.running(club, 6, format=formats.DOUBLE, starts_on=date(2100, 10, 13))
    left = competition.entries.get(number=3)
    leave(left)
    pair = factories.pair(club)
    client.force_login(factories.member(club, Role.DIRECTOR))
    url = reverse("competition_enter", args=[club.slug, competition.slug])
    division = competition.stage.divisions.get()
    form = {"division": division.pk, "lineup": pair.pk}
    shown = client.post(url, form).content.decode()
    assert [f'value="{key}"' in shown for key in (f"place-{left.pk}", "free", "new")] == [True, True, True]
    assert escape(f"Take the place of {left}") in shown
    assert "10, as now" in shown
    assert "20 instead of 10" in shown
    assert not competition.entries.filter(lineup=pair).exists()
    assert client.post(url, {**form, "way": "place-0"}).status_code == 200
    assert not competition.entries.filter(lineup=pair).exists()
    assert client.post(url, {**form, "way": f"place-{left.pk}"}).status_code == 302
    entry = competition.entries.get(lineup=pair)
    assert competition.stage.rounds.count() == 10
    added = [each.after for each in AuditEntry.objects.filter(action="entry.added")]
    assert [after["replaces"] for after in added if after["entry"] == entry.pk] == [left.pk]


def test_a_void_match_of_a_pair_that_left_leads_to_bringing_the_pair_back(client):
    competition, entry = league_of_five()
    leave(entry)
    void = Fixture.objects.of_entry(entry.pk).first()
    client.force_login(factories.member(competition.club, Role.DIRECTOR))
    page = client.get(f"/fixtures/{void.pk}/ruling/")
    assert page.status_code == 200
    assert 'name="ruling"' not in page.text
    assert f"/entries/{entry.pk}/reinstate/" in page.text
    assert "This result is confirmed" not in page.text
    back(entry)
    assert 'name="ruling"' in client.get(f"/fixtures/{void.pk}/ruling/").text
