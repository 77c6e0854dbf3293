"""Telling people: each as they choose, in the transaction that decided it. A row in the inbox, and a row in the outbox
where it goes out as a mail."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings as site
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from league.actors import Actor, System
from league.audit.services import audit
from league.errors import Invalid
from league.models import (
    Club,
    Competition,
    Invitation,
    MailFailure,
    Notice,
    NoticeChoice,
    NoticeSettings,
    OutboxMessage,
    PushSubscription,
    User,
)
from league.notices import events, queries
from league.notices.events import EVENTS, Channel, Event
from league.notices.services import outbox, pushes
from league.words import sentences
from league.zones import ZONES, at_local

KEPT = timedelta(days=180)
#: The week's round-up names telephones, and nobody looks for it later.
KEPT_WEEK = timedelta(days=14)
TimedNotice = tuple[Notice, datetime | None]


@dataclass(frozen=True, slots=True)
class Way:
    """How a notice leaves the site, beside standing in the inbox: for which choices, to whom, and who posts it."""

    channels: frozenset[str]
    reaches: Callable[[Event, Any], bool]
    post: Callable[[list[TimedNotice]], Mapping[int, OutboxMessage] | None]

    def carries(self, event: Event, person: Any) -> bool:
        """Whether it takes notices of this event to the person, who was read with what they chose."""
        return person.channel in self.channels and self.reaches(event, person)


WAYS = (
    Way(
        channels=frozenset({Channel.MAIL, Channel.POST}),
        reaches=lambda event, person: (
            not event.has_own_mail
            and bool(person.email)
            and getattr(_settings_of(person), "bounced", "") != person.email
        ),
        post=outbox.post_notices,
    ),
    Way(
        channels=frozenset({Channel.MAIL, Channel.PUSH}),
        reaches=lambda _event, person: person.has_device,
        post=pushes.post_notices,
    ),
)


def notify(
    event: Event,
    people: Iterable[User],
    *,
    context: Mapping[str, Any],
    club: Club | None = None,
    competition: Competition | None = None,
    about: str = "",
    at: datetime | None = None,
    own: Mapping[int, Mapping[str, Any]] | None = None,
) -> dict[User, OutboxMessage | None]:
    """Tells these people of the event, in the caller's transaction; gives who was told, each with the mail or None.

    People may be a query: then they are read with how they want to be told, in one statement.
    `context` fills the texts, with `path` as the page where they see to it; `own` has what is different for some of
    them, by their keys. Directors are told of a `competition` unless they chose others. Where `about` is given nobody
    is told twice of the same, however many workers try at once.
    """
    at = at or timezone.now()
    present = _with_choices(event, people)
    elsewhere = _who_chose_others(event, competition, present)
    present = [each for each in present if each.channel != Channel.NONE and each.pk not in elsewhere]
    try:
        # Only of what people are told once can another worker have told them meanwhile.
        with transaction.atomic(savepoint=bool(about)):
            made = _write(event, _untold(event, present, about), context, own or {}, club, about, at)
    except IntegrityError:
        # Another worker told some of them meanwhile: now they are found.
        made = _write(event, _untold(event, present, about), context, own or {}, club, about, at)
    mails: Mapping[int, OutboxMessage] = {}
    for way in WAYS:
        told = [each for each in made if way.carries(event, each.user)]
        mails = way.post(list(_with_time(event, told, at))) or mails
    return {each.user: mails.get(each.pk) for each in made}


def _with_choices(event: Event, people: Iterable[User]) -> list[Any]:
    """Those of the accounts that are open, with their settings, their `channel` for this event, and whether they have
    a device that wants pushes: `has_device`."""
    if not isinstance(people, QuerySet):
        people = User.objects.filter(pk__in={each.pk for each in people})
    chosen = NoticeChoice.objects.filter(event=event.key, user=OuterRef("pk"))
    devices = PushSubscription.objects.filter(user=OuterRef("pk")).order_by()
    found = people.filter(is_active=True).select_related("notice_settings").order_by("pk")
    return list(
        found.annotate(
            channel=Coalesce(Subquery(chosen.values("channel")), Value(str(event.channel))),
            has_device=Exists(devices),
        )
    )


def _settings_of(person: User) -> NoticeSettings | None:
    return getattr(person, "notice_settings", None)


def _who_chose_others(event: Event, competition: Competition | None, people: list[User]) -> set[int]:
    """Directors who want to be told of certain competitions, and not of this one."""
    if competition is None or not event.is_for_directors:
        return set()
    chosen = NoticeSettings.objects.filter(user__in=people, competitions__isnull=False)
    return set(chosen.exclude(competitions=competition).values_list("user", flat=True))


def _untold(event: Event, people: list[User], about: str) -> list[User]:
    if not about:
        return people
    known = set(
        Notice.objects.filter(event=event.key, about=about, user__in=people).values_list("user", flat=True)
    )
    return [each for each in people if each.pk not in known]


def _write(  # noqa: PLR0917 - one row's values
    event: Event,
    people: list[User],
    context: Mapping[str, Any],
    own: Mapping[int, Mapping[str, Any]],
    club: Club | None,
    about: str,
    at: datetime,
) -> list[Notice]:
    filled = {**context, "club_name": str(club or "")}
    # They come in one order: two workers who tell the same people at once would else wait for each other.
    return Notice.objects.bulk_create(
        Notice(
            user=each, club=club, event=event.key, about=about, made_at=at,
            context={**filled, **own.get(each.pk, {}), "name": each.get_short_name()},
        )
        for each in people
    )  # fmt: skip


def _with_time(event: Event, notices: list[Notice], at: datetime) -> Iterator[TimedNotice]:
    """Those that go out, each with the end of the person's quiet hours, or None for at once."""
    for notice in notices:
        own = _settings_of(notice.user)
        if own is None:
            yield notice, None
        else:
            zone = own.time_zone or (notice.club.time_zone if notice.club else site.TIME_ZONE)
            ends = quiet_until(own, zone, at)
            if ends is None or not event.is_urgent:
                yield notice, ends


def quiet_until(settings: NoticeSettings, zone: str, at: datetime) -> datetime | None:
    """When the quiet hours that it is in end for the person; None outside them."""
    begins, ends = settings.quiet_from, settings.quiet_until
    if begins is None or ends is None or begins == ends:
        return None
    local = at.astimezone(ZoneInfo(zone))
    clock = local.time()
    is_quiet = begins <= clock < ends if begins < ends else clock >= begins or clock < ends
    if not is_quiet:
        return None
    return at_local(local.date() + timedelta(days=clock >= ends), ends, zone)


def mark_read(*, actor: User, at: datetime, keys: Iterable[int] | None = None) -> int:
    """The person has seen these of their notices, or all; gives how many were new."""
    unread = Notice.objects.of(actor).unread()
    if keys is not None:
        unread = unread.filter(pk__in=list(keys))
    count: int = unread.update(read_at=at)
    return count


@transaction.atomic
def choose(*, actor: User, channels: Mapping[str, str]) -> None:
    """How the person wants to be told from now on, by the events' keys; what is not named stays."""
    known = {event.key: event for event in EVENTS}
    if not set(channels) <= set(known) or not set(channels.values()) <= set(Channel.values):
        raise Invalid("There is no such event, or no such way to be told.")
    for key, channel in channels.items():
        if channel == known[key].channel:
            NoticeChoice.objects.filter(user=actor, event=key).delete()
        else:
            NoticeChoice.objects.update_or_create(user=actor, event=key, defaults={"channel": channel})


@transaction.atomic
def direct(*, actor: User, competitions: Collection[int] | None) -> None:
    """Of which competitions the person is told as a director: these, or all that they direct where it is None."""
    wanted = set(competitions or ())
    if competitions is not None and not wanted:
        raise Invalid(_("Choose at least one competition, or all."))
    if wanted - set(queries.directed(actor).values_list("pk", flat=True)):
        raise Invalid(_("You don’t direct this competition."))
    own, _is_new = NoticeSettings.objects.get_or_create(user=actor)
    own.competitions.set(wanted)


def be_quiet(*, actor: User, begins: time | None, ends: time | None, zone: str = "") -> None:
    """When the person wants no mails, by the clock of their zone (empty: the club's); None for both to end it."""
    if (begins is None) != (ends is None):
        raise Invalid(_("Give both ends of the quiet hours, or neither."))
    if begins is not None and begins == ends:
        raise Invalid(_("The quiet hours end when they begin. Choose two different times."))
    if zone not in ZONES | {""}:
        raise Invalid(
            _("“%(name)s” isn’t a time zone. Choose one such as Europe/London.") % {"name": zone[:60]}
        )
    values = {"quiet_from": begins, "quiet_until": ends, "time_zone": zone}
    NoticeSettings.objects.update_or_create(user=actor, defaults=values)


@transaction.atomic
def bounced(*, actor: Actor, address: str, at: datetime) -> bool:
    """An address gave mail back: no more notices go there, nor those that wait; its person is told on the site.

    Directors see it at the invitations of players with this address. Gives whether an account or one of these has it.
    Mails about the account itself are still tried.
    """
    invited = _invitation_bounced(actor=actor, address=address, at=at)
    user = User.objects.filter(email__iexact=address).first()
    if user is None:
        return invited
    values = {"bounced": user.email, "bounced_at": at}
    NoticeSettings.objects.update_or_create(user=user, defaults=values)
    waiting = OutboxMessage.objects.waiting().filter(to=user.email, notice__isnull=False)
    waiting.update(given_up_at=at, last_error="The address gave mail back.")
    notify(
        events.MAIL_BOUNCED,
        [user],
        context={"address": user.email, "path": reverse("my_notice_choices")},
        at=at,
    )
    audit.record(actor=actor, action="mail.bounced", summary=sentences.gettext("An address gave mail back"))
    return True


def _invitation_bounced(*, actor: Actor, address: str, at: datetime) -> bool:
    """Marks the mails of open invitations to the address as not delivered; gives whether there are any."""
    sent = Invitation.objects.open(at=at).to_players().filter(email__iexact=address, mail__isnull=False)
    open_ones = list(sent.select_related("player"))
    for each in open_ones:
        bounced_now = OutboxMessage.objects.filter(pk__in=[each.mail_id], given_up_at__isnull=True).update(
            given_up_at=at, failure=MailFailure.RECIPIENT, last_error="The address gave mail back."
        )
        if bounced_now:
            audit.record(
                actor=actor,
                action="mail.bounced",
                summary=sentences.gettext("An address gave mail back"),
                player=each.player,
            )
    return bool(open_ones)


def refused(message: OutboxMessage, at: datetime) -> None:
    """The mail server refused the address for good: that of a notice is told nothing more by mail."""
    if message.notice_id is not None:
        bounced(actor=System("mail"), address=message.to, at=at)


def mail_again(*, actor: User) -> None:
    """The person says that their address takes mail again."""
    NoticeSettings.objects.filter(user=actor).update(bounced="", bounced_at=None)


def unsubscribe(*, user: User, event: Event) -> None:
    """No more mails of this event to this person, who still finds it on the site."""
    without = {Channel.MAIL: Channel.PUSH, Channel.POST: Channel.INBOX}
    now = chosen(user=user)[event.key]
    if now in without:
        choose(actor=user, channels={event.key: without[Channel(now)]})


def chosen(*, user: User) -> dict[str, str]:
    """How the person wants to be told of each event."""
    own = dict(NoticeChoice.objects.filter(user=user).values_list("event", "channel"))
    return {event.key: own.get(event.key, str(event.channel)) for event in EVENTS}


def purge(*, at: datetime) -> int:
    """Deletes notices that are half a year old, and round-ups of two weeks; gives how many."""
    is_past_week = Q(event=events.WEEK.key, made_at__lt=at - KEPT_WEEK)
    count, _by_model = Notice.objects.filter(Q(made_at__lt=at - KEPT) | is_past_week).delete()
    return count
