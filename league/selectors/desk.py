"""What a director should do next: every open matter of a club, the most urgent first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league import ports
from league.models import Club, Competition, Fixture, PlayerClaim
from league.moments import age_text, moment
from league.selectors.fixtures import FixtureLine, lines

Status = Fixture.Status
SOON = timedelta(days=3)
RECENT = timedelta(days=14)


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
    """A figure that sums up the club's running competitions."""

    figure: int
    label: str
    url: str = ""
    tone: str = ""


def matters(club: Club, *, at: datetime) -> tuple[Matter, ...]:
    """Everything that waits for a director, the most urgent first."""
    open_fixtures = _open_fixtures(club)
    listed = list(zip(open_fixtures, lines(open_fixtures), strict=True))
    return (
        *_disputed(listed),
        *_overdue(listed, at),
        *_due(listed, at),
        *_to_confirm(listed),
        *_odd(club, at),
        *_without_date(listed),
        *_drafts(club),
        *_claims(club, at),
    )


def tiles(club: Club, *, at: datetime) -> tuple[Tile, ...]:
    """How the running competitions stand, in figures."""
    running = Fixture.objects.filter(division__competition__club=club, division__competition__state="running")
    to_confirm = running.filter(status=Status.TO_CONFIRM).count()
    disputed = running.filter(status=Status.DISPUTED).count()
    late = running.overdue(at=at).count()
    soon = running.upcoming(at=at, within=timedelta(days=7)).count()
    return (
        Tile(soon, _("matches in the next seven days")),
        Tile(to_confirm, _("results to confirm"), tone="attention" if to_confirm else ""),
        Tile(late, _("results missing from closed rounds"), tone="urgent" if late else ""),
        Tile(disputed, _("disputed results"), tone="urgent" if disputed else ""),
    )


Listed = Sequence[tuple[Fixture, FixtureLine]]


def _open_fixtures(club: Club) -> list[Fixture]:
    fixtures = Fixture.objects.open().filter(
        division__competition__club=club, division__competition__state=Competition.State.RUNNING
    )
    return list(
        fixtures.filter(home__withdrawn_at=None, away__withdrawn_at=None)
        .with_pairs()
        .order_by("round__number", "pk")
    )


def _title(line: FixtureLine) -> str:
    return _("%(home)s – %(away)s") % {"home": line.home, "away": line.away}


def _where(line: FixtureLine) -> str:
    return _("%(division)s, round %(round)d") % {"division": line.division, "round": line.round_number}


def _match(line: FixtureLine) -> str:
    return reverse("match", args=[line.key])


def _enter(line: FixtureLine) -> Step:
    return Step(_("Enter the sheet"), reverse("scoresheet", args=[line.key]))


def _rule(line: FixtureLine) -> Step:
    return Step(_("Date, walkover …"), reverse("fixture_ruling", args=[line.key]))


def _disputed(listed: Listed) -> Iterator[Matter]:
    for _fixture, line in listed:
        if line.status == Status.DISPUTED:
            why = _("%(where)s. The pairs do not agree: look at the sheets and decide.") % {
                "where": _where(line)
            }
            steps = (Step(_("Look at it"), _match(line)), _enter(line), _rule(line))
            yield Matter(_("disputed"), "red", _title(line), _match(line), why, steps)


def _overdue(listed: Listed, at: datetime) -> Iterator[Matter]:
    for fixture, line in listed:
        if (
            line.status in {Status.SCHEDULED, Status.POSTPONED, Status.IN_PLAY}
            and fixture.round.closes_at < at
        ):
            why = _("%(where)s closed %(ago)s and there is no result.") % {
                "where": _where(line),
                "ago": age_text(fixture.round.closes_at, now=at),
            }
            yield Matter(_("late"), "red", _title(line), _match(line), why, (_enter(line), _rule(line)))


def _due(listed: Listed, at: datetime) -> Iterator[Matter]:
    for fixture, line in listed:
        is_open = line.status in {Status.SCHEDULED, Status.POSTPONED, Status.IN_PLAY}
        if is_open and fixture.starts_at and fixture.starts_at < at <= fixture.round.closes_at:
            why = _("%(where)s. Was to be played %(ago)s; no sheet yet.") % {
                "where": _where(line),
                "ago": age_text(fixture.starts_at, now=at),
            }
            yield Matter(_("missing"), "brass", _title(line), _match(line), why, (_enter(line), _rule(line)))


def _to_confirm(listed: Listed) -> Iterator[Matter]:
    for _fixture, line in listed:
        if line.status == Status.TO_CONFIRM:
            why = _("%(where)s. %(home)d – %(away)d was entered and waits for the other side.") % {
                "where": _where(line),
                "home": line.home_score or 0,
                "away": line.away_score or 0,
            }
            yield Matter(
                _("to confirm"),
                "brass",
                _title(line),
                _match(line),
                why,
                (Step(_("Look at it"), _match(line)),),
            )


def _odd(club: Club, at: datetime) -> Iterator[Matter]:
    recent = Fixture.objects.filter(
        division__competition__club=club, result__recorded_at__gte=at - RECENT
    ).with_pairs()
    marked = ports.odd_results([fixture.pk for fixture in recent])
    for line in lines(fixture for fixture in recent if fixture.pk in marked):
        why = " ".join((_where(line) + ".", *marked[line.key].remarks))
        yield Matter(
            _("odd"), "brass", _title(line), _match(line), why, (Step(_("Look at it"), _match(line)),)
        )


def _without_date(listed: Listed) -> Iterator[Matter]:
    for fixture, line in listed:
        if line.status in {Status.SCHEDULED, Status.POSTPONED} and fixture.starts_at is None:
            why = _("%(where)s has no date; the round closes %(day)s.") % {
                "where": _where(line),
                "day": line.closes.day if line.closes else "",
            }
            yield Matter(_("no date"), "brass", _title(line), _match(line), why, (_rule(line),))


def _drafts(club: Club) -> Iterator[Matter]:
    for competition in club.competitions.filter(state=Competition.State.DRAFT):
        manage = reverse("competition_manage", args=[club.slug, competition.slug])
        entered, drawn = competition.entries.count(), competition.rounds.exists()
        if drawn:
            why = _("Drawn, and not yet seen by anybody else: look at the calendar and publish it.")
        elif entered >= 2:
            why = ngettext(
                "%(count)d pair is entered: draw the rounds when all are there.",
                "%(count)d pairs are entered: draw the rounds when all are there.",
                entered,
            ) % {"count": entered}
        else:
            why = _("Enter the pairs that take part.")
        yield Matter(_("set up"), "green", competition.name, manage, why, (Step(_("Go on"), manage),))


def _claims(club: Club, at: datetime) -> Iterator[Matter]:
    claims = PlayerClaim.objects.filter(player__club=club, state=PlayerClaim.State.OPEN)
    url = reverse("desk_claims", args=[club.slug])
    for claim in claims.select_related("player", "user"):
        what = _("%(user)s says: I am %(player)s") % {"user": claim.user, "player": claim.player}
        why = _("Asked %(ago)s.") % {"ago": age_text(claim.made_at, now=at)}
        yield Matter(_("claim"), "green", what, url, why, (Step(_("Decide"), url),))


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
                "url": current.get_absolute_url(),
                "closes": moment(current.closes_at, club.time_zone),
                "decided": fixtures.decided().count(),
                "total": fixtures.count(),
                "is_soon": current.closes_at - at < SOON,
            }
        )
    return open_rounds
