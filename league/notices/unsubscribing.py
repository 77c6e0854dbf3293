"""The token in a mail that ends mails like it, without a login (RFC 8058): of one person and one event, and good for
nothing else."""

from django.core import signing
from django.urls import reverse

from league.models import User
from league.notices import events
from league.notices.events import Event

SALT = "no more mails of this"


def path_of(user_key: int, event: Event) -> str:
    """Where a mail's link to unsubscribe leads, on this site."""
    return reverse("unsubscribe", args=[signing.dumps([user_key, event.key], salt=SALT)])


def behind(token: str) -> tuple[User, Event] | None:
    """Whose mails of which event a token ends; None for one that is not ours, or of an account that is no more."""
    try:
        key, event_key = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    user, event = User.objects.filter(pk=key).first(), events.find(event_key)
    return (user, event) if user is not None and event is not None else None
