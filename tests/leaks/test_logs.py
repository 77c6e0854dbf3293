"""With logging at its most talkative: no line, message, task or cached value has a card, or the key to cards."""

import json
import logging
import re
from collections.abc import Callable, Iterator
from io import StringIO
from logging.config import dictConfig
from typing import Any

import pytest
import structlog
from channels.layers import get_channel_layer
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse
from websockets.client import ClientProtocol
from websockets.server import ServerProtocol
from websockets.uri import parse_uri

from config.operating.logs import json_logging, plain_events, plain_logging
from engine.deals import Deal
from games.models import TableDeal
from games.tables.services import opening, seats
from games.tables.socket.threads import let_go
from games.tables.state.cards import cards_of
from league.background import announce
from league.models import User
from league.storage import board_keys
from tests.leaks.event import Event, make_event
from tests.leaks.needles import Haystack, of_deal, of_key
from tests.live.tables import Laid, laid_in, next_move
from tests.live.windows import Window, cookie_of, run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.one_database]

#: A card as the log of a table writes it, between quotes of any kind.
CARD = re.compile(rb"""(?:["']|&quot;|&\#x27;)[2-9TJQKA][shdc](?:["']|&quot;|&\#x27;|\\")""")
SERVER_LOGGER = "uvicorn.error"


@pytest.fixture(params=[plain_logging, json_logging])
def log(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[StringIO]:
    """What is logged, as an installation with LOG_LEVEL=DEBUG logs it."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    django = logging.getLogger("django"), logging.getLogger("django.request")
    levels = [(each, each.level, list(each.handlers)) for each in django]
    configure = structlog.configure
    # A logger that were kept would log in this test's way for ever.
    monkeypatch.setattr(
        structlog, "configure", lambda **keys: configure(**{**keys, "cache_logger_on_first_use": False})
    )
    dictConfig(request.param(level="DEBUG"))
    stream = StringIO()
    for handler in root.handlers:
        handler.setStream(stream)  # type: ignore[attr-defined]
    yield stream
    root.handlers[:] = before
    root.setLevel(level)
    for logger, its_level, handlers in levels:
        logger.setLevel(its_level)
        logger.handlers[:] = handlers
    plain_events()


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """All that goes through the channel layer and to the workers."""
    layer, found = get_channel_layer(), list[Any]()
    assert layer is not None
    group_send, send = layer.group_send, announce._send

    async def ring(group: str, message: dict[str, Any]) -> None:
        found.append((group, message))
        await group_send(group, message)

    def hint(name: str, args: tuple[Any, ...], *rest: Any) -> Any:
        found.append((name, args, rest))
        return send(name, args, *rest)

    monkeypatch.setattr(layer, "group_send", ring)
    monkeypatch.setattr(announce, "_send", hint)
    return found


def through_the_servers_library(*texts: str) -> None:
    """Frames as the server's library reads and writes them, with the logger that the server gives it."""
    server = ServerProtocol(logger=logging.getLogger(SERVER_LOGGER))
    client = ClientProtocol(parse_uri("ws://testserver/tables/7/socket/"))
    client.send_request(client.connect())
    server.receive_data(b"".join(client.data_to_send()))
    (request,) = server.events_received()
    server.send_response(server.accept(request))  # type: ignore[arg-type]
    client.receive_data(b"".join(server.data_to_send()))
    for text in texts:
        client.send_text(text.encode())
        server.receive_data(b"".join(client.data_to_send()))
        server.send_text(text.encode())


def play(laid: Laid, people: Callable[[str], User], many: int) -> None:
    """Actions by requests, with the pages, and by a socket."""
    clients: dict[str, Client] = {}
    key = laid.table.pk
    for number in range(many):
        facts = laid.facts()
        assert facts.deal is not None
        turn = facts.deal.fold.turn or ""
        client = clients.setdefault(turn, Client())
        client.force_login(people(turn))
        asked = {
            "deal": facts.deal.number,
            "number": facts.deal.fold.next_number,
            "token": next_move(facts),
            "key": f"k{number}",
        }
        assert client.post(reverse("table_act", args=[key]), asked).status_code == 200
        client.post(reverse("table_act", args=[key]), {**asked, "key": "late"})
        client.get(reverse("table", args=[key]))
        client.get(reverse("table_view", args=[key]))
    seat = laid.turn()
    window = Window(key, cookie_of(people(seat)))
    facts = laid.facts()
    assert facts.deal is not None
    asked = {"deal": facts.deal.number, "number": facts.deal.fold.next_number, "token": next_move(facts)}

    async def by_socket() -> None:
        assert await window.open()
        await window.send(type="act", key="socket", **asked)
        await window.heard("done")
        await window.leave()

    run(by_socket())
    through_the_servers_library(json.dumps({"type": "act", **asked}), *window.frames)


def practice(event: Event) -> Laid:
    """Somebody's practice, with cards of its own."""
    anna = event.scene.users["anna"]
    table = opening.practise(actor=anna, club=event.scene.club, robot="novice")
    seats.ready(actor=anna, table_id=table.pk)
    return Laid(event.scene, table)


def test_nothing_that_leaves_a_process_has_a_card(log: StringIO, sent: list[Any]) -> None:
    event = make_event()
    cache.clear()
    connection.force_debug_cursor = True
    try:
        laid = laid_in(event.scene)
        play(laid, laid.at, 2)
        alone = practice(event)
        play(alone, lambda _seat: event.scene.users["anna"], 1)
    finally:
        connection.force_debug_cursor = False
        let_go()
    needles = [of_key(board_keys.decrypt(event.board_set.secret)), *of_deal(1, event.deals[1])]
    needles += list(of_deal(0, Deal.parse(cards_of(TableDeal.objects.get(table=alone.table)))))
    cached = list(cache._cache.items())  # type: ignore[attr-defined] # the tests' own cache, in memory
    for place, text in (("log", log.getvalue()), ("messages", repr(sent)), ("cache", repr(cached))):
        raw = text.encode()
        assert not Haystack(raw).found(needles), place
        assert not CARD.search(raw), (place, CARD.findall(raw)[:5])
    assert "sessionid" not in log.getvalue()
    assert sent, "the spies hear something"


def test_control_the_search_finds_a_card_that_is_logged(log: StringIO) -> None:
    logging.getLogger("games").debug("%s", {"token": "As"})

    assert CARD.search(log.getvalue().encode())
