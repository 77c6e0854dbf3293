"""Servers of one's own that the service asks: with a certificate for NAME, which the test's resolver leads to them."""

import datetime
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

NAME = "hooks.example.org"
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
LOOPBACK = ipaddress.ip_network("127.0.0.1/32")


@dataclass
class Server:
    """What it was asked, and where it is."""

    port: int
    asked: list[bytes] = field(default_factory=list)

    @property
    def url(self) -> str:
        """Its address by the name that its certificate bears."""
        return f"https://{NAME}:{self.port}/hook?club=1"


@cache
def certificate() -> Path:
    """A file with a key and a certificate for NAME that signs itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = Path(mkdtemp()) / "hooks.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return file


def takes(line: ssl.SSLSocket, _over: threading.Event) -> None:
    """Answers that all is well."""
    line.sendall(OK)


def says(answer: bytes) -> Callable[[ssl.SSLSocket, threading.Event], None]:
    """Answers with these bytes."""

    def say(line: ssl.SSLSocket, _over: threading.Event) -> None:
        line.sendall(answer)

    return say


@contextmanager
def server(answer: Callable[[ssl.SSLSocket, threading.Event], None] = takes) -> Iterator[Server]:
    """A server that reads each request whole, and answers it so."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate())
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        made = Server(listener.getsockname()[1])

        def one(plain: socket.socket) -> None:
            with suppress(OSError, ssl.SSLError), context.wrap_socket(plain, server_side=True) as line:
                made.asked.append(_request(line))
                answer(line, over)

        def serve() -> None:
            with suppress(OSError):
                while True:
                    plain, _address = listener.accept()
                    threading.Thread(target=one, args=(plain,), daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        try:
            yield made
        finally:
            over.set()
            listener.shutdown(socket.SHUT_RDWR)


def _request(line: ssl.SSLSocket) -> bytes:
    got = b""
    while b"\r\n\r\n" not in got:
        more = line.recv(4096)
        if not more:
            return got
        got += more
    head, _, body = got.partition(b"\r\n\r\n")
    length = next(
        int(each.split(b":")[1]) for each in head.split(b"\r\n") if each.lower().startswith(b"content-length")
    )
    while len(body) < length:
        body += line.recv(4096)
    return head + b"\r\n\r\n" + body
