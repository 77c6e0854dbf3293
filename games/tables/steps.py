"""What people do at a table besides playing, by name: the same for a page's form, its script and its socket."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from games.tables.services import (
    chat,
    opening,
    practice,
    requests,
    results,
    rulings,
    seats,
)
from games.tables.services.play import Sent
from league.actors import Sitter
from league.errors import Invalid, NotAllowed
from league.models import User
from league.storage.json_content import LARGEST_COUNT, UNSTORABLE

Body = Mapping[str, Any]


def text(body: Body, name: str) -> str:
    """A text that was sent and can be stored, or none."""
    value = body.get(name, "")
    return value if isinstance(value, str) and not UNSTORABLE.search(value) else ""


def number(body: Body, name: str) -> int:
    """A whole number that was sent, also as digits. Raises Invalid."""
    value = body.get(name)
    if isinstance(value, str) and value.isascii() and value.isdecimal():
        value = int(value[:12])
    if type(value) is not int or not 0 <= value <= LARGEST_COUNT:
        raise Invalid(_("Part of this was lost on the way. Please try again."), code="unreadable")
    return value


def sent_of(body: Body) -> Sent:
    """An action as it was sent."""
    return Sent(
        deal=number(body, "deal"),
        number=number(body, "number"),
        token=text(body, "token"),
        key=text(body, "key"),
        window=text(body, "window"),
    )


def _account(actor: Sitter) -> User:
    """The account behind the actor. Raises NotAllowed for a guest: such a step is kept under the name of a person."""
    if not isinstance(actor, User):
        raise NotAllowed(_("Please log in first."), code="not_logged_in")
    return actor


def _sit(actor: Sitter, table: int, body: Body) -> None:
    seats.sit(actor=actor, table_id=table, seat=text(body, "seat"), window=text(body, "window"))


def _stand(actor: Sitter, table: int, _body: Body) -> None:
    seats.stand_up(actor=actor, table_id=table)


def _robot(actor: Sitter, table: int, body: Body) -> None:
    seats.seat_robot(actor=actor, table_id=table, seat=text(body, "seat"), robot=text(body, "robot"))


def _return(actor: Sitter, table: int, _body: Body) -> None:
    requests.come_back(actor=actor, table_id=table)


def _ready(actor: Sitter, table: int, _body: Body) -> None:
    seats.ready(actor=actor, table_id=table)


def _window(actor: Sitter, table: int, body: Body) -> None:
    seats.take_window(actor=actor, table_id=table, window=text(body, "window"))


def _swap(actor: Sitter, table: int, body: Body) -> None:
    seats.swap(actor=_account(actor), table_id=table, seat=text(body, "seat"))


def _take_back(actor: Sitter, table: int, _body: Body) -> None:
    requests.take_back(actor=actor, table_id=table)


def _pause(actor: Sitter, table: int, _body: Body) -> None:
    requests.pause(actor=actor, table_id=table)


def _resume(actor: Sitter, table: int, _body: Body) -> None:
    requests.resume(actor=actor, table_id=table)


def _answer(actor: Sitter, table: int, body: Body) -> None:
    agrees = body.get("agrees") is True or text(body, "agrees") in {"true", "yes", "1"}
    requests.answer(actor=actor, table_id=table, request_id=number(body, "request"), agrees=agrees)


def _director(actor: Sitter, table: int, body: Body) -> None:
    requests.call_director(actor=actor, table_id=table, text=text(body, "text"))


def _absence(actor: Sitter, table: int, _body: Body) -> None:
    requests.claim_absence(actor=actor, table_id=table)


def _phrase(actor: Sitter, table: int, body: Body) -> None:
    requests.say(actor=actor, table_id=table, phrase=text(body, "phrase"))


def _again(actor: Sitter, table: int, _body: Body) -> None:
    practice.deal_again(actor=_account(actor), table_id=table)


def _chat(actor: Sitter, table: int, body: Body) -> None:
    chat.say(actor=actor, table_id=table, text=text(body, "text"))


def _report(actor: Sitter, table: int, body: Body) -> None:
    chat.report(actor=actor, table_id=table, line_id=number(body, "line"))


def _guests_talk(actor: Sitter, table: int, _body: Body) -> None:
    chat.let_guests_talk(actor=_account(actor), table_id=table, allows=True)


def _guests_silent(actor: Sitter, table: int, _body: Body) -> None:
    chat.let_guests_talk(actor=_account(actor), table_id=table, allows=False)


def _close(actor: Sitter, table: int, body: Body) -> None:
    opening.close(actor=_account(actor), table_id=table, reason=text(body, "reason"))


def _roll_back(actor: Sitter, table: int, body: Body) -> None:
    rulings.roll_back(
        actor=_account(actor), table_id=table, to=number(body, "to"), reason=text(body, "reason")
    )


def _add_time(actor: Sitter, table: int, body: Body) -> None:
    minutes, reason = number(body, "minutes"), text(body, "reason")
    limit = number(body, "limit_ms") if "limit_ms" in body else None
    rulings.add_time(actor=_account(actor), table_id=table, minutes=minutes, reason=reason, limit_ms=limit)


def _settle(actor: Sitter, table: int, body: Body) -> None:
    asked = number(body, "request")
    rulings.settle(actor=_account(actor), table_id=table, request_id=asked, answer=text(body, "answer"))


def _count(actor: Sitter, table: int, body: Body) -> None:
    results.count(actor=_account(actor), table_id=table, reason=text(body, "reason"))


STEPS: Mapping[str, Callable[[Sitter, int, Body], None]] = {
    "sit": _sit,
    "stand": _stand,
    "robot": _robot,
    "return": _return,
    "ready": _ready,
    "window": _window,
    "swap": _swap,
    "take_back": _take_back,
    "again": _again,
    "pause": _pause,
    "resume": _resume,
    "answer": _answer,
    "director": _director,
    "absence": _absence,
    "phrase": _phrase,
    "chat": _chat,
    "report": _report,
    "guests_talk": _guests_talk,
    "guests_silent": _guests_silent,
    "close": _close,
    "roll_back": _roll_back,
    "add_time": _add_time,
    "settle": _settle,
    "count": _count,
}
