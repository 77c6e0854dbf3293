"""What a director should do next: every open matter of a club, the most urgent first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Max, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league import policies, ports
from league.actors import Visitor
from league.models import AuditEntry, Club, Competition, Fixture, PlayerClaim
from league.moments import age_text, moment
from league.querysets import UNPLAYED
from league.selectors.fixtures import FixtureLine, lines
from league.services.duplicates import proposals

Status = Fixture.Status
SOON = timedelta(days=3)
RECENT = timedelta(days=14)
AHEAD = timedelta(days=14)
WEEK = timedelta(days=7)
KEPT_SECONDS = 60 * 60


@dataclass(frozen=True, slots=True)
class Step:
    """A button beside a matter."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Matter:
    """One thing to do: a word for its kind, what it is about, why it is here now, and what can be done."""

    mark: str
    tone: str
    what: str
    url: str
    why_now: str
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure that sums up the club's running competitions; its address lists those that it counts."""

    figure: int
    label: str
    url: str = ""
    tone: str = ""


def matters(club: Club, user: Visitor, *, at: datetime) -> tuple[Matter, ...]:
    """Everything in the club that waits for this person, the most urgent first."""
    found = _waiting_fixtures(club, at)
    listed = list(zip(found, lines(found), strict=True))
    matches = _Matches(listed, may_rule=policies.may(user, "fixture.rule", club), at=at)
    return (
        *matches.disputed(),
        *matches.overdue(),
        *matches.due(),
        *matches.to_confirm(),
        *_odd(club, at),
        *matches.without_date(),
        *(_drafts(club) if policies.may(user, "competition.set_up", club) else ()),
        *(_claims(club, at) if policies.may(user, "player.decide_claim", club) else ()),
        *(_duplicates(club) if policies.may(user, "player.merge", club) else ()),
    )


def tiles(club: Club, *, at: datetime) -> tuple[Tile, ...]:
    """How the running competitions stand, in figures."""
    running = Fixture.objects.filter(division__competition__club=club, division__competition__state="running")
    unplayed = Q(status__in=UNPLAYED)
    counted = running.filter(home__withdrawn_at=None, away__withdrawn_at=None).aggregate(
        soon=Count("pk", filter=unplayed & Q(starts_at__gte=at, starts_at__lt=at + WEEK)),
        to_confirm=Count("pk", filter=Q(status=Status.TO_CONFIRM)),
        late=Count("pk", filter=unplayed & Q(round__closes_at__lt=at)),
        disputed=Count("pk", filter=Q(status=Status.DISPUTED)),
    )
    url = reverse("desk_matches", args=[club.slug])

    def tile(kind: str, label: str, tone: str = "") -> Tile:
        figure = counted[kind]
        return Tile(figure, label, f"{url}?which={kind}", tone if figure else "")

    return (
        tile("soon", _("to play in the next seven days")),
        tile("to_confirm", _("waiting to be confirmed"), "attention"),
        tile("late", _("missing from closed rounds"), "urgent"),
        tile("disputed", _("disputed"), "urgent"),
    )


Listed = Sequence[tuple[Fixture, FixtureLine]]


def _waiting_fixtures(club: Club, at: datetime) -> list[Fixture]:
    """The matches about which something is to be done; those that simply lie ahead are not read."""
    no_date = Q(starts_at=None) & (Q(status=Status.POSTPONED) | Q(round__starts_on__lte=(at + AHEAD).date()))
    waits = (
        Q(status__in=[Status.DISPUTED, Status.TO_CONFIRM])
        | Q(round__closes_at__lt=at)
        | Q(starts_at__lt=at)
        | no_date
    )
    fixtures = Fixture.objects.open().filter(
        waits,
        division__competition__club=club,
        division__competition__state=Competition.State.RUNNING,
        home__withdrawn_at=None,
        away__withdrawn_at=None,
    )
    return list(fixtures.with_pairs().order_by("round__closes_at", "round__number", "pk"))


@dataclass(frozen=True, slots=True)
class _Matches:
    """Matters of matches, by their kind."""

    listed: Listed
    may_rule: bool
    at: datetime

    def disputed(self) -> Iterator[Matter]:
        for _fixture, line in self.listed:
            if line.status == Status.DISPUTED:
                why = _("%(where)s. The pairs do not agree: look at the sheets and decide.") % {
                    "where": _where(line)
                }
                steps = (Step(_("Look at it"), _match(line)), _enter(line), *self._rule(line))
                yield Matter(_("disputed"), "red", _title(line), _match(line), why, steps)

    def overdue(self) -> Iterator[Matter]:
        for fixture, line in self.listed:
            if line.status in UNPLAYED and fixture.round.closes_at < self.at:
                why = _("%(where)s closed %(ago)s and there is no result.") % {
                    "where": _where(line),
                    "ago": age_text(fixture.round.closes_at, now=self.at),
                }
                steps = (_enter(line), *self._rule(line))
                yield Matter(_("late"), "red", _title(line), _match(line), why, steps)

    def due(self) -> Iterator[Matter]:
        for fixture, line in self.listed:
            is_open = line.status in UNPLAYED and fixture.round.closes_at >= self.at
            if is_open and fixture.starts_at and fixture.starts_at < self.at:
                why = _("%(where)s. Was to be played %(ago)s; no sheet yet.") % {
                    "where": _where(line),
                    "ago": age_text(fixture.starts_at, now=self.at),
                }
                steps = (_enter(line), *self._rule(line))
                yield Matter(_("missing"), "brass", _title(line), _match(line), why, steps)

    def to_confirm(self) -> Iterator[Matter]:
        for _fixture, line in self.listed:
            if line.status == Status.TO_CONFIRM:
                why = _("%(where)s. %(home)d – %(away)d was entered and waits for the other side.") % {
                    "where": _where(line),
                    "home": line.home_score or 0,
                    "away": line.away_score or 0,
                }
                steps = (Step(_("Look at it"), _match(line)),)
                yield Matter(_("to confirm"), "brass", _title(line), _match(line), why, steps)

    def without_date(self) -> Iterator[Matter]:
        for fixture, line in self.listed:
            is_open = line.status in {Status.SCHEDULED, Status.POSTPONED} and fixture.starts_at is None
            if is_open and fixture.round.closes_at >= self.at:
                why = _("%(where)s has no date; the round closes %(day)s.") % {
                    "where": _where(line),
                    "day": line.closes.day if line.closes else "",
                }
                steps = self._rule(line, _("Set a date")) or (Step(_("Look at it"), _match(line)),)
                yield Matter(_("no date"), "brass", _title(line), _match(line), why, steps)

    def _rule(self, line: FixtureLine, label: str = "") -> tuple[Step, ...]:
        if not self.may_rule:
            return ()
        return (Step(label or _("Walkover or another date"), reverse("fixture_ruling", args=[line.key])),)


def _title(line: FixtureLine) -> str:
    return _("%(home)s – %(away)s") % {"home": line.home, "away": line.away}


def _where(line: FixtureLine) -> str:
    return _("%(division)s, round %(round)d") % {"division": line.division, "round": line.round_number}


def _match(line: FixtureLine) -> str:
    return reverse("match", args=[line.key])


def _enter(line: FixtureLine) -> Step:
    return Step(_("Enter the sheet"), reverse("scoresheet", args=[line.key]))


def _odd(club: Club, at: datetime) -> Iterator[Matter]:
    recent = Fixture.objects.filter(
        division__competition__club=club,
        division__competition__state=Competition.State.RUNNING,
        result__recorded_at__gte=at - RECENT,
    )
    marked = ports.odd_results(list(recent.values_list("pk", flat=True)))
    odd = Fixture.objects.filter(pk__in=marked).with_pairs().order_by("pk")
    for line in lines(odd):
        why = " ".join((_where(line) + ".", *marked[line.key].remarks))
        steps = (Step(_("Look at it"), _match(line)),)
        yield Matter(_("odd"), "brass", _title(line), _match(line), why, steps)


def _drafts(club: Club) -> Iterator[Matter]:
    drafts = club.competitions.filter(state=Competition.State.DRAFT).annotate(
        pairs=Count("entries", distinct=True), drawn=Count("rounds", distinct=True)
    )
    for competition in drafts:
        manage = reverse("competition_manage", args=[club.slug, competition.slug])
        step = Step(_("Go on"), manage)
        if competition.drawn:
            why = _("Drawn, and not yet seen by anybody else: look at the calendar and publish it.")
        elif competition.pairs >= 2:
            draw = reverse("competition_draw", args=[club.slug, competition.slug])
            step = Step(_("Draw the rounds"), draw)
            why = ngettext(
                "%(count)d pair is entered: draw the rounds when all are there.",
                "%(count)d pairs are entered: draw the rounds when all are there.",
                competition.pairs,
            ) % {"count": competition.pairs}
        else:
            why = _("Enter the pairs that take part.")
        yield Matter(_("set up"), "green", competition.name, manage, why, (step,))


def _claims(club: Club, at: datetime) -> Iterator[Matter]:
    claims = PlayerClaim.objects.filter(player__club=club, state=PlayerClaim.State.OPEN)
    url = reverse("desk_claims", args=[club.slug])
    for claim in claims.select_related("player", "user"):
        what = _("%(user)s says: I am %(player)s") % {"user": claim.user, "player": claim.player}
        why = _("Asked %(ago)s.") % {"ago": age_text(claim.made_at, now=at)}
        yield Matter(_("claim"), "green", what, url, why, (Step(_("Decide"), url),))


def _duplicates(club: Club) -> Iterator[Matter]:
    count = duplicates_count(club)
    if count:
        url = reverse("desk_duplicates", args=[club.slug])
        what = ngettext(
            "%(count)d player may be in the list twice",
            "%(count)d players may be in the list twice",
            count,
        ) % {"count": count}
        why = _("Merging them brings their results together. It can be undone.")
        yield Matter(_("duplicates"), "green", what, url, why, (Step(_("Compare"), url),))


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


def deadlines(club: Club, *, at: datetime) -> list[dict[str, Any]]:
    """The rounds that are open now: when they close, and how many of their matches are decided."""
    open_rounds = []
    for competition in club.competitions.filter(state=Competition.State.RUNNING):
        current = competition.rounds.filter(closes_at__gte=at).order_by("number").first()
        if current is None:
            continue
        fixtures = current.fixtures.exclude(status=Status.VOID)
        open_rounds.append(
            {
                "competition": competition,
                "number": current.number,
                "url": reverse("round", args=[club.slug, competition.slug, current.number]),
                "closes": moment(current.closes_at, club.time_zone),
                "decided": fixtures.decided().count(),
                "total": fixtures.count(),
                "is_soon": current.closes_at - at < SOON,
            }
        )
    return open_rounds
