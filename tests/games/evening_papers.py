"""An evening with papers, for tests: seven pairs, sealed boards, everything laid out."""

import io
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from django.utils import timezone
from pypdf import PdfReader

from games.models import BoardSet, Paper
from games.papers.services import papers
from games.sessions import services as evenings
from games.sessions.services import EveningPlan
from league.models import Club, Competition, Role, User
from league.storage import board_keys
from tests.league import factories

AT = datetime(2026, 11, 1, 12, tzinfo=UTC)
NAMES = (
    "Anna Berg", "Chidi Okafor", "Iris Lindqvist", "Tom Marsh", "Olga Petrov", "Kenji Sato", "Eva Novák",
    "Luis Reyes", "Иван Петров", "Łukasz Żółć", "Zoë Müller", "#eval(1) *bold* $x$", "Ann ]#{", "Sean O’Neill",
)  # fmt: skip


@dataclass
class Room:
    """The evening and its officials: a director who plays nowhere, one who plays, and a scorer."""

    club: Club
    competition: Competition
    director: User
    playing_director: User
    scorer: User
    player: User

    @property
    def board_set(self) -> BoardSet:
        return BoardSet.objects.get(competition=self.competition, discarded_at=None)


def make_room(*, is_laid_out: bool = True, names: tuple[str, ...] = NAMES, boards: int = 2) -> Room:
    """Two by two the names are pairs; the first of them directs too."""
    club = factories.club("Riverside Club")
    director = factories.member(club, Role.DIRECTOR)
    playing = factories.member(club, Role.DIRECTOR)
    scorer = factories.member(club, Role.SCORER)
    plan = EveningPlan(name="Thursday Duplicate", starts_on=date(2026, 11, 5), boards_a_round=boards)
    competition = evenings.make(actor=director, club=club, data=plan)
    players = [factories.player(club, name) for name in names]
    players[0].user, players[2].user = playing, factories.member(club)
    for each in (players[0], players[2]):
        each.save()
    for one, other in zip(players[::2], players[1::2], strict=True):
        factories.entry(competition.stage.divisions.get(), factories.pair(club, one, other))
    if is_laid_out:
        competition = evenings.start(actor=director, competition=competition, at=AT)
    return Room(club, competition, director, playing, scorer, players[2].user)


def ask(room: Room, kind: str, *, actor: User | None = None, **parameters: Any) -> Paper:
    """Asks for a paper, with a set and a reason where it needs them."""
    chosen = {
        "set": BoardSet.objects.filter(competition=room.competition).values_list("pk", flat=True).first()
    }
    given = {**chosen, "reason": "For the machine", "site": "https://cards.example.org/", **parameters}
    return papers.ask(actor=actor or room.director, competition=room.competition, kind=kind, parameters=given)


def made(room: Room, kind: str, **parameters: Any) -> Paper:
    """The same, made."""
    paper = ask(room, kind, **parameters)
    papers.make_paper(paper_id=paper.pk, at=timezone.now())
    paper.refresh_from_db()
    return paper


def content(paper: Paper) -> bytes:
    """What is in a paper that is ready."""
    assert paper.state == Paper.State.READY, paper.failure
    assert paper.content is not None
    return board_keys.decrypt(paper.content)


def pages(paper: Paper) -> list[str]:
    """The text of each page."""
    return [page.extract_text() for page in reader(paper).pages]


def reader(paper: Paper) -> PdfReader:
    return PdfReader(io.BytesIO(content(paper)))


def pictures(paper: Paper) -> list[str]:
    """The words that stand for pictures, for whoever does not see them."""
    found: list[str] = []

    def walk(node: Any) -> None:
        node = node.get_object() if hasattr(node, "get_object") else node
        if isinstance(node, list):
            for each in node:
                walk(each)
        elif isinstance(node, dict):
            if "/Alt" in node:
                found.append(str(node["/Alt"]))
            if "/K" in node:
                walk(node["/K"])

    walk(reader(paper).root_object["/StructTreeRoot"])
    return found
