"""Bad lines of an import are mended in place, or left out; nobody is understood as somebody else."""

from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse

from league.errors import Conflict, Invalid, NotAllowed
from league.imports.services import imports
from league.models import Club, ImportBatch, Lineup, Role, User
from tests.league import factories
from tests.league.factories import DIRECTOR

pytestmark = pytest.mark.django_db
FILE = (
    "name,email,number\nAnna Berg,anna@example.org,1\nCarl Dorn,bad,2\n,nobody@example.org,3\nEva Novak,,1\n"
)


@pytest.fixture
def club() -> Club:
    return factories.club()


def preview(club: Club, text: str = FILE, kind: str = "players") -> ImportBatch:
    return imports.preview(
        actor=DIRECTOR, club=club, kind=kind, upload=ContentFile(text.encode(), "people.csv")
    )


def mended(
    batch: ImportBatch, changes: dict[int, dict[str, str]], *, left_out: Any = (), **more: Any
) -> ImportBatch:
    return imports.mend(actor=DIRECTOR, batch=batch, changes=changes, left_out=left_out, **more)


def names(club: Club) -> list[str]:
    return sorted(club.players.values_list("name", flat=True))


def actions(batch: ImportBatch) -> dict[int, str]:
    return {row["line"]: row["action"] for row in batch.rows}


def director(club: Club) -> tuple[User, Client]:
    user, client = factories.member(club, Role.DIRECTOR), Client()
    client.force_login(user)
    return user, client


def test_lines_are_mended_in_place_and_all_go_in(club: Club) -> None:
    batch = preview(club)
    assert actions(batch) == {2: "new", 3: "problem", 4: "problem", 5: "problem"}
    changes = {3: {"email": "carl@example.org"}, 4: {"name": "Nora  New"}, 5: {"number": "4"}}
    batch = mended(batch, changes)
    assert set(actions(batch).values()) == {"new"}
    imports.commit(actor=DIRECTOR, batch=batch)
    assert names(club) == ["Anna Berg", "Carl Dorn", "Eva Novak", "Nora New"]
    assert club.players.get(name="Carl Dorn").email == "carl@example.org"


def test_lines_are_left_out_and_the_rest_goes_in(club: Club) -> None:
    batch = mended(preview(club), {3: {"email": ""}}, left_out={4, 5})
    assert actions(batch) == {2: "new", 3: "new", 4: "left out", 5: "left out"}
    assert imports.counts(batch) == imports.Counts(new=2, there=0, problems=0, left_out=2)
    imports.commit(actor=DIRECTOR, batch=batch)
    assert names(club) == ["Anna Berg", "Carl Dorn"]


def test_a_line_comes_back_when_it_is_no_longer_left_out(club: Club) -> None:
    batch = mended(preview(club), {}, left_out={4, 5})
    assert actions(mended(batch, {}))[5] == "problem"


def test_what_still_needs_fixing_is_left_out_in_one_press(club: Club) -> None:
    batch = mended(preview(club), {3: {"email": ""}}, leaves_out_the_rest=True)
    assert actions(batch) == {2: "new", 3: "new", 4: "left out", 5: "left out"}


def test_a_line_mended_badly_needs_fixing_again(club: Club) -> None:
    batch = mended(preview(club), {3: {"email": "worse"}, 5: {"name": "x" * 5000}})
    assert actions(batch)[3] == actions(batch)[5] == "problem"
    with pytest.raises(Invalid):
        imports.commit(actor=DIRECTOR, batch=batch)
    assert names(club) == []


def test_cells_that_the_file_does_not_have_are_not_made(club: Club) -> None:
    batch = mended(preview(club), {3: {"email": "", "team": "x", "player": "7"}, 99: {"name": "Nobody"}})
    assert set(batch.rows[1]["values"]) == {"name", "email", "number"}
    assert len(batch.rows) == 4


def test_two_people_with_one_number_are_a_question_and_neither_is_the_other(club: Club) -> None:
    factories.player(club, "Anna Berg", number="7")
    batch = preview(club, "name,number\nEva Novak,7\n")
    (row,) = batch.rows
    assert row["problems"][0]["message"].startswith("Who has the number 7: Anna Berg, or Eva Novak?")
    assert [each["name"] for each in row["people"]] == ["Eva Novak"]


def test_pairs_are_mended_too(club: Club) -> None:
    batch = preview(club, "player 1,player 2\nAnna Berg,Anna Berg\nCarl Dorn,Eva Novak\n", "pairs")
    batch = mended(batch, {2: {"name2": "Ben Berg"}})
    imports.commit(actor=DIRECTOR, batch=batch)
    assert Lineup.objects.filter(club=club).count() == 2


def test_only_directors_mend_and_only_before_the_import(club: Club) -> None:
    batch = preview(club, "name\nAnna Berg\n")
    with pytest.raises(NotAllowed):
        imports.mend(actor=factories.member(club, Role.SCORER), batch=batch, changes={}, left_out=())
    imports.commit(actor=DIRECTOR, batch=batch)
    with pytest.raises(Conflict):
        mended(batch, {2: {"name": "Other"}})


# The page


def test_the_page_mends_and_imports(club: Club) -> None:
    _user, client = director(club)
    batch = preview(club)
    path = reverse("desk_import_batch", args=[club.slug, batch.pk])
    page = client.get(path).text
    assert 'name="email-3"' in page
    assert 'name="email-2"' not in page, "what is right needs no mending"
    shown = {f"shown-{line}": "1" for line in (3, 4, 5)}
    client.post(path, {"mend": "1", **shown, "email-3": "carl@example.org", "out-4": "1"})
    batch.refresh_from_db()
    assert actions(batch) == {2: "new", 3: "new", 4: "left out", 5: "problem"}
    answer = client.post(path, {"rest": "1", "shown-4": "1", "out-4": "1", "shown-5": "1"}, follow=True)
    assert "Imported: 2 new" in answer.text
    assert names(club) == ["Anna Berg", "Carl Dorn"]
    assert "Invite the 2 players with an address" in answer.text


def test_cells_are_pasted_from_a_spreadsheet(club: Club) -> None:
    _user, client = director(club)
    path = reverse("desk_import", args=[club.slug])
    answer = client.post(path, {"kind": "players", "text": "Name\tE-Mail\nAnna Berg\tanna@example.org"})
    assert answer.status_code == 302
    assert ImportBatch.objects.get().rows[0]["people"][0]["email"] == "anna@example.org"
    for nothing in ({"kind": "players"}, {"kind": "players", "text": "x" * 300_000}):
        assert client.post(path, nothing).status_code == 422


def test_nothing_typed_into_the_page_is_markup(club: Club) -> None:
    _user, client = director(club)
    batch = mended(preview(club), {3: {"name": "<b>x", "email": '"><script>'}})
    page = client.get(reverse("desk_import_batch", args=[club.slug, batch.pk])).text
    assert '<script>">' not in page
    assert "<b>x" not in page
