"""Tables to take away: the same figures as the pages, for the same readers, in files that compute nothing."""

import csv
import io
from collections.abc import Sequence
from datetime import date, time
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from games.scoresheets.services import scoresheets
from league.exports import files, tables
from league.exports.tables import ExportTable
from league.models import Competition, Player
from league.results.queries import standings_view
from league.standings.services import standings
from tests.games import evening_rooms
from tests.scenes import Scene, make_scene, totals_sheet

Rows = list[dict[str, Any]]
SHEET = totals_sheet((60, 20), (50, 30))


@pytest.fixture
def scene(db: None) -> Scene:
    return make_scene()


def play(scene: Scene) -> None:
    """Berg & Okafor beat Novak & Reyes by 410 to 50, with the bonus for the game."""
    sheet = scoresheets.submit(
        actor=scene.users["anna"],
        fixture=scene.fixture,
        content=SHEET,
        origin="page",
    )
    scoresheets.confirm(actor=scene.users["eva"], sheet=sheet, digest=sheet.digest)
    standings.compute(competition_id=scene.competition.pk, at=timezone.now())


def address(scene: Scene, kind: str, form: str) -> str:
    return reverse("competition_file", args=[scene.club.slug, scene.competition.slug, kind, form])


def client_of(scene: Scene, name: str = "") -> Client:
    client = Client()
    if name:
        client.force_login(scene.users[name])
    return client


def read_csv(content: bytes) -> Rows:
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def read_xlsx(content: bytes) -> Rows:
    titles, *rows = load_workbook(io.BytesIO(content)).active.iter_rows(values_only=True)
    return [dict(zip(titles, row, strict=True)) for row in rows]


def table_of(*cells: Any) -> ExportTable:
    return ExportTable("Table", tuple(f"c{place}" for place in range(len(cells))), (cells,))


def csv_cells(*cells: Any) -> Sequence[str]:
    return list(read_csv(files.csv_file(table_of(*cells)))[0].values())


def test_standings_have_the_figures_of_the_page(scene: Scene) -> None:
    play(scene)
    (shown,) = standings_view.of_competition(scene.competition, scene.users["iris"], at=timezone.now())
    for form, read in (("csv", read_csv), ("xlsx", read_xlsx)):
        rows = read(client_of(scene).get(address(scene, "standings", form)).content)
        assert [row["Pair"] for row in rows] == [row.pair.name for row in shown.rows]
        first = rows[0]
        assert first["Players"] == "Anna Berg and Chidi Okafor"
        found = [first[name] for name in ("Place", "Played", "Won", "Lost", "Points for", "Points against")]
        assert [int(figure) for figure in found] == [1, 1, 1, 0, 410, 50]
        figures = [first[name] for name in ("Difference", "League points", "Matches left")]
        assert [int(figure) for figure in figures] == [360, 2, 2]
        assert int(rows[-1]["Difference"]) == -360, "a number keeps its sign"


def test_f151_the_prizes_are_those_of_the_first_places_as_they_stand(scene: Scene) -> None:
    assert read_csv(client_of(scene).get(address(scene, "prizes", "csv")).content) == []
    play(scene)
    rows = read_csv(client_of(scene).get(address(scene, "prizes", "csv")).content)
    assert list(rows[0]) == ["Division", "Place", "Pair", "Players", "Prize"]
    assert (rows[0]["Place"], rows[0]["Players"], rows[0]["Prize"]) == ("1", "Anna Berg and Chidi Okafor", "")
    assert all(int(row["Place"].rstrip("=")) <= tables.PRIZES for row in rows)


def test_before_the_first_result_all_pairs_are_named(scene: Scene) -> None:
    rows = read_xlsx(client_of(scene).get(address(scene, "standings", "xlsx")).content)
    assert len(rows) == 4
    assert {row["League points"] for row in rows} == {None}


def test_fixtures_and_results_have_days_and_points_in_the_clubs_time(scene: Scene) -> None:
    play(scene)
    client = client_of(scene)
    fixtures = read_xlsx(client.get(address(scene, "fixtures", "xlsx")).content)
    results = read_xlsx(client.get(address(scene, "results", "xlsx")).content)
    assert (len(fixtures), len(results)) == (6, 1)
    (match,) = results
    assert (match["Day"].date(), match["Time"], match["Time zone"]) == (
        date(2026, 10, 1),
        time(20, 30),
        "Europe/Dublin",
    )
    assert [match[name] for name in ("Home", "Home points", "Away", "Away points", "Status")] == [
        "Berg & Okafor", 410, "Novak & Reyes", 50, "confirmed",
    ]  # fmt: skip
    assert fixtures[1]["Home points"] is None
    in_csv = read_csv(client.get(address(scene, "results", "csv")).content)[0]
    assert (in_csv["Day"], in_csv["Time"], in_csv["Round"]) == ("2026-10-01", "20:30", "1")


def test_a_result_that_waits_to_be_confirmed_is_none_yet(scene: Scene) -> None:
    scoresheets.submit(actor=scene.users["anna"], fixture=scene.fixture, content=SHEET, origin="page")
    client = client_of(scene)
    assert read_csv(client.get(address(scene, "results", "csv")).content) == []
    fixture = read_csv(client.get(address(scene, "fixtures", "csv")).content)[0]
    assert (fixture["Home points"], fixture["Status"]) == ("", "to confirm")


def test_who_may_not_see_the_competition_gets_no_file(scene: Scene) -> None:
    Competition.objects.filter(pk=scene.competition.pk).update(visibility="members")
    for kind in (kind for kind in tables.KINDS if tables.has(scene.competition, kind)):
        assert client_of(scene).get(address(scene, kind, "csv")).status_code == 404
        assert client_of(scene, "stranger").get(address(scene, kind, "xlsx")).status_code == 404
        assert client_of(scene, "iris").get(address(scene, kind, "csv")).status_code == 200
    Competition.objects.filter(pk=scene.competition.pk).update(state="draft")
    assert client_of(scene, "iris").get(address(scene, "fixtures", "csv")).status_code == 404


@pytest.mark.parametrize(
    ("kind", "form"), [("standings", "pdf"), ("players", "csv"), ("x", "csv"), ("results", "CSV")]
)
def test_no_other_file_is_there(scene: Scene, kind: str, form: str) -> None:
    assert client_of(scene, "olive").get(address(scene, kind, form)).status_code == 404


def test_an_evening_has_rounds_but_no_standings_of_ours(scene: Scene) -> None:
    evening = evening_rooms.laid_out(scene.club, scene.users["dora"], 3, boards=2)
    for kind, status in (("standings", 404), ("fixtures", 200), ("results", 200)):
        where = reverse("competition_file", args=[scene.club.slug, evening.slug, kind, "csv"])
        assert client_of(scene, "dora").get(where).status_code == status


def test_players_are_for_directors_and_name_no_account(scene: Scene) -> None:
    Player.objects.filter(name="Anna Berg").update(email="anna@home.example", number="-7")
    Player.objects.create(club=scene.club, name="Zoe Paper")
    for form, read in (("csv", read_csv), ("xlsx", read_xlsx)):
        where = reverse("desk_players_file", args=[scene.club.slug, form])
        assert "/accounts/login/" in client_of(scene).get(where)["Location"]
        for name in ("iris", "sam", "stranger"):
            assert client_of(scene, name).get(where).status_code == 403
        answer = client_of(scene, "dora").get(where)
        assert "no-store" in answer["Cache-Control"]
        rows = read(answer.content)
        assert [row["Name"] for row in rows] == sorted(row["Name"] for row in rows)
        assert (rows[0]["Name"], rows[0]["E-mail address"], rows[0]["Account"]) == (
            "Anna Berg",
            "anna@home.example",
            "yes",
        )
        assert rows[0]["Membership number"] == ("'-7" if form == "csv" else "-7")
        assert (rows[-1]["Name"], rows[-1]["Account"]) == ("Zoe Paper", "no")
        assert b"anna@example.org" not in answer.content, "the address of the account is its own"


def test_titles_are_in_the_readers_language(scene: Scene) -> None:
    answer = client_of(scene).get(address(scene, "fixtures", "csv"), headers={"accept-language": "de"})
    assert {"Runde", "Heim"} <= set(read_csv(answer.content)[0])


def test_pages_offer_their_files(scene: Scene) -> None:
    play(scene)
    client, base = (
        client_of(scene, "dora"),
        reverse("competition", args=[scene.club.slug, scene.competition.slug]),
    )
    assert address(scene, "standings", "xlsx") in client.get(base).content.decode()
    page = client.get(f"{base}fixtures/").content.decode()
    assert address(scene, "results", "csv") in page
    assert address(scene, "fixtures", "xlsx") in page
    where, desk = (
        reverse("desk_players_file", args=[scene.club.slug, "xlsx"]),
        reverse("desk_players", args=[scene.club.slug]),
    )
    assert where in client.get(desk).content.decode()
    assert where not in client_of(scene, "sam").get(desk).content.decode()


@pytest.mark.parametrize("text", ["=1+1", "+44 20", "-7", "@SUM(A1)", " =1", "\t=1", "\r=1", "＝1", "a\n=1"])
def test_what_a_spreadsheet_would_compute_stays_text(text: str) -> None:
    (cell,) = csv_cells(text)
    assert cell == (text if text.startswith("a") else f"'{text}")
    (row,) = load_workbook(io.BytesIO(files.xlsx_file(table_of(text)))).active.iter_rows(min_row=2)
    assert row[0].data_type == "s"


def test_numbers_are_exact_and_no_days() -> None:
    given = (Fraction(9, 2), Fraction(13, 3), Fraction(-13, 3), Fraction(1, 3), Fraction(-5), -12, None)
    assert csv_cells(*given) == ["4.5", "4 1/3", "-4 1/3", "0 1/3", "-5", "-12", ""]
    (row,) = load_workbook(io.BytesIO(files.xlsx_file(table_of(*given)))).active.iter_rows(
        min_row=2, values_only=True
    )
    assert row == (4.5, "4 1/3", "-4 1/3", "0 1/3", -5, -12, None)


@given(st.text(max_size=60))
def test_any_name_comes_through_both_files(text: str) -> None:
    kept = text.encode("utf-8", "ignore").decode()
    (cell,) = csv_cells(kept) or [""]
    assert cell.removeprefix("'") == kept.removeprefix("'")
    (row,) = load_workbook(io.BytesIO(files.xlsx_file(table_of(kept)))).active.iter_rows(min_row=2)
    assert row[0].data_type != "f"


def test_the_queries_do_not_grow_with_the_matches(scene: Scene, django_assert_max_num_queries: Any) -> None:
    play(scene)
    client = client_of(scene)
    for kind in (kind for kind in tables.KINDS if tables.has(scene.competition, kind)):
        with django_assert_max_num_queries(16):
            assert client.get(address(scene, kind, "csv")).status_code == 200
