"""Nothing of a sealed board gets out of its seal: not to pages, errors, logs, tasks, the trail nor the database.

Everything that can be done with a set is done, and all that was left behind is searched for its cards and its key. The
control is the same search after the release: it finds them.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import structlog
from celery.signals import task_prerun
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from engine.boards.files.boards import Board as ReadBoard
from engine.boards.files.formats import FORMATS
from engine.boards.numbering import deal_number
from engine.deals import Deal
from games import board_cards
from games.boards.services import boards
from games.models import BoardSet
from league.errors import LeagueError
from league.models import Membership, Role
from league.storage import board_keys
from tests.games.boards import board, duplicate_scene, play, plays_of, sealed
from tests.scenes import Scene

pytestmark = pytest.mark.django_db

ROLES = ("", "stranger", "sam", "anna", "iris", "olga", "dora", "olive")


@dataclass
class Traces:
    """All that was said while something happened."""

    said: list[str] = field(default_factory=list)

    def add(self, *things: object) -> None:
        self.said.extend(repr(thing) if not isinstance(thing, str) else thing for thing in things)


@pytest.fixture
def traces(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Iterator[Traces]:
    """What is logged, and the arguments of every task."""
    found = Traces()

    def remember(task: Any = None, args: Any = None, kwargs: Any = None, **_more: Any) -> None:
        found.add(f"{task.name if task else ''} {args} {kwargs}")

    task_prerun.connect(remember)
    caplog.set_level("DEBUG")
    # The queries that Django logs with their parameters are not what a site logs.
    caplog.handler.addFilter(lambda record: record.name != "django.db.backends")
    with structlog.testing.capture_logs() as events:
        yield found
    found.add(caplog.text, events)
    task_prerun.disconnect(remember)


def _database() -> Iterator[str]:
    """Every column of every row of every table."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            for row in cursor.fetchall():
                yield " ".join(_text(value) for value in row)


def _text(value: object) -> str:
    if isinstance(value, memoryview | bytes):
        return bytes(value).decode("latin-1")
    return str(value)


def _needles(made: BoardSet) -> set[str]:
    """What gives a card of the set away, in every form that the site writes somewhere."""
    secret = board_keys.decrypt(made.secret)
    found = {secret, secret.splitlines()[0]}
    for deal in board_cards.cards_of(made).values():
        number = deal_number(Deal.parse(deal))
        found |= {str(deal), str(number), f"{number:x}", f"{number:X}", *str(deal)[2:].split()}
    return found


def _found(needles: set[str], texts: list[str]) -> set[str]:
    everything = "\n".join(texts)
    return {needle for needle in needles if needle in everything}


def _addresses(scene: Scene, made: BoardSet, role: str) -> list[str]:
    where = [scene.club.slug, scene.competition.slug]
    one = board(made)
    return [
        made.get_absolute_url(),
        reverse("board_set_check", args=[made.pk]),
        reverse("board_set_sqd", args=[made.pk]),
        reverse("board_set_sqk", args=[made.pk]),
        reverse("desk_boards", args=where),
        reverse("desk_board_set", args=[*where, made.pk]),
        reverse("desk_board_tables", args=[*where, made.pk, one.pk]),
        f"{reverse('desk_boards_make', args=where)}?round=2",
        f"{reverse('desk_boards_import', args=where)}?round=2",
        reverse("desk", args=[scene.club.slug]),
        reverse("desk_trail", args=[scene.club.slug]),
        # Anna has played the boards: on their own pages she sees her cards.
        *(one.get_absolute_url() for one in made.boards.all() if role != "anna"),
        f"/api/v1/board-sets/{made.pk}/",
        f"/api/v1/competitions/{scene.competition.pk}/board-sets/",
    ]


def _pages(scene: Scene, made: BoardSet, roles: tuple[str, ...] = ROLES) -> Iterator[str]:
    for role in roles:
        client = Client(raise_request_exception=False)
        if role:
            client.force_login(scene.users[role])
        for address in _addresses(scene, made, role):
            answer = client.get(address)
            assert answer.status_code in {200, 302, 403, 404}, (address, role, answer.status_code)
            yield f"{answer.headers} {answer.content.decode()}"


def _refusals(scene: Scene, made: BoardSet) -> Iterator[str]:
    """What people are told who ask for something they may not have, or ask wrongly."""
    who = scene.users
    wrong: list[Callable[[], object]] = [
        lambda: boards.draw_out(actor=who["anna"], board_set=made, kind="files", reason="x"),
        lambda: boards.draw_out(actor=who["dora"], board_set=made, kind="x", reason="x"),
        lambda: boards.release(actor=who["sam"], board_set=made, reason="x"),
        lambda: boards.release(actor=who["dora"], board_set=made, reason=""),
        lambda: boards.fill_delayed(actor=who["dora"], board_set=made, value="another text"),
        lambda: boards.mark_version(
            actor=who["dora"], play=plays_of(made, scene.fixtures[0])[0], version="?", reason="x"
        ),
    ]
    for each in wrong:
        with pytest.raises(LeagueError) as refusal:
            each()
        yield f"{refusal.value!r} {refusal.value.message} {refusal.value.details}"


def _everything_done(scene: Scene, made: BoardSet) -> None:
    who = scene.users
    boards.draw_out(actor=who["dora"], board_set=made, kind="files", reason="For the machine")
    boards.mark_version(
        actor=who["dora"],
        play=plays_of(made, scene.fixtures[1])[0],
        version="B",
        reason="Two cards exchanged",
    )
    play(scene, scene.fixtures[0])


def _imported(scene: Scene, traces: Traces) -> BoardSet:
    """Brought in through the pages; a director who plays was refused before, with a file that has faults."""
    rng = random.Random(7)
    read = [ReadBoard.of(number, Deal.random(rng)) for number in range(1, 5)]
    data = FORMATS["pbn"].write(read)
    address = reverse("desk_boards_import", args=[scene.club.slug, scene.competition.slug]) + "?round=1"
    for role, sent, status in (("anna", data.replace(b"[Deal", b"[Deel", 1), 403), ("dora", data, 200)):
        client = Client()
        client.force_login(scene.users[role])
        file = SimpleUploadedFile("boards.pbn", sent)
        answer = client.post(address, {"file": file, "format": "", "first_number": 1})
        assert answer.status_code == status
        traces.add(answer.content.decode())
    client.post(address, {"token": answer.context["preview"].token})
    return BoardSet.objects.get()


@pytest.mark.parametrize("origin", ["dealt", "imported"])
def test_nothing_of_a_sealed_set_is_anywhere_before_its_release(origin: str, traces: Traces) -> None:
    scene = duplicate_scene()
    Membership.objects.filter(user=scene.users["anna"]).update(role=Role.DIRECTOR)
    made = sealed(scene, reserve=1) if origin == "dealt" else _imported(scene, traces)
    _everything_done(scene, made)
    traces.add(*_refusals(scene, made), *_pages(scene, made), *_database())

    needles = _needles(made)
    own = {str(deal) for deal in board_cards.cards_of(made).values()}
    assert _found(needles, traces.said) == set()
    assert len(needles) >= 4 * 8
    assert own <= needles

    play(scene, scene.fixtures[1])
    made.refresh_from_db()
    assert board_keys.decrypt(made.secret) in _found(needles, list(_database()))
    assert own <= _found(needles, list(_database())), "the search finds what is there"
    assert own <= _found(needles, list(_pages(scene, made, ("",))))


def test_a_set_whose_key_is_gone_tells_nothing_either(
    traces: Traces, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    scene = duplicate_scene()
    made = sealed(scene)
    needles = _needles(made)
    settings.BOARD_KEYS = ["another-key-" + "3" * 40]
    play(scene, scene.fixtures[0])
    play(scene, scene.fixtures[1])
    with pytest.raises(LeagueError) as refusal:
        boards.release(actor=scene.users["dora"], board_set=made, reason="Over")
    call_command("verify", settle=True)

    out = capsys.readouterr()
    traces.add(refusal.value, *_pages(scene, made), *_database(), out.out, out.err)
    assert _found(needles, traces.said) == set()


def test_what_is_held_in_memory_does_not_print_itself() -> None:
    made = sealed(duplicate_scene())
    opened = board_cards.opened(made)

    assert opened.secret not in repr(opened)
    assert _found(_needles(made), [repr(opened), str(opened)]) == set()
