"""Every kind of paper asked of every format by its address: it is made, or refused in words."""

import csv
import io
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader
from structlog.testing import capture_logs

from games.models import BoardSet, Paper
from games.papers.kinds import KINDS
from games.papers.services import papers
from league import formats
from league.exports import tables
from league.models import Competition, Role
from tests.games import evening_rooms, team_leagues
from tests.league import factories

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
OF_LEAGUES = [way for key in formats.LEAGUES for way in formats.FORMATS[key].ways]


def drafted(way: str) -> Competition:
    of_tables: dict[str, Any] = (
        {"game": "tien-len", "points": {"by": "rank"}} if way.startswith("tables") else {}
    )
    return factories.competition(factories.club(), pairs=8, format=way, **of_tables)


def published(way: str) -> Competition:
    return factories.drawn(drafted(way))


def teams(_way: str) -> Competition:
    return team_leagues.make_league(teams=4).competition


def evening(way: str) -> Competition:
    club, director = evening_rooms.club_with_director()
    return evening_rooms.laid_out(club, director, 8, partners_change=way == formats.INDIVIDUALS)


CASES: list[tuple[str, Callable[[str], Competition]]] = [
    *((way, drafted) for way in OF_LEAGUES),
    *((way, published) for way in OF_LEAGUES),
    *((way, evening) for way in formats.FORMATS[formats.EVENING].ways),
    (formats.SINGLE, teams),
]


@pytest.mark.parametrize(("way", "build"), CASES, ids=[f"{way}-{build.__name__}" for way, build in CASES])
def test_every_paper_of_every_format_is_made_or_refused_in_words(
    way: str, build: Callable[[str], Competition]
) -> None:
    competition = build(way)
    client = Client()
    client.force_login(factories.member(competition.club, Role.DIRECTOR))
    address = reverse("papers", args=[competition.club.slug, competition.slug])
    board_set = BoardSet.objects.filter(competition=competition).first()
    sent = {"set": board_set.pk if board_set else "", "reason": "For the hall"}
    for kind in KINDS:
        answer = client.post(address, {"kind": kind, **sent}, follow=True)
        assert answer.status_code == 200, kind
        paper = Paper.objects.filter(competition=competition, kind=kind).first()
        if paper is None:
            assert [said.level_tag for said in answer.context["messages"]] == ["error"], kind
            continue
        with capture_logs() as logs:
            papers.make_paper(paper_id=paper.pk, at=timezone.now())
        paper.refresh_from_db()
        assert [line["event"] for line in logs if line["log_level"] == "error"] == [], kind
        assert paper.state == Paper.State.READY or paper.failure.endswith("."), (kind, paper.failure)
        if paper.state == Paper.State.READY:
            content = papers.content_of(actor=paper.asked_by, paper=paper)
            if content.startswith(b"%PDF"):
                pages = [page.extract_text() for page in PdfReader(io.BytesIO(content)).pages]
                assert pages, kind
                assert all(len(text) > 20 for text in pages), kind


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("way", OF_LEAGUES)
def test_no_two_columns_of_a_table_are_called_alike(way: str, language: str) -> None:
    competition = published(way)
    client = Client(headers={"Accept-Language": language})
    for kind in tables.KINDS:
        if not tables.has(competition, kind):
            continue
        address = reverse("competition_file", args=[competition.club.slug, competition.slug, kind, "csv"])
        titles = next(csv.reader(io.StringIO(client.get(address).content.decode("utf-8-sig"))))
        assert len(titles) == len(set(titles)), (kind, titles)
