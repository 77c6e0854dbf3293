"""F89: the place belongs to the pair. Where partners part, both agree who keeps it, or a director rules."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from league.errors import Conflict, Invalid
from league.models import AuditEntry, FinalPlace, Fixture, SeasonAnswer
from league.results.queries import honours
from league.seasons.services import finishing, following
from league.seasons.services.finishing import Said
from tests.league import factories
from tests.league.factories import DIRECTOR
from tests.league.notices.test_following import begun, entered
from tests.league.notices.test_season_notices import told
from tests.league.seasons.test_season_ends import LATER, by_place, director_of, fields, season

pytestmark = pytest.mark.django_db


def ready():
    """A season that can be finished, and a pair in which a player of the one that goes up has a new partner."""
    competition = season()
    competition.rules = {}
    competition.save()
    upper, lower = by_place(competition)
    new = factories.pair(competition.club, lower[0].lineup.players[0], factories.player(competition.club))
    return competition, upper, lower, new


def prepared(competition, kept, **said):
    return finishing.prepare(actor=DIRECTOR, competition=competition, said=Said(kept=kept, **said), at=LATER)


def finished(competition):
    finishing.finish(actor=DIRECTOR, competition=competition, at=LATER)
    competition.refresh_from_db()
    return competition


def test_who_keeps_the_place_goes_up_and_the_final_table_stays_the_old_pairs():
    competition, upper, lower, new = ready()
    found = prepared(competition, {lower[0].pk: (new.pk, False)})
    move = next(move for move in found.moves if move.entry == lower[0])
    assert (move.plays, move.lineup, move.way) == (new, lower[0].lineup, "promoted")
    assert move.kept_in_words == f"in place of {lower[0]}, as both agreed"
    made = begun(finished(competition))
    assert entered(made)[0] == [*(entry.lineup_id for entry in upper[:3]), new.pk]
    row = FinalPlace.objects.get(entry=lower[0])
    assert (row.lineup_id, row.kept_by_id, row.next_level) == (lower[0].lineup_id, new.pk, 1)
    assert honours.tables(competition)[1].winners == (lower[0].lineup,)
    assert SeasonAnswer.objects.filter(competition=made, lineup=new).exists()
    assert not SeasonAnswer.objects.filter(competition=made, lineup=lower[0].lineup).exists()
    kept = AuditEntry.objects.filter(action="season.prepared").latest("pk").after["plans"]
    assert [each["kept_by_id"] for each in kept] == [new.pk]


def test_a_no_of_those_who_keep_the_place_frees_it():
    competition, upper, lower, new = ready()
    prepared(competition, {lower[0].pk: (new.pk, False)})
    made = begun(finished(competition))
    row = SeasonAnswer.objects.get(competition=made, lineup=new)
    following.answer(actor=DIRECTOR, row=row, is_in=False, at=LATER)
    following.refill(actor=DIRECTOR, competition=made, with_silent=True, at=LATER)
    assert entered(made)[0] == [entry.lineup_id for entry in upper]
    assert new.pk not in entered(made)[1]


def test_parting_after_the_next_season_began_is_taken_over_when_it_is_filled_again():
    competition, _upper, lower, new = ready()
    made = begun(finished(competition))
    prepared(competition, {lower[0].pk: (new.pk, True)}, reason="Nora stays captain")
    following.refill(actor=DIRECTOR, competition=made, with_silent=True, at=LATER)
    assert new.pk in entered(made)[0]
    assert lower[0].lineup_id not in entered(made)[0] + entered(made)[1]
    assert FinalPlace.objects.get(entry=lower[0]).reason == "Nora stays captain"


def test_what_cannot_be_kept_is_refused():
    competition, upper, lower, new = ready()
    strange, other = factories.pair(competition.club), factories.pair(factories.club())
    with_b = factories.pair(competition.club, lower[0].lineup.players[0], upper[0].lineup.players[0])
    for kept, words in (
        ({lower[0].pk: (strange.pk, False)}, "Choose from the list"),
        ({lower[0].pk: (other.pk, False)}, "Choose from the list"),
        ({lower[0].pk: (upper[0].lineup_id, False)}, "Choose from the list"),
        ({lower[1].pk: (new.pk, False)}, "Choose from the list"),
        ({10**9: (new.pk, False)}, "Choose from the list"),
        ({lower[0].pk: (new.pk, True)}, "why you rule"),
        ({lower[0].pk: (with_b.pk, False)}, "two pairs next season"),
    ):
        with pytest.raises(Invalid, match=words):
            prepared(competition, kept)
    # Once the other pair leaves, its player is free.
    prepared(competition, {lower[0].pk: (with_b.pk, False)}, plans={upper[0].pk: ("leaves", None)})
    with pytest.raises(IntegrityError), transaction.atomic():
        FinalPlace.objects.filter(entry=upper[1]).update(is_ruling=True)


def test_reopening_keeps_who_keeps_the_place():
    competition, _upper, lower, new = ready()
    prepared(competition, {lower[0].pk: (new.pk, False)})
    finished(competition)
    finishing.reopen(actor=DIRECTOR, competition=competition, reason="A sheet was wrong")
    assert FinalPlace.objects.get(entry=lower[0]).kept_by_id == new.pk
    with pytest.raises(Conflict, match="Something has changed"):
        finishing.finish(actor=DIRECTOR, competition=competition, at=LATER, seen="other")


def test_both_old_partners_hear_who_keeps_the_place():
    competition, _upper, lower, new = ready()
    user = factories.account_of(lower[0].lineup)
    prepared(competition, {lower[0].pk: (new.pk, False)})
    finished(competition)
    assert told(user)[0][1].endswith(f"{new} keep the place: next season they play in Division 1.")


def test_a_director_says_it_on_the_page():
    competition, upper, lower, new = ready()
    Fixture.objects.update(decided_at=LATER - timedelta(days=90))
    client, url = director_of(competition), f"/clubs/riverside/{competition.slug}/manage/finish/"
    page = client.get(url)
    assert f"kept_{lower[0].pk}" in page.context["form"].fields
    assert f"kept_{upper[0].pk}" not in page.context["form"].fields
    sent = {**fields(page), f"kept_{lower[0].pk}": f"ruled-{new.pk}"}
    assert "why you rule" in client.post(url, sent).content.decode()
    assert client.post(url, {**sent, "reason": "They could not agree"}).status_code == 302
    page = client.get(url)
    assert f"in place of {lower[0].lineup}, by a director’s ruling" in page.content.decode().replace(
        "&amp;", "&"
    )
    assert page.context["form"][f"kept_{lower[0].pk}"].value() == f"ruled-{new.pk}"


def test_one_division_asks_for_partners_too():
    competition = factories.running(factories.club(slug="single"), pairs=3)
    entry = competition.entries.with_pairs()[0]
    url = f"/clubs/single/{competition.slug}/manage/finish/"
    assert "reason" not in director_of(competition).get(url).context["form"].fields
    factories.pair(competition.club, entry.lineup.players[1])
    form = director_of(competition).get(url).context["form"]
    assert [field.name for field in form.partings()] == [f"kept_{entry.pk}"]
    assert "reason" in form.fields
