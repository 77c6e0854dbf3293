"""The token by which a program acts for a person: one at a time, shown once, kept as a digest."""

import hashlib
import secrets
from datetime import datetime

from django.db import transaction

from league import sentences
from league.models import ApiToken, User
from league.services import audit

# Lets people, and programs that search for leaked secrets, see what such a text is.
PREFIX = "cm_"
HINT_LENGTH = 8


def make(*, actor: User, at: datetime) -> tuple[ApiToken, str]:
    """A new token of the person, and its text, which nobody can show again. An older one no longer works."""
    text = PREFIX + secrets.token_urlsafe(32)
    with transaction.atomic():
        token, is_first = ApiToken.objects.update_or_create(
            user=actor, defaults={"digest": digest_of(text), "hint": text[:HINT_LENGTH], "made_at": at}
        )
        audit.record(
            actor=actor,
            action="token.made" if is_first else "token.replaced",
            summary=sentences.gettext("A token for programs was made"),
            after={"hint": token.hint},
        )
    return token, text


def revoke(*, actor: User) -> bool:
    """Ends the person's token; gives whether there was one."""
    with transaction.atomic():
        token = ApiToken.objects.select_for_update().filter(user=actor).first()
        if token is None:
            return False
        audit.record(
            actor=actor,
            action="token.revoked",
            summary=sentences.gettext("The token for programs was revoked"),
            before={"hint": token.hint},
        )
        token.delete()
    return True


def current(*, user: User) -> ApiToken | None:
    """The person's token, where there is one."""
    return ApiToken.objects.filter(user=user).first()


def bearer(*, text: str) -> User | None:
    """Whose token this text is; None for an unknown or revoked one, or a closed account."""
    token = (
        ApiToken.objects.select_related("user").filter(digest=digest_of(text), user__is_active=True).first()
    )
    return token.user if token else None


def digest_of(text: str) -> str:
    """SHA-256 of a token. It has 256 random bits: nobody can try them all, so that no slow hash is needed."""
    return hashlib.sha256(text.encode()).hexdigest()
