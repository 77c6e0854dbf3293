"""What people change about their own account, beside the login pages."""

from datetime import date, datetime, timedelta

from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league import locks, validation
from league.errors import Conflict, Invalid
from league.models import Contact, DayAway, Player, User

FARTHEST_YEARS = 2
TELEPHONE = r"^\+?[0-9 ()/.-]{5,30}$"
LONGEST_AWAY, KEPT_AWAY, MOST_AWAY = timedelta(days=92), timedelta(days=30), 366


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


def keep_contact(*, actor: User, telephone: str = "", address: str = "", is_shared: bool = False) -> None:
    """Keeps how directors reach the person, and if `is_shared` partners and opponents; nothing takes all of it out."""
    if telephone or address:
        given = {"telephone": telephone, "address": address, "is_shared": is_shared}
        Contact.objects.update_or_create(user=actor, defaults=given)
    else:
        Contact.objects.filter(user=actor).delete()


@transaction.atomic
def mark_days_away(*, actor: User, first: date, last: date) -> None:
    """The person cannot play from the first day to the last, of this season or the next."""
    if abs(first.year - timezone.localdate().year) > FARTHEST_YEARS:
        raise Invalid(_("Choose a day of this season."))
    if not first <= last <= first + LONGEST_AWAY:
        raise Invalid(
            _("Choose a last day that isn’t before the first: %(most)d days at most.")
            % {"most": LONGEST_AWAY.days}
        )
    locks.take(User.objects.filter(pk=actor.pk))
    if actor.days_away.filter(day__gte=first - KEPT_AWAY).count() > MOST_AWAY:
        raise Conflict(_("You have marked very many days. Remove some first."))
    days = (first + timedelta(days=each) for each in range((last - first).days + 1))
    DayAway.objects.bulk_create([DayAway(user=actor, day=day) for day in days], ignore_conflicts=True)


def clear_days_away(*, actor: User, first: date, last: date) -> None:
    """The person can play on these days after all."""
    DayAway.objects.filter(user=actor, day__range=(first, last)).delete()


def purge_days_away(*, at: datetime) -> int:
    """Deletes days that are long past; gives how many."""
    count, _by_model = DayAway.objects.filter(day__lt=(at - KEPT_AWAY).date()).delete()
    return count


def language_at(*, email: str, otherwise: str = "") -> str:
    """The language in which to write to an address: the account's, or else this one, or else the site's own."""
    chosen = User.objects.filter(email__iexact=email).values_list("language", flat=True).first()
    spoken = (each for each in (chosen, otherwise) if each in dict(settings.LANGUAGES))
    return next(spoken, None) or settings.LANGUAGE_CODE


def purge_sessions(*, at: datetime) -> int:
    """Deletes logins that are over; gives how many."""
    count, _by_model = Session.objects.filter(expire_date__lt=at).delete()
    return count
