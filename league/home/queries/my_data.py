"""What a person takes along: all that the site keeps of them, as JSON; of others nothing but names they may read."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from django.db.models import Q

from league import extension
from league.models import (
    ApiToken,
    AuditEntry,
    CalendarAddress,
    Competition,
    Contact,
    Entry,
    Fixture,
    Invitation,
    Membership,
    Notice,
    NoticeChoice,
    NoticeSettings,
    Player,
    PlayerClaim,
    User,
)
from league.notices import queries as notices
from league.standings import round_names

#: Raised when a part changes its shape.
VERSION = 1
Part = dict[str, Any]


def everything(*, user: User, at: datetime) -> Part:
    """Everything, by part. Times are in UTC; of secrets there is only when they were made."""
    return {
        "version": VERSION,
        "made_at": at,
        "account": _account(user),
        "memberships": list(_memberships(user)),
        "players": list(_players(user)),
        "entries": list(_entries(user)),
        "matches": list(_matches(user)),
        "notices": list(_notices(user)),
        "programs": _programs(user),
        "trail": list(_trail(user)),
        **extension.layer().own_data(user=user),
    }


def _account(user: User) -> Part:
    contact = Contact.objects.filter(user=user).first()
    choices = NoticeChoice.objects.filter(user=user).order_by("event")
    quiet = NoticeSettings.objects.filter(user=user).values("quiet_from", "quiet_until", "time_zone").first()
    told_of = Competition.objects.filter(pk__in=notices.told_of(user)).order_by("pk")
    return {
        "name": user.name,
        "public_name": user.shown_as,
        "language": user.language,
        "joined_at": user.date_joined,
        "last_login_at": user.last_login,
        "addresses": list(
            EmailAddress.objects.filter(user=user).order_by("pk").values("email", "verified", "primary")
        ),
        "telephone": contact.telephone if contact else "",
        "postal_address": contact.address if contact else "",
        "opponents_see_telephone_and_address": contact is not None and contact.is_shared,
        "days_away": [each.day for each in user.days_away.all()],
        "notice_choices": {each.event: each.channel for each in choices},
        "quiet_hours": quiet,
        "directs_and_is_told_of": [str(each) for each in told_of],
        "devices_told": list(user.push_subscriptions.values("is_detailed", "made_at")),
    }


def _memberships(user: User) -> Iterator[Part]:
    for each in Membership.objects.filter(user=user).select_related("club"):
        yield {"club": str(each.club), "role": each.role, "since": each.since}


def _players(user: User) -> Iterator[Part]:
    for each in Player.objects.filter(user=user).select_related("club").order_by("pk"):
        yield {
            "club": str(each.club),
            "name": each.name,
            "email": each.email,
            "number": each.number,
            "public_name": each.shown_as,
            "is_young": each.is_young,
            "added_at": each.created_at,
            "linked_at": each.linked_at,
            "invitations": list(
                Invitation.objects.filter(player=each).values(
                    "made_at", "expires_at", "opened_at", "used_at", "email"
                )
            ),
        }
    for claim in PlayerClaim.objects.filter(user=user).select_related("player__club"):
        yield {
            "club": str(claim.player.club),
            "claimed": str(claim.player),
            "state": claim.state,
            "message": claim.message,
            "made_at": claim.made_at,
        }


def _entries(user: User) -> Iterator[Part]:
    found = Entry.objects.of_user(user).with_pairs().select_related("competition__club", "division")
    for each in found.order_by("pk"):
        yield {
            "club": str(each.competition.club),
            "competition": str(each.competition),
            "division": str(each.division),
            "name": str(each),
            "entered_at": each.entered_at,
            "withdrawn_at": each.withdrawn_at,
        }


def _matches(user: User) -> Iterator[Part]:
    own = Q(Fixture.with_rooms.has_side(entry__in=Entry.objects.of_user(user)))
    found = Fixture.with_rooms.filter(own | Q(substitutions__substitute__user=user)).distinct()
    rows = list(found.visible_to(user).with_pairs().order_by("pk"))
    names = round_names.of_fixtures(rows)
    for each in rows:
        yield {
            "competition": str(each.round.competition),
            "round": each.round.number,
            "round_name": names[each.pk],
            "starts_at": each.starts_at,
            "place": each.place,
            "status": each.status,
            "sides": [
                {"name": str(side.entry), "outcome": side.outcome, "score": side.score} for side in each.sides
            ],
        }


def _notices(user: User) -> Iterator[Part]:
    for line in notices.lines(Notice.objects.filter(user=user).select_related("club")):
        yield {
            "event": line.notice.event,
            "made_at": line.notice.made_at,
            "read_at": line.notice.read_at,
            "subject": line.words.title,
        }


def _programs(user: User) -> Part:
    token = ApiToken.objects.filter(user=user).values(
        "hint", "scope", "made_at", "expires_at", "last_used_at"
    )
    calendar = CalendarAddress.objects.filter(user=user).values("made_at")
    return {"token": token.first(), "calendar_address": calendar.first()}


def _trail(user: User) -> Iterator[Part]:
    """What they did, and what was done about them; of others' doings not who it was, nor why."""
    for each in AuditEntry.objects.filter(Q(actor=user) | Q(player__user=user)).order_by("pk").iterator():
        is_own = each.actor_id == user.pk
        yield {
            "at": each.at,
            "by": "you" if is_own else "somebody else",
            "action": each.action,
            "told": each.told if is_own else "",
        }
