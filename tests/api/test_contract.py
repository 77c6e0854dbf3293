"""Whatever a program sends, the API answers as its description says: never a 500, nothing undeclared.

Bounded: few examples for each operation, always the same ones; in this process, without a network.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from engine.boards.sealing import DelayedInformation, DelayedKind
from games.boards.services import boards
from games.models import Duplicate, Scoresheet
from games.tables.services import opening, seats
from league.draws.services import challenges
from league.models import DateProposal, Fixture, JoinRequest, Ladder, Membership
from tests.api.test_match import TOTALS
from tests.league import factories
from tests.thorough import IS_THOROUGH, is_in_turn

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
BOUNDED = settings(
    max_examples=12 if IS_THOROUGH else 6,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
MODES = {"as described": GenerationMode.POSITIVE, "not as described": GenerationMode.NEGATIVE}


def operations() -> Iterator[tuple[str, str]]:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    for path, item in schema["paths"].items():
        for method in item:
            if method in {"get", "post", "delete"}:
                yield method, path


@contextmanager
def connection_left_open() -> Iterator[None]:
    """Requests close a connection in the middle of a transaction, and this one is the test's own."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)


@pytest.fixture(scope="module")
def described():
    schema = schemathesis.openapi.from_dict(SchemaGenerator().get_schema(request=None, public=True))
    schema.app = get_wsgi_application()
    return schema


@pytest.fixture
def things(league, program):
    """Keys of what there is, by the path's first part, and who asks; one sheet waits to be confirmed."""
    sent = program(league.home).post(f"/api/v1/matches/{league.fixture.pk}/sheets/", TOTALS)
    assert sent.status_code == 201
    boards_of = a_released_set(league)
    return {
        "authorization": program(league.away)._credentials["HTTP_AUTHORIZATION"],
        "clubs": {"slug": league.club.slug, "id": a_request_to_join(league.club).pk},
        "competitions": {"id": league.competition.pk, "entry": league.fixture.away.pk},
        "players": {"id": league.fixture.home.lineup.players[0].pk},
        "pairs": {"id": league.fixture.home.lineup_id, "game": "concerto"},
        "entries": {"id": league.fixture.away.pk},
        "matches": {"id": league.fixture.pk, "version": 1, "number": 1, "photo": 1},
        "fixtures": {"id": league.fixture.pk, "proposal": a_proposal(league).pk, "substitution": 1},
        "board-sets": {"id": boards_of.pk},
        "boards": {"id": boards_of.boards.first().pk},
        "tables": {"id": a_table_of(league.away, league).pk},
        "challenges": {"id": a_challenge(league.club).pk},
        "divisions": {"id": Ladder.objects.get().division_id, "number": 1},
    }


def a_request_to_join(club):
    """Somebody else's, which waits."""
    return JoinRequest.objects.create(club=club, user=factories.user(), made_at=timezone.now())


def a_challenge(club):
    """On a ladder, not answered yet."""
    below, above = factories.running(club, pairs=3, format="ladder").entries.order_by("-number")[:2]
    return challenges.challenge(
        actor=factories.DIRECTOR, challenger=below, challenged=above, at=timezone.now()
    )


def a_proposal(league):
    """Of another time."""
    at = timezone.now() + timedelta(days=3)
    return DateProposal.objects.create(fixture=league.fixture, entry=league.fixture.home, starts_at=at)


def a_table_of(user, league):
    """A practice of theirs, in its first deal."""
    Membership.objects.create(user=user, club=league.club)
    table = opening.practise(actor=user, club=league.club, robot="novice")
    return seats.ready(actor=user, table_id=table.pk)


def a_released_set(league):
    """Boards of another round, one of which has a reserve board in its place, with key and cards."""
    Duplicate.objects.create(competition=league.competition)
    made = boards.make(
        actor=league.director,
        competition=league.competition,
        round=league.competition.stage.rounds.get(number=2),
        count=4,
        reserve=1,
        delayed=DelayedInformation(DelayedKind.AGREED_TEXT, "The name", value="League, round 2"),
    )
    boards.substitute_reserve(actor=league.director, board=made.boards.first(), reason="Two aces")
    boards.draw_out(actor=league.director, board_set=made, kind="files", reason="For the machine")
    return boards.release(actor=league.director, board_set=made, reason="Over")


@pytest.mark.parametrize(
    "mode",
    [
        pytest.param("as described", marks=pytest.mark.one_database),
        # PostgreSQL refuses more.
        pytest.param("not as described", marks=pytest.mark.postgres),
    ],
)
def test_as_described(described, things, mode):
    """Every operation; in `make test` one in six of them, by turns."""
    for method, path in operations():
        if not is_in_turn(f"{mode} {method} {path}", one_in=6):
            continue
        with connection_left_open(), transaction.atomic():
            try:
                ask(described[path][method.upper()], things, MODES[mode])
            except Unsatisfiable:
                # Nothing of this operation can be sent otherwise than described.
                assert mode == "not as described"
            confirmed = Scoresheet.objects.filter(verdict="confirmed").count()
            assert Fixture.objects.exclude(decided_at=None).count() == confirmed
            transaction.set_rollback(True)


def ask(operation, things, mode):
    """Ask for things at random, and the same of the things that there are."""
    known = things.get(operation.path.split("/")[3], {})
    # The tool does not unpack what an application in its own process squeezes.
    headers = {"Accept-Encoding": "identity"}
    if not operation.path.endswith("/token/"):
        headers["Authorization"] = things["authorization"]

    @seed(13)
    @BOUNDED
    @given(case=operation.as_strategy(generation_mode=mode))
    def check(case):
        case.call_and_validate(checks=CHECKS, headers=headers)
        if known:
            case.path_parameters = {name: known[name] for name in case.path_parameters}
            case.call_and_validate(checks=CHECKS, headers=headers)

    check()
