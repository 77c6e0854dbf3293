"""The most visited pages of a database that has the demo, for hot_pages."""

import json
from typing import Any

from django.conf import settings
from django.db import connection
from django.test import Client

from league.models import Competition, Entry, Fixture, User

#: Of the demo, and of the large one.
WHO = ("anna.berg@example.org", "ada.player1@example.org")


def look_up() -> None:
    """Print, as JSON, of each page its address and how many queries it takes the second time, and a login's cookie."""
    user = User.objects.get(email__in=WHO)
    own = Competition.objects.filter(state="running", entries__in=Entry.objects.of_user(user))
    competition = own.leagues().select_related("club").order_by("pk")[0]
    match = Fixture.objects.of_competition(competition.pk).decided().order_by("pk").first()
    addresses = {
        "standings": competition.get_absolute_url(),
        "match": match.get_absolute_url(),
        "home": "/",
        "my": "/my/",
        "player": user.players.order_by("pk")[0].get_absolute_url(),
        "club": competition.club.get_absolute_url(),
        "search": f"{competition.club.get_absolute_url()}players/?q=an",
        "API, mine": "/api/v1/fixtures/?mine=true",
    }
    client = Client(headers={"Host": "localhost", "X-Forwarded-Proto": "https"})
    client.force_login(user)
    asked: list[str] = []

    def counting(execute: Any, sql: str, *more: Any) -> Any:
        asked.append(sql)
        return execute(sql, *more)

    found: dict[str, tuple[str, int]] = {}
    for name, address in addresses.items():
        client.get(address)
        asked.clear()
        with connection.execute_wrapper(counting):
            answer = client.get(address)
        assert answer.status_code == 200, (address, answer.status_code)
        found[name] = address, len(asked)
    cookie = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
    print(json.dumps([found, cookie]))
