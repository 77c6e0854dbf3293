"""What people change about their own account, beside the login pages."""

from datetime import datetime

from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError

from league import validation
from league.models import Player, User


def choose_language(*, actor: User, language: str) -> None:
    """Writes to this person in that language from now on; a language that the site does not speak changes nothing."""
    if language in dict(settings.LANGUAGES) and language != actor.language:
        actor.language = language
        actor.save(update_fields=["language"])


def checked_name(name: str) -> str:
    """The name in one line. Raises django's ValidationError for what is no person's name."""
    tidied = validation.one_line(name)
    faults = validation.faults_of(Player(name=tidied))
    if faults:
        raise ValidationError([each["message"] for each in faults])
    return tidied


def rename(*, actor: User, name: str) -> None:
    """The person is called so from now on: in the header, in mails, and in what the trail says of them later."""
    actor.name = checked_name(name)
    actor.save(update_fields=["name"])


def language_at(*, email: str) -> str:
    """The language in which to write to an address: the account's, or else the site's own."""
    chosen = User.objects.filter(email__iexact=email).values_list("language", flat=True).first()
    return chosen if chosen in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def purge_sessions(*, at: datetime) -> int:
    """Deletes logins that are over; gives how many."""
    count, _by_model = Session.objects.filter(expire_date__lt=at).delete()
    return count
