"""The one way in which the service asks another server on the web: of a webhook, of a push.

The addresses come from people, so that each is a question of where it leads. https only; the name is resolved once and
the connection made to what came out of that, with the certificate checked for the name; no address of a private
network, no redirect, no proxy, five seconds for everything together and 64 KB of answer.
"""

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from urllib.parse import SplitResult, quote, urlsplit

from django.conf import settings

from league.models import Failure

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

SECONDS = 5.0
LONGEST_ANSWER = 64 * 1024
LONGEST_URL = 500
#: Of IPv6 only what is given out to networks; and of that nothing that stands for an address of IPv4 (6to4, Teredo).
GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
STANDING_FOR_OTHERS = (ipaddress.IPv6Network("2001::/23"), ipaddress.IPv6Network("2002::/16"))


class NotReached(Exception):
    """Nothing came back that counts as an answer; `failure` says why."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


@dataclass(frozen=True, slots=True)
class Answer:
    """What another server answered; of the body the first 64 KB."""

    status: int
    body: bytes

    @property
    def is_good(self) -> bool:
        """Whether it took what it was sent. A redirect did not."""
        return 200 <= self.status < 300


def check(url: str) -> SplitResult:
    """The parts of an address that may be asked, as far as can be said without asking. Raises NotReached."""
    with suppress(ValueError, UnicodeError):
        parts = urlsplit(url)
        name = (parts.hostname or "").encode("idna").decode()
        is_whole = parts.scheme == "https" and name and parts.port != 0 and len(url) <= LONGEST_URL
        if is_whole and "@" not in parts.netloc and not _is_inside(name):
            return parts
    raise NotReached(Failure.ADDRESS)


def post(url: str, *, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Sends the body there. Raises NotReached."""
    until = monotonic() + SECONDS
    parts = check(url)
    addresses = _resolved(str(parts.hostname), parts.port or 443, until)
    connection = _Pinned(str(parts.hostname), parts.port or 443, addresses, until)
    path = quote(parts.path or "/", safe="/%:=&~+!$,;'@()*") + (
        f"?{quote(parts.query, safe='/%:=&~+!$,;@()*?')}" if parts.query else ""
    )
    try:
        connection.request("POST", path, body, dict(headers))
        with connection.getresponse() as response:
            answer = Answer(response.status, response.read(LONGEST_ANSWER))
    except ssl.SSLCertVerificationError:
        raise NotReached(Failure.CERTIFICATE) from None
    except (OSError, http.client.HTTPException, ValueError):
        raise NotReached(Failure.TIME if monotonic() >= until else Failure.CONNECTION) from None
    finally:
        connection.end()
    # Cut off in the middle, an answer looks like one that came to its end.
    if monotonic() >= until:
        raise NotReached(Failure.TIME)
    return answer


class _Pinned(http.client.HTTPSConnection):
    """A connection to these addresses and no others, which is cut when its time is up."""

    def __init__(self, name: str, port: int, addresses: list[str], until: float) -> None:
        self.context, self.addresses, self.until = ssl.create_default_context(), addresses, until
        self.line: ssl.SSLSocket | None = None
        super().__init__(name, port, context=self.context)
        # Each read may take as long as is left, and a server that sends byte by byte would never be too late.
        self.alarm = threading.Timer(max(until - monotonic(), 0), self._cut)
        self.alarm.daemon = True

    def connect(self) -> None:
        """To the first address that answers; the certificate has to be the name's."""
        self.alarm.start()
        for number, address in enumerate(self.addresses, start=1):
            try:
                line = socket.create_connection((address, self.port), timeout=self._left())
                break
            except OSError:
                if number == len(self.addresses):
                    raise
        # Of the handshake the time counts as a whole.
        line.settimeout(self._left())
        try:
            # Where an answer ends with the connection, `sock` is gone before the answer is read.
            self.sock = self.line = self.context.wrap_socket(line, server_hostname=self.host)
        except BaseException:
            line.close()
            raise
        self.sock.settimeout(self._left())

    def end(self) -> None:
        """Whatever came of it."""
        self.alarm.cancel()
        self.close()
        if self.line is not None:
            self.line.close()

    def _left(self) -> float:
        left = self.until - monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def _cut(self) -> None:
        with suppress(OSError):
            if self.line is not None:
                socket.socket.shutdown(self.line, socket.SHUT_RDWR)


def _resolved(name: str, port: int, until: float) -> list[str]:
    """The addresses that the name has now: all of them fit, or none is asked. Raises NotReached."""
    found: list[str] = []

    def ask() -> None:
        with suppress(OSError, UnicodeError):
            answers = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
            found.extend(str(each[4][0]) for each in answers)

    # The system waits for its name server as long as it likes.
    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(max(until - monotonic(), 0))
    addresses = list(dict.fromkeys(found))
    if not addresses:
        raise NotReached(Failure.NAME)
    if not all(_may_be_asked(ipaddress.ip_address(each.partition("%")[0])) for each in addresses):
        raise NotReached(Failure.ADDRESS)
    return addresses


def _is_inside(name: str) -> bool:
    """Whether the name is itself an address that may not be asked."""
    with suppress(ValueError):
        return not _may_be_asked(ipaddress.ip_address(name))
    return False


def _may_be_asked(address: IPAddress) -> bool:
    if any(address in each for each in settings.OUTGOING_ALLOWED):
        return True
    if isinstance(address, ipaddress.IPv6Address) and (
        address not in GLOBAL_UNICAST or any(address in each for each in STANDING_FOR_OTHERS)
    ):
        return False
    return address.is_global and not address.is_multicast
