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
    assert actions(batch) == {2: "new", 3: "problem", 4: "problem", 5: "question"}
    changes = {3: {"email": "carl@example.org"}, 4: {"name": "Nora  New"}, 5: {"number": "4"}}
    batch = mended(batch, changes)
    assert set(actions(batch).values()) == {"new"}
    imports.commit(actor=DIRECTOR, batch=batch)
    assert names(club) == ["Anna Berg", "Carl Dorn", "Eva Novak", "Nora New"]
    assert club.players.get(name="Carl Dorn").email == "carl@example.org"


def test_lines_are_left_out_and_the_rest_goes_in(club: Club) -> None:
    batch = mended(preview(club), {3: {"email": ""}}, left_out={4, 5})
    assert actions(batch) == {2: "new", 3: "new", 4: "left out", 5: "left out"}
    assert imports.counts(batch) == imports.Counts(new=2, there=0, problems=0, questions=0, left_out=2)
    imports.commit(actor=DIRECTOR, batch=batch)
    assert names(club) == ["Anna Berg", "Carl Dorn"]


def test_a_line_comes_back_when_it_is_no_longer_left_out(club: Club) -> None:
    batch = mended(preview(club), {}, left_out={4, 5})
    assert actions(mended(batch, {}))[5] == "question"


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
    assert row["action"] == "question"
    assert row["questions"][0]["message"] == "Who has the number 7: Anna Berg, or Eva Novak?"
    assert [each["name"] for each in row["people"]] == ["Eva Novak"]
    with pytest.raises(Invalid, match=r"some questions are still open\. Line 2: Who has the number 7"):
        imports.commit(actor=DIRECTOR, batch=batch)
    different = mended(batch, {}, answers={2: {"number": "different"}})
    assert actions(different) == {2: "problem"}, "one of them needs another number"
    same = mended(different, {}, answers={2: {"number": row["questions"][0]["candidates"][0]["key"]}})
    assert actions(same) == {2: "there"}
    assert same.rows[0]["people"][0]["name"] == "Anna Berg"
    assert same.rows[0]["notes"] == ["Anna Berg stays as the name."]


def asking(club: Club, text: str, kind: str = "players") -> tuple[ImportBatch, dict[str, Any]]:
    """A preview whose last line asks about the names: it, and its question."""
    batch = preview(club, text, kind)
    (question,) = batch.rows[-1]["questions"]
    return batch, question


def test_nothing_is_made_while_a_question_is_open_and_nothing_is_lost(club: Club) -> None:
    factories.player(club, "Anna Berg")
    batch, question = asking(club, "name\nEva Novak\nAnna Bergh\n")
    with pytest.raises(Invalid, match="Line 3: Nearly the same name as Anna Berg") as refusal:
        imports.commit(actor=DIRECTOR, batch=batch)
    assert refusal.value.code == "same_person"
    assert refusal.value.details[0]["place"] == ["lines", 3, "name"]
    assert names(club) == ["Anna Berg"]
    batch.refresh_from_db()
    assert batch.rows[1]["questions"] == [question]
    imports.commit(actor=DIRECTOR, batch=mended(batch, {}, left_out={3}))
    assert names(club) == ["Anna Berg", "Eva Novak"]


def test_the_same_person_is_not_made_again_and_a_different_one_is(club: Club) -> None:
    anna = factories.player(club, "Anna Berg")
    batch, question = asking(club, "name\nAnna Bergh\n")
    same = mended(batch, {}, answers={2: {"name": question["candidates"][0]["key"]}})
    assert same.rows[0]["people"][0]["player"] == anna.pk
    imports.commit(actor=DIRECTOR, batch=same)
    assert names(club) == ["Anna Berg"]
    batch, question = asking(club, "name\nAnna Bergh\n")
    imports.commit(actor=DIRECTOR, batch=mended(batch, {}, answers={2: {"name": "different"}}))
    assert names(club) == ["Anna Berg", "Anna Bergh"]


def test_a_pair_of_who_is_known_by_nearly_that_name_is_theirs(club: Club) -> None:
    anna = factories.player(club, "Anna Berg")
    batch, question = asking(club, "player 1,player 2\nAnna Bergh,Carl Dorn\n", "pairs")
    same = mended(batch, {}, answers={2: {"name1": question["candidates"][0]["key"]}})
    imports.commit(actor=DIRECTOR, batch=same)
    assert {player.pk for player in Lineup.objects.get().players} >= {anna.pk}
    assert names(club) == ["Anna Berg", "Carl Dorn"]


def test_two_lines_of_one_new_person_make_one(club: Club) -> None:
    batch, question = asking(club, "name,number\nEva Novak,\nEva Nowak,4\n")
    same = mended(batch, {}, answers={3: {"name": question["candidates"][0]["key"]}})
    imports.commit(actor=DIRECTOR, batch=same)
    assert list(club.players.values_list("name", "number")) == [("Eva Novak", "4")]


def test_an_answer_is_to_that_question_and_no_other(club: Club) -> None:
    factories.player(club, "Anna Berg")
    batch, _question = asking(club, "name\nAnna Bergh\n")
    batch = mended(batch, {}, answers={2: {"name": "different"}})
    assert actions(batch) == {2: "new"}
    assert actions(mended(batch, {2: {"name": "Ana Berg"}})) == {2: "question"}, "another name"
    batch = mended(batch, {2: {"name": "Anna Bergh"}})
    factories.player(club, "Anna Berghs")
    with pytest.raises(Invalid, match="Anna Berg, Anna Berghs"):
        imports.commit(actor=DIRECTOR, batch=batch)
    with pytest.raises(Invalid, match="who are asked about"):
        mended(batch, {}, answers={2: {"name": "player 0"}})


def test_an_answer_that_names_a_line_ends_with_that_line(club: Club) -> None:
    batch, question = asking(club, "name\nEvelina Novakova\nEvelina Nowakova\n")
    batch = mended(batch, {}, answers={3: {"name": question["candidates"][0]["key"]}})
    assert actions(batch) == {2: "new", 3: "there"}
    assert actions(mended(batch, {2: {"name": "Evelina Novakowa"}})) == {2: "new", 3: "question"}
    assert actions(mended(batch, {}, left_out={2})) == {2: "left out", 3: "new"}


def test_what_is_not_answered_is_left_out_in_one_press(club: Club) -> None:
    factories.player(club, "Anna Berg")
    batch, _question = asking(club, "name\nEva Novak\nAnna Bergh\n")
    assert actions(mended(batch, {}, leaves_out_the_rest=True)) == {2: "new", 3: "left out"}


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
    assert actions(batch) == {2: "new", 3: "new", 4: "left out", 5: "question"}
    answer = client.post(path, {"rest": "1", "shown-4": "1", "out-4": "1", "shown-5": "1"}, follow=True)
    assert "Imported: 2 new" in answer.text
    assert names(club) == ["Anna Berg", "Carl Dorn"]
    assert "Invite the 2 players with an address" in answer.text


def test_the_page_asks_before_anything_is_made(club: Club) -> None:
    anna = factories.player(club, "Anna Berg")
    _user, client = director(club)
    batch, _question = asking(club, "name,email\nEva Novak,\nAnna Bergh,anna@example.org\n")
    path = reverse("desk_import_batch", args=[club.slug, batch.pk])
    assert 'name="who-name-3"' in client.get(path).text
    refused = client.post(path, {"commit": "1", "shown-3": "1", "email-3": "berg@example.org"})
    assert refused.status_code == 422
    assert "Line 3: Nearly the same name as Anna Berg. The same person?" in refused.text
    assert 'value="berg@example.org"' in refused.text, "nothing typed is lost"
    assert names(club) == ["Anna Berg"]
    shown = client.post(path, {"mend": "1", "shown-3": "1", "who-name-3": f"player {anna.pk}"}, follow=True)
    assert f'value="player {anna.pk}" checked' in shown.text
    assert "1 new, 1 already listed" in shown.text
    foul = client.post(path, {"commit": "1", "shown-3": "1", "who-name-3": "player 0"})
    assert foul.status_code == 422
    done = client.post(path, {"commit": "1", "shown-3": "1", "who-name-3": "different"}, follow=True)
    assert "Imported: 2 new" in done.text
    assert names(club) == ["Anna Berg", "Anna Bergh", "Eva Novak"]
    assert client.post(path, {}).status_code == 302, "says nothing, does nothing"


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
