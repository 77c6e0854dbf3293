"""A ladder as a page shows it: who stands where, whom the reader may challenge, and what happened."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from engine.contest.ladder import Refusal, Step
from league import formats, policies
from league.actors import Reader
from league.fixtures.queries import Pair, own_entries, pair_of
from league.models import Challenge, Competition, Division, Entry
from league.standings import ladders
from league.standings.ladders import Standing

#: Arrows show what has moved since then.
LATELY = timedelta(days=28)
MOST_STEPS = 15
CHALLENGES = _lazy("You already have an open challenge.")
AWAY = _lazy("You are away at the moment.")


@dataclass(frozen=True, slots=True)
class Row:
    """One place. `moved` is how many places up since `LATELY`, None where the entry is new.

    `why_not` says why the reader may not challenge it; empty where they may, or where nobody would ask.
    """

    place: int
    entry: int
    pair: Pair
    moved: int | None
    is_away: bool
    is_mine: bool
    may_challenge: bool
    why_not: str
    note: str
    challenge: int | None


@dataclass(frozen=True, slots=True)
class ChallengeLine:
    """An open challenge: who, and until when what has to happen."""

    key: int
    challenger: Pair
    challenged: Pair
    is_accepted: bool
    last_day: date | None
    match: int | None
    asks_me: bool


@dataclass(frozen=True, slots=True)
class Happened:
    """Something that happened on the ladder, in words; `match` or `challenge` is where there is more of it."""

    day: date
    what: str
    match: int | None = None
    challenge: int | None = None


@dataclass(frozen=True, slots=True)
class DivisionLadder:
    """The ladder of a division on a day; without rows before it is published."""

    key: int
    name: str
    rows: tuple[Row, ...]
    challenges: tuple[ChallengeLine, ...]
    steps: tuple[Happened, ...]
    mine: tuple[Row, ...]
    since: date | None

    @property
    def why_nobody(self) -> str:
        """Why the reader may challenge nobody at all; said once then, not at every row."""
        said = {row.why_not for row in self.rows} & {str(CHALLENGES), str(AWAY)}
        return min(said, default="") if not any(row.may_challenge for row in self.rows) else ""


def of_competition(competition: Competition, user: Reader, *, at: datetime) -> tuple[DivisionLadder, ...]:
    """The ladder of every division as it stands now, with what is due already done."""
    mine = own_entries(user, competition)
    directs = policies.may(user, "competition.draw", competition)
    found = competition.stage.divisions.order_by("level")
    return tuple(_division(each, mine, directs=directs, at=at) for each in found)


def of_division(division: Division, user: Reader, *, at: datetime) -> DivisionLadder:
    """The ladder of one division alone."""
    directs = policies.may(user, "competition.draw", division.competition)
    return _division(division, own_entries(user, division.competition), directs=directs, at=at)


def _division(division: Division, mine: frozenset[int], *, directs: bool, at: datetime) -> DivisionLadder:
    ladder = ladders.of_division(division)
    if ladder is None:
        return DivisionLadder(division.pk, division.name, (), (), (), (), None)
    standing = ladders.standing(ladder, max(ladders.day_of(ladder, at), ladder.folded_on))
    entries = {entry.pk: entry for entry in division.entries.with_pairs()}
    challenges = {each.pk: each for each in ladder.challenges.all()}
    lines = tuple(_challenge(challenges[key], standing, entries, mine) for key in standing.open)
    since = standing.day - LATELY
    # Of a younger ladder the order in which it began.
    before = standing.places_on(since)
    rows = tuple(
        _row(entries[key], place, before.get(key), standing, entries, lines, mine, directs=directs)
        for key, place in standing.places.items()
    )
    steps = tuple(_steps(standing, entries, challenges))
    own = tuple(row for row in rows if row.is_mine)
    return DivisionLadder(division.pk, division.name, rows, lines, steps, own, max(since, ladder.begins_on))


def _challenge(
    row: Challenge, standing: Standing, entries: Mapping[int, Entry], mine: frozenset[int]
) -> ChallengeLine:
    found = standing.open[row.pk]
    return ChallengeLine(
        row.pk,
        pair_of(entries[row.challenger_id]),
        pair_of(entries[row.challenged_id]),
        found.is_accepted,
        standing.last_day(row),
        row.fixture_id,
        asks_me=not found.is_accepted and row.challenged_id in mine,
    )


def _row(  # noqa: PLR0917 - called in one place
    entry: Entry,
    place: int,
    before: int | None,
    standing: Standing,
    entries: Mapping[int, Entry],
    lines: Iterable[ChallengeLine],
    mine: frozenset[int],
    *,
    directs: bool,
) -> Row:
    open_here = [each for each in lines if entry.pk in {each.challenger.entry, each.challenged.entry}]
    may, why_not = _may(entry, place, standing, entries, mine)
    return Row(
        place,
        entry.pk,
        pair_of(entry),
        None if before is None else before - place,
        entry.pk in standing.away,
        entry.pk in mine,
        may or (directs and place < len(standing.places)),
        why_not,
        "; ".join(_note(entry, each) for each in open_here),
        open_here[0].key if open_here else None,
    )


def _may(
    entry: Entry, place: int, standing: Standing, entries: Mapping[int, Entry], mine: frozenset[int]
) -> tuple[bool, str]:
    """Whether one of the reader's own entries may challenge this one, and why not."""
    refusals = [
        standing.refusal(entries[key], entry) for key in mine if standing.places.get(key, place) > place
    ]
    if None in refusals:
        return True, ""
    found = next(iter(refusals), None)
    if found is Refusal.ALREADY_CHALLENGES:
        return False, str(CHALLENGES)
    is_own_absence = found is Refusal.AWAY and entry.pk not in standing.away
    if is_own_absence:
        return False, str(AWAY)
    return False, str(ladders.REASONS[found]) if found else ""


def _note(entry: Entry, line: ChallengeLine) -> str:
    is_challenger = line.challenger.entry == entry.pk
    other = line.challenged if is_challenger else line.challenger
    if line.is_accepted:
        return _("to play %(other)s") % {"other": other}
    if is_challenger:
        return _("challenges %(other)s") % {"other": other}
    return _("challenged by %(other)s") % {"other": other}


def _steps(
    standing: Standing, entries: Mapping[int, Entry], challenges: Mapping[int, Challenge]
) -> Iterable[Happened]:
    """What happened last, the newest first."""
    shown = [step for step in standing.order.trail if step.reason is None and step.what != "hold"]
    order = {id(step): before for step, before in zip(shown, [None, *shown], strict=False)}
    for step in shown[: -MOST_STEPS - 1 : -1]:
        day = date.fromordinal(step.day)
        if int(step.of) in challenges and step.what not in {"join", "leave", "away", "back", "idle"}:
            row = challenges[int(step.of)]
            said = _told(step, row, entries, order[id(step)], standing)
            yield Happened(day, said, row.fixture_id, row.pk)
        else:
            yield Happened(day, _told_of_entry(step, str(entries[int(step.of)])))


def _told(  # noqa: PLR0911 - one sentence for each thing that happens
    step: Step, row: Challenge, entries: Mapping[int, Entry], before: Step | None, standing: Standing
) -> str:
    names = {"challenger": str(entries[row.challenger_id]), "challenged": str(entries[row.challenged_id])}
    last = before.order if before else standing.order.start
    match step.what:
        case "challenge":
            return _("%(challenger)s challenged %(challenged)s.") % names
        case "accept":
            return _("%(challenged)s accepted the challenge of %(challenger)s.") % names
        case "decline":
            return _("%(challenged)s declined: %(challenger)s took their place.") % names
        case "withdraw":
            return _("%(challenger)s withdrew their challenge of %(challenged)s.") % names
        case "unanswered":
            return _("%(challenged)s did not answer in time: %(challenger)s took their place.") % names
        case "unplayed":
            return _("%(challenger)s – %(challenged)s lapsed: not played in time.") % names
        case "cancel":
            return _("%(challenger)s – %(challenged)s was called off.") % names
    if step.order == last:
        return _("%(challenger)s – %(challenged)s was played: nothing moved.") % names
    return _("%(challenger)s won against %(challenged)s and moved up.") % names


def _told_of_entry(step: Step, name: str) -> str:
    match step.what:
        case "join":
            return _("%(entry)s joined at the bottom.") % {"entry": name}
        case "leave":
            return _("%(entry)s left the ladder.") % {"entry": name}
        case "away":
            return _("%(entry)s are away.") % {"entry": name}
        case "back":
            return _("%(entry)s are back.") % {"entry": name}
    return _("%(entry)s dropped a place: no challenge closed for too long.") % {"entry": name}


def terms(competition: Competition) -> tuple[str, ...]:
    """The rules of the ladder in sentences (F101 to F105)."""
    options = formats.ladder_options(competition.stage.options)
    moves = _("If the challenger wins, they take the place of the challenged, and all between move down one.")
    if options.is_swap:
        moves = _("If the challenger wins, the two change places.")
    said = [
        _("You can challenge up to %(reach)d places above you. Who is away isn’t counted.")
        % {"reach": options.reach},
        moves,
        _("A draw or a loss changes nothing."),
        _(
            "If the challenged don’t answer within %(days)d days, or decline, the challenger takes their place."
        )
        % {"days": options.answer_days},
        _("An accepted challenge has to be played within %(days)d days. Otherwise it lapses.")
        % {"days": options.play_days},
        _("The same two can meet again after %(days)d days.") % {"days": options.rematch_days},
    ]
    if options.idle_days:
        said.append(
            _("Who closes no challenge for %(days)d days drops one place.") % {"days": options.idle_days}
        )
    return (*said, _("New entries begin at the bottom. Who is away keeps the place."))
