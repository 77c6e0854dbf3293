"""Asking every address as every role, and writing down what each is answered."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.http.response import HttpResponseBase
from django.test import Client
from django.test.client import MULTIPART_CONTENT
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from games.models import Scoresheet
from games.services import scoresheets
from league.models import (
    Adjustment,
    Club,
    Entry,
    ImportBatch,
    Membership,
    Partnership,
    Player,
    PlayerClaim,
    PlayerMerge,
    Role,
)
from tests.scenes import Scene, make_scene, make_user, totals_sheet

# Who asks. Anna has entered the sheet of the first fixture, against Eva; Iris plays elsewhere in the league.
ROLES = ("visitor", "stranger", "foreign", "iris", "anna", "eva", "sam", "dora", "olive")
NOT_OURS = ("account_", "mfa_", "admin", "set_language")


@dataclass
class Stage:
    """A scene with one row of everything that an address can name."""

    scene: Scene
    sheet: Scoresheet
    claim: PlayerClaim
    clients: dict[str, Client] = field(default_factory=dict)
    names: dict[str, dict[str, Any]] = field(default_factory=dict)


def set_stage() -> Stage:
    """The scene, a sheet that waits, and a director of another club."""
    scene = make_scene()
    sheet = scoresheets.submit(
        actor=scene.users["anna"],
        fixture=scene.fixture,
        content=totals_sheet((60, 20), (50, 30)),
        origin="page",
    )
    other = Club.objects.create(name="Elsewhere", slug="elsewhere")
    scene.users["foreign"] = make_user("Foreign Director")
    Membership.objects.create(user=scene.users["foreign"], club=other, role=Role.OWNER)
    newcomer = Player.objects.create(club=scene.club, name="Newcomer")
    claim = PlayerClaim.objects.create(player=newcomer, user=scene.users["stranger"])
    stage = Stage(scene, sheet, claim)
    stage.names = _names(scene)
    return stage


def _names(scene: Scene) -> dict[str, dict[str, Any]]:
    """What stands for each address's parameters, by the address's name."""
    entry = Entry.objects.create(
        competition=scene.competition,
        division=scene.division,
        partnership=_withdrawn_pair(scene),
        number=9,
        withdrawn_at="2026-10-02T00:00Z",
    )
    adjustment = Adjustment.objects.create(entry=scene.entries[1], points="-1", reason="Late")
    twins = [Player.objects.create(club=scene.club, name="Twin") for _ in range(2)]
    merge = PlayerMerge.objects.create(kept=twins[0], merged=twins[1], moved=[])
    batch = ImportBatch.objects.create(club=scene.club, kind="players", rows=[])
    membership = Membership.objects.get(user=scene.users["iris"], club=scene.club)
    fixture = {"pk": scene.fixture.pk}
    own: dict[str, dict[str, Any]] = {
        "player": {"pk": scene.players[0].pk},
        "player_claim": {"pk": twins[0].pk},
        "pair": {"pk": scene.entries[0].partnership_id},
        "desk_member": {"pk": membership.pk},
        "desk_player": {"pk": scene.players[0].pk},
        "desk_undo_merge": {"pk": merge.pk},
        "desk_import_batch": {"pk": batch.pk},
        "entry_withdraw": {"pk": scene.entries[3].pk},
        "entry_reinstate": {"pk": entry.pk},
        "entry_adjust": {"pk": scene.entries[3].pk},
        "entry_remove": {"pk": scene.entries[3].pk},
        "entry_move": {"pk": scene.entries[3].pk},
        "adjustment_revoke": {"pk": adjustment.pk},
        "division_lots": {"pk": scene.division.pk},
        "api_club": {"slug": scene.club.slug},
        "api_player": {"pk": scene.players[0].pk},
        "api_pair": {"pk": scene.entries[0].partnership_id},
        "api_competition": {"pk": scene.competition.pk},
        "api_standings": {"pk": scene.competition.pk},
        "api_standings_history": {"pk": scene.competition.pk},
    }
    everywhere = {
        "club": scene.club.slug,
        "competition": scene.competition.slug,
        "number": 1,
        "version": 1,
        **fixture,
    }
    return {name: {**everywhere, **own.get(name, {})} for name in (*own, "")}


def _withdrawn_pair(scene: Scene) -> Any:
    players = [Player.objects.create(club=scene.club, name=name) for name in ("Gone One", "Gone Two")]
    return Partnership.objects.create(club=scene.club, player_a=players[0], player_b=players[1])


def addresses(resolver: URLResolver | None = None, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Every named address of ours."""
    for each in (resolver or get_resolver()).url_patterns:
        if isinstance(each, URLResolver):
            if each.namespace != "admin":
                yield from addresses(each, prefix)
        elif each.name and not each.name.startswith(NOT_OURS):
            yield each.name, each


def address_of(stage: Stage, name: str, pattern: URLPattern) -> str:
    """The address with the stage's rows in it."""
    known = stage.names.get(name, stage.names[""])
    wanted = pattern.pattern.converters
    return reverse(name, kwargs={key: known[key] for key in wanted})


def answers(stage: Stage, method: str, name: str, pattern: URLPattern) -> str:
    """One mark a role, in the order of ROLES. Whatever a request did is taken back before the next."""
    address = address_of(stage, name, pattern)
    return "".join(_ask(stage, method, name, address, role) for role in ROLES)


def _ask(stage: Stage, method: str, name: str, address: str, role: str) -> str:
    client = _client(stage, role)
    with transaction.atomic():
        if method == "get":
            answer = client.get(address)
        else:
            is_json = name.startswith("api_") or name == "sheet_reading"
            answer = client.post(
                address, _body(stage, name), content_type="application/json" if is_json else MULTIPART_CONTENT
            )
        transaction.set_rollback(True)
    return mark(answer)


def _client(stage: Stage, role: str) -> Client:
    if role not in stage.clients:
        stage.clients[role] = Client(raise_request_exception=False)
        if role != "visitor":
            stage.clients[role].force_login(stage.scene.users[role])
    return stage.clients[role]


def _body(stage: Stage, name: str) -> dict[str, Any]:
    """What a person who may do it would send; for most addresses it is enough to send something."""
    sheet = {"version": stage.sheet.version, "digest": stage.sheet.digest, "reason": "Deal 2 is wrong"}
    content = totals_sheet((60, 20), (50, 31))
    bodies: dict[str, dict[str, Any]] = {
        "sheet_confirm": sheet,
        "sheet_reject": sheet,
        "api_sheet_confirm": sheet,
        "api_sheet_reject": sheet,
        "api_sheets": {"content": content},
        "api_sheet_preview": {"content": content},
        "sheet_send": {"content": json.dumps(content)},
        "desk_claims": {"claim": stage.claim.pk, "answer": "refuse"},
        "competition_draw": {"order": "lot"},
    }
    return bodies.get(name, {"reason": "Because"})


YES, LOGIN, SENT_ON = (200, 201, 204), "L", ">"
MARKS = {
    401: LOGIN,
    403: "F",
    404: "N",
    405: "M",
    **dict.fromkeys((400, 409, 413, 415, 422), "!"),
    **dict.fromkeys(YES, "."),
}


def mark(answer: HttpResponseBase) -> str:
    """. yes; L to the login first; > sent on; F not allowed; N not found; M other method; ! what was sent is faulty."""
    if answer.status_code == 302:
        return LOGIN if "/accounts/login/" in answer.headers["Location"] else SENT_ON
    return MARKS.get(answer.status_code, f"({answer.status_code})")
