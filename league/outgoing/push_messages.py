"""A push as the standards want it: encrypted for one browser (RFC 8291), signed for by the site (RFC 8292)."""

import base64
import hashlib
import hmac
import json
import secrets
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

CURVE = ec.SECP256R1()
#: Of the curve: keys are smaller than this, and not zero.
ORDER = int("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551", 16)
#: Of one record; larger texts no push service takes.
RECORD = 4096
LONGEST = 3000
SIGNED_FOR = timedelta(hours=12)


def encoded(raw: bytes) -> str:
    """As URLs and tokens write bytes."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """The bytes again. Raises ValueError."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def public_key() -> str:
    """By which browsers know that pushes are from this site."""
    return encoded(_point(_site_key()))


def check_keys(p256dh: str, auth: str) -> None:
    """Raises ValueError for what no browser gives."""
    ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decoded(p256dh))
    if len(decoded(auth)) != 16:
        raise ValueError("The secret has another length.")


def encrypt(text: bytes, *, p256dh: str, auth: str) -> bytes:
    """The text, readable by that browser only."""
    return encrypted_with(
        text, p256dh=p256dh, auth=auth, own=ec.generate_private_key(CURVE), salt=secrets.token_bytes(16)
    )


def encrypted_with(
    text: bytes, *, p256dh: str, auth: str, own: ec.EllipticCurvePrivateKey, salt: bytes
) -> bytes:
    """The same with a key and a salt that are given: they may be used once."""
    theirs = decoded(p256dh)
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
    key = _derived(shared, decoded(auth), b"WebPush: info\0" + theirs + _point(own), 32)
    content_key = _derived(key, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(key, salt, b"Content-Encoding: nonce\0", 12)
    sender = _point(own)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(sender)]) + sender
    return head + AESGCM(content_key).encrypt(nonce, text[:LONGEST] + b"\x02", None)


def headers(endpoint: str, *, at: datetime, lives: timedelta) -> dict[str, str]:
    """What a push service wants to know: who sends, and how long the message is worth keeping."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"https://{parts.netloc}",
        "exp": int((at + SIGNED_FOR).timestamp()),
        "sub": settings.SITE_URL,
    }
    signed = ".".join(encoded(json.dumps(each).encode()) for each in ({"typ": "JWT", "alg": "ES256"}, claims))
    r, s = decode_dss_signature(_site_key().sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    signature = encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    return {
        "Authorization": f"vapid t={signed}.{signature}, k={public_key()}",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(lives.total_seconds())),
    }


def _site_key() -> ec.EllipticCurvePrivateKey:
    secret = settings.PUSH_KEY or settings.SECRET_KEY
    digest = hashlib.sha256(f"web push:{secret}".encode()).digest()
    return ec.derive_private_key(int.from_bytes(digest, "big") % (ORDER - 1) + 1, CURVE)


def _point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )


def _derived(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """HKDF of one block (RFC 5869)."""
    extracted = hmac.digest(salt, key, "sha256")
    return hmac.digest(extracted, info + b"\x01", "sha256")[:length]
