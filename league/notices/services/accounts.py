"""What people change about their own account, beside the login pages."""

from datetime import datetime

from django.conf import settings
from django.contrib.sessions.models import Session

from league.models import User


def choose_language(*, actor: User, language: str) -> None:
    """Writes to this person in that language from now on; a language that the site does not speak changes nothing."""
    if language in dict(settings.LANGUAGES) and language != actor.language:
        actor.language = language
        actor.save(update_fields=["language"])


def language_at(*, email: str) -> str:
    """The language in which to write to an address: the account's, or else the site's own."""
    chosen = User.objects.filter(email__iexact=email).values_list("language", flat=True).first()
    return chosen if chosen in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def purge_sessions(*, at: datetime) -> int:
    """Deletes logins that are over; gives how many."""
    count, _by_model = Session.objects.filter(expire_date__lt=at).delete()
    return count
