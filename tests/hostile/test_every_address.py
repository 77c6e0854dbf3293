"""Every address, asked in every odd way: never a server error, and nothing written by what was refused."""

import re
from functools import partial
from itertools import cycle
from urllib.parse import quote

import pytest
from django.db import connection

from tests.conftest import is_postgresql
from tests.hostile.addresses import parameters, routes
from tests.hostile.values import (
    AT_THE_DATABASE,
    BY_KIND,
    FIELD_VALUES,
    HEADERS,
    HUGE,
    JSON_BODIES,
    METHODS,
    OTHER_BODIES,
    QUERY_NAMES,
    QUERY_VALUES,
    UNSTORABLE,
    files,
)
from tests.thorough import is_in_turn
from tests.thorough import share as share_of

ROUTES = routes()
# `make test` asks a quarter of the addresses on each of the two databases, by turns.
HERE = [each for each in ROUTES if is_in_turn(f"{connection.vendor} {each}", one_in=4)]
FIELD = re.compile(r'<(input|select|textarea|button)\b[^>]*?\bname="([^"]+)"[^>]*>', re.DOTALL)


# With THOROUGH=1 (`make hostile`) every address gets everything; else each gets its share of it.
share = partial(share_of, one_in=20)


def test_every_value_is_sent_somewhere():
    for values in (range(3), range(10), range(31)):
        assert {value for route in ROUTES for value in share(route, values)} == set(values)
    assert {
        body for route in ROUTES if route.startswith("api/") for body in share(route, JSON_BODIES)
    } == set(JSON_BODIES)


def test_the_walk_finds_the_site():
    assert {"matches/<int:pk>/", "api/v1/fixtures/", "accounts/login/", "healthz"} <= set(ROUTES)
    assert len(ROUTES) > 40


@pytest.mark.one_database
@pytest.mark.parametrize("role", ["nobody", "director"])
def test_methods(world, ask_all, role):
    def asking(watch, route):
        for method in share(route, METHODS):
            watch.send(method, world.address(route))

    ask_all(role, HERE, asking)


@pytest.mark.both_databases
@pytest.mark.parametrize("method", ["get", "post"])
def test_parameters(world, ask_all, method):
    def asking(watch, route):
        for name, kind in parameters(route):
            for value in share(route, BY_KIND[kind]):
                watch.send(method, world.address(route, **{name: value}))

    ask_all("director", [route for route in HERE if parameters(route)], asking)


@pytest.mark.both_databases
def test_query_strings(world, ask_all):
    def asking(watch, route):
        # Another database can differ only in what reaches it.
        for value in share(route, AT_THE_DATABASE if is_postgresql() else QUERY_VALUES):
            encoded = value if value.startswith("%") else quote(value)
            query = "&".join(f"{name}={encoded}" for name in QUERY_NAMES)
            watch.send("get", f"{world.address(route)}?{query}")
        if not is_postgresql():
            watch.send("get", f"{world.address(route)}?" + "a&" * 900)

    ask_all("player", HERE, asking)


@pytest.mark.one_database
def test_headers_and_cookies(world, ask_all):
    def asking(watch, route):
        for headers in share(route, HEADERS):
            watch.send("get", world.address(route), headers=headers)
            watch.send("post", world.address(route), headers=headers)

    ask_all("nobody", HERE, asking)


@pytest.mark.both_databases
def test_json_bodies(world, ask_all):
    def asking(watch, route):
        for body in share(route, JSON_BODIES if route.startswith("api/") else JSON_BODIES[-3:]):
            watch.send("post", world.address(route), body, content_type="application/json")

    ask_all("director", HERE, asking)


@pytest.mark.one_database
def test_other_bodies(world, ask_all):
    def asking(watch, route):
        for kind, body in share(route, OTHER_BODIES):
            watch.send("post", world.address(route), body, content_type=kind)

    ask_all("player", HERE, asking)


@pytest.mark.parametrize("role", [pytest.param("player", marks=pytest.mark.one_database), "director"])
def test_forms(world, ask_all, role):
    """Each field that a page shows gets what it should not, all the same and all different."""

    def asking(watch, route):
        address = world.address(route)
        shown = watch.send("get", address).content.decode(errors="replace")
        names = {name for _kind, name in FIELD.findall(shown)} | {
            "next",
            "content",
            "reason",
            "digest",
            "key",
        }
        for start in share(route, range(0, len(FIELD_VALUES), 3)):
            values = cycle([*FIELD_VALUES[start:], *FIELD_VALUES[:start]])
            watch.post(address, dict(zip(sorted(names), values, strict=False)))
        for value in share(route, ("", "1", HUGE, '{"deals": [{"hands": [[[[]]]]}]}', *UNSTORABLE)):
            watch.post(address, dict.fromkeys(names, value))
        if 'type="file"' in shown:
            for file in files():
                fields = dict.fromkeys(names, "players")
                watch.post(address, {**fields, **{name: file for name in names if "file" in name}})

    ask_all(role, [route for route in HERE if not route.startswith("api/")], asking)
