"""Passkeys instead of a password, for accounts that are being made: the key is there before its account is.

A passkey carries a handle that its browser gives back at every login. That of an account is its key; an account that
is not there yet has none, so that the handle is drawn by chance and kept beside the key.
"""

import struct
from dataclasses import dataclass
from typing import Any, cast

from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.internal import auth
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from league.errors import Invalid
from league.models import User

#: Where a browser's session keeps the handle between the question and the answer.
SESSION_KEY = "passkey"
#: What the library raises where a browser's answer is not one.
UNREADABLE = (
    TypeError,
    ValueError,
    LookupError,
    AttributeError,
    RecursionError,
    struct.error,
    ValidationError,
)


@dataclass(frozen=True, slots=True, repr=False)
class Passkey:
    """What a browser answered, checked, and the handle that it carries."""

    credential: dict[str, Any]
    handle: str


def begin(request: HttpRequest, *, email: str, name: str) -> dict[str, Any]:
    """What the browser needs to make a key for a new account with this address; the session remembers the question."""
    options = auth.begin_registration(User(email=email, name=name), passwordless=True)
    request.session[SESSION_KEY] = options["publicKey"]["user"]["id"]
    return options


def read(request: HttpRequest, credential: Any) -> Passkey:
    """The browser's answer to the last question. Raises Invalid where it is none, or the key asks nobody for a PIN."""
    handle = request.session.get(SESSION_KEY)
    try:
        auth.parse_registration_response(credential)
        auth.complete_registration(credential)
    except UNREADABLE as fault:
        raise Invalid(_("The passkey didn’t arrive as it should. Please try again.")) from fault
    if not isinstance(handle, str):
        raise Invalid(_("The passkey didn’t arrive as it should. Please try again."))
    del request.session[SESSION_KEY]
    return Passkey(cast("dict[str, Any]", credential), handle)


def add(*, user: User, passkey: Passkey) -> Authenticator:
    """The account, just made, has this key instead of a password."""
    made: Authenticator = auth.WebAuthn.add(user, _("Passkey"), passkey.credential).instance
    made.data["handle"] = passkey.handle
    made.save(update_fields=["data"])
    return made


def first_step(user: User) -> Authenticator | None:
    """The key that the account has instead of a password."""
    return _instead_of_passwords().filter(user=user).first()


def holder(credential: Any) -> User | None:
    """Whose account the key of a login is instead of a password."""
    answer = credential.get("response") if isinstance(credential, dict) else None
    handle = answer.get("userHandle") if isinstance(answer, dict) else None
    if not isinstance(handle, str) or not handle:
        return None
    found = _instead_of_passwords().filter(data__handle=handle).select_related("user").first()
    return cast("User", found.user) if found else None


def _instead_of_passwords() -> QuerySet[Authenticator]:
    return Authenticator.objects.filter(type=Authenticator.Type.WEBAUTHN, data__has_key="handle")
