"""The name of the tests' server leads to this computer, and the certificate is known."""

import socket
from typing import Any

import pytest

from tests.outgoing.servers import LOOPBACK, NAME, certificate

ask = socket.getaddrinfo


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """What names lead to; one after the other where several are given as one. How often each was asked: `asked`."""
    known: dict[str, list[str]] = {NAME: ["127.0.0.1"], "asked": []}

    def answer(host: str, port: int, *more: Any, **named: Any) -> Any:
        if host not in known:
            return ask(host, port, *more, **named)
        known["asked"].append(host)
        addresses = known[host]
        now = addresses.pop(0) if len(addresses) > 1 else addresses[0]
        return [each for one in now.split() for each in ask(one, port, *more, **named)]

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate()))
    return known


@pytest.fixture
def here(settings: Any, names: dict[str, list[str]]) -> dict[str, list[str]]:
    """This computer is among the operator's exceptions."""
    settings.OUTGOING_ALLOWED = [LOOPBACK]
    return names
