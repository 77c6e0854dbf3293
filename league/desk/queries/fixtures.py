"""What matches ask of the desk: disputes, corrections, missing results, confirmations, dates, odd results."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from league import extension, formats, policies
from league.desk.queries.items import DeskItem, Step
from league.fixtures.queries import FixtureLine, lines
from league.models import Challenge, Club, Competition, DateProposal, Fixture, Ladder
from league.querysets import UNPLAYED, UNSETTLED
from league.standings import ladders
from league.web.local_time import Moment, age_text, day_text
from league.web.number_format import score_text

Status = Fixture.Status
AHEAD = timedelta(days=14)
# A proposal is answered in so long, or the desk hears of it; sooner when the match itself is near.
PATIENCE = timedelta(days=2)
RUNNING = {"division__stage__competition__state": Competition.State.RUNNING}
ODD_SHOWN = timedelta(days=60)

Listed = Sequence[tuple[Fixture, FixtureLine]]


def items(club: Club, *, user: Any, may_rule: bool, at: datetime) -> Iterator[DeskItem]:
    """All of them; the most urgent first within each group."""
    found = _seen(user, _waiting(club, at))
    seen = _Matches(list(zip(found, lines(found), strict=True)), may_rule=may_rule, at=at)
    yield from seen.unsettled()
    yield from _corrections(club, user, at)
    yield from seen.overdue()
    yield from seen.due()
    yield from seen.to_confirm()
    yield from _unanswered(club, at, may_rule=may_rule)
    yield from seen.without_date()
    yield from _odd(club, user, at)


def _waiting(club: Club, at: datetime) -> list[Fixture]:
    """The matches about which something is to be done; those that simply lie ahead are not read."""
    no_date = Q(starts_at=None) & (Q(status=Status.POSTPONED) | Q(round__starts_on__lte=(at + AHEAD).date()))
    waits = (
        Q(status__in=[Status.TO_CONFIRM, *UNSETTLED])
        | Q(round__closes_at__lt=at)
        | Q(starts_at__lt=at)
        | no_date
    )
    # Of a movement's tables the desk hears as of a whole, by the game that seats them.
    seasons = Q(division__stage__format__in=formats.LEAGUES)
    fixtures = Fixture.with_rooms.open().filter(
        seasons & waits | Q(status__in=UNSETTLED),
        division__stage__competition__club=club,
        **RUNNING,
    )
    return list(fixtures.staying().with_pairs().order_by("round__closes_at", "round__number", "pk"))


def _seen(user: Any, found: Iterable[Fixture]) -> list[Fixture]:
    """Without the rooms of team matches that this person must not know of; a match with rooms waits for these."""
    listed = list(found)
    with_rooms = {each.team_match_id for each in listed if each.team_match_id is not None}
    return [
        each
        for each in listed
        if each.pk not in with_rooms
        and (each.team_match_id is None or policies.may(user, "fixture.see", each))
    ]


@dataclass(frozen=True, slots=True)
class _Matches:
    """Items of open matches, by their kind."""

    listed: Listed
    may_rule: bool
    at: datetime

    def unsettled(self) -> Iterator[DeskItem]:
        for _fixture, line in self.listed:
            if line.status == Status.DISPUTED:
                why = _("%(where)s. A scoresheet was rejected: check the sheets and decide.")
                yield self._to_settle(line, _("disputed"), why)
            elif line.status == Status.REOPENED:
                why = _("%(where)s. A director reopened it: the correct scoresheet is missing.")
                yield self._to_settle(line, _("reopened"), why)

    def _to_settle(self, line: FixtureLine, mark: str, why: str) -> DeskItem:
        steps = (Step(_("View"), _match(line)), _enter(line), *_rule(line, self.may_rule))
        return _matter("decide", mark, "red", line, why % {"where": _where(line)}, steps)

    def overdue(self) -> Iterator[DeskItem]:
        for fixture, line in self.listed:
            if line.status in UNPLAYED and fixture.round.closes_at < self.at:
                why = _("%(where)s closed %(ago)s and there is no result.") % {
                    "where": _where(line),
                    "ago": age_text(fixture.round.closes_at, now=self.at),
                }
                steps = (_enter(line), *_rule(line, self.may_rule))
                yield _matter("decide", _("late"), "red", line, why, steps)

    def due(self) -> Iterator[DeskItem]:
        for fixture, line in self.listed:
            is_open = line.status in UNPLAYED and fixture.round.closes_at >= self.at
            if is_open and fixture.starts_at and fixture.starts_at < self.at:
                why = _("%(where)s. It was due to be played %(ago)s; no sheet yet.") % {
                    "where": _where(line),
                    "ago": age_text(fixture.starts_at, now=self.at),
                }
                steps = (_enter(line), *_rule(line, self.may_rule))
                yield _matter("chase", _("missing"), "brass", line, why, steps)

    def to_confirm(self) -> Iterator[DeskItem]:
        for _fixture, line in self.listed:
            if line.status == Status.TO_CONFIRM:
                why = _("%(where)s. %(points)s has been entered but not confirmed.") % {
                    "where": _where(line),
                    "points": score_text(line.scores),
                }
                yield _matter("chase", _("to confirm"), "brass", line, why, _look(line))

    def without_date(self) -> Iterator[DeskItem]:
        for fixture, line in self.listed:
            is_open = line.status in {Status.SCHEDULED, Status.POSTPONED} and fixture.starts_at is None
            if is_open and fixture.round.closes_at >= self.at:
                why = _("%(where)s has no date. It has to be played by %(day)s.") % {
                    "where": _where(line),
                    "day": line.closes.day if line.closes else "",
                }
                steps = _rule(line, self.may_rule, _("Set a date")) or _look(line)
                yield _matter("chase", _("no date"), "brass", line, why, steps)


def _corrections(club: Club, user: Any, at: datetime) -> Iterator[DeskItem]:
    """Confirmed results for which a pair has entered another sheet."""
    decided = Fixture.with_rooms.filter(
        status=Status.CONFIRMED, division__stage__competition__club=club, **RUNNING
    )
    pending = extension.layer().pending_sheets(list(decided.values_list("pk", flat=True)))
    if not pending:
        return
    rows = Fixture.with_rooms.filter(pk__in=pending).with_pairs().order_by("pk")
    for line in lines(_seen(user, rows)):
        sheet = pending[line.key]
        said = {"where": _where(line), "home": sheet.totals[0], "away": sheet.totals[1]}
        if sheet.is_open(at):
            why = _("%(where)s. %(home)d – %(away)d has been entered as a correction but not confirmed.")
        else:
            why = _(
                "%(where)s. %(home)d – %(away)d has been entered as a correction, and the time for "
                "corrections is over."
            )
        yield _matter("decide", _("correction"), "brass", line, why % said, _look(line))


def _unanswered(club: Club, at: datetime, *, may_rule: bool) -> Iterator[DeskItem]:
    """Proposed times that nobody has answered for days, or that are near."""
    waiting = Q(made_at__lt=at - PATIENCE) | Q(starts_at__lt=at + PATIENCE)
    in_club = Q(
        fixture__division__stage__competition__club=club,
        fixture__division__stage__competition__state="running",
    )
    proposals = list(
        DateProposal.objects.filter(waiting, in_club, state=DateProposal.State.OPEN)
        .filter(fixture__status__in=[Status.SCHEDULED, Status.POSTPONED])
        .order_by("made_at")
    )
    if not proposals:
        return
    fixtures = Fixture.objects.filter(pk__in=[each.fixture_id for each in proposals]).with_pairs()
    found = {line.key: line for line in lines(fixtures)}
    for proposal in proposals:
        line = found[proposal.fixture_id]
        others = line.opponents_of(proposal.entry_id)
        why = _("%(pair)s proposed %(when)s, %(ago)s; %(other)s have not answered.") % {
            "pair": line.side_of({proposal.entry_id}),
            "other": ", ".join(each.name for each in others),
            "when": Moment(proposal.starts_at, club.time_zone).text,
            "ago": age_text(proposal.made_at, now=at),
        }
        steps = _rule(line, may_rule, _("Set the date")) or _look(line)
        yield _matter("chase", _("proposal"), "brass", line, why, steps)


def _odd(club: Club, user: Any, at: datetime) -> Iterator[DeskItem]:
    recent = Fixture.with_rooms.filter(
        division__stage__competition__club=club, decided_at__gte=at - ODD_SHOWN, **RUNNING
    )
    marked = extension.layer().unusual_results(list(recent.values_list("pk", flat=True)), user)
    if not marked:
        return
    for line in lines(_seen(user, Fixture.with_rooms.filter(pk__in=marked).with_pairs().order_by("pk"))):
        remarks = marked[line.key].remarks
        why = " ".join((_where(line) + ".", *remarks))
        # Another sheet with other remarks is another item, to be seen again.
        key = f"odd:{line.key}:{sha256(' '.join(remarks).encode()).hexdigest()[:12]}"
        steps = (*_look(line), *(Step(str(label), url) for label, url in marked[line.key].steps))
        yield _matter("check", _("unusual"), "brass", line, why, steps, key=key)


def _matter(  # noqa: PLR0917 - in the order in which the page shows them
    group: str, mark: str, tone: str, line: FixtureLine, why: str, steps: tuple[Step, ...], *, key: str = ""
) -> DeskItem:
    return DeskItem(group, mark, tone, str(line), _match(line), why, steps, key=key, fixture=line.key)


def _where(line: FixtureLine) -> str:
    # Divisions of several competitions may be called the same.
    return f"{line.competition}, {line.division}, {line.round_name}"


def _match(line: FixtureLine) -> str:
    return reverse("match", args=[line.key])


def _look(line: FixtureLine) -> tuple[Step, ...]:
    return (Step(_("View"), _match(line)),)


def _enter(line: FixtureLine) -> Step:
    if line.is_team_match:
        return Step(_("Line-ups and rooms"), _match(line))
    return Step(_("Enter the sheet"), reverse("scoresheet", args=[line.key]))


def _rule(line: FixtureLine, may_rule: bool, label: str = "") -> tuple[Step, ...]:
    if not may_rule:
        return ()
    return (Step(label or _("Walkover or new date"), reverse("fixture_ruling", args=[line.key])),)


def unanswered_challenges(club: Club, *, at: datetime) -> Iterator[DeskItem]:
    """Challenges on a ladder whose last day to answer is near."""
    running = {"division__stage__competition__state": Competition.State.RUNNING}
    for ladder in Ladder.objects.filter(
        division__stage__competition__club=club, due_on__lte=(at + PATIENCE).date(), **running
    ).select_related("division__stage__competition__club"):
        standing = ladders.standing(ladder, max(ladders.day_of(ladder, at), ladder.folded_on))
        waiting = ladder.challenges.filter(state=Challenge.State.OPEN, pk__in=standing.open)
        for row in waiting.select_related("challenger__lineup", "challenged__lineup"):
            last = standing.last_day(row)
            if last is None or last > standing.day + PATIENCE:
                continue
            why = _("%(name)s. %(challenged)s can answer until %(day)s; then %(challenger)s take the place.")
            said = {
                "name": ladder.competition.name,
                "challenged": row.challenged,
                "challenger": row.challenger,
                "day": day_text(last, "D j M"),
            }
            url = row.get_absolute_url()
            yield DeskItem(
                "chase", _("challenge"), "brass", str(row), url, why % said, (Step(_("View"), url),)
            )
