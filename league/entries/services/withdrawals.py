"""A pair leaves a competition (and perhaps comes back): the half-played rule decides what becomes of its matches."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from engine.contest.results import Ending, ResultLine, Withdrawal
from engine.contest.standings.table import Table
from engine.contest.standings.withdrawal import Rule, Verdict, settle
from league import policies
from league.actors import Actor, Visitor
from league.audit.services import audit
from league.competitions.services import competitions
from league.draws.services import challenges, draws
from league.entries.services import entries, late_entries
from league.errors import Conflict, Invalid, NotAllowed
from league.fixtures.services import fixtures, telling
from league.models import Competition, Entry, Fixture, User
from league.notices import events
from league.querysets import UNPLAYED, UNSETTLED
from league.standings import brackets
from league.standings.queries import Facts, compute_table, read_facts
from league.standings.services import standings
from league.words import sentences

Status = Fixture.Status
WITHDRAWAL = "entry.withdraw"
BEING_SETTLED = (Status.TO_CONFIRM, *UNSETTLED)


@dataclass(frozen=True, slots=True)
class Consequences:
    """What the withdrawal of a pair does.

    With less than half of its matches played (`rule` is "removed") none of its results counts any more; otherwise
    ("stands", in a Swiss always "all_stand") they count, and the opponents of what is left get walkovers.
    """

    rule: Rule
    played: int
    matches: int
    waiting: tuple[Fixture, ...]
    """Matches that must be confirmed or settled before the pair can withdraw."""
    own: tuple[Fixture, ...]
    """Unplayed matches of the director who asks, which become void: they give their own side nothing."""
    voided: tuple[Fixture, ...]
    walkovers: tuple[Fixture, ...]
    gets_up_from: tuple[Fixture, ...]
    """Tables that go on without the player; void where those who are left are too few."""
    not_counting: tuple[Fixture, ...]
    """Matches whose result stays on record, but counts for nobody."""
    before: Table
    after: Table


def preview(*, entry: Entry, reason: str = "", actor: Visitor | None = None) -> Consequences:
    """What `withdraw` would do; nothing is written. Raises NotAllowed where it is not for `actor` to decide."""
    facts = read_facts(entry.division)
    verdict = _verdict(_with_withdrawal(facts, entry, reason), entry)
    if actor is not None:
        _check_own(actor, entry, verdict.rule)
    matches = list(Fixture.objects.played_by(entry).with_pairs().in_order())
    unplayed = tuple(each for each in matches if each.status in UNPLAYED)
    removed = verdict.rule is Rule.REMOVED
    is_ladder, is_at_tables = entry.division.stage.is_ladder, entry.division.stage.is_at_tables
    quietly = removed or is_ladder or is_at_tables
    own = tuple(each for each in unplayed if not quietly and _is_opponent(actor, each, entry))
    leaving = _with_withdrawal(facts, entry, reason, void=own)
    return Consequences(
        rule=verdict.rule,
        played=verdict.played,
        matches=verdict.matches,
        waiting=tuple(each for each in matches if each.status in BEING_SETTLED and not is_at_tables),
        own=own,
        voided=unplayed if removed or is_ladder else (),
        walkovers=()
        if removed or is_ladder or is_at_tables
        else tuple(each for each in unplayed if each not in own),
        gets_up_from=unplayed if is_at_tables else (),
        not_counting=tuple(each for each in matches if removed and each.has_result),
        before=compute_table(facts),
        after=compute_table(leaving),
    )


@transaction.atomic
def withdraw(*, actor: Actor, entry: Entry, reason: str, at: datetime) -> Entry:
    """The pair leaves. Its unplayed matches become void, or walkovers for the opponents, by the half-played rule."""
    competition = competitions.locked(entry.competition)
    policies.require(actor, "entry.withdraw", competition)
    draws.check_drawn_here(competition)
    entry = _fresh(entry)
    reason = _needs_reason(reason)
    if entry.withdrawn_at:
        raise Conflict(_("%(name)s already withdrew.") % {"name": entry})
    if competition.state == Competition.State.FINISHED:
        raise Conflict(_("This competition is finished."))
    _check_settled(entry)
    verdict = _verdict(_with_withdrawal(read_facts(entry.division), entry, reason), entry)
    _check_own(actor, entry, verdict.rule)
    entry.withdrawn_at, entry.withdrawal_reason = at, reason[:300]
    unplayed = Fixture.objects.played_by(entry).unplayed().in_order()
    # On a ladder they end with their challenges, and who comes back begins at the bottom.
    is_ladder = entry.division.stage.is_ladder
    entry.withdrawal_fixtures = [] if is_ladder else [[each.pk, each.status] for each in unplayed]
    entry.save(update_fields=["withdrawn_at", "withdrawal_reason", "withdrawal_fixtures"])
    challenges.leave(actor=actor, entry=entry, at=at)
    # Read only now: their sides say who has left.
    matches = list(Fixture.objects.played_by(entry).with_pairs().in_order())
    for fixture in (each for each in matches if each.status in UNPLAYED):
        _decide(actor, fixture, leaving=entry, rule=verdict.rule, reason=reason)
    _tell_opponents(actor, entry, matches, rule=verdict.rule, reason=reason)
    audit.record(
        actor=actor,
        action="entry.withdrawn",
        summary=sentences.gettext("%(pair)s withdrew") % {"pair": entry},
        competition=competition,
        after={
            "entry": entry.pk,
            "rule": verdict.rule.value,
            "played": verdict.played,
            "matches": verdict.matches,
            "fixtures": entry.withdrawal_fixtures,
        },
        reason=reason,
    )
    standings.bump(competition=competition)
    return entry


@transaction.atomic
def reinstate(*, actor: Actor, entry: Entry, reason: str, at: datetime, catch_up: bool = False) -> Entry:
    """Takes a withdrawal back: the pair's results count again, and the matches that it decided are to be played.

    A pair that was left out of a draw made in the meantime joins it as a late entry does. Where another pair plays in
    a match's place by now, the two meet when both are free, or in a round added at the end; with `catch_up` also in
    rounds that are over, at times to be arranged.
    """
    competition = competitions.locked(entry.competition)
    policies.require(actor, "entry.withdraw", competition)
    draws.check_drawn_here(competition)
    entry = _fresh(entry)
    reason = _needs_reason(reason)
    if not entry.withdrawn_at:
        raise Conflict(_("%(name)s didn’t withdraw.") % {"name": entry})
    _check_own(actor, entry, _verdict(read_facts(entry.division), entry).rule)
    if competition.state == Competition.State.FINISHED:
        raise Conflict(_("This competition is finished."))
    if entry.division.stage.is_bracket and brackets.of_division(entry.division).went_on_without(entry):
        raise Conflict(_("The next round was drawn without %(name)s.") % {"name": entry})
    entries.check_players(competition, entry.lineup)
    before = {"entry": entry.pk, "withdrawn_at": entry.withdrawn_at.isoformat()}
    decided = entry.withdrawal_fixtures
    entry.withdrawn_at, entry.withdrawal_reason, entry.withdrawal_fixtures = None, "", []
    entry.save(update_fields=["withdrawn_at", "withdrawal_reason", "withdrawal_fixtures"])
    taken = _restore_all(actor, entry, decided, reason)
    way = late_entries.Way(catch_up=catch_up)
    is_ladder = entry.division.stage.is_ladder
    if late_entries.is_drawn(entry.division) and (is_ladder or not _was_drawn(entry)):
        planned = late_entries.plan(entry.division, at=at, way=way, leaving_out=entry)
        entries.join(actor=actor, entry=entry, planned=planned, at=at)
    elif taken:
        planned = late_entries.plan(entry.division, at=at, way=way, leaving_out=entry, against=taken)
        entries.add_matches(actor=actor, entry=entry, planned=planned, at=at)
    entries.tell_matches(actor=actor, entry=entry, why="back")
    audit.record(
        actor=actor,
        action="entry.reinstated",
        summary=sentences.gettext("%(pair)s are back in the competition") % {"pair": entry},
        competition=competition,
        before=before,
        after={"entry": entry.pk, "fixtures": decided},
        reason=reason,
    )
    standings.bump(competition=competition)
    return entry


def _check_own(actor: Visitor, entry: Entry, rule: Rule) -> None:
    """Raises NotAllowed where this decides a match in which the actor plays, while a director plays in none of them.

    Players may withdraw their own pair; bringing it back takes from others what they got by it.
    """
    if entry.division.stage.is_at_tables:
        # It decides nothing: the others play on.
        return
    decided = [
        each
        for each in Fixture.objects.played_by(entry).with_pairs()
        if rule is Rule.REMOVED or each.status in UNPLAYED or each.pk in dict(entry.withdrawal_fixtures)
    ]
    is_own = any(
        policies.plays_in(actor, each) if entry.withdrawn_at else _is_opponent(actor, each, entry)
        for each in decided
    )
    if is_own and isinstance(actor, User) and policies.has_another_director(actor, *decided):
        raise NotAllowed(
            _("This decides a match that you play in. A director who plays in none of the matches "
              "it decides has to do it.")
        )  # fmt: skip


def _tell_opponents(
    actor: Actor, entry: Entry, matches: Sequence[Fixture], *, rule: Rule, reason: str
) -> None:
    """What the withdrawal changes for everybody who was to meet the pair, or has met it; and the pair itself."""
    now = {each.pk: each.status for each in Fixture.objects.played_by(entry)}
    told: dict[int, list[dict[str, str]]] = {}
    for fixture in matches:
        is_changed = fixture.status in UNPLAYED
        if not is_changed and not (rule is Rule.REMOVED and fixture.has_result):
            continue
        # Where they got up the others play on, and see it at their table.
        fate = now.get(fixture.pk) if is_changed else "not_counting"
        line = {"match": str(fixture), "fate": fate or ""}
        for other in (each for each in fixture.others(entry) if fate and not each.withdrawn_at):
            told.setdefault(other.pk, []).append(line)
    said: dict[int, dict[str, object]] = {key: {"matches": lines} for key, lines in told.items()}
    # Why is the pair's own affair.
    said[entry.pk] = {"is_own": True, "reason": reason}
    telling.tell_entries(
        actor=actor,
        event=events.ENTRY_WITHDRAWN,
        competition=entry.competition,
        said=said,
        pair=str(entry),
        is_removed=rule is Rule.REMOVED,
    )


def _is_opponent(actor: Visitor | None, fixture: Fixture, entry: Entry) -> bool:
    """Whether this person plays in the match against the pair: who plays for it may say that it leaves."""
    own = policies.entry_of(actor, fixture) if actor is not None else None
    return own is not None and own != fixture.seat_of(entry)


def _fresh(entry: Entry) -> Entry:
    """The entry as it is now; its competition is locked."""
    return (
        Entry.objects.with_pairs()
        .select_related("division__stage__competition__club", "lineup")
        .prefetch_related("lineup__members")
        .get(pk=entry.pk)
    )


def _check_settled(entry: Entry) -> None:
    if entry.division.stage.is_at_tables:
        # Nothing hangs on how many were played, and the others at the table can confirm it.
        return
    waiting = Fixture.objects.played_by(entry).with_pairs().filter(status__in=BEING_SETTLED).first()
    if waiting is not None:
        raise Conflict(
            _("The result of %(match)s is still open. Confirm or decide it first: it may mean that "
              "half of the matches were played.") % {"match": waiting}
        )  # fmt: skip


def _with_withdrawal(facts: Facts, entry: Entry, reason: str, void: Sequence[Fixture] = ()) -> Facts:
    """The facts as they would be, had the entry withdrawn, and had these matches become void."""
    already = Fixture.objects.played_by(entry).filter(status=Status.VOID)
    keys = {*already.values_list("pk", flat=True), *(each.pk for each in void)}

    def as_leaving(line: ResultLine) -> ResultLine:
        # See league.standings.queries: a void match of a pair that leaves is a match to play, for the rule.
        return line.ending_as(Ending.OPEN, is_void=True) if line.fixture in keys else line

    return replace(
        facts,
        results=tuple(as_leaving(line) for line in facts.results),
        withdrawals=(
            *facts.withdrawals,
            Withdrawal(entry.pk, reason, results_stand=entry.division.stage.results_stand),
        ),
    )


def _verdict(facts: Facts, entry: Entry) -> Verdict:
    return settle(facts.results, facts.withdrawals).verdicts[entry.pk]


def _decide(actor: Actor, fixture: Fixture, *, leaving: Entry, rule: Rule, reason: str) -> None:
    """What the half-played rule makes of an unplayed match of a pair that leaves; nothing is won by an own decision."""
    why = _("%(pair)s withdrew: %(reason)s") % {"pair": leaving, "reason": reason}
    if leaving.division.stage.is_at_tables:
        fixtures.get_up(actor=actor, fixture=fixture, entry=leaving, reason=why, by=WITHDRAWAL)
    elif rule is Rule.REMOVED or leaving.division.stage.is_ladder or _is_opponent(actor, fixture, leaving):
        fixtures.void(actor=actor, fixture=fixture, reason=why, by=WITHDRAWAL)
    else:
        losing = [fixture.seat_of(leaving)] if len(fixture.sides) == 2 else fixture.withdrawn
        fixtures.award_walkover(actor=actor, fixture=fixture, losing=losing, reason=why, by=WITHDRAWAL)


def _restore_all(actor: Actor, entry: Entry, decided: Sequence[tuple[int, str]], reason: str) -> list[int]:
    """Puts the matches back on the list; gives the opponents, by key, who play another match there by now."""
    statuses = dict(decided)
    facts = read_facts(entry.division)
    taken = []
    for fixture in Fixture.objects.filter(pk__in=statuses).with_pairs().in_order():
        if fixture.status not in {Status.VOID, Status.WALKOVER}:
            # A director has put it back on the list already.
            continue
        others = fixture.others(fixture.seat_of(entry))
        if fixtures.who_plays_elsewhere(fixture) is not None:
            # Two can meet in another round; a whole table that has broken up cannot.
            taken += [each.pk for each in others if not each.withdrawn_at and len(others) == 1]
            continue
        _restore(actor, fixture, statuses[fixture.pk], reason)
        for opponent in [each for each in others if each.withdrawn_at][:1]:
            # Who has left in the meantime decides it now.
            rule = settle(facts.results, facts.withdrawals).verdicts[opponent.pk].rule
            _decide(actor, fixture, leaving=opponent, rule=rule, reason=opponent.withdrawal_reason)
            opponent.withdrawal_fixtures = [*opponent.withdrawal_fixtures, [fixture.pk, statuses[fixture.pk]]]
            opponent.save(update_fields=["withdrawal_fixtures"])
    return taken


def _restore(actor: Actor, fixture: Fixture, status: str, reason: str) -> None:
    restored = fixtures.restore(actor=actor, fixture=fixture, reason=reason, by=WITHDRAWAL)
    if status == Status.POSTPONED:
        fixtures.postpone(
            actor=actor, fixture=restored, reason=reason, starts_at=restored.starts_at, by=WITHDRAWAL
        )
    elif status == Status.IN_PLAY:
        fixtures.begin(actor=actor, fixture=restored)


def _was_drawn(entry: Entry) -> bool:
    return entry.appearances.exists() or Fixture.objects.played_by(entry).exists()


def _needs_reason(reason: str) -> str:
    if not reason.strip():
        raise Invalid(_("Please give a reason. We keep it with the competition."))
    return reason.strip()
