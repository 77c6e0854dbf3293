"""A knock-out round by round: drawing the winners, and what decides a match besides its result (F40 to F50)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from league import extension, policies
from league.actors import Actor, person
from league.audit.services import audit
from league.errors import Conflict, Invalid
from league.fixtures.services import fixtures, meetings, telling
from league.models import Appearance, Competition, Division, Entry, Fixture, Round, TieDecision
from league.querysets import UNPLAYED, FixtureQuerySet
from league.standings import brackets
from league.standings.brackets import Bracket, How, Tie
from league.standings.services import standings
from league.validation import one_line
from league.words import sentences

MOST_POINTS = 100_000
MOST_EXTRA_SETS = 20
LONGEST_REASON = 300


class Table(NamedTuple):
    """A match of a round, numbered from the top of the bracket."""

    number: int
    home: Entry
    away: Entry
    scores: tuple[str, ...] = ()
    met: int = 0

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Both, home first."""
        return self.home, self.away


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round of a knock-out as it follows from the one before it: there is one way only to draw it."""

    division: Division
    round: Round
    ties: tuple[Tie, ...]
    missing: tuple[Fixture, ...] = ()
    resting: tuple[Entry, ...] = ()
    seed: str = ""
    cost: list[Any] = field(default_factory=list)
    least_cost: list[Any] = field(default_factory=list)
    is_changed: bool = False

    @property
    def tables(self) -> list[Table]:
        """Who meets; the upper side of the bracket is at home."""
        return [
            Table(tie.number, here[0], here[1])
            for tie in self.ties
            if len(here := _here(tie, self.round.number)) == 2
        ]

    @property
    def sitting_out(self) -> tuple[Entry, ...]:
        """Who goes on without a match: nobody came up on the other side, or they withdrew."""
        alone = (here for tie in self.ties if len(here := _here(tie, self.round.number)) == 1)
        return tuple(here[0] for here in alone)

    @property
    def bye(self) -> Entry | None:
        """In a knock-out it may be several: see `sitting_out`."""
        return None

    @property
    def written(self) -> str:
        """The tables as the trail keeps them."""
        met = [f"{table.home.pk}-{table.away.pk}" for table in self.tables]
        return ",".join([*met, *(str(each.pk) for each in self.sitting_out)])

    @property
    def proposed(self) -> str:
        """The same: a director changes nothing in it."""
        return self.written

    @property
    def digest(self) -> str:
        """Stands for all that the draw follows from: what somebody else changed meanwhile gives another."""
        return blake2b(f"{self.round.pk}:{self.written}".encode(), digest_size=8).hexdigest()


def _here(tie: Tie, number: int) -> tuple[Entry, ...]:
    """Who plays in it: in a round that is not drawn yet not who has withdrawn."""
    if tie.fixture is not None or number == 1:
        return tie.entries
    return tuple(each for each in tie.entries if each.withdrawn_at is None)


def propose(*, division: Division, round_: Round) -> BracketRound:
    """The winners of the round before, as the bracket has them. Raises Conflict while one of them is not known."""
    bracket = brackets.of_division(division)
    if bracket.undecided:
        names = ", ".join(_named(tie) for tie in bracket.undecided)
        raise Conflict(_("It is not decided yet who goes on from: %(matches)s.") % {"matches": names})
    if not 1 < round_.number <= len(bracket.rounds):
        raise Conflict(_("This round is not one of the bracket."))
    found = BracketRound(division, round_, bracket.rounds[round_.number - 1])
    if not found.written:
        raise Conflict(_("Nobody is left in this knock-out. Leave out the rounds that are not drawn."))
    return found


def drawn(*, division: Division, round_: Round) -> BracketRound | None:
    """The round as it was drawn; None where it is not."""
    bracket = brackets.of_division(division)
    if not 1 <= round_.number <= min(bracket.drawn, len(bracket.rounds)):
        return None
    return BracketRound(division, round_, bracket.rounds[round_.number - 1])


def _named(tie: Tie) -> str:
    return str(tie.fixture) if tie.fixture else " – ".join(map(str, tie.entries))


def is_empty(competition: Competition) -> bool:
    """Whether in every division somebody has won, or nobody is left."""
    return all(_is_through(brackets.of_division(each)) for each in competition.stage.divisions.all())


def _is_through(bracket: Bracket) -> bool:
    if bracket.is_over or not bracket.rounds or bracket.undecided:
        return bracket.is_over or not bracket.rounds
    following = bracket.rounds[bracket.drawn] if bracket.drawn < len(bracket.rounds) else ()
    return not any(_here(tie, bracket.drawn + 1) for tie in following)


@transaction.atomic
def play_extra(*, actor: Actor, fixture: Fixture, scores: Sequence[int], at: datetime) -> TieDecision:
    """What both sides made of a set of extra boards after a level match, in their order (F45).

    The first two sets are of an eighth of the match's boards, then it is one board at a time.
    """
    fixture, row = _locked(actor, fixture, at)
    if brackets.decide(fixture, row).how != How.LEVEL:
        raise Conflict(_("Extra boards are for a match that is level."))
    if len(scores) != 2 or any(abs(each) > MOST_POINTS for each in scores):
        raise Invalid(_("Enter the points of both sides."))
    if len(row.extra) >= MOST_EXTRA_SETS:
        raise Conflict(_("So many extra boards are enough: decide who goes on."))
    before = _facts(row)
    row.extra = [*row.extra, list(scores)]
    _save(actor, fixture, row, at)
    said = sentences.gettext("Extra boards: %(home)d–%(away)d") % {"home": scores[0], "away": scores[1]}
    _note(actor, fixture, "tie.extra_boards", said, before, row)
    return row


@transaction.atomic
def rule(*, actor: Actor, fixture: Fixture, winner: Entry, reason: str, at: datetime) -> TieDecision:
    """A director says who goes on, with the reason: by lot, instead of who withdrew, or after a correction.

    Where the next round is drawn with the other side already, this one takes its place as long as that match has not
    begun (F47, F49). After that it can only be said that it stands.
    """
    fixture, row = _locked(actor, fixture, at)
    if winner.pk not in {each.pk for each in fixture.entries}:
        raise Invalid(_("Choose one of the two sides."))
    if not fixture.has_result and fixture.status != Fixture.Status.VOID:
        raise Conflict(_("This match has no result yet. Enter it, or give a walkover."))
    entry = next(each for each in fixture.entries if each.pk == winner.pk)
    if entry.withdrawn_at is not None:
        raise Conflict(_("%(name)s already withdrew.") % {"name": entry})
    row.reason = _needs_reason(reason)
    before = _facts(row)
    row.winner = entry
    _save(actor, fixture, row, at)
    said = sentences.gettext("%(entry)s go on") % {"entry": str(entry)}
    _note(actor, fixture, "tie.ruled", said, before, row)
    _send_on(actor, fixture, entry, row.reason, at)
    return row


@transaction.atomic
def take_back(*, actor: Actor, fixture: Fixture, reason: str, at: datetime) -> None:
    """Takes back what was decided besides the result: the extra boards, or who goes on."""
    fixture, row = _locked(actor, fixture, at)
    reason = _needs_reason(reason)
    if row.pk is None:
        raise Conflict(_("There is nothing to take back."))
    before = _facts(row)
    row.delete()
    fixture.refresh_from_db()
    brackets.check_stands(fixture)
    said = sentences.gettext("Decision on who goes on undone")
    _note(actor, fixture, "tie.taken_back", said, before, None, reason)
    standings.bump(competition=fixture.round.competition)


def _locked(actor: Actor, fixture: Fixture, at: datetime) -> tuple[Fixture, TieDecision]:
    fixture = fixtures.locked(fixture)
    policies.require(actor, "fixture.rule", fixture)
    if not fixture.round.stage.is_bracket:
        raise Conflict(_("This is for a knock-out."))
    fixtures.check_not_final(fixture)
    row = TieDecision.objects.filter(fixture=fixture).first()
    return fixture, row or TieDecision(fixture=fixture, made_at=at)


def _needs_reason(reason: str) -> str:
    if not reason.strip():
        raise Invalid(_("Please give a reason. We keep it with the match."))
    return one_line(reason)[:LONGEST_REASON]


def _facts(row: TieDecision) -> dict[str, Any]:
    return {"extra": row.extra, "winner": row.winner_id}


def _save(actor: Actor, fixture: Fixture, row: TieDecision, at: datetime) -> None:
    row.made_by, row.made_at = person(actor), at
    row.save()
    standings.bump(competition=fixture.round.competition)


def _note(  # noqa: PLR0917 - in the order of the sentence
    actor: Actor,
    fixture: Fixture,
    action: str,
    said: sentences.Said,
    before: dict[str, Any],
    row: TieDecision | None,
    reason: str = "",
) -> None:
    audit.record(
        actor=actor,
        action=action,
        summary=said,
        fixture=fixture,
        before=before,
        after=_facts(row) if row else None,
        reason=reason or (row.reason if row else ""),
    )


def _send_on(actor: Actor, fixture: Fixture, winner: Entry, reason: str, at: datetime) -> None:
    """Puts the winner into the next round in the other's place, where that round is drawn already."""
    division = fixture.division
    bracket = brackets.of_division(division)
    tie = bracket.tie_of(fixture.pk)
    after = bracket.after(tie) if tie is not None else None
    if tie is None or after is None or bracket.drawn <= tie.round:
        return
    following = fixture.round.stage.rounds.get(number=tie.round + 1)
    there = Appearance.objects.filter(round=following, entry__in=fixture.entries)
    place = there.exclude(outcome=Appearance.Outcome.VOID).first()
    if place is not None and place.entry_id == winner.pk:
        return
    if bracket.drawn > following.number:
        raise Conflict(_("The round after the next one is drawn already: it can only stand as it is."))
    other = next((each for each in after.entries if each not in fixture.entries), None)
    old = place.fixture if place is not None else None
    if place is not None and old is not None and not _may_be_exchanged(old, place):
        raise Conflict(
            _("%(match)s has begun or has a result: it can only stand, or be undone first.") % {"match": old}
        )
    _remove(actor, following, place, old, reason)
    if other is None or other.withdrawn_at is not None:
        meetings.sit_out([(following, winner)])
        return
    Appearance.objects.byes().filter(round=following, entry=other).delete()
    planned = Fixture(
        division=division,
        round=following,
        starts_at=old.starts_at if old is not None and old.starts_at and old.starts_at > at else None,
        place=fixture.round.competition.place,
        table=str(after.number),
    )
    meet = meetings.meet([(planned, (winner, other) if tie.number % 2 else (other, winner))])
    _tell_of_them(actor, following, Fixture.objects.filter(pk__in=[each.pk for each in meet]), "drawn")


def _may_be_exchanged(fixture: Fixture, place: Appearance) -> bool:
    """Whether it has not begun; a walkover because this side withdrew is no result that somebody played for."""
    if fixture.status == Fixture.Status.WALKOVER:
        return place.entry.withdrawn_at is not None
    return fixture.status in UNPLAYED and fixture.status != Fixture.Status.IN_PLAY


def _remove(actor: Actor, round_: Round, place: Appearance | None, old: Fixture | None, reason: str) -> None:
    """The other side goes out of the next round, with its match there."""
    if old is not None:
        _tell_of_them(actor, round_, Fixture.objects.filter(pk=old.pk), "taken_back", reason)
        Appearance.objects.filter(fixture=old).delete()
        Fixture.objects.filter(pk=old.pk).delete()
    elif place is not None:
        place.delete()


def _tell_of_them(actor: Actor, round_: Round, matches: FixtureQuerySet, why: str, reason: str = "") -> None:
    if why == "drawn":
        extension.layer().drawn(actor=actor, competition=round_.competition)
        telling.rounds_published(competition=round_.competition, fixtures=matches)
    telling.new_matches(
        actor=actor,
        competition=round_.competition,
        fixtures=matches.with_pairs().in_order(),
        why=why,
        round=round_.number,
        reason=reason,
    )
