"""The token by which a program acts for a person: one at a time, shown once, kept as a digest.

It ends by its date, by a new one, by being revoked, and by another password: the owner who takes an account back has
thrown out everybody else.
"""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from league import locks
from league.audit.services import audit
from league.background import contention
from league.errors import Invalid
from league.models import ApiToken, CalendarAddress, User
from league.notices.services import outbox
from league.words import sentences

# Lets people, and programs that search for leaked secrets, see what such a text is.
PREFIX = "cm_"
HINT_LENGTH = 8
LONGEST_DAYS = 366
USUAL_DAYS = 90
#: The last use is noted no more often than this: not every reading is a writing.
NOTED_EVERY = timedelta(minutes=10)


def make(
    *, actor: User, at: datetime, scope: str = ApiToken.Scope.WRITE, days: int = USUAL_DAYS
) -> tuple[ApiToken, str]:
    """A new token of the person, and its text, which nobody can show again. An older one no longer works.

    The person is told by mail. The caller checks that a person asks for it, and no program.
    """
    if scope not in ApiToken.Scope.values or not 1 <= days <= LONGEST_DAYS:
        raise Invalid(
            _("Choose what the token can do and for how long: %(longest)d days at most.")
            % {"longest": LONGEST_DAYS}
        )
    text = PREFIX + secrets.token_urlsafe(32)
    facts = {
        "digest": digest_of(text),
        "hint": text[:HINT_LENGTH],
        "scope": scope,
        "session_digest": actor.get_session_auth_hash(),
        "made_at": at,
        "expires_at": at + timedelta(days=days),
        "last_used_at": None,
    }
    with transaction.atomic():
        token, is_first = ApiToken.objects.update_or_create(user=actor, defaults=facts)
        audit.record(
            actor=actor,
            action="token.made" if is_first else "token.replaced",
            summary=sentences.gettext("API token created"),
            after={"hint": token.hint, "scope": scope, "days": days},
        )
        context = {
            "name": actor.get_short_name(),
            "hint": token.hint,
            "may_write": scope == ApiToken.Scope.WRITE,
            "days": days,
            "path": reverse("my_token"),
        }
        outbox.post(to=actor.email, template="token_made", context=context)
    return token, text


def revoke(*, actor: User) -> bool:
    """Ends the person's token; gives whether there was one."""
    with transaction.atomic():
        token = next(iter(locks.take(ApiToken.objects.filter(user=actor))), None)
        if token is None:
            return False
        audit.record(
            actor=actor,
            action="token.revoked",
            summary=sentences.gettext("API token revoked"),
            before={"hint": token.hint},
        )
        token.delete()
    return True


def current(*, user: User, at: datetime) -> ApiToken | None:
    """The person's token, where there is one that works."""
    token = ApiToken.objects.select_related("user").filter(user=user).first()
    return token if token and _works(token, at) else None


def bearer(*, text: str, at: datetime) -> ApiToken | None:
    """The token that this text is; None for an unknown or ended one, or a closed account. Its use is noted."""
    token = ApiToken.objects.select_related("user").filter(digest=digest_of(text)).first()
    if token is None or not _works(token, at):
        return None
    if token.last_used_at is None or token.last_used_at < at - NOTED_EVERY:
        # Else what the program asks for would be told "please try again" at once where it could be done again.
        with contention.note():
            ApiToken.objects.filter(pk=token.pk).update(last_used_at=at)
    return token


def purge(*, at: datetime) -> int:
    """Deletes tokens whose date is past; gives how many."""
    count, _by_model = ApiToken.objects.filter(expires_at__lt=at).delete()
    return count


def digest_of(text: str) -> str:
    """SHA-256 of a token. It has 256 random bits: nobody can try them all, so that no slow hash is needed."""
    return hashlib.sha256(text.encode()).hexdigest()


def _works(token: ApiToken, at: datetime) -> bool:
    person = token.user
    hashes = (person.get_session_auth_hash(), *person.get_session_auth_fallback_hash())
    return (
        person.is_active
        and at < token.expires_at
        and any(constant_time_compare(token.session_digest, each) for each in hashes)
    )


def renew_calendar_address(*, actor: User, at: datetime) -> None:
    """Another calendar address for the person: programs that have the old one read nothing more."""
    with transaction.atomic():
        CalendarAddress.objects.update_or_create(
            user=actor, defaults={"seed": secrets.token_hex(16), "made_at": at}
        )
        audit.record(
            actor=actor, action="calendar.renewed", summary=sentences.gettext("Calendar address renewed")
        )
