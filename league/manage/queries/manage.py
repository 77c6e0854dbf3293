"""A competition as its director manages it: how far it is, the pairs by division, penalties, substitutes, lots."""

from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, Max, Min, Prefetch, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.contest import exact
from engine.contest.results import Key
from league.competitions.services.competitions import undecided_ties
from league.draws.services.rounds import next_round
from league.models import (
    Adjustment,
    Competition,
    Division,
    Entry,
    Fixture,
    Lineup,
    LineupMember,
    Player,
    Round,
    Substitution,
)
from league.querysets import DECIDED, UNPLAYED, sides_with_pairs
from league.standings import brackets, round_names
from league.web.local_time import Moment
from league.web.number_format import exact_text

Status = Fixture.Status
MOST_SUBSTITUTES = 50


@dataclass(frozen=True, slots=True)
class ManagedEntry:
    """A pair of a division; `penalties` are the adjustments that count, such as "−1 point"."""

    entry: Entry
    penalties: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ManagedDivision:
    """A division with its pairs, those who withdrew included, and the divisions a pair could move to."""

    division: Division
    entries: tuple[ManagedEntry, ...]
    others: tuple[Division, ...]

    @property
    def active(self) -> int:
        """How many pairs take part."""
        return sum(each.entry.withdrawn_at is None for each in self.entries)

    @property
    def in_words(self) -> str:
        """The same in words: "6 pairs"."""
        return self.division.competition.entries_in_words(self.active)


@dataclass(frozen=True, slots=True)
class Overview:
    """How far a competition is, in figures. `step` names what comes next: see `_step`."""

    step: str
    pairs: int
    divisions: int
    rounds: int
    first_day: date | None
    last_day: date | None
    matches: int
    decided: int
    late: int
    disputed: int
    reopened: int
    to_confirm: int
    undrawn: tuple[tuple[Division, Round, str], ...]
    """The round of each division that is drawn next; in a knock-out with its name."""
    ties: tuple[tuple[Fixture, str], ...] = ()
    """Of a knock-out the matches that have a result and no winner, each with what is played now."""

    @property
    def is_drawn(self) -> bool:
        """Whether there are rounds."""
        return self.rounds > 0

    @property
    def missing(self) -> int:
        """How many matches are not decided."""
        return self.matches - self.decided


@dataclass(frozen=True, slots=True)
class StepLine:
    """One step on the way from the set-up to the final table."""

    label: str
    detail: str
    is_done: bool
    is_now: bool


@dataclass(frozen=True, slots=True)
class AdjustmentLine:
    """League points given or taken, with a sign; `is_revoked` when it no longer counts."""

    key: int
    pair: str
    points: str
    reason: str
    by: str
    made: Moment
    is_revoked: bool


@dataclass(frozen=True, slots=True)
class SubstituteLine:
    """Who played, or will play, for whom."""

    fixture: Fixture
    round_name: str
    absent: str
    substitute: str
    reason: str


@dataclass(frozen=True, slots=True)
class DrawnLots:
    """A recorded draw, with the pairs' names in the order of the lots."""

    made_at: datetime
    seed: str
    pairs: tuple[str, ...]


def overview(competition: Competition, *, at: datetime) -> Overview:
    """How far the competition is. Four queries."""
    sizes = _sizes(competition)
    rounds = competition.stage.rounds.aggregate(
        count=Count("pk"), first=Min("starts_on"), last=Max("starts_on")
    )
    unplayed = Q(status__in=UNPLAYED)
    matches = (
        Fixture.objects.of_competition(competition.pk)
        .exclude(status=Status.VOID)
        .aggregate(
            all=Count("pk"),
            decided=Count("pk", filter=Q(status__in=DECIDED)),
            late=Count("pk", filter=unplayed & Q(round__closes_at__lt=at)),
            disputed=Count("pk", filter=Q(status=Status.DISPUTED)),
            reopened=Count("pk", filter=Q(status=Status.REOPENED)),
            to_confirm=Count("pk", filter=Q(status=Status.TO_CONFIRM)),
        )
    )
    undrawn, ties = _undrawn(competition), _ties(competition)
    missing = matches["all"] - matches["decided"]
    return Overview(
        step=_step(
            competition, sizes, rounds["count"], missing, has_undrawn=bool(undrawn), has_ties=bool(ties)
        ),
        pairs=sum(sizes),
        divisions=len(sizes),
        rounds=rounds["count"],
        first_day=rounds["first"],
        last_day=rounds["last"],
        matches=matches["all"],
        decided=matches["decided"],
        late=matches["late"],
        disputed=matches["disputed"],
        reopened=matches["reopened"],
        to_confirm=matches["to_confirm"],
        undrawn=undrawn,
        ties=ties,
    )


def _sizes(competition: Competition) -> list[int]:
    """How many take part in each division."""
    staying = Q(entries__withdrawn_at=None, entries__team=None)
    counted = competition.stage.divisions.annotate(pairs=Count("entries", filter=staying))
    return list(counted.values_list("pairs", flat=True))


def _undrawn(competition: Competition) -> tuple[tuple[Division, Round, str], ...]:
    if not competition.stage.is_by_round or competition.state != Competition.State.RUNNING:
        return ()
    following = [(each, next_round(each)) for each in competition.stage.divisions.order_by("level")]
    is_bracket = competition.stage.is_bracket
    return tuple(
        (division, round_, str(round_names.in_division(round_, division)) if is_bracket else "")
        for division, round_ in following
        if round_ is not None
    )


def _ties(competition: Competition) -> tuple[tuple[Fixture, str], ...]:
    if competition.state != Competition.State.RUNNING:
        return ()
    found = undecided_ties(competition)
    extra = brackets.next_extra(found)
    return tuple(
        (tie.fixture, extra[tie.fixture.pk].words if tie.fixture.pk in extra else "")
        for tie in found
        if tie.fixture is not None
    )


#: `decide` and `draw_round` stand beside `play`: a cup and a Swiss go to and fro between them.
STEPS = ("enter", "draw", "publish", "play", "finish", "over")


def _step(
    competition: Competition,
    sizes: list[int],
    rounds: int,
    missing: int,
    *,
    has_undrawn: bool,
    has_ties: bool,
) -> str:
    """What comes next, one of STEPS."""
    state = competition.state
    if competition.stage.is_ladder and state != Competition.State.FINISHED:
        # Nothing is drawn, and it goes on until a director ends it.
        is_running = state == Competition.State.RUNNING
        return "play" if is_running else "publish" if sizes and min(sizes) >= 2 else "enter"
    if state == Competition.State.FINISHED:
        return "over"
    if state == Competition.State.RUNNING:
        if missing or has_ties:
            return "play" if missing else "decide"
        return "draw_round" if has_undrawn else "finish"
    if rounds:
        return "publish"
    return "draw" if sizes and min(sizes) >= 2 else "enter"


def steps(competition: Competition, seen: Overview) -> tuple[StepLine, ...]:
    """The way from the entries to the final table, with what is done and what comes now."""
    rounds = ngettext("%(count)d round", "%(count)d rounds", seen.rounds) % {"count": seen.rounds}
    played = _("%(decided)d of %(matches)d matches") % {"decided": seen.decided, "matches": seen.matches}
    now = STEPS.index("play" if seen.step in {"decide", "draw_round"} else seen.step)
    labelled = (
        (_("Add entries"), competition.entries_in_words(seen.pairs) if seen.pairs else ""),
        (_("Draw the rounds"), rounds if seen.rounds else ""),
        (_("Publish"), ""),
        (_("Play"), played if now >= STEPS.index("play") else ""),
        (_("Finish"), ""),
    )
    return tuple(
        StepLine(label, detail, is_done=index < now, is_now=index == now)
        for index, (label, detail) in enumerate(labelled)
        # On a ladder nothing is drawn.
        if not (competition.stage.is_ladder and index == STEPS.index("draw"))
    )


def divisions_with_entries(competition: Competition) -> tuple[ManagedDivision, ...]:
    """The divisions with their pairs. Three queries."""
    counting = Adjustment.objects.filter(revoked_at__isnull=True)
    entries = (
        Entry.objects.with_pairs()
        .select_related("season_substitute__absent", "season_substitute__substitute")
        .order_by("number")
        .prefetch_related(Prefetch("adjustments", queryset=counting, to_attr="open_adjustments"))
    )
    divisions = list(
        competition.stage.divisions.order_by("level").prefetch_related(Prefetch("entries", queryset=entries))
    )
    return tuple(
        ManagedDivision(
            division,
            tuple(
                ManagedEntry(entry, tuple(shown_points(each.points) for each in _counting(entry)))
                for entry in division.entries.all()
            ),
            tuple(other for other in divisions if other.pk != division.pk),
        )
        for division in divisions
    )


def _counting(entry: Entry) -> list[Adjustment]:
    """The pair's adjustments that count, as `divisions_with_entries` has read them."""
    found: list[Adjustment] = getattr(entry, "open_adjustments", [])
    return found


def free_players(competition: Competition) -> QuerySet[Player]:
    """The club's players who do not take part, by name: for a game in which each plays alone."""
    entered = competition.entries.values("lineup__members__player")
    players: QuerySet[Player] = competition.club.players.present().exclude(pk__in=entered)
    return players.order_by("name", "pk")


def free_pairs(competition: Competition) -> QuerySet[Lineup]:
    """The club's pairs that do not take part, and none of whose players does, by name."""
    entered = competition.entries.all()
    playing = entered.filter(withdrawn_at=None)
    taken = LineupMember.objects.filter(player__in=playing.values("lineup__members__player"))
    pairs: QuerySet[Lineup] = (
        Lineup.objects.present()
        .entering()
        .of_sizes(competition.lineup_sizes)
        .with_players()
        .filter(club=competition.club)
        .exclude(pk__in=entered.values("lineup"))
        .exclude(pk__in=taken.values("lineup"))
        .annotate(first_player=Min("members__player__name", filter=Q(members__order=1)))
        .order_by("first_player", "pk")
    )
    return pairs


def adjustments(competition: Competition) -> tuple[AdjustmentLine, ...]:
    """All league points given or taken, the newest first; those taken back are marked."""
    rows = (
        Adjustment.objects.filter(entry__competition=competition)
        .select_related("made_by", "entry__lineup")
        .prefetch_related("entry__lineup__members")
    )
    zone = competition.club.time_zone
    return tuple(
        AdjustmentLine(
            key=row.pk,
            pair=str(row.entry),
            points=shown_points(row.points),
            reason=row.reason,
            by=str(row.made_by or ""),
            made=Moment(row.made_at, zone),
            is_revoked=row.revoked_at is not None,
        )
        for row in rows.order_by("-made_at", "-pk")
    )


def shown_points(written: str) -> str:
    """Points with a sign, in words: "−1 point", "+2 points"."""
    figure = exact.restore(written)
    shown = exact_text(figure, signed=True)
    return ngettext("%(points)s point", "%(points)s points", 1 if abs(figure) == 1 else 2) % {"points": shown}


def substitutes(competition: Competition) -> tuple[SubstituteLine, ...]:
    """Who stands in for whom, the latest rounds first."""
    rows = Substitution.objects.filter(fixture__division__stage__competition=competition).select_related(
        "absent",
        "substitute",
        "fixture__division",
        "fixture__round__stage__competition",
    )
    rows = rows.prefetch_related(*sides_with_pairs("fixture__"))
    found = list(rows.order_by("-fixture__round__number", "pk")[:MOST_SUBSTITUTES])
    names = round_names.of_fixtures([row.fixture for row in found])
    return tuple(
        SubstituteLine(row.fixture, names[row.fixture_id], str(row.absent), str(row.substitute), row.reason)
        for row in found
    )


def lot_draws(division: Division) -> tuple[DrawnLots, ...]:
    """The division's draws of lots, the newest first."""
    names = names_of(division)
    return tuple(
        DrawnLots(draw.made_at, draw.seed, tuple(names.get(key, "?") for key in draw.order))
        for draw in division.lot_draws.all()
    )


def names_of(division: Division) -> dict[Key, str]:
    """The pairs' names by entry."""
    return {entry.pk: str(entry) for entry in division.entries.with_pairs()}
