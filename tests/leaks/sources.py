"""Where the bytes come from that somebody may read. Each source gives names and bytes for a visitor of an event.

What is new and can show a board (a socket, an export) is added to SOURCES.
"""

from collections.abc import Callable, Collection, Iterator, Mapping

from django.core.serializers.json import DjangoJSONEncoder
from django.forms.models import model_to_dict
from django.http.response import HttpResponseBase
from django.urls import URLPattern, reverse

from games.models import FixtureBoard
from league.models import AuditEntry, IdempotencyKey, OutboxMessage
from league.notices.services import outbox
from tests.leaks.event import Event
from tests.permissions import walking
from tests.thorough import is_in_turn

Bytes = Iterator[tuple[str, bytes]]
Source = Callable[[Event, str], Bytes]

#: Addresses of one match: asked of both.
OF_A_MATCH = (
    "match", "match_live", "team_wall", "team_wall_live",
    "deal_analysis", "scoresheet", "plain_sheet", "sheet_print", "sheet_reject", "match_reopen",
    "fixture_ruling", "api_match", "api_match_audit", "api_sheets", "api_sheet", "award",
    "match_replay", "match_expert", "match_table", "match_boards", "api_match_boards", "api_reopening", "api_award",
    "api_ruling", "api_substitutes",
)  # fmt: skip
#: Whoever asks for a part of a page by script may be answered otherwise.
BY_SCRIPT = {"HX-Request": "true"}
NUMBERS = (1, 2, 3, 4)
#: Where everybody looks for a board or a match that is open to them.
SHOWING = (
    "match", "board", "board_set", "board_set_check", "board_set_sqd", "board_set_sqk", "api_match", "api_board_set",
)  # fmt: skip


def pages(event: Event, visitor: str, names: Collection[str] = ()) -> Bytes:
    """Every page, part of a page and answer of the API that there is an address for; of these `names`, if given.

    What shows boards is asked by everybody in every run; of the other addresses each visitor asks a third, by turns.
    """
    client = walking._client(event.stage, visitor)
    for name, pattern in walking.addresses():
        # How many seconds ago a part was heard of may be any number.
        if name == "readyz" or (names and name not in names):
            continue
        asked = [
            each + query for each in addresses_of(event, name, pattern) for query in queries(event, name)
        ]
        for address in dict.fromkeys(asked):
            if name not in SHOWING and not is_in_turn(f"{address} {visitor}", one_in=6):
                continue
            is_page = not name.startswith("api_") and "?" not in address
            # Asked by script, too, a page's turn comes.
            by_script = is_page and (bool(names) or is_in_turn(name, one_in=6))
            for headers in ({}, BY_SCRIPT) if by_script else ({},):
                yield f"{address} {headers or ''}", body_of(client.get(address, headers=headers))


def body_of(answer: HttpResponseBase) -> bytes:
    """All that was answered, headers too, but for its length, which may be any number."""
    told = (f"{name}: {value}" for name, value in answer.items() if name != "Content-Length")
    head = "\n".join(told).encode()
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
    return head + b"\n\n" + body


def addresses_of(event: Event, name: str, pattern: URLPattern) -> Iterator[str]:
    """The address for every match, board, pair and player of the event that it can be asked of."""
    own = {"club": event.scene.club.slug, "competition": event.scene.competition.slug}
    known = {**event.stage.names.get(name, event.stage.names[""]), **own}
    wanted = pattern.pattern.converters
    for more in _rows(event, name):
        values = {**known, **more}
        if set(wanted) <= set(values):
            yield reverse(name, kwargs={key: values[key] for key in wanted})


def queries(event: Event, name: str) -> list[str]:
    """What can be asked of an address besides: another version, another table, another form."""
    plays = FixtureBoard.objects.filter(board__board_set=event.board_set).order_by("pk")
    more: dict[str, list[str]] = {
        "match": ["?version=1", "?version=2"],
        "match_replay": ["?step=9", "?as=N", "?format=pbn"],
        "board_why": [f"?play={play.pk}&side={side}" for play in plays for side in ("home", "away")],
        "compare_tables": [
            f"?board={board.pk}&a={one.pk}&b={other.pk}"
            for board in event.boards.values()
            for one, other in [[play for play in plays if play.board_id == board.pk][:2]]
        ],
    }
    return ["", *more.get(name, [])]


def _rows(event: Event, name: str) -> Iterator[Mapping[str, object]]:
    scene = event.scene
    if name in OF_A_MATCH:
        for fixture in scene.fixtures[:2]:
            for number in NUMBERS:
                yield {"pk": fixture.pk, "number": number, "version": 1 + number % 2}
    elif name in ("api_rankings", *walking.BOARDS_OF_A_COMPETITION):
        yield {"pk": scene.competition.pk}
    elif name in ("api_board_comparison", "api_board_tables"):
        yield from ({"pk": board.pk} for board in event.boards.values())
    elif name.startswith(("board", "desk_board_", "api_board_set")):
        yield from ({"pk": event.board_set.pk, "number": number} for number in NUMBERS)
    elif name.startswith(("pair", "api_pair")):
        yield from ({"pk": entry.lineup_id} for entry in scene.entries)
    elif name.startswith(("player", "api_player")):
        yield from ({"pk": player.pk} for player in (scene.players[0], scene.players[2]))
    elif name.startswith("scorecard"):
        yield from ({"pk": entry.pk, "number": 1} for entry in scene.entries)
    else:
        yield {}


def trail(event: Event, visitor: str) -> Bytes:
    """What is written for good: directors of the club read it, whatever they play."""
    if visitor in {"chidi", "dora"}:
        for entry in AuditEntry.objects.all():
            # A row's own key may be any number, also one that was scored.
            kept = {**model_to_dict(entry, exclude=["id"]), "before": entry.before, "after": entry.after}
            yield f"audit entry {entry.action}", DjangoJSONEncoder().encode(kept).encode()


def mails(event: Event, visitor: str) -> Bytes:
    """What is sent to this person."""
    user = event.scene.users.get(visitor)
    for mail in OutboxMessage.objects.filter(to=user.email) if user else ():
        told = {**model_to_dict(mail), "context": outbox.context_of(mail)}
        yield f"mail {mail.template}", DjangoJSONEncoder().encode(told).encode()


def answers_kept(event: Event, visitor: str) -> Bytes:
    """What is kept of requests, to answer them again."""
    for kept in IdempotencyKey.objects.all() if visitor == "visitor" else ():
        yield f"answer to {kept.action}", DjangoJSONEncoder().encode(model_to_dict(kept)).encode()


SOURCES: list[Source] = [pages, trail, mails, answers_kept]
