"""Importing players and pairs: preview, all or nothing, undo."""

from hashlib import md5

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse

from league.entries.services import typed_entries
from league.errors import Conflict, Invalid, NotAllowed
from league.imports.services import imports
from league.models import AuditEntry, ImportBatch, Lineup, Player, Role
from league.people.services import lineups, merging, players
from tests.league import factories
from tests.league.factories import DIRECTOR

pytestmark = pytest.mark.django_db


def preview(club, text, kind="players", actor=DIRECTOR):
    return imports.preview(actor=actor, club=club, kind=kind, upload=ContentFile(text.encode(), "people.csv"))


def brought_in(club, text, kind="players"):
    return imports.commit(actor=DIRECTOR, batch=preview(club, text, kind))


def lines(batch):
    return [(row["line"], row["action"], row["does"]) for row in batch.rows]


def problems(batch):
    return [(row["line"], p["place"], p["message"]) for row in batch.rows for p in row["problems"]]


def names(club):
    return sorted(club.players.values_list("name", flat=True))


# Reading


@pytest.mark.parametrize(
    "header",
    [
        "name,e-mail,number",
        "Player;Email;Membership No.",
        "Full Name\tE-Mail Address\tMember ID",
        "NAME,EMAIL,NR",
    ],
)
def test_columns_have_many_names(header):
    club = factories.club()
    separator = next(mark for mark in ",;\t" if mark in header)
    batch = preview(club, f"{header}\n" + separator.join(["Anna Berg", "ANNA@example.org", "17"]))
    assert batch.rows[0]["people"] == [
        {"name": "Anna Berg", "email": "anna@example.org", "number": "17", "player": None}
    ]


def test_first_and_last_names_are_put_together():
    batch = preview(factories.club(), "Vorname;Nachname;Mitgliedsnummer\nJörg;Weiß;4\n")
    assert batch.rows[0]["people"][0]["name"] == "Jörg Weiß"


def test_columns_may_stand_in_any_order_and_others_are_named():
    batch = preview(factories.club(), "phone,number,name\n0123,7,Anna Berg\n")
    assert batch.rows[0]["people"][0]["number"] == "7"
    assert batch.notes == ["Columns that we don’t use: phone."]


@pytest.mark.parametrize("text", ["Anna Berg\nCarl Dorn\n", "a,b\n1,2\n"])
def test_a_file_without_named_columns_says_what_is_expected(text):
    with pytest.raises(Invalid, match="first line must name the columns"):
        preview(factories.club(), text)


def test_a_column_twice_is_refused():
    with pytest.raises(Invalid, match="Two columns"):
        preview(factories.club(), "name,Name\nAnna,Anna\n")


# Previewing


def test_a_preview_writes_no_player():
    club = factories.club()
    factories.player(club, "Anna Berg")
    batch = preview(club, "name\nAnna Berg\nCarl Dorn\n")
    assert lines(batch) == [(2, "there", "already listed"), (3, "new", "new player")]
    assert names(club) == ["Anna Berg"]
    assert imports.counts(batch) == imports.Counts(new=1, there=1, problems=0, questions=0, left_out=0)


@pytest.mark.parametrize(
    ("line", "field", "message"),
    [
        (",x@example.org,", "name", "missing"),
        ("Anna Berg,no address,", "email", "E-mail address"),
        ("Anna Berg,," + "9" * 31, "number", "30 characters"),
        ("A" * 121 + ",,", "name", "120 characters"),
        ("...,,", "name", "missing"),
    ],
)
def test_a_problem_is_told_at_its_line_and_field(line, field, message):
    batch = preview(factories.club(), f"name,email,number\nCarl Dorn,,\n{line}\n")
    assert [(number, place) for number, place, _text in problems(batch)] == [(3, [field])]
    assert message in problems(batch)[0][2]
    assert lines(batch)[1] == (3, "problem", "to fix")


def test_all_problems_of_a_file_are_told_at_once():
    batch = preview(factories.club(), "name,email,number\n,,\nA,bad,1\nB,worse," + "9" * 31 + "\nA,,1\n")
    assert [(line, place) for line, place, _text in problems(batch)] == [
        (3, ["email"]),
        (4, ["email"]),
        (4, ["number"]),
    ]


def test_a_line_with_more_cells_than_columns_is_a_problem():
    batch = preview(factories.club(), "name,email\nAnna,a@example.org,oops\n")
    assert "more columns than the first one: “oops”" in problems(batch)[0][2]


def test_the_same_player_twice_in_a_file_is_a_problem():
    batch = preview(factories.club(), "name,email\nAnna Berg,\nBERG Anna,\n")
    assert problems(batch) == [(3, ["name"], "Anna Berg is already in line 2.")]


def test_who_passes_for_somebody_else_is_a_problem_of_the_line():
    club = factories.club()
    factories.player(club, "Ilja Lund")
    rows = "name\nllja Lund\nAnna Berg\nАnna Berg\nOle Bo\nole b0\n"

    assert [(line, place) for line, place, _message in problems(preview(club, rows))] == [
        (2, ["name"]),
        (4, ["name"]),
        (6, ["name"]),
    ]
    messages = [message for _line, _place, message in problems(preview(club, rows))]
    assert "looks like Ilja Lund" in messages[0]
    assert "one alphabet" in messages[1]
    assert "looks like Ole Bo" in messages[2]
    with pytest.raises(Invalid):
        brought_in(club, "name\nllja Lund\n")


def test_a_number_decides_who_is_meant_and_must_fit_the_name():
    club = factories.club()
    factories.player(club, "Anna Berg", number="17")
    assert lines(preview(club, "name,number\nAnna Berg,17\n")) == [(2, "there", "already listed")]
    batch = preview(club, "name,number\nCarl Dorn,17\n")
    assert lines(batch) == [(2, "question", "the same person?")]
    assert batch.rows[0]["questions"][0]["message"] == "Who has the number 17: Anna Berg, or Carl Dorn?"


def test_namesakes_are_told_apart_by_address_or_number():
    club = factories.club()
    factories.player(club, "Anna Berg", email="one@example.org")
    factories.player(club, "Anna Berg", email="two@example.org")
    (question,) = preview(club, "name\nAnna Berg\n").rows[0]["questions"]
    assert question["message"] == "There are 2 players called Anna Berg. Who is meant?"
    assert [each["email"] for each in question["candidates"]] == ["one@example.org", "two@example.org"]
    batch = preview(club, "name,email\nAnna Berg,TWO@example.org\nAnna Berg,three@example.org\n")
    assert [action for _line, action, _does in lines(batch)] == ["there", "question"]
    assert "with a different e-mail address. The same person?" in batch.rows[1]["questions"][0]["message"]


def test_namesakes_with_numbers_are_two_people():
    club = factories.club()
    factories.player(club, "Anna Berg", number="1")
    batch = preview(club, "name,number\nAnna Berg,2\n")
    assert lines(batch) == [(2, "new", "new player")]
    assert batch.rows[0]["notes"] == ["There is already another Anna Berg, with a different number."]


def test_players_of_one_address_are_noted_and_taken():
    club = factories.club()
    factories.player(club, "Anna Berg", email="home@example.org")
    batch = preview(club, "name,email\nCarl Berg,home@example.org\n")
    assert lines(batch)[0][1] == "new"
    assert batch.rows[0]["notes"] == ["Anna Berg has the same e-mail address."]


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("name\nAnna Bergh\n", True),
        ('name\n"Bergh, Ana"\n', True),
        ("name\nAnna Berg\n", False),
        ("name\nHanna Weber\n", False),
        ("name,number\nAnna Bergh,8\n", False),
    ],
    ids=["a slip", "two slips, other order", "the same", "another", "both have numbers"],
)
def test_a_name_that_is_nearly_the_same_is_a_question(text, asks):
    club = factories.club()
    factories.player(club, "Anna Berg", number="7")
    questions = [each["message"] for each in preview(club, text).rows[0]["questions"]]
    assert questions == (["Nearly the same name as Anna Berg. The same person?"] if asks else [])


def test_two_lines_of_one_file_are_asked_about_each_other():
    batch = preview(factories.club(), "name\nAnna Berg\nAnna Bergh\n")
    assert [bool(row["questions"]) for row in batch.rows] == [False, True]


def test_the_number_of_a_merged_player_is_that_of_the_kept_one():
    club = factories.club()
    keep = factories.player(club, "Anna Berg", number="1")
    merged = factories.player(club, "Anna Berg", number="2")
    merging.merge(actor=DIRECTOR, keep=keep, duplicate=merged)
    batch = preview(club, "name,number\nAnna Berg,2\n")
    assert batch.rows[0]["people"][0]["player"] == keep.pk


# Carrying out


def test_players_are_made_as_previewed():
    club = factories.club()
    batch = brought_in(club, "name,email,number\nAnna Berg,anna@example.org,17\nCarl Dorn,,\n")
    anna = club.players.get(number="17")
    assert (anna.name, anna.email) == ("Anna Berg", "anna@example.org")
    assert names(club) == ["Anna Berg", "Carl Dorn"]
    assert batch.state == ImportBatch.State.DONE
    assert (
        AuditEntry.objects.get(action="import.done", club=club).after["players"] == batch.created["players"]
    )


def test_nothing_is_made_when_one_line_needs_correction():
    club = factories.club()
    batch = preview(club, "name,email\nAnna Berg,\nCarl Dorn,bad\n")
    with pytest.raises(Invalid, match="Nothing was imported") as refusal:
        imports.commit(actor=DIRECTOR, batch=batch)
    assert refusal.value.details[0]["place"] == ["lines", 3, "email"]
    assert names(club) == []
    assert ImportBatch.objects.get().state == ImportBatch.State.PREVIEWED


def test_what_was_added_since_the_preview_is_not_added_again():
    club = factories.club()
    batch = preview(club, "name\nAnna Berg\nCarl Dorn\n")
    factories.player(club, "Anna Berg")
    batch = imports.commit(actor=DIRECTOR, batch=batch)
    assert names(club) == ["Anna Berg", "Carl Dorn"]
    assert lines(batch) == [(2, "there", "already listed"), (3, "new", "new player")]


def test_a_file_is_imported_once():
    club = factories.club()
    batch = brought_in(club, "name\nAnna Berg\n")
    with pytest.raises(Conflict, match="already"):
        imports.commit(actor=DIRECTOR, batch=batch)
    assert names(club) == ["Anna Berg"]


def test_the_same_file_twice_makes_nothing_the_second_time():
    club = factories.club()
    text = "player 1,player 2,team\nAnna Berg,Carl Dorn,Aces\n"
    brought_in(club, text, "pairs")
    again = brought_in(club, text, "pairs")
    assert again.created == {"players": [], "pairs": []}
    assert Lineup.objects.count() == 1


# Pairs


@pytest.mark.parametrize(
    "text",
    [
        "player 1,player 2,team\nAnna Berg,Carl Dorn,Aces\n",
        "Team;Player A;Player B\nAces;Anna Berg;Carl Dorn\n",
        "Name 1,E-mail 1,Name 2,E-mail 2,Team name\nAnna Berg,,Carl Dorn,,Aces\n",
        "Vorname 1;Nachname 1;Vorname 2;Nachname 2;Team\nAnna;Berg;Carl;Dorn;Aces\n",
        "Pair;Team\nAnna Berg & Carl Dorn;Aces\n",
        "Paar;Team\nAnna Berg und Carl Dorn;Aces\n",
    ],
)
def test_pairs_are_written_in_many_ways(text):
    club = factories.club()
    batch = preview(club, text, "pairs")
    assert lines(batch) == [(2, "new", "new pair, new players: Anna Berg, Carl Dorn")]
    imports.commit(actor=DIRECTOR, batch=batch)
    pair = Lineup.objects.get()
    assert (pair.name, {player.name for player in pair.players}) == ("Aces", {"Anna Berg", "Carl Dorn"})


def test_a_new_player_in_two_pairs_is_one_player():
    club = factories.club()
    brought_in(club, "player 1,player 2,number 1\nAnna Berg,Carl Dorn,\nAnna Berg,Eva Fuchs,17\n", "pairs")
    assert names(club) == ["Anna Berg", "Carl Dorn", "Eva Fuchs"]
    assert club.players.get(name="Anna Berg").number == "17"


def test_pairs_of_known_players():
    club = factories.club()
    anna, carl, eva = (factories.player(club, name) for name in ("Anna Berg", "Carl Dorn", "Eva Fuchs"))
    factories.pair(club, anna, carl)
    batch = brought_in(club, "player 1,player 2\nCarl Dorn,Anna Berg\nAnna Berg,Eva Fuchs\n", "pairs")
    assert [action for _line, action, _does in lines(batch)] == ["there", "new"]
    assert batch.created["players"] == []
    assert lineups.find(club, [anna.pk, eva.pk]).pk in batch.created["pairs"]


@pytest.mark.parametrize(
    ("lines_of_file", "message"),
    [
        ("Anna Berg,Anna Berg", "two different players"),
        ("Anna Berg,", "name is missing"),
        ("Anna Berg,Carl Dorn\nCarl Dorn,Anna Berg", "is already in line 2"),
    ],
)
def test_what_is_no_new_pair_is_a_problem(lines_of_file, message):
    batch = preview(factories.club(), f"player 1,player 2\n{lines_of_file}\n", "pairs")
    assert message in problems(batch)[0][2]
    with pytest.raises(Invalid, match="Nothing was imported"):
        imports.commit(actor=DIRECTOR, batch=batch)
    assert not Player.objects.exists()


def test_one_name_is_no_pair():
    batch = preview(factories.club(), "pair\nAnna Berg\n", "pairs")
    assert "Anna Berg & Carl Dorn" in problems(batch)[0][2]


# Undoing


def test_undoing_removes_what_was_made_and_nothing_else():
    club = factories.club()
    factories.player(club, "Eva Fuchs")
    batch = brought_in(club, "player 1,player 2\nAnna Berg,Eva Fuchs\n", "pairs")
    imports.undo(actor=DIRECTOR, batch=batch)
    assert names(club) == ["Eva Fuchs"]
    assert not Lineup.objects.exists()
    with pytest.raises(Conflict, match="already been undone"):
        imports.undo(actor=DIRECTOR, batch=batch)


def entered_since(club):
    factories.entry(factories.competition(club, 0).stage.divisions.get(), Lineup.objects.get())


def paired_since(club):
    factories.pair(club, club.players.get(name="Anna Berg"))


def edited_since(club):
    players.edit(actor=DIRECTOR, player=club.players.get(name="Anna Berg"), name="Anna Berg-Dorn")


@pytest.mark.parametrize("use", [entered_since, paired_since, edited_since])
def test_what_is_used_stands_in_the_way_and_is_named(use):
    club = factories.club()
    batch = brought_in(club, "player 1,player 2\nAnna Berg,Carl Dorn\n", "pairs")
    use(club)
    before = names(club)
    with pytest.raises(Conflict, match="can no longer undo this import") as refusal:
        imports.undo(actor=DIRECTOR, batch=batch)
    assert len(refusal.value.details) == 1
    assert names(club) == before


@pytest.mark.parametrize("role", [Role.SCORER, Role.MEMBER])
def test_only_directors_import(role):
    club = factories.club()
    with pytest.raises(NotAllowed):
        preview(club, "name\nAnna\n", actor=factories.member(club, role))
    batch = preview(club, "name\nAnna\n")
    with pytest.raises(NotAllowed):
        imports.commit(actor=factories.member(club, role), batch=batch)
    assert names(club) == []


def test_two_thousand_lines_take_few_queries(django_assert_max_num_queries):
    club = factories.club()
    # Names that nobody takes for each other.
    words = [md5(str(n).encode(), usedforsecurity=False).hexdigest() for n in range(2000)]
    names_of = [
        f"{word[:8]} {word[8:16]}".translate(str.maketrans("0123456789", "ghijklmnop")) for word in words
    ]
    people = zip(names_of[::2], names_of[1::2], strict=True)
    text = "player 1,player 2\n" + "".join(f"{one},{other}\n" for one, other in people)
    batch = preview(club, text, "pairs")
    with django_assert_max_num_queries(52):
        imports.commit(actor=DIRECTOR, batch=batch)
    assert club.players.count() == 2000
    # One or two for each kind of row that could point at what is taken back, none for each line.
    with django_assert_max_num_queries(170):
        imports.undo(actor=DIRECTOR, batch=batch)
    assert club.players.count() == 0


def test_typed_pairs_ask_about_a_name_that_is_nearly_the_same_before_anything_is_made():
    club = factories.club()
    competition = factories.competition(club, pairs=2)
    factories.player(club, "Anna Berg")
    client = Client()
    client.force_login(factories.member(club, Role.DIRECTOR))
    address = reverse("competition_step", args=[club.slug, competition.slug, "pairs"])
    division = competition.stage.divisions.get().pk
    typed = {"division": division, "typed": "Anna Bergh & Hanna Berg", "add": "1"}
    before = club.players.count()
    asked = client.post(address, typed)
    assert asked.status_code == 422
    assert "Line 1: Nearly the same name as Anna Berg." in asked.text
    assert "They are different people: add them" in asked.text
    assert "Anna Bergh &amp; Hanna Berg" in asked.text, "nothing typed is lost"
    assert club.players.count() == before
    client.post(address, {**typed, "are_different": "on"})
    assert club.players.count() == before + 2
    assert competition.entries.count() == 3


def test_pairs_come_in_by_their_seeds_then_those_without():
    club = factories.club()
    text = "player 1,player 2,seed\nAnna Berg,Ben Cole,2\nCarl Dorn,Dora Ek,\nEva Falk,Finn Gray,1.\n"
    batch = preview(club, text, "pairs")
    assert [row["line"] for row in batch.rows] == [4, 2, 3]
    assert not problems(batch)
    done = imports.commit(actor=DIRECTOR, batch=batch)
    division = factories.competition(club, pairs=0).stage.divisions.get()
    typed_entries.enter_batch(actor=DIRECTOR, division=division, batch=done, at=factories.BEFORE)
    entered = [str(each) for each in division.entries.order_by("number").with_pairs()]
    assert [name.split()[0] for name in entered] == ["Falk", "Berg", "Dorn"]


@pytest.mark.parametrize("seed", ["0", "-1", "x", "1.5", "9" * 40, "²"])
def test_a_seed_that_is_none_is_a_problem_of_its_line(seed):
    batch = preview(factories.club(), f"player 1,player 2,seed\nAnna Berg,Ben Cole,{seed}\n", "pairs")
    assert problems(batch) == [(2, ["seed"], "A seed is a whole number from 1 to 9999.")]


def test_a_seed_twice_is_a_problem_until_it_is_mended():
    club = factories.club()
    batch = preview(club, "pair,seed\nAnna & Ben,1\nCarl & Dora,1\n", "pairs")
    assert [(line, message) for line, _place, message in problems(batch)] == [(3, "Line 2 has seed 1, too.")]
    mended = imports.mend(actor=DIRECTOR, batch=batch, changes={2: {"seed": "2"}}, left_out=[])
    assert not problems(mended)
    assert [row["line"] for row in mended.rows] == [3, 2]
