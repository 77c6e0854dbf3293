"""Every address of the site, found by walking the resolver: none can be forgotten."""

import re
from collections.abc import Iterator, Mapping

from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RoutePattern

PARAMETER = re.compile(r"<(?:(?P<converter>\w+):)?(?P<name>\w+)>")
GROUP = re.compile(r"\(\?P<(?P<name>\w+)>[^()]*(?:\([^()]*\)[^()]*)*\)")

# The admin is Django's own, and for staff alone.
LEFT_OUT = ("admin/",)


def routes() -> list[str]:
    """All addresses as they are written in the code, such as `matches/<int:pk>/`; regular ones without anchors."""
    found = dict.fromkeys(_walk(get_resolver().url_patterns, ""))
    return [route for route in found if not route.startswith(LEFT_OUT)]


def _walk(patterns: list[URLPattern | URLResolver], before: str) -> Iterator[str]:
    for pattern in patterns:
        route = before + _written(pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, route)
        else:
            yield route


def _written(pattern: URLPattern | URLResolver) -> str:
    if isinstance(pattern.pattern, RoutePattern):
        return str(pattern.pattern)
    regular = str(pattern.pattern).removeprefix("^").removesuffix("$").replace(r"\Z", "")
    return GROUP.sub(lambda group: f"<str:{group['name']}>", regular)


def filled(route: str, values: Mapping[str, str]) -> str:
    """The address with the parameters filled in; those not named get something of their kind."""

    def value(parameter: re.Match[str]) -> str:
        name, kind = parameter["name"], parameter["converter"] or "str"
        return values.get(name) or {"int": "1"}.get(kind, "something")

    return "/" + PARAMETER.sub(value, route).replace("\\", "")


def parameters(route: str) -> list[tuple[str, str]]:
    """Name and kind of each parameter of a route."""
    return [(found["name"], found["converter"] or "str") for found in PARAMETER.finditer(route)]
