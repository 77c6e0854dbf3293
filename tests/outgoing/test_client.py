"""Asking another server at an address that somebody entered: what an attacker would try."""

import socket
import ssl
import threading
from time import monotonic
from typing import Any

import pytest

from league.models import Failure
from league.outgoing import client
from tests.outgoing import servers
from tests.outgoing.servers import NAME, server

Names = dict[str, list[str]]


def failure_of(url: str) -> Failure:
    with pytest.raises(client.NotReached) as caught:
        client.post(url, body=b"{}", headers={})
    return caught.value.failure


def test_it_sends_the_body_to_the_name_and_gives_the_answer(here: Names) -> None:
    with server() as target:
        answer = client.post(target.url, body=b'{"a": 1}', headers={"Content-Type": "application/json"})
    assert (answer.status, answer.body, answer.is_good) == (200, b"ok", True)
    head, body = target.asked[0].split(b"\r\n\r\n")
    assert head.startswith(b"POST /hook?club=1 HTTP/1.1\r\n")
    assert f"Host: {NAME}:{target.port}".encode() in head
    assert body == b'{"a": 1}'


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.org/",
        "ftp://hooks.example.org/",
        "//hooks.example.org/",
        "hooks.example.org",
        "",
        "https://",
        "https:///path",
        "https://user@hooks.example.org/",
        "https://user:secret@hooks.example.org/",
        "https://:@hooks.example.org/",
        "https://hooks.example.org:0/",
        "https://hooks.example.org:99999/",
        "https://hooks.example.org:x/",
        "https://127.0.0.1/",
        "https://10.0.0.7/",
        "https://192.168.1.1/",
        "https://172.31.255.255/",
        "https://169.254.169.254/latest/meta-data/",
        "https://100.64.0.1/",
        "https://0.0.0.0/",
        "https://224.0.0.1/",
        "https://255.255.255.255/",
        "https://[::1]/",
        "https://[::]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[::ffff:8.8.8.8]/",
        "https://[::7f00:1]/",
        "https://[fd00::1]/",
        "https://[fe80::1]/",
        "https://[fe80::1%25eth0]/",
        "https://[64:ff9b::7f00:1]/",
        "https://[2002:7f00:1::]/",
        "https://[2001:0:7f00:1::]/",
        "https://[ff02::1]/",
        "https://" + "a" * 64 + ".org/",
        "https://hooks.example.org/" + "a" * 500,
    ],
)
def test_addresses_that_lead_elsewhere_are_refused_unasked(url: str) -> None:
    """Of https in the public network only; nothing is looked up to say so."""
    assert failure_of(url) == Failure.ADDRESS


@pytest.mark.parametrize(
    "host", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0", "localhost", "LOCALHOST", "127.0.0.1."]
)
def test_other_ways_to_write_this_computer_are_refused_once_resolved(host: str) -> None:
    assert failure_of(f"https://{host}/") in {Failure.ADDRESS, Failure.NAME}


@pytest.mark.parametrize(
    "inside", ["127.0.0.1", "10.1.2.3", "::1", "::ffff:10.0.0.1", "100.100.0.1", "fd12::1"]
)
def test_a_name_that_leads_inside_is_refused(names: Names, inside: str) -> None:
    names[NAME] = [inside]
    assert failure_of(f"https://{NAME}/") == Failure.ADDRESS


def test_a_name_with_a_public_and_an_inner_address_is_refused_as_a_whole(names: Names) -> None:
    names[NAME] = ["8.8.8.8 127.0.0.1"]
    assert failure_of(f"https://{NAME}/") == Failure.ADDRESS


def test_a_name_that_leads_elsewhere_when_asked_again_is_asked_once(here: Names) -> None:
    """Rebinding: the address that was looked at is the one that is connected to."""
    with server() as target:
        here[NAME] = ["127.0.0.1", "10.0.0.1"]
        assert client.post(target.url, body=b"", headers={}).is_good
    assert here["asked"] == [NAME]
    # The control: the second answer is refused.
    assert failure_of(f"https://{NAME}/") == Failure.ADDRESS


def test_the_exceptions_are_the_operators_and_no_wider(settings: Any, here: Names) -> None:
    here[NAME] = ["127.0.0.2"]
    assert failure_of(f"https://{NAME}/") == Failure.ADDRESS


def test_a_name_that_nobody_knows(names: Names) -> None:
    assert failure_of("https://nowhere.invalid/") == Failure.NAME


def test_a_certificate_of_another_name_is_refused(here: Names) -> None:
    here["other.example.org"] = ["127.0.0.1"]
    with server() as target:
        assert failure_of(target.url.replace(NAME, "other.example.org")) == Failure.CERTIFICATE
    assert target.asked == [b""] or not target.asked


def test_a_certificate_that_nobody_knows_is_refused(here: Names, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with server() as target:
        assert failure_of(target.url) == Failure.CERTIFICATE


def test_a_redirect_is_an_answer_and_not_a_way(here: Names) -> None:
    with server() as inner:
        to = f"HTTP/1.1 307 Go\r\nLocation: https://127.0.0.1:{inner.port}/\r\nContent-Length: 0\r\n\r\n"
        with server(servers.says(to.encode())) as target:
            answer = client.post(target.url, body=b"", headers={})
    assert (answer.status, answer.is_good) == (307, False)
    assert not inner.asked


def test_a_proxy_of_the_environment_is_not_asked(here: Names, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    with server() as target:
        assert client.post(target.url, body=b"", headers={}).is_good


def test_of_a_huge_answer_the_first_64_kilobytes_are_read(here: Names) -> None:
    sent = []

    def floods(line: ssl.SSLSocket, over: threading.Event) -> None:
        line.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
        while not over.is_set():
            line.sendall(b"x" * 65536)
            sent.append(1)

    with server(floods) as target:
        answer = client.post(target.url, body=b"", headers={})
    assert (answer.status, len(answer.body)) == (200, client.LONGEST_ANSWER)
    assert len(sent) < 500


def drips(first: bytes) -> Any:
    """Sends the beginning, and then a byte whenever the other side might have given up waiting for the next."""

    def drip(line: ssl.SSLSocket, over: threading.Event) -> None:
        line.sendall(first)
        while not over.wait(0.02):
            line.sendall(b"x")

    return drip


@pytest.mark.parametrize(
    "first",
    [
        b"HTTP/1.1 ",
        b"HTTP/1.1 200 OK\r\nX-A: ",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n\r\n",
    ],
    ids=["status", "header", "body", "body to the end"],
)
def test_a_server_that_answers_byte_by_byte_is_given_up(
    here: Names, monkeypatch: pytest.MonkeyPatch, first: bytes
) -> None:
    monkeypatch.setattr(client, "SECONDS", 0.3)
    begun = monotonic()
    with server(drips(first)) as target:
        assert failure_of(target.url) == Failure.TIME
    assert monotonic() - begun < 2


def test_endless_interim_answers_end_with_the_time(here: Names, monkeypatch: pytest.MonkeyPatch) -> None:
    def goes_on(line: ssl.SSLSocket, over: threading.Event) -> None:
        while not over.wait(0.005):
            line.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")

    monkeypatch.setattr(client, "SECONDS", 0.3)
    with server(goes_on) as target:
        assert failure_of(target.url) == Failure.TIME


def test_a_server_that_takes_the_line_and_says_nothing(here: Names, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even the handshake begins."""
    monkeypatch.setattr(client, "SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        assert failure_of(f"https://{NAME}:{listener.getsockname()[1]}/") == Failure.TIME


def test_a_name_server_that_never_answers(names: Names, monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()
    monkeypatch.setattr(client, "SECONDS", 0.2)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_named: over.wait() and [])
    try:
        assert failure_of(f"https://{NAME}/") == Failure.NAME
    finally:
        over.set()


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"SSH-2.0-OpenSSH\r\n",
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200 + b"\r\n",
    ],
)
def test_what_is_no_answer_is_none(here: Names, answer: bytes) -> None:
    with server(servers.says(answer)) as target:
        assert failure_of(target.url) == Failure.CONNECTION


def test_nobody_listens_there(here: Names) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    assert failure_of(f"https://{NAME}:{port}/") == Failure.CONNECTION


def test_line_ends_in_an_address_add_no_header(here: Names) -> None:
    with server() as target:
        answer = client.post(target.url + "\r\nX-Evil: 1", body=b"", headers={})
    assert answer.is_good
    assert b"X-Evil: 1" not in target.asked[0].split(b"\r\n")
