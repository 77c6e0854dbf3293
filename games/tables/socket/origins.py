"""Whether a socket is asked for by a page of this very site: browsers say from which page, and no page can lie."""

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host

PORTS = {"http": 80, "https": 443}


def headers_of(scope: Mapping[str, Any]) -> dict[str, str]:
    """The request's headers; of one that is there twice, the first."""
    found: dict[str, str] = {}
    for name, value in scope.get("headers", ()):
        found.setdefault(name.decode("latin-1").lower(), value.decode("latin-1"))
    return found


def is_own(scope: Mapping[str, Any]) -> bool:
    """Whether scheme, host and port of the page's address are the socket's own, or named in the settings."""
    headers = headers_of(scope)
    origin = headers.get("origin", "")
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    host = headers.get("host", "")
    domain, _port = split_domain_port(host)
    if not domain or not validate_host(domain, _allowed()):
        return False
    return _place(origin) == _place(f"{_scheme(scope, headers)}://{host}") is not None


def _allowed() -> Iterable[str]:
    return settings.ALLOWED_HOSTS or [".localhost", "127.0.0.1", "[::1]"]


def _scheme(scope: Mapping[str, Any], headers: Mapping[str, str]) -> str:
    """As the proxy that ends HTTPS says it, where the settings believe it."""
    told = getattr(settings, "SECURE_PROXY_SSL_HEADER", None)
    if told is not None:
        name = told[0].removeprefix("HTTP_").replace("_", "-").lower()
        return "https" if headers.get(name, "").split(",")[0].strip() == told[1] else "http"
    return "https" if scope.get("scheme") == "wss" else "http"


def _place(address: str) -> tuple[str, str, int] | None:
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in PORTS or not parts.hostname:
        return None
    return (parts.scheme, parts.hostname.lower(), port or PORTS[parts.scheme])
