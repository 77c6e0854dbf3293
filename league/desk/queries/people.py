"""What people ask of the desk: claims, duplicates, pairs that play nowhere yet."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db.models import Count, Max
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league import formats
from league.desk.queries.items import DeskItem, Step
from league.manage.queries import manage
from league.models import AuditEntry, Club, Competition, JoinRequest, Lineup, PlayerClaim
from league.people.services.duplicates import proposals
from league.web.local_time import age_text

KEPT_SECONDS = 60 * 60
# A pair that was made longer ago than this and plays nowhere is not waiting.
NEW = timedelta(days=30)


def claims(club: Club, *, at: datetime) -> Iterator[DeskItem]:
    """Accounts that say which player they are."""
    rows = PlayerClaim.objects.filter(player__club=club, state=PlayerClaim.State.OPEN)
    url = reverse("desk_claims", args=[club.slug])
    for claim in rows.select_related("player", "user"):
        what = _("%(user)s claims to be %(player)s") % {"user": claim.user, "player": claim.player}
        why = _("Asked %(ago)s.") % {"ago": age_text(claim.made_at, now=at)}
        yield DeskItem("people", _("claim"), "green", what, url, why, (Step(_("Decide"), url),))


def admissions(club: Club, *, at: datetime) -> Iterator[DeskItem]:
    """Accounts that ask to become members."""
    rows = club.join_requests.filter(state=JoinRequest.State.OPEN, user__is_active=True)
    url = reverse("desk_admissions", args=[club.slug])
    for each in rows.select_related("user"):
        what = _("%(user)s asks to join") % {"user": each.user}
        why = _("Asked %(ago)s.") % {"ago": age_text(each.made_at, now=at)}
        yield DeskItem("people", _("new member"), "green", what, url, why, (Step(_("Decide"), url),))


def waiting_pairs(club: Club, *, at: datetime) -> Iterator[DeskItem]:
    """New pairs that take part in none of the running seasons, nor came for an evening: they may want to join late."""
    seasons = club.competitions.leagues().with_stage()
    running = list(seasons.filter(state=Competition.State.RUNNING))
    if not running:
        return
    free: set[int] | None = None
    for competition in running:
        competition.club = club
        keys = set(manage.free_pairs(competition).values_list("pk", flat=True))
        free = keys if free is None else free & keys
    pairs = Lineup.objects.with_players().filter(pk__in=free or (), created_at__gte=at - NEW)
    pairs = pairs.exclude(entries__division__stage__format=formats.EVENING).exclude(
        entries__team__isnull=False
    )
    first = reverse("competition_manage", args=[club.slug, running[0].slug]) + "#enter"
    for pair in pairs.order_by("created_at", "pk"):
        why = _(
            "This pair was added %(ago)s and isn’t in any running competition. Enter them late, "
            "or dismiss this."
        ) % {"ago": age_text(pair.created_at, now=at)}
        step = Step(_("Enter late"), first)
        key = f"pair:{pair.pk}"
        yield DeskItem(
            "people", _("pair waiting"), "green", str(pair), pair.get_absolute_url(), why, (step,), key=key
        )


def duplicates(club: Club) -> Iterator[DeskItem]:
    """Players who may be in the list twice."""
    count = duplicates_count(club)
    if count:
        url = reverse("desk_duplicates", args=[club.slug])
        what = ngettext(
            "%(count)d player may be listed twice",
            "%(count)d players may be listed twice",
            count,
        ) % {"count": count}
        why = _("If you merge them, their results come together. You can undo it.")
        yield DeskItem("people", _("duplicates"), "green", what, url, why, (Step(_("Compare"), url),))


def duplicates_count(club: Club) -> int:
    """How many likely duplicates there are. Comparing all names takes long: done once after each change in the club."""
    newest = AuditEntry.objects.filter(club=club).values_list("pk", flat=True).first()
    players = club.players.present().aggregate(many=Count("pk"), last=Max("pk"))
    key = f"desk:duplicates:{club.pk}:{newest}:{players['many']}:{players['last']}"
    count = cache.get(key)
    if count is None:
        count = len({proposal.duplicate.pk for proposal in proposals(club)})
        cache.set(key, count, KEPT_SECONDS)
    return int(count)
