"""Evenings for bridge programs: USEBIO 1.2 by its structure, with what everybody sees and nothing of a sealed board."""

from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from django.test import Client
from django.urls import reverse

from engine.contest.movements import sections
from games.comparisons.reckoning import rankings
from games.models import Board, Duplicate
from league.models import Competition
from tests.games.duplicate_events import Evening, begin_round, make_evening, play_round, play_table, settle
from tests.scenes import make_scene

pytestmark = pytest.mark.django_db
#: What may lie in each element, as programs write it and read it; a text where nothing may.
STRUCTURE = {
    "USEBIO": {"CLUB", "EVENT"},
    "CLUB": {"CLUB_NAME"},
    "EVENT": {
        "PROGRAM_NAME", "EVENT_DESCRIPTION", "DATE", "BOARD_SCORING_METHOD", "WINNER_TYPE", "SESSION_COUNT",
        "SECTION_COUNT", "BOARDS_PLAYED", "SESSION",
    },
    "SESSION": {"SECTION"},
    "SECTION": {"PARTICIPANTS", "BOARD"},
    "PARTICIPANTS": {"PAIR"},
    "PAIR": {"PAIR_NUMBER", "DIRECTION", "BOARDS_PLAYED", "TOTAL_SCORE", "PERCENTAGE", "PLACE", "PLAYER"},
    "PLAYER": {"PLAYER_NAME"},
    "BOARD": {"BOARD_NUMBER", "TRAVELLER_LINE"},
    "TRAVELLER_LINE": {
        "NS_PAIR_NUMBER", "EW_PAIR_NUMBER", "SCORE", "NS_MATCH_POINTS", "EW_MATCH_POINTS", "NS_CROSS_IMP_POINTS",
        "EW_CROSS_IMP_POINTS",
    },
}  # fmt: skip


def address(evening: Evening) -> str:
    return reverse("usebio_file", args=[evening.club.slug, evening.competition.slug])


def read(evening: Evening) -> Xml.Element:
    answer = Client().get(address(evening))
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/xml; charset=utf-8")
    root = Xml.fromstring(answer.content)
    check(root)
    return root


def check(root: Xml.Element) -> None:
    """Each element lies where it may, and only those without others within have a text."""
    assert (root.tag, root.attrib) == ("USEBIO", {"Version": "1.2"})
    for element in root.iter():
        within = STRUCTURE.get(element.tag)
        if within is None:
            assert not list(element), element.tag
            assert element.text, element.tag
        else:
            assert {each.tag for each in element} <= within, element.tag
            assert not (element.text or "").strip(), element.tag


def texts(root: Xml.Element, path: str) -> list[str]:
    return [each.text or "" for each in root.iterfind(path)]


def played(rounds: int = 3, **plan: Any) -> Evening:
    evening = make_evening(pairs=4, boards=2, choice=sections.Choice(sections.Kind.HOWELL, 2, 3), **plan)
    for number in range(1, rounds + 1):
        play_round(evening, number)
    settle(evening)
    return evening


def test_a_whole_evening_has_everybody_every_board_and_the_ranking() -> None:
    evening = played()
    root = read(evening)
    assert texts(root, "CLUB/CLUB_NAME") == [evening.club.name]
    assert texts(root, "EVENT/DATE") == ["19/11/2026"]
    assert root.find("EVENT").get("EVENT_TYPE") == "PAIRS"  # type: ignore[union-attr]
    assert texts(root, ".//BOARD_SCORING_METHOD") == ["MATCH_POINTS"]
    assert texts(root, ".//PAIR/PAIR_NUMBER") == ["1", "2", "3", "4"]
    assert texts(root, ".//PLAYER_NAME")[:2] == ["Anna Berg", "Ben Okafor"]
    released = Board.objects.filter(
        board_set=evening.board_set, released_at__isnull=False, plays__isnull=False
    )
    numbers = sorted(set(released.values_list("number", flat=True)))
    assert numbers
    assert texts(root, ".//BOARD/BOARD_NUMBER") == [str(number) for number in numbers]
    assert texts(root, "EVENT/BOARDS_PLAYED") == [str(len(numbers))]
    (ranking,) = (each for each in rankings.of_event(evening.competition) if each.field == "all")
    places = {row.pair.name: f"{row.rank}{'=' if row.is_shared else ''}" for row in ranking.rows}
    by_number = {str(entry.number): str(entry.lineup) for entry in evening.entries}
    for pair in root.iterfind(".//PAIR"):
        name = by_number[pair.findtext("PAIR_NUMBER", "")]
        assert pair.findtext("PLACE") == places[name]


def test_the_lines_of_a_board_add_up() -> None:
    root = read(played())
    for board in root.iterfind(".//BOARD"):
        lines = board.findall("TRAVELLER_LINE")
        assert len(lines) == 2
        top = 2 * (len(lines) - 1)
        for line in lines:
            points = [float(line.findtext(name, "x")) for name in ("NS_MATCH_POINTS", "EW_MATCH_POINTS")]
            assert sum(points) == top
        best = max(lines, key=lambda line: int(line.findtext("SCORE", "x")))
        assert float(best.findtext("NS_MATCH_POINTS", "x")) >= top / 2


def test_imps_have_elements_of_their_own() -> None:
    evening = played(method=Duplicate.Way.CROSS_IMPS)
    root = read(evening)
    assert texts(root, ".//BOARD_SCORING_METHOD") == ["CROSS_IMPS"]
    pairs = zip(texts(root, ".//NS_CROSS_IMP_POINTS"), texts(root, ".//EW_CROSS_IMP_POINTS"), strict=True)
    sums = {float(ns) + float(ew) for ns, ew in pairs}
    assert sums == {0}
    assert not root.findall(".//NS_MATCH_POINTS")


def test_of_a_sealed_board_there_is_nothing_for_anybody() -> None:
    """Not for those who have played it, nor for the director: the file is the same for all."""
    evening = played(rounds=0)
    begin_round(evening, 1)
    play_table(evening, evening.fixtures(1)[0])
    settle(evening)
    assert evening.fixtures(1)[0].status == "confirmed"
    root = read(evening)
    assert not root.findall(".//BOARD")
    assert len(root.findall(".//PAIR")) == 4
    plain = Client().get(address(evening)).content
    for user in (evening.director, evening.users["anna"]):
        client = Client()
        client.force_login(user)
        assert client.get(address(evening)).content == plain


def test_one_board_is_released_and_only_it_is_in_the_file() -> None:
    evening = played()
    numbers = texts(read(evening), ".//BOARD_NUMBER")
    hidden = evening.board(int(numbers[0]))
    Board.objects.filter(pk=hidden.pk).update(released_at=None, deal="")
    assert texts(read(evening), ".//BOARD_NUMBER") == numbers[1:]


def test_names_with_signs_of_xml_come_through() -> None:
    evening = make_evening(pairs=4, boards=2)
    Competition.objects.filter(pk=evening.competition.pk).update(name='<Cup> & "Tea"')
    assert texts(read(evening), "EVENT/EVENT_DESCRIPTION") == ['<Cup> & "Tea"']


def test_only_an_evening_has_the_file_and_only_who_may_see_it() -> None:
    scene = make_scene()
    league = reverse("usebio_file", args=[scene.club.slug, scene.competition.slug])
    assert Client().get(league).status_code == 404
    evening = make_evening(pairs=4, boards=2, club=scene.club)
    Competition.objects.filter(pk=evening.competition.pk).update(visibility="members")
    assert Client().get(address(evening)).status_code == 404


def test_the_page_offers_it() -> None:
    evening = played()
    assert address(evening) in Client().get(evening.competition.get_absolute_url()).content.decode()
