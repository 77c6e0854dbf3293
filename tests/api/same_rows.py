"""What an act leaves in the database: the same, whether a page or a program did it."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django.apps import apps
from django.db import transaction
from django.db.models import Model
from django.test import Client

from league.models import OutboxMessage
from league.notices.services import outbox

# Who asked, and how often: no part of what was done.
OF_ASKING = {"ApiToken", "IdempotencyKey"}
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.:+Z]*")
#: What both write at their own moment is written within this time.
SOON = timedelta(minutes=10)


def rows() -> dict[str, list[Any]]:
    """Every row of the league and the games, without the moment at which it was written."""
    return {
        model.__name__: [_told(_opened(row)) for row in model._default_manager.order_by("pk")]
        for layer in ("league", "games")
        for model in apps.get_app_config(layer).get_models()
        if model.__name__ not in OF_ASKING
    }


def left_by(act: Callable[[], Any]) -> dict[str, list[Any]]:
    """The tables that the act changes, as it leaves them; it is taken back. Fails where it is refused."""
    with transaction.atomic():
        before = rows()
        answer = act()
        assert answer.status_code in {200, 201, 204, 302}, answer.content[:600]
        after = rows()
        transaction.set_rollback(True)
    return {name: found for name, found in after.items() if found != before[name]}


def browser(user: Any) -> Client:
    """A browser in which the person is logged in."""
    client = Client()
    client.force_login(user)
    return client


def _opened(row: Model) -> dict[str, Any]:
    """The row's columns; of a mail what it says, which is encrypted otherwise each time."""
    columns = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    return {**columns, "contents": outbox.context_of(row)} if isinstance(row, OutboxMessage) else columns


def _told(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _told(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_told(each) for each in value]
    if isinstance(value, datetime):
        return "now" if abs(datetime.now(tz=UTC) - value) < SOON else value
    if isinstance(value, str):
        return MOMENT.sub(lambda found: str(_told(datetime.fromisoformat(found.group()))), value)
    return value
