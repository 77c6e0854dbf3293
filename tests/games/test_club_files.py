"""A club as one file: another installation makes a club of it with the same standings, and nothing secret is in it."""

import io
import json
import re
import zipfile
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst

from config import demo
from engine import game
from games import board_cards
from games.club_files import archives, checks, exporting, importing, reading, services
from games.club_files import views as club_files
from games.conventions import services as cards
from games.conventions import verification as conventions
from games.grades import queries as grades
from games.matches import verification
from games.models import Board, BoardSet, HandicapGrade, PlayedSide, Scoresheet, Vouch
from games.scoresheets.services import scoresheets
from league.clubs.services import clubs
from league.competitions.services import competitions
from league.draws.services import rounds, ties
from league.errors import Conflict, Invalid, NotAllowed
from league.fixtures.services import fixtures, substitutions
from league.models import (
    AuditEntry,
    Club,
    ClubImport,
    Competition,
    Entry,
    Fixture,
    ImportedTrailLine,
    Lineup,
    Player,
    Role,
    RoundDraw,
    User,
)
from league.people.services import erasing, merging
from league.results.queries import standings_view
from league.seasons.services import stages
from league.seasons.services.stages import LaterStage
from league.standings import brackets
from league.standings.brackets import How
from league.standings.services import standings
from tests.games import duplicate_events
from tests.games.duplicate_events import Evening
from tests.league import factories
from tests.league.reading import text_of, walked
from tests.scenes import Scene, make_scene, totals_sheet

AT = datetime(2026, 11, 23, 12, tzinfo=UTC)
Change = Callable[[list[dict[str, Any]]], None]


def exported(club: Club, actor: User, competition: Competition | None = None) -> bytes:
    file = io.BytesIO()
    exporting.export(actor=actor, club=club, target=file, competition=competition)
    return file.getvalue()


def imported(content: bytes, owner: User, name: str = "") -> Club:
    package = reading.understand(archives.read(io.BytesIO(content)))
    club = importing.carry_out(actor=owner, owner=owner, package=package, at=AT, name=name).club
    importing.settle(club=club, at=AT)
    return club


def parts(content: bytes) -> tuple[dict[str, Any], list[Any], list[Any]]:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        lines = [
            [json.loads(line) for line in packed.read(name).splitlines()]
            for name in (archives.ROWS, archives.TRAIL)
        ]
        return json.loads(packed.read(archives.MANIFEST)), *lines


def packed(manifest: dict[str, Any], rows: list[Any], trail: list[Any]) -> bytes:
    file = io.BytesIO()
    archives.write(file, manifest=manifest, rows=rows, trail=trail)
    return file.getvalue()


def doctored(content: bytes, change: Change) -> bytes:
    manifest, rows, trail = parts(content)
    change(rows)
    kept = {name: manifest[name] for name in ("club", "competition", "left_out", "standings")}
    return packed(kept, rows, trail)


def of(rows: list[dict[str, Any]], model: str, number: int = 0) -> dict[str, Any]:
    fields: dict[str, Any] = [row for row in rows if row["model"] == model][number]["fields"]
    return fields


def enter(scene: Scene, fixture: Fixture, *deals: tuple[int, int]) -> Scoresheet:
    home = scene.users[fixture.home.lineup.players[0].name.split()[0].lower()]
    return scoresheets.submit(actor=home, fixture=fixture, content=totals_sheet(*deals), origin="page")


def play(scene: Scene, fixture: Fixture, *deals: tuple[int, int]) -> Scoresheet:
    sheet = enter(scene, fixture, *deals)
    away = scene.users[fixture.away.lineup.players[0].name.split()[0].lower()]
    return scoresheets.confirm(actor=away, sheet=sheet, digest=sheet.digest)


@pytest.fixture
def scene(db: None) -> Scene:
    return make_scene(deals=2)


@pytest.fixture
def season(scene: Scene) -> Scene:
    """Two results, one of them corrected, with a substitute; a third waits to be confirmed."""
    first, second, third = scene.fixtures[:3]
    substitutions.appoint(
        actor=scene.users["dora"],
        fixture=first,
        absent=first.home.lineup.players[1],
        substitute=factories.player(scene.club, "Gus Guest", number="77"),
        reason="ill",
    )
    play(scene, first, (60, 20), (50, 30))
    play(scene, second, (10, 20), (20, 40))
    play(scene, second, (30, 20), (20, 40))
    enter(scene, third, (9, 8), (7, 6))
    standings.compute(competition_id=scene.competition.pk, at=AT)
    return scene


@pytest.fixture
def owner(db: None) -> User:
    return factories.user(name="Ida Importer")


@pytest.fixture
def evening(db: None) -> Evening:
    made = duplicate_events.make_evening(pairs=4)
    factories.member(made.club, Role.OWNER, factories.user(name="Olive Owner"))
    return made


def owner_of(club: Club) -> User:
    return User.objects.get(memberships__club=club, memberships__role=Role.OWNER)


def table(competition: Competition) -> list[tuple[Any, ...]]:
    """The tables of a competition in names."""
    return [
        (each["table"], str(Entry.with_rooms.get(pk=entry)), *rest)
        for each in exporting.of_competition(competition)
        for entry, *rest in each["rows"]
    ]


def test_a_club_comes_with_the_same_standings(season: Scene, owner: User) -> None:
    call_command("verify")
    club = imported(exported(season.club, season.users["olive"]), owner)

    call_command("verify")
    found = club.competitions.get()
    assert club != season.club
    assert (club.name, club.slug) == ("Riverside Club", "riverside-club")
    assert len(table(found)) == 4
    assert table(found) == table(season.competition)
    shown = standings_view.of_competition(found, owner, at=AT)
    assert [row.points for row in shown[0].rows] == [
        row.points for row in standings_view.of_competition(season.competition, owner, at=AT)[0].rows
    ]
    assert not list(verification.differences(competition=found))


@pytest.mark.django_db(transaction=True)
def test_the_commands_bring_a_club_into_an_empty_installation(season: Scene, tmp_path: Path) -> None:
    """Written on the one, read on the other, which has nobody but its owner; `verify` finds nothing on either."""
    file = tmp_path / "club.zip"
    tables = table(season.competition)
    call_command("verify")
    call_command("export_club", season.club.slug, file)
    assert file.stat().st_mode & 0o077 == 0
    with pytest.raises(CommandError, match="can't be written"):
        call_command("export_club", season.club.slug, file)

    call_command("flush", interactive=False)
    assert not Club.objects.exists()
    with pytest.raises(CommandError, match="no account"):
        call_command("import_club", file, owner="ida@example.org")
    ida = factories.user("ida@example.org", "Ida Importer")
    said = io.StringIO()
    call_command("import_club", file, owner="IDA@example.org", name="Hill Club", stdout=said)
    call_command("verify")
    club = Club.objects.get()
    assert (club.name, owner_of(club)) == ("Hill Club", ida)
    assert table(club.competitions.get()) == tables
    assert "Hill Club: 9 players, 1 competitions, 6 matches" in said.getvalue()


@pytest.mark.thorough
@pytest.mark.breaks_lock_order
def test_the_demo_comes_with_the_same_standings(owner: User) -> None:
    demo.build(seed=1977, today=date(2026, 11, 23))
    before = Club.objects.get(slug="riverside-club")
    # A club's year: a season that is over, with its honours; the next, with half of the answers in.
    over = before.competitions.get(name="Summer League", state=Competition.State.FINISHED)
    winners = over.end.places.filter(place=1).select_related("entry")
    honours = Client().get(f"/clubs/{before.slug}/seasons/").text.replace("&amp;", "&")
    assert over.name in honours
    assert winners
    assert all(str(each.entry) in honours for each in winners)
    coming = before.competitions.filter(state=Competition.State.DRAFT, answers__isnull=False).distinct().get()
    assert 0 < coming.answers.exclude(is_in=None).count() < coming.answers.count()
    # A year of grades: of some players enough is known, of others not yet.
    found = next(each for each in grades.of_club(before, today=date(2026, 11, 23)) if each.game == "concerto")
    assert len(found.established) >= 4
    assert len({each.grade.text for each in found.established}) >= 4
    assert found.provisional
    club = imported(exported(before, User.objects.get(email="olive.hart@example.org")), owner)

    call_command("verify")
    there = {each.slug: table(each) for each in before.competitions.all()}
    for each in club.competitions.all():
        # The sealed boards are discarded here, so that there may be a ranking by the others, too.
        names = {row[0] for row in there[each.slug]}
        assert [row for row in table(each) if row[0] in names] == there[each.slug]
    assert {each.slug for each in club.competitions.all()} == set(there)
    assert sum(bool(rows) for rows in there.values()) >= 5


def test_f150_handicaps_come_as_they_were_fixed(season: Scene, owner: User) -> None:
    entry = season.competition.entries.order_by("pk").first()
    assert entry is not None
    HandicapGrade.objects.create(entry=entry, grade=Decimal("55.5"), fixed_at=AT)
    content = exported(season.club, season.users["olive"])
    club = imported(content, owner)
    (came,) = HandicapGrade.objects.filter(entry__competition__club=club)
    assert (str(came.entry), came.grade, came.fixed_at) == (str(entry), Decimal("55.5"), AT)
    for grade in (55.5, "NaN", "1e999999999", "55.5.5", "", "1000.5"):
        manifest, rows, trail = parts(content)
        of(rows, "games.handicapgrade")["grade"] = grade
        kept = {name: manifest[name] for name in ("club", "competition", "left_out", "standings")}
        with pytest.raises(Invalid):
            imported(packed(kept, rows, trail), owner)


def test_a_cup_comes_with_its_bracket_and_what_was_decided(season: Scene, owner: User) -> None:
    cup = factories.running(season.club, pairs=3, format="knockout", name="Cup", slug="cup")
    division = cup.stage.divisions.get()
    match = Fixture.objects.with_pairs().get(division=division)
    dora = season.users["dora"]
    fixtures.void(actor=dora, fixture=match, reason="The wrong boards")
    ties.rule(actor=dora, fixture=match, winner=match.away, reason="By lot", at=AT)
    final = cup.stage.rounds.get(number=2)
    seen = ties.propose(division=division, round_=final).digest
    rounds.publish(actor=dora, division=division, number=2, at=AT, seen=seen)
    standings.compute(competition_id=cup.pk, at=AT)
    content = exported(season.club, season.users["olive"])
    club = imported(content, owner)

    call_command("verify")
    found = club.competitions.get(slug="cup")
    assert table(found) == table(cup)
    first, second = brackets.of_division(found.stage.divisions.get()).rounds[0]
    assert (first.how, second.how) == (How.BYE, How.RULED)
    assert second.winner is not None
    assert second.winner.number == 3

    def too_many(rows: list[dict[str, Any]]) -> None:
        of(rows, "league.tiedecision")["extra"] = [[1, 2, 3]]

    assert "line" in refused(doctored(content, too_many), owner)


def test_nobody_of_it_has_an_account_and_the_importer_owns_it(season: Scene, owner: User) -> None:
    accounts = User.objects.count()
    club = imported(exported(season.club, season.users["olive"]), owner)

    assert [(row.user, row.role) for row in club.memberships.all()] == [(owner, Role.OWNER)]
    assert not club.players.exclude(user=None).exists()
    assert not club.players.exclude(email="").exists()
    assert User.objects.count() == accounts
    # The same people under the same numbers are others here.
    assert {player.name for player in club.players.all()} == {
        player.name for player in season.club.players.all()
    }
    assert club.players.get(number="77") != season.club.players.get(number="77")


def test_sheets_are_marked_and_nobody_has_vouched_for_them(season: Scene, owner: User) -> None:
    club = imported(exported(season.club, season.users["olive"]), owner)

    sheets = Scoresheet.objects.filter(match__fixture__division__stage__competition__club=club)
    before = Scoresheet.objects.filter(match__fixture__division__stage__competition=season.competition)
    assert list(sheets.order_by("pk").values_list("verdict", "version", "entered_at", "totals")) == list(
        before.order_by("pk").values_list("verdict", "version", "entered_at", "totals")
    )
    assert {(sheet.origin, sheet.entered_as, sheet.entered_by, sheet.verdict_by) for sheet in sheets} == {
        ("imported", "imported", owner, None)
    }
    assert not Vouch.objects.filter(sheet__in=sheets).exists()
    counted = [each.filter(verdict="confirmed") for each in (sheets, before)]
    assert [PlayedSide.objects.filter(deal__sheet__in=each).count() for each in counted] == [8, 8]


def test_the_trail_comes_as_text_beside_the_own_one(season: Scene, owner: User) -> None:
    club = imported(exported(season.club, season.users["olive"]), owner)

    told = ImportedTrailLine.objects.filter(club=club)
    assert told.get(action="fixture.substituted").who == "Dora Director"
    assert told.filter(action="sheet.confirmed").count() == 3
    own = AuditEntry.objects.filter(club=club)
    assert {entry.actor for entry in own} == {owner}
    assert {"club.founded", "club.imported"} == {entry.action for entry in own}
    assert AuditEntry.objects.filter(club=season.club, action="club.exported").exists()


def test_pages_say_what_came_with_which_file_and_who_brought_it(season: Scene, owner: User) -> None:
    row = services.preview(
        actor=owner,
        upload=io.BytesIO(exported(season.club, owner_of(season.club))),
        file_name="club.zip",
        at=AT,
    )
    services.begin(actor=owner, row=row)
    services.carry_out(import_id=row.pk, at=AT)
    row.refresh_from_db()
    club, olive, visitor = row.club, Client(), Client()
    assert club is not None
    olive.force_login(owner)
    competition = club.competitions.get(name=season.competition.name)
    fixture = Fixture.objects.decided().filter(round__stage__competition=competition).first()
    player = club.players.present().first()
    assert fixture is not None
    assert player is not None
    pages = [
        reverse("match", args=[fixture.pk]),
        competition.get_absolute_url(),
        player.get_absolute_url(),
    ]
    for page in pages:
        told = olive.get(page).text
        assert f"by {owner}, from the file club.zip" in told, page
        assert reverse("desk_imported", args=[club.slug]) in told
        public = visitor.get(page).text
        assert "Imported from another installation" in public
        assert "club.zip" not in public
    added = factories.player(club, "Nora New")
    assert "Imported" not in olive.get(added.get_absolute_url()).text
    assert "Imported" not in olive.get(season.players[0].get_absolute_url()).text
    desk = reverse("desk_imported", args=[club.slug])
    line = ImportedTrailLine.objects.filter(club=club, action="fixture.substituted").get()
    assert line.why in olive.get(desk, {"about": line.about}).text
    assert line.what not in olive.get(desk, {"about": "nothing"}).text
    assert visitor.get(desk).status_code == 302


def test_what_the_file_says_of_the_past_goes_on_from_a_line(
    season: Scene, owner: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = imported(exported(season.club, season.users["olive"]), owner)
    ClubImport.objects.create(club=club, made_by=owner, made_at=AT, done_at=AT, state=ClubImport.State.DONE)
    lines = [(each.who, capfirst(each.what)) for each in ImportedTrailLine.objects.filter(club=club)]
    client.force_login(owner)
    desk = reverse("desk_imported", args=[club.slug])
    monkeypatch.setattr(club_files, "LINES_A_PAGE", len(lines) // 3)
    row = re.compile(r"<strong>(.*?):</strong> (.*?)</p>")
    assert walked(client, desk, row.pattern, lambda: None) == lines
    assert row.findall(text_of(client.get(desk, {"page": 2}))) == lines[: len(lines) // 3]


def test_a_file_holds_no_account_and_no_address(season: Scene) -> None:
    Player.objects.filter(club=season.club).update(email="someone.secret@example.org")
    content = b"".join(
        json.dumps(part).encode() for part in parts(exported(season.club, season.users["olive"]))
    )

    assert b"@" not in content
    for user in User.objects.all():
        assert user.password.encode() not in content


def test_a_file_of_a_file_is_the_same(season: Scene, owner: User) -> None:
    """What came in goes out as it came, but for its keys: nothing is lost on the way."""
    first = exported(season.club, season.users["olive"])
    club = imported(first, owner)

    _manifest, rows, _trail = parts(exported(club, owner))
    _manifest, before, _trail = parts(first)
    assert [row["model"] for row in rows] == [row["model"] for row in before]
    for one, other in zip(rows, before, strict=True):
        for name, value in one["fields"].items():
            if isinstance(value, str | bool) or value is None:
                assert value == other["fields"][name], (one["model"], name)


def test_one_competition_comes_with_its_people_only(season: Scene, owner: User) -> None:
    factories.player(season.club, "Nobody Plays")
    content = exported(season.club, season.users["dora"], season.competition)

    club = imported(content, owner)

    assert club.players.count() == 9  # the eight of four pairs, and the substitute
    assert table(club.competitions.get()) == table(season.competition)


def test_merged_players_come_as_one(season: Scene, owner: User) -> None:
    anna = season.players[0]
    twin = factories.player(season.club, "Anna B. Berg")
    merging.merge(actor=season.users["dora"], keep=twin, duplicate=anna)
    standings.compute(competition_id=season.competition.pk, at=AT)

    club = imported(exported(season.club, season.users["olive"]), owner)

    assert not club.players.filter(name=anna.name).exists()
    assert table(club.competitions.get()) == table(season.competition)


def test_a_convention_card_comes_and_is_verified(season: Scene, owner: User) -> None:
    pair = season.entries[0].lineup
    card = {**game.get("concerto").signals.as_card()}  # type: ignore[union-attr]
    cards.write(actor=season.users["anna"], pair=pair, game_key="concerto", content=card, after=0)
    club = imported(exported(season.club, season.users["olive"]), owner)
    assert Lineup.objects.filter(club=club, convention_cards__number=1).exists()
    assert not list(conventions.differences())


def test_an_evening_comes_with_the_same_ranking(evening: Evening, owner: User) -> None:
    for number in range(1, evening.competition.stage.rounds.count() + 1):
        duplicate_events.play_round(evening, number)
    duplicate_events.settle(evening)
    assert evening.board_set.released_at

    club = imported(exported(evening.club, owner_of(evening.club)), owner)

    found = club.competitions.get()
    assert table(found) == table(evening.competition)
    assert not list(verification.differences(competition=found))
    assert not list(verification.differences(competition=evening.competition))
    deals = Board.objects.filter(board_set__competition=found).values_list("number", "deal")
    assert set(deals) == set(
        Board.objects.filter(board_set__competition=evening.competition).values_list("number", "deal")
    )


def test_sealed_boards_tell_number_dealer_and_commitment(evening: Evening, owner: User) -> None:
    duplicate_events.play_round(evening, 1)
    assert not evening.board_set.released_at
    content = exported(evening.club, owner_of(evening.club))
    manifest, rows, trail = parts(content)
    text = json.dumps([manifest, rows, trail])

    for deal in board_cards.cards_of(evening.board_set).values():
        assert deal not in text
        assert all(hand not in text for hand in deal.removeprefix("N:").split())
    boards = [row["fields"] for row in rows if row["model"] == "games.board"]
    assert boards
    assert {name for fields in boards for name in fields} == {
        "board_set", "purpose", "place", "number", "dealer",
    }  # fmt: skip
    assert "delayed" not in of(rows, "games.boardset")
    assert {row["model"] for row in rows if row["model"].startswith("games.")} == {
        "games.duplicate", "games.evening", "games.sectionmovement", "games.boardset", "games.board", "games.ruling",
    } - {"games.ruling"} | ({"games.sectionmovement"} if "games.sectionmovement" in text else set())  # fmt: skip
    assert {each["what"]: each["count"] for each in manifest["left_out"]} == {
        "sealed_sheets": 2,
        "sealed_boards": len(boards),
    }

    club = imported(content, owner)

    found = club.competitions.get()
    made = BoardSet.objects.get(competition=found)
    assert made.commitment == evening.board_set.commitment
    assert made.discarded_at
    assert not made.secret
    assert not list(verification.differences(competition=found))
    assert [side.score for each in Fixture.objects.of_competition(found.pk) for side in each.sides] == [
        side.score for each in evening.fixtures() for side in each.sides
    ]


def test_a_zip_whose_inside_is_damaged_is_refused(season: Scene, owner: User) -> None:
    content = bytearray(exported(season.club, owner_of(season.club)))
    with zipfile.ZipFile(io.BytesIO(content)) as whole:
        begins = whole.getinfo(archives.ROWS).header_offset + 30 + len(archives.ROWS)
    content[begins] = 0xFF
    with pytest.raises(Invalid, match="damaged"):
        archives.read(io.BytesIO(content))


def test_a_competition_never_takes_the_address_of_a_page(season: Scene, owner: User) -> None:
    content = doctored(
        exported(season.club, owner_of(season.club)),
        lambda rows: of(rows, "league.competition").update(slug="players"),
    )
    with pytest.raises(Invalid, match="sense"):
        imported(content, owner)


@pytest.mark.parametrize("delayed", [0, [], "", {"kind": "text", "source": ["a"]}, {"kind": "text"}])
def test_what_is_mixed_into_deals_is_said_in_words(evening: Evening, owner: User, delayed: Any) -> None:
    content = doctored(
        exported(evening.club, owner_of(evening.club)),
        lambda rows: of(rows, "games.duplicate").update(delayed=delayed),
    )
    with pytest.raises(Invalid, match="sense"):
        imported(content, owner)


def test_files_under_way_count_as_clubs_of_the_day(season: Scene, owner: User) -> None:
    content = exported(season.club, owner_of(season.club))

    def begun() -> ClubImport:
        row = services.preview(actor=owner, upload=io.BytesIO(content), file_name="a.zip", at=timezone.now())
        return services.begin(actor=owner, row=row)

    rows = [begun() for _number in range(clubs.MOST_A_DAY)]
    with pytest.raises(Conflict, match="several clubs"):
        begun()
    assert services.begin(actor=owner, row=rows[0]).state == ClubImport.State.WAITING, (
        "asked again it is harmless"
    )


def test_who_may_export(season: Scene) -> None:
    for name in ("dora", "sam", "anna", "stranger"):
        with pytest.raises(NotAllowed):
            exported(season.club, season.users[name])
    for name in ("sam", "anna", "stranger"):
        with pytest.raises(NotAllowed):
            exported(season.club, season.users[name], season.competition)
    assert exported(season.club, season.users["dora"], season.competition)


def test_an_erased_person_stays_a_former_member(season: Scene, owner: User) -> None:
    erasing.erase(actor=season.users["olive"], player=season.players[3], at=timezone.now())
    name = season.players[3].name
    content = exported(season.club, season.users["olive"])

    assert name not in json.dumps(parts(content), ensure_ascii=False)
    assert imported(content, owner).players.filter(name="Former member").count() == 1


def test_erasing_reaches_the_imported_trail(season: Scene, owner: User) -> None:
    club = imported(exported(season.club, season.users["olive"]), owner)
    gus = club.players.get(name="Gus Guest")
    assert any(
        "Gus Guest" in f"{line.what} {line.about}" for line in ImportedTrailLine.objects.filter(club=club)
    )

    erasing.erase(actor=owner, player=gus, at=timezone.now())

    lines = ImportedTrailLine.objects.filter(club=club)
    assert lines
    assert not any("Gus" in f"{line.who} {line.what} {line.about} {line.why}" for line in lines)


# What somebody might try


def refused(content: bytes, owner: User) -> str:
    clubs = Club.objects.count()
    with pytest.raises(Invalid) as refusal:
        imported(content, owner)
    assert Club.objects.count() == clubs
    return " ".join([refusal.value.message, *(str(each["message"]) for each in refusal.value.details)])


def change_of(model: str, **values: Any) -> Change:
    return lambda rows: of(rows, model).update(values)


def doctored_result(rows: list[dict[str, Any]]) -> None:
    sheet = next(row["fields"] for row in rows if row["fields"].get("verdict") == "confirmed")
    sheet["totals"] = [999, 0]


def doctored_side(rows: list[dict[str, Any]]) -> None:
    side = next(row["fields"] for row in rows if row["fields"].get("outcome") == "played")
    side["score"] = 9999


def without_sheets(rows: list[dict[str, Any]]) -> None:
    gone = {"games.scoresheet", "games.playeddeal", "games.robothand"}
    rows[:] = [row for row in rows if row["model"] not in gone]


def twice(rows: list[dict[str, Any]]) -> None:
    rows.insert(0, rows[0])


def foreign_entry(rows: list[dict[str, Any]]) -> None:
    of(rows, "league.entry")["lineup"] = 10**9


def odd_seat(rows: list[dict[str, Any]]) -> None:
    of(rows, "games.scoresheet")["content"]["seats"]["N"] = 10**9


def deep(rows: list[dict[str, Any]]) -> None:
    value: Any = 1
    for _level in range(40):
        value = [value]
    of(rows, "league.competition")["rules"] = {"deals": value}


def in_a_circle(rows: list[dict[str, Any]]) -> None:
    stage = of(rows, "league.stage")
    stage["after"] = next(row["pk"] for row in rows if row["model"] == "league.stage")


ATTACKS: dict[str, tuple[Change, str]] = {
    "a stage after itself": (in_a_circle, "after"),
    "a result that does not follow": (doctored_result, "don’t follow from it"),
    "a score beside its sheet": (doctored_side, "doesn’t follow from the rest"),
    "results without sheets": (without_sheets, "without a scoresheet"),
    "a row twice": (twice, "twice"),
    "a row of another club": (foreign_entry, "lineup"),
    "a stranger in a seat": (odd_seat, "content"),
    "too deep": (deep, "couldn’t read"),
    "an account": (change_of("league.player", user=1), "column"),
    "an address": (change_of("league.player", email="a@example.org"), "column"),
    "a negative number": (change_of("league.entry", number=-1), "greater than or equal"),
    "a huge number": (change_of("league.entry", number=10**30), "line"),
    "a number as text": (change_of("league.entry", number="1"), "number"),
    "a day that no club plays on": (change_of("league.season", starts_on="99999-01-01"), "starts_on"),
    "the last year there is": (change_of("league.round", closes_at="9999-12-31T23:59:59+00:00"), "closes_at"),
    "a time without a zone": (change_of("league.round", closes_at="2026-10-08T00:00:00"), "closes_at"),
    "a very long name": (change_of("league.player", name="x" * 5000), "characters"),
    "a link for a name": (change_of("league.player", name="see evil.example.com"), "internet address"),
    "an unseen letter": (change_of("league.player", name="An\u202ena"), "nobody can see"),
    "another game": (change_of("league.competition", game="chess"), "chess"),
    "no such state": (change_of("league.fixture", status="won"), "line"),
    "points that are none": (change_of("league.competition", points={"win": "many"}), "Winter League"),
    "tie-breaks that are none": (change_of("league.competition", tie_breaks=["weight"]), "Winter League"),
    "rules that are none": (change_of("league.competition", rules={"deals": "x"}), "Winter League"),
    "days off that are none": (change_of("league.competition", days_off=[["x", 1]]), "Winter League"),
    "options of no format": (change_of("league.stage", options={"meetings": 3}), "sense"),
    "a seat that the game hasn't": (change_of("games.matchseat", seat="X"), "sense"),
    "a version before the first": (change_of("games.scoresheet", version=0), "sense"),
    "content that is none": (change_of("games.scoresheet", content=[]), "content"),
}


def test_a_doctored_file_is_refused_in_plain_words_and_leaves_nothing(season: Scene, owner: User) -> None:
    content = exported(season.club, season.users["olive"])
    for name, (change, said) in ATTACKS.items():
        assert said in refused(doctored(content, change), owner), name


def test_what_a_draw_costs_is_a_figure_of_any_size_that_draws_have() -> None:
    look = checks.CHECKS["league.rounddraw"]
    look(RoundDraw(cost=[0, -3, 1_234_567, "98765432/1234567"], least=["7"]))
    for value in ("much", "1/0", "1.5", 1.5, True, None, 10**13, [1]):
        with pytest.raises(Invalid):
            look(RoundDraw(cost=[value], least=[]))


def test_rows_that_nobody_knows_are_refused(season: Scene, owner: User) -> None:
    content = exported(season.club, season.users["olive"])
    for row in (
        {"model": "league.user", "pk": 1, "fields": {"email": "a@example.org"}},
        {"model": "league.membership", "pk": 1, "fields": {}},
        {"model": "auth.group", "pk": 1, "fields": {}},
        {"model": "league.player", "pk": "1", "fields": {}},
        {"model": "league.player", "pk": 10**40, "fields": {}},
        {"model": ["league.player"], "pk": 1, "fields": {}},
        ["league.player"],
        None,
        7,
    ):
        assert "line" in refused(doctored(content, lambda rows, row=row: rows.append(row)), owner)  # type: ignore[misc]


def zipped(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed_file:
        for name, content in members.items():
            packed_file.writestr(name, content)
    return file.getvalue()


@pytest.fixture
def good(season: Scene) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(exported(season.club, season.users["olive"]))) as packed_file:
        return {name: packed_file.read(name) for name in packed_file.namelist()}


def test_files_that_are_none_of_ours(good: dict[str, bytes], owner: User) -> None:
    whole = zipped(**good)
    manifest = json.loads(good["manifest.json"])

    def told(**changes: Any) -> bytes:
        return json.dumps({**manifest, **changes}).encode()

    tried = {
        b"": "couldn’t read this file",
        b"PK\x03\x04 nothing": "couldn’t read this file",
        whole[: len(whole) // 2]: "couldn’t read this file",
        zipped(): "isn’t the file of a club",
        zipped(**good, **{"../../etc/passwd": b"x"}): "isn’t the file of a club",
        zipped(**{"manifest.json": b"[]", "rows.jsonl": b"", "trail.jsonl": b""}): "isn’t the file of a club",
        zipped(**{**good, "manifest.json": told(version=2)}): "newer version",
        zipped(**{**good, "manifest.json": told(version=0)}): "couldn’t read this file",
        zipped(**{**good, "manifest.json": told(version="1")}): "couldn’t read this file",
        zipped(**{**good, "manifest.json": told(parts=7)}): "couldn’t read this file",
        zipped(**{**good, "manifest.json": told(standings=7)}): "isn’t complete",
        zipped(**{**good, "manifest.json": told(format="photos")}): "isn’t the file of a club",
        zipped(**{**good, "rows.jsonl": good["rows.jsonl"][:-200]}): "isn’t complete",
        zipped(**{**good, "rows.jsonl": b"\xff\xfe\n"}): "couldn’t read this",
        zipped(**{**good, "rows.jsonl": b"[" * 100_000 + b"\n"}): "couldn’t read this",
        zipped(**{**good, "rows.jsonl": b'{"a": NaN}\n'}): "couldn’t read this",
        zipped(**{**good, "rows.jsonl": b'"' + b"x" * 10_000_000 + b'"\n'}): "too long",
        zipped(**{**good, "trail.jsonl": b"7\n"}): "isn’t complete",
    }
    for content, said in tried.items():
        assert said in refused(content, owner), said


def test_a_zip_bomb_is_given_up_while_unpacking(good: dict[str, bytes], owner: User) -> None:
    line = b'"' + b" " * 200_000 + b'"\n'
    bomb = zipped(**{**good, "rows.jsonl": line * 700})

    assert len(bomb) < 1_000_000
    assert "more than we can take" in refused(bomb, owner)


def test_members_twice_or_locked_are_refused(good: dict[str, bytes], owner: User) -> None:
    file = io.BytesIO(zipped(**good))
    with zipfile.ZipFile(file, "a") as packed_file, pytest.warns(UserWarning, match="Duplicate"):
        packed_file.writestr("rows.jsonl", good["rows.jsonl"])
    assert "isn’t the file of a club" in refused(file.getvalue(), owner)

    squeezed = io.BytesIO()
    with zipfile.ZipFile(squeezed, "w", zipfile.ZIP_LZMA) as packed_file:
        for name, content in good.items():
            packed_file.writestr(name, content)
    assert "couldn’t read this file" in refused(squeezed.getvalue(), owner)


def test_boards_that_were_not_sealed_are_refused(evening: Evening, owner: User) -> None:
    for number in range(1, evening.competition.stage.rounds.count() + 1):
        duplicate_events.play_round(evening, number)
    duplicate_events.settle(evening)
    content = exported(evening.club, owner_of(evening.club))
    boards = Board.objects.filter(board_set=evening.board_set).order_by("pk")

    def swap(rows: list[dict[str, Any]]) -> None:
        of(rows, "games.board")["deal"] = boards[1].deal

    def other_key(rows: list[dict[str, Any]]) -> None:
        opened = of(rows, "games.boardset")["opened"]
        of(rows, "games.boardset")["opened"] = opened[::-1]

    for change in (swap, other_key, change_of("games.boardset", commitment="0" * 64)):
        assert "sealed" in refused(doctored(content, change), owner)
    refused(doctored(content, change_of("games.sectionmovement", tables=30_000)), owner)


# Pages and programs


def test_the_way_over_the_pages(season: Scene, owner: User, client: Client, settings: Any) -> None:
    client.force_login(season.users["olive"])
    got = client.post(reverse("desk_club_file", args=[season.club.slug]))
    content = got.content
    assert got["Content-Type"] == "application/zip"
    assert "riverside.zip" in got["Content-Disposition"]

    client.force_login(owner)
    broken = SimpleUploadedFile("club.zip", content[:-100])
    answer = client.post(reverse("club_import"), {"file": broken})
    assert answer.status_code == 422
    sent = client.post(reverse("club_import"), {"file": SimpleUploadedFile("club.zip", content)})
    row = ClubImport.objects.get()
    page = reverse("club_import_file", args=[row.pk])
    assert (sent.status_code, sent["Location"]) == (302, page)
    shown = client.get(page).content.decode()
    assert "Riverside Club" in shown
    assert "Winter League" in shown
    assert Club.objects.count() == 1

    client.force_login(season.users["olive"])
    assert client.get(page).status_code == 404
    assert client.post(page).status_code == 404

    client.force_login(owner)
    client.post(page)
    assert client.get(page)["Refresh"]
    services.sweep(at=timezone.now())
    row.refresh_from_db()
    assert (row.state, row.content, row.failure) == ("done", None, "")
    assert row.club is not None
    assert row.brought(row.club.players.all()[0])
    assert not row.brought(season.players[0])
    done = client.get(page)
    assert done["Location"] == reverse("desk_imported", args=[row.club.slug])
    assert "Dora Director" in client.get(done["Location"]).content.decode()
    # A second press makes no second club.
    client.post(page)
    services.sweep(at=timezone.now())
    assert Club.objects.count() == 2


def test_what_fails_in_the_worker_is_told(season: Scene, owner: User) -> None:
    content = doctored(exported(season.club, season.users["olive"]), doctored_side)
    row = services.preview(actor=owner, upload=io.BytesIO(content), file_name="x.zip", at=AT)
    services.begin(actor=owner, row=row)
    services.carry_out(import_id=row.pk, at=AT)

    row.refresh_from_db()
    assert (row.state, row.club, row.content) == ("failed", None, None)
    assert "doesn’t follow" in row.failure
    assert Club.objects.count() == 1
    services.sweep(at=AT + timedelta(days=2))
    assert not ClubImport.objects.exists()


def test_programs_do_the_same(season: Scene, owner: User, client: Client) -> None:
    client.force_login(season.users["dora"])
    got = client.post(f"/api/v1/competitions/{season.competition.pk}/file/")
    content = got.content

    client.force_login(owner)
    sent = client.post("/api/v1/club-imports/", {"file": SimpleUploadedFile("club.zip", content)})
    assert sent.status_code == 201
    assert sent.json()["preview"]["of_competition"] == "Winter League"
    bad = client.post("/api/v1/club-imports/", {"file": SimpleUploadedFile("club.zip", b"no")})
    assert bad.status_code == 422
    begun = client.post(f"/api/v1/club-imports/{sent.json()['id']}/begin/")
    assert begun.json()["state"] == "waiting"
    services.sweep(at=timezone.now())
    found = client.get(f"/api/v1/club-imports/{sent.json()['id']}/").json()
    assert (found["state"], found["club"]) == ("done", "riverside-club")


def test_a_later_stage_comes_with_the_points_that_count_on(season: Scene, owner: User) -> None:
    first = season.competition
    dora = season.users["dora"]
    for fixture in Fixture.objects.of_competition(first.pk).open().with_pairs():
        fixtures.award_walkover(actor=dora, fixture=fixture, losing=[fixture.away], reason="Nobody came")
    competitions.finish(actor=dora, competition=first)
    data = LaterStage("Final", AT.date(), "swiss", last=4, carry_over="half")
    later = stages.begin(actor=dora, competition=first, data=data)
    factories.drawn(later)
    assert any(row[3] != "0" for row in table(later))

    club = imported(exported(season.club, season.users["olive"]), owner)
    found = club.competitions.get(name="Final")
    assert found.stage.after == club.competitions.get(slug=first.slug).stage
    assert found.stage.carry_over == "half"
    assert table(found) == table(later)

    # A file of it alone has the stage before with it.
    alone = imported(exported(season.club, season.users["olive"], later), owner, "Alone")
    assert table(alone.competitions.get(name="Final")) == table(later)
