"""Pairing lists and brackets: on paper, as files, and on the page of opponents."""

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape
from pypdf import PdfReader

from games.papers import pairings
from games.papers.kinds import KINDS
from games.papers.orders import NothingToPrint, Order
from games.papers.queries.papers import papers_page
from league.draws.services import challenges, rounds
from league.models import Competition, Fixture, Role
from league.standings.services import standings
from tests.league import factories
from tests.league.factories import DIRECTOR

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def order(competition: Competition, **more: Any) -> Order:
    return Order(competition, "a4", "en", "https://example.org", lambda _done, _pages: None, **more)


def text_of(content: bytes) -> list[str]:
    return [page.extract_text() for page in PdfReader(io.BytesIO(content)).pages]


def swiss() -> Competition:
    """Seven pairs; the first round is played, the second drawn."""
    competition = factories.running(factories.club(), pairs=7, format="swiss", name="Autumn Swiss")
    division = competition.stage.divisions.get()
    for fixture in Fixture.objects.of_competition(competition.pk).with_pairs():
        factories.result(fixture, 60, 40)
    seen = rounds.propose(division=division, round_=division.stage.rounds.get(number=2)).digest
    later = timezone.now() + timedelta(days=1)
    rounds.publish(actor=DIRECTOR, division=division, number=2, at=later, seen=seen)
    return competition


def test_the_pairing_list_has_everybody_by_table_and_by_name() -> None:
    competition = swiss()
    offers = [offer for group in papers_page(competition, DIRECTOR).groups for offer in group.offers]  # type: ignore[arg-type]
    assert {each.key: each.choices[0].label for each in offers if each.asks == "round"} == {
        "pairings": "the round drawn last",
        "scoresheets": "all rounds",
    }
    by_table, by_name = text_of(KINDS["pairings"].make(order(competition)).content)
    assert "Round 2: Tables" in by_table
    assert "Round 2: By name" in by_name
    for entry in competition.entries.with_pairs():
        assert str(entry) in by_table.replace("\n", " ")
        for player in entry.lineup.players:
            assert player.name in by_name
    first = competition.stage.rounds.get(number=1)
    assert "Round 1: Tables" in text_of(pairings.pairing_list(order(competition, round=first)).content)[0]
    third = competition.stage.rounds.get(number=3)
    with pytest.raises(NothingToPrint):
        pairings.pairing_list(order(competition, round=third))


def rows(competition: Competition, kind: str, form: str = "csv") -> list[dict[str, str]]:
    address = reverse("competition_file", args=[competition.club.slug, competition.slug, kind, form])
    answer = Client().get(address)
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_the_pairings_are_files_too() -> None:
    competition = swiss()
    by_table = rows(competition, "pairings")
    assert [row["Table"] for row in by_table] == ["1", "2", "3", ""]
    assert {row["Round"] for row in by_table} == {"2"}
    assert by_table[3]["Notes"] == "no match in this round"
    by_name = rows(competition, "names")
    assert len(by_name) == 14
    assert [row["Player"] for row in by_name] == sorted((row["Player"] for row in by_name), key=str.casefold)
    assert sorted(row["Home or away"] for row in by_name) == [""] * 2 + ["away"] * 6 + ["home"] * 6
    league = factories.running(competition.club, pairs=4)
    address = reverse("competition_file", args=[league.club.slug, league.slug, "pairings", "csv"])
    assert Client().get(address).status_code == 404


def at_tables(divisions: int = 1) -> Competition:
    """Seven players a division: the first round is drawn."""
    competition = factories.running(
        factories.club(), pairs=7, divisions=divisions, format="tables_evening", game="tien-len",
        points={"by": "rank"}, name="Evening",
    )  # fmt: skip
    for division in competition.stage.divisions.all():
        seen = rounds.proposal_of(division=division, round_=division.stage.rounds.get(number=1)).digest
        rounds.publish(actor=DIRECTOR, division=division, number=1, at=timezone.now(), seen=seen)
    return competition


def test_the_seating_list_has_everybody_by_table_and_by_name() -> None:
    competition = at_tables(divisions=2)
    *by_table, by_name = text_of(KINDS["seating"].make(order(competition)).content)
    assert len(by_table) == 2
    assert "Round 1: Tables" in by_table[0]
    assert "Round 1: By name" in by_name
    for page, division in zip(by_table, competition.stage.divisions.order_by("level"), strict=True):
        assert division.name in page
        names = [str(entry) for entry in division.entries.with_pairs()]
        assert all(name in page.replace("\n", " ") and name in by_name.replace("\n", " ") for name in names)
    kinds = {offer.key for group in papers_page(competition, DIRECTOR).groups for offer in group.offers}  # type: ignore[arg-type]
    assert "seating" in kinds
    assert "pairings" not in kinds


def test_the_seats_are_files_too() -> None:
    competition = at_tables()
    by_table = rows(competition, "pairings")
    assert [(row["Table"], row["Seat"]) for row in by_table] == [
        *(("1", str(seat)) for seat in range(1, 5)), *(("2", str(seat)) for seat in range(1, 4))
    ]  # fmt: skip
    seated = {str(entry): f.table for f in Fixture.objects.with_pairs() for entry in f.entries}
    by_name = rows(competition, "names")
    assert [row["Player"] for row in by_name] == sorted(seated, key=str.casefold)
    for row in by_name:
        assert row["Table"] == seated[row["Player"]]
        others = {name for name, table in seated.items() if table == row["Table"]} - {row["Player"]}
        assert set(row["With"].split(", ")) == others
    for form in ("csv", "xlsx"):
        address = reverse("competition_file", args=[competition.club.slug, competition.slug, "names", form])
        page = reverse("competition_fixtures", args=[competition.club.slug, competition.slug])
        assert address in Client().get(page).text


def test_the_round_leads_officials_to_the_seating_list() -> None:
    competition = at_tables()
    address = reverse("round", args=[competition.club.slug, competition.slug, 1])
    papers = reverse("papers", args=[competition.club.slug, competition.slug])
    assert papers not in Client().get(address).text
    official = Client()
    official.force_login(factories.member(competition.club, Role.SCORER))
    page = official.get(address).text
    assert papers in page
    assert "Print the seating list" in page


@pytest.mark.parametrize("pairs", [5, 64])
def test_the_bracket_of_six_rounds_stands_on_one_sheet(pairs: int) -> None:
    competition = factories.running(factories.club(), pairs=pairs, format="knockout", name="Cup")
    assert rows(competition, "pairings")
    (sheet,) = text_of(KINDS["bracket"].make(order(competition)).content)
    flat = sheet.replace("\n", " ")
    for entry in competition.entries.with_pairs():
        assert str(entry) in flat
    assert "Final" in flat
    assert "winner of match 1" in flat
    assert ("bye" in flat) == (pairs == 5)
    kinds = {offer.key for group in papers_page(competition, DIRECTOR).groups for offer in group.offers}  # type: ignore[arg-type]
    assert {"pairings", "bracket"} <= kinds


def test_a_larger_bracket_has_its_first_rounds_in_parts() -> None:
    competition = factories.running(factories.club(), pairs=65, format="knockout")
    sheets = text_of(pairings.bracket(order(competition)).content)
    assert len(sheets) == 3
    assert "Bracket, part 1 of 2" in sheets[0]


def test_the_opponents_of_a_swiss_stand_round_by_round() -> None:
    competition = swiss()
    address = reverse("competition_cross_table", args=[competition.club.slug, competition.slug])
    page = Client().get(address)
    (table,) = page.context["tables"]
    assert table.drawn == (1, 2)
    assert [row.number for row in table.rows] == list(range(1, 8))
    for row in table.rows:
        for place, met in enumerate(row.rounds):
            if not met.numbers:
                assert met.is_bye
                continue
            (number,) = met.numbers
            other = table.rows[number - 1]
            assert other.pair.name in met.names
            assert other.rounds[place].numbers == (row.number,)
    assert page.text.count("60–40") == page.text.count("40–60") == 3
    assert page.text.count("to play") >= 6


def test_the_wall_shows_the_round_and_the_table_and_follows_them() -> None:
    competition = swiss()
    standings.compute(competition_id=competition.pk, at=timezone.now())
    words = [competition.club.slug, competition.slug]
    page = Client().get(reverse("competition_wall", args=words))
    assert page.text.count('class="turn"') == 2
    for entry in competition.entries.with_pairs():
        assert page.text.count(escape(entry)) == 2
    address = reverse("competition_now_live", args=words)
    version = page.context["part"].version
    live = Client().get(address, {"part": "wall", "version": version})
    assert live.status_code == 204
    fixture = Fixture.objects.of_competition(competition.pk).filter(round__number=2).with_pairs()[0]
    factories.result(fixture, 71, 29)
    assert "71–29" in Client().get(address, {"part": "wall", "version": version}).text


def test_the_wall_shows_a_bracket_round_by_round_and_who_moved_on_a_ladder() -> None:
    def wall(competition: Competition) -> str:
        return Client().get(reverse("competition_wall", args=[club.slug, competition.slug])).text

    club = factories.club()
    cup = factories.running(club, pairs=4, format="knockout")
    played = Fixture.objects.of_competition(cup.pk).with_pairs().order_by("pk")[0]
    factories.result(played, 71, 29)
    text = wall(cup)
    assert "Semi-finals" in text
    assert "Final <" in text
    assert f"<strong>{escape(played.home)}</strong>" in text
    assert "71–29" in text
    steps = factories.running(club, pairs=4, format="ladder")
    below, above = (steps.entries.with_pairs().get(number=number) for number in (3, 2))
    at = timezone.now()
    made = challenges.challenge(actor=DIRECTOR, challenger=below, challenged=above, at=at)
    challenges.decline(actor=DIRECTOR, challenge=made, at=at)
    assert all(arrow in wall(steps) for arrow in ("▲1", "▼1"))


def test_in_a_swiss_of_players_partner_and_opponents_have_a_column_each() -> None:
    competition = factories.running(factories.club(), pairs=9, format="swiss_players")
    division = competition.stage.divisions.get()
    seen = rounds.proposal_of(division=division, round_=division.stage.rounds.get(number=1)).digest
    rounds.publish(actor=DIRECTOR, division=division, number=1, at=timezone.now(), seen=seen)
    listed = {row["Player"]: row for row in rows(competition, "names")}
    assert len(listed) == 9
    for name, row in listed.items():
        if not row["Table"]:
            assert (row["With"], row["Against"]) == ("no match in this round", "")
            continue
        assert listed[row["With"]]["With"] == name
        at_table = {other for other, each in listed.items() if each["Table"] == row["Table"]}
        assert set(row["Against"].split(", ")) == at_table - {name, row["With"]}
    # The paper that its round leads to is offered by this name.
    officials = Client()
    officials.force_login(factories.member(competition.club, Role.DIRECTOR))
    page = officials.get(reverse("round", args=[competition.club.slug, competition.slug, 1])).text
    assert "Print the pairing list" in page
    assert KINDS["pairings"].suits(competition)
    assert not KINDS["seating"].suits(competition)
