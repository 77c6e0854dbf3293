"""Drawing a round where who meets whom follows from those before it: a Swiss (F10 to F33), a knock-out, tables."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from fractions import Fraction
from hashlib import blake2b
from typing import NamedTuple, TypeAlias

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from engine.contest import exact
from engine.contest.draws.swiss import (
    ImpossibleDrawError,
    Kind,
    Meeting,
    SatOut,
    SwissDraw,
    SwissEntry,
    SwissField,
    SwissMatch,
    SwissRound,
    System,
)
from engine.contest.results import Bye, Key, ResultLine
from engine.errors import ContestError
from league import extension, formats, locks, policies
from league.actors import Actor, person
from league.audit.services import audit
from league.competitions.services import competitions
from league.draws.services import apart, players, seating, ties
from league.draws.services.players import RoundOfPlayers
from league.draws.services.seating import RoundOfTables
from league.draws.services.ties import BracketRound
from league.errors import Conflict, Invalid
from league.fixtures.services import meetings, partners, telling
from league.models import (
    Appearance,
    Competition,
    Division,
    Entry,
    Fixture,
    RequestedBye,
    Round,
    RoundDraw,
)
from league.querysets import UNPLAYED
from league.standings import brackets, round_names
from league.standings.queries import Facts, read_facts
from league.standings.services import standings
from league.validation import refused_by_rules
from league.words import sentences
from league.zones import at_local

ONE_MINUTE = timedelta(minutes=1)
_NO_POINTS = (Fraction(0), Fraction(0))


class Table(NamedTuple):
    """A table of a draw: its number, who meets with their scores before the round, how often they had met."""

    number: int
    home: Entry
    away: Entry
    scores: tuple[str, str]
    met: int

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Both, home first."""
        return self.home, self.away


@dataclass(frozen=True, slots=True)
class Proposal:
    """A round as it can be drawn: the least cost there is, and the tables that stand there, a director's or those.

    `missing` are the matches of the rounds before that have no result: for this draw they count as draws.
    """

    division: Division
    round: Round
    field: SwissField
    least: SwissDraw
    drawn: SwissDraw
    missing: tuple[Fixture, ...]
    entries: dict[int, Entry]
    resting: tuple[Entry, ...] = ()
    """Who asked to sit out."""

    @property
    def tables(self) -> list[Table]:
        """The tables in order."""
        scores = self.field.scores
        return [
            Table(
                number,
                self.entries[int(home)],
                self.entries[int(away)],
                (exact.shown(scores[home]), exact.shown(scores[away])),
                self.field.times_met(home, away),
            )
            for number, (home, away) in enumerate(self.drawn.tables, start=1)
        ]

    @property
    def bye(self) -> Entry | None:
        """Who sits out."""
        return None if self.drawn.bye is None else self.entries[int(self.drawn.bye)]

    @property
    def is_changed(self) -> bool:
        """Whether others meet than in the draw that costs the least."""
        return _who_meet(self.drawn) != _who_meet(self.least)

    @property
    def written(self) -> str:
        """The tables as a form sends them back."""
        return tables_as_text(self.drawn)

    @property
    def proposed(self) -> str:
        """The tables of the least cost."""
        return tables_as_text(self.least)

    @property
    def sitting_out(self) -> tuple[Entry, ...]:
        """Who has no match in the round."""
        return (*([self.bye] if self.bye else []), *self.resting)

    @property
    def seed(self) -> str:
        """Of the lot between draws that cost the same."""
        return self.field.seed

    @property
    def cost(self) -> list[int | str]:
        """What these tables cost."""
        return self.drawn.cost.as_json()

    @property
    def least_cost(self) -> list[int | str]:
        """What the draw of least cost costs."""
        return self.least.cost.as_json()

    @property
    def digest(self) -> str:
        """Stands for all that the draw follows from: what somebody else changed meanwhile gives another."""
        facts = repr((self.field, sorted(each.pk for each in self.missing), self.round.pk))
        return blake2b(facts.encode(), digest_size=8).hexdigest()


Drawn: TypeAlias = Proposal | BracketRound | RoundOfTables | RoundOfPlayers


def next_round(division: Division) -> Round | None:
    """The round that is to be drawn next; None when all are drawn."""
    if division.stage.is_bracket:
        number = brackets.of_division(division).next_number
    else:
        last = Appearance.objects.of_division(division).aggregate(n=Max("round__number"))["n"] or 0
        number = last + 1
    found: Round | None = division.stage.rounds.filter(number=number).first()
    return found


def proposal_of(*, division: Division, round_: Round, tables: str = "") -> Drawn:
    """The round as it can be drawn, in the division's format. See `propose`, and those of the other modules here."""
    if division.stage.is_bracket:
        return ties.propose(division=division, round_=round_)
    if division.stage.is_at_tables:
        return seating.propose(division=division, round_=round_, tables=tables, asked=_asked(round_))
    if division.stage.is_swiss_of_players:
        missing, asked = _without_result(division, round_), _asked(round_)
        return players.propose(division=division, round_=round_, missing=missing, asked=asked, tables=tables)
    return propose(division=division, round_=round_, tables=tables)


def propose(*, division: Division, round_: Round, tables: str = "") -> Proposal:
    """The draw of least cost, and if they are given the `tables` that a director has made of it. Nothing is written.

    Raises Conflict where there is no draw, naming who has no opponent, and Invalid for tables that are not everybody's.
    """
    facts = read_facts(division)
    entries = {entry.pk: entry for entry in division.entries.with_pairs()}
    missing = _without_result(division, round_)
    field = field_of(division, round_, facts)
    try:
        least = least_draw(field)
        drawn = field.draw_of(read_tables(tables, field)) if tables else least
    except ImpossibleDrawError as impossible:
        who = ", ".join(str(entries[int(key)]) for key in impossible.left)
        raise Conflict(_("There is no draw: no opponent for %(who)s.") % {"who": who}) from None
    except ContestError as refusal:
        raise Conflict(refused_by_rules(refusal).message) from refusal
    resting = tuple(entries[key] for key in sorted(_asked(round_)) if key in entries)
    return Proposal(division, round_, field, least, drawn, missing, entries, resting)


def _without_result(division: Division, round_: Round) -> tuple[Fixture, ...]:
    """The matches whose results the draw of the round should have (F14)."""
    drawn_from = round_.number - is_one_behind(division)
    found = Fixture.objects.filter(division=division, round__number__lt=drawn_from, decided_at=None)
    return tuple(found.exclude(status=Fixture.Status.VOID).with_pairs().in_order())


def least_draw(field: SwissField) -> SwissDraw:
    """The draw of least cost. Raises ImpossibleDrawError where there is none, ContestError for bad facts."""
    return field.draw_of(read_tables(seating.kept(field, lambda: tables_as_text(field.draw())), field))


def field_of(division: Division, round_: Round, facts: Facts) -> SwissField:
    """What the round is drawn from: the rounds before it, who plays, what everybody has."""
    start = players.brought_along(facts)
    repeats = formats.round_terms_of(division.stage.format, division.stage.options)[formats.REPEATS]
    is_behind = is_one_behind(division)
    return SwissField(
        entries=tuple(SwissEntry(entry.key, entry.seed, start[entry.key]) for entry in facts.entries),
        rounds=tuple(_rounds(facts, before=round_.number, points_before=round_.number - is_behind)),
        round=round_.number,
        system=System(division.stage.options.get(formats.SYSTEM, System.HALVES)),
        repeats_allowed=round_.number > division.stage.rounds.count() - repeats,
        forbidden=frozenset(map(frozenset[Key], apart.in_round(division, round_.number))),
        absent=players.absent_from(facts, round_.number) | _asked(round_),
        seed=division.stage.draw_seed or str(division.pk),
        is_one_behind=is_behind,
        house=next((entry.key for entry in facts.entries if not entry.is_ranked), None),
    )


def is_one_behind(division: Division) -> bool:
    """Whether a round is drawn before the one before it has its results (F14)."""
    return bool(division.stage.options.get(formats.ONE_BEHIND))


def _asked(round_: Round) -> set[int]:
    """Who asked to sit out of the round and still plays in the competition."""
    asked = round_.requested_byes.filter(entry__withdrawn_at=None)
    return set(asked.values_list("entry_id", flat=True))


def _rounds(facts: Facts, *, before: int, points_before: int) -> Iterable[SwissRound]:
    """The rounds before one; of those that no points are taken from only who met, whatever comes of it."""
    for number in range(1, before):
        lines = [line for line in facts.results if line.round == number]
        found = [match for line in lines if (match := _match(facts, line)) is not None]
        if number >= points_before:
            found = [replace(match, points=_NO_POINTS) if match.is_played else match for match in found]
        byes = [
            SatOut(each.entry, facts.scheme.of_bye(each), _kind(each))
            for each in facts.byes
            if each.round == number
        ]
        yield SwissRound(number, tuple(found), tuple(byes))


def _kind(bye: Bye) -> Kind:
    late = Kind.MISSED if bye.is_missed else Kind.BYE
    return Kind.REQUESTED if bye.is_requested else late


def _match(facts: Facts, line: ResultLine) -> SwissMatch | None:
    """The match as it counts for a draw; None for a void one. Without a result it is a draw so far (F14)."""
    found = players.points_of(facts, line)
    if found is None:
        return None
    (points, is_played), (one, two) = found, line.sides
    return SwissMatch(one.entry, two.entry, points, is_played=is_played)


@transaction.atomic
def publish(
    *,
    actor: Actor,
    division: Division,
    number: int,
    at: datetime,
    seen: str,
    tables: str = "",
    despite_missing: bool = False,
) -> RoundDraw:
    """Draws the round as it was shown, and everybody sees it: the fixtures are there, and can be played.

    `seen` is the digest of the proposal. Refused when a result came in meanwhile, or another director was first.
    """
    competition, division, round_ = _locked(division, number)
    policies.require(actor, "competition.draw", competition)
    if competition.state != Competition.State.RUNNING:
        raise Conflict(_("This competition isn’t running. The first round is drawn when it is published."))
    following = next_round(division)
    if following is None or following.pk != round_.pk:
        said = _("%(round)s can’t be drawn now. See which one comes next.")
        raise Conflict(said % {"round": round_names.in_division(round_, division)})
    proposal = proposal_of(division=division, round_=round_, tables=tables)
    if proposal.digest != seen:
        raise Conflict(_("Something has changed since you last saw this. Please check it again."))
    if proposal.missing and not despite_missing:
        raise Conflict(
            _("Some matches have no result yet. Enter them, or say that each counts as a draw for this draw.")
        )
    _write(proposal, at=at)
    row = RoundDraw.objects.create(
        division=division,
        round=round_,
        seed=proposal.seed,
        cost=proposal.cost,
        least=proposal.least_cost,
        missing=[each.pk for each in proposal.missing],
        made_by=person(actor),
        made_at=at,
    )
    _record(actor, competition, proposal, row)
    standings.bump(competition=competition)
    _announce(actor, division, round_)
    return row


def _announce(actor: Actor, division: Division, round_: Round) -> None:
    extension.layer().drawn(actor=actor, competition=division.competition)
    drawn = Fixture.objects.filter(division=division, round=round_).with_pairs().in_order()
    competition = division.competition
    telling.new_matches(
        actor=actor,
        competition=competition,
        fixtures=drawn,
        why="drawn",
        **telling.of_round(round_, division),
    )
    telling.rounds_published(competition=competition, fixtures=drawn)


def _record(actor: Actor, competition: Competition, proposal: Drawn, row: RoundDraw) -> None:
    said = sentences.gettext("%(round)s drawn")
    if proposal.is_changed:
        said = sentences.gettext("%(round)s drawn, with tables changed by hand")
    audit.record(
        actor=actor,
        action="round.drawn",
        summary=said % {"round": round_names.in_division(proposal.round, proposal.division)},
        competition=competition,
        after={
            "division": proposal.division.pk,
            "round": proposal.round.number,
            "tables": proposal.written,
            "proposed": proposal.proposed,
            "seed": row.seed,
            "cost": row.cost,
            "least": row.least,
            "missing": row.missing,
        },
    )


@transaction.atomic
def take_back(*, actor: Actor, division: Division, number: int, reason: str) -> None:
    """Takes a round's draw back, as long as none of its matches has begun and no later round is drawn (F3)."""
    competition, division, round_ = _locked(division, number)
    policies.require(actor, "competition.draw", competition)
    if not reason.strip():
        raise Invalid(_("Please give a reason. We keep it with the competition."))
    row = RoundDraw.objects.filter(division=division, round=round_).first()
    fixtures = Fixture.objects.filter(division=division, round=round_)
    locks.take(fixtures)
    why_not_now = why_it_stands(division, round_)
    if row is None or why_not_now:
        raise Conflict(why_not_now)
    before = {"division": division.pk, "round": number, "cost": row.cost, "seed": row.seed}
    # A bracket has names for its rounds as long as its first one is drawn.
    name = round_names.in_division(round_, division)
    telling.new_matches(
        actor=actor,
        competition=competition,
        fixtures=fixtures.with_pairs().in_order(),
        why="taken_back",
        reason=reason.strip(),
        **telling.of_round(round_, division),
    )
    Appearance.objects.filter(round=round_, entry__division=division).delete()
    fixtures.delete()
    partners.part(division)
    row.delete()
    audit.record(
        actor=actor,
        action="round.draw_taken_back",
        summary=sentences.gettext("%(round)s: draw undone") % {"round": name},
        competition=competition,
        before=before,
        reason=reason,
    )
    standings.bump(competition=competition)


def why_it_stands(division: Division, round_: Round) -> str:
    """Why the draw of the round can't be undone (F3); empty while it can."""
    drawn = RoundDraw.objects.filter(division=division)
    if not drawn.filter(round=round_).exists() or drawn.filter(round__number__gt=round_.number).exists():
        return _("Only the round that was drawn last can be drawn again.")
    fixtures = Fixture.objects.filter(division=division, round=round_)
    if (
        fixtures.exclude(status__in=UNPLAYED).exists()
        or fixtures.filter(status=Fixture.Status.IN_PLAY).exists()
    ):
        return _("You can no longer draw again: some matches have begun or have a result.")
    return ""


@transaction.atomic
def leave_out(*, actor: Actor, competition: Competition, reason: str) -> int:
    """Ends a Swiss, or a knock-out in which nobody is left, after the rounds that are drawn. Gives how many go."""
    competition = competitions.locked(competition)
    policies.require(actor, "competition.draw", competition)
    if not reason.strip():
        raise Invalid(_("Please give a reason. We keep it with the competition."))
    competitions.check_not_final(competition)
    rounds = competition.stage.rounds.filter(appearances__isnull=True)
    if not competition.stage.is_by_round or not rounds:
        raise Conflict(_("All rounds are drawn."))
    if competition.stage.is_bracket and not ties.is_empty(competition):
        raise Conflict(_("A knock-out goes on until somebody has won it."))
    numbers = [each.number for each in rounds]
    for each in rounds:
        each.delete()
    if competition.stage.is_swiss:
        # The same rounds have been drawn with repeats as before.
        repeats = competition.stage.options.get(formats.REPEATS, 0)
        competition.stage.options[formats.REPEATS] = max(0, repeats - len(numbers))
        competition.stage.save(update_fields=["options"])
    said = sentences.ngettext("%(count)d round left out", "%(count)d rounds left out", len(numbers))
    audit.record(
        actor=actor,
        action="round.left_out",
        summary=said % {"count": len(numbers)},
        competition=competition,
        before={"rounds": numbers},
        reason=reason,
    )
    return len(numbers)


@transaction.atomic
def ask_to_sit_out(*, actor: Actor, entry: Entry, number: int, at: datetime) -> RequestedBye:
    """The entry has no match in a round that is not drawn yet: half a win, once, and not in the last round (F29)."""
    competition, round_ = _before_its_draw(actor, entry, number)
    if competition.stage.is_bracket:
        raise Conflict(_("In a knock-out nobody can sit out of a round."))
    if entry.withdrawn_at is not None or competition.state != Competition.State.RUNNING:
        raise Conflict(_("You can sit out only while you are playing in a running competition."))
    if not competition.stage.rounds.filter(number__gt=number).exists():
        raise Conflict(_("You can’t ask to sit out of the last round."))
    if (before := entry.requested_byes.select_related("round").first()) is not None:
        raise Conflict(
            _("%(entry)s already asked to sit out of round %(number)d. You can do that only once.")
            % {"entry": entry, "number": before.round.number}
        )
    row = RequestedBye.objects.create(entry=entry, round=round_, asked_by=person(actor), asked_at=at)
    said = sentences.gettext("%(entry)s asked to sit out of round %(number)d")
    _note(actor, "round.bye_asked", said, entry, number)
    return row


@transaction.atomic
def play_after_all(*, actor: Actor, entry: Entry, number: int) -> None:
    """Takes the wish to sit out back, as long as the round is not drawn."""
    _competition, round_ = _before_its_draw(actor, entry, number)
    count, _by_model = entry.requested_byes.filter(round=round_).delete()
    if not count:
        raise Conflict(_("Nobody asked for that."))
    said = sentences.gettext("%(entry)s wants to play in round %(number)d after all")
    _note(actor, "round.bye_taken_back", said, entry, number)


def _before_its_draw(actor: Actor, entry: Entry, number: int) -> tuple[Competition, Round]:
    competition, division, round_ = _locked(entry.division, number)
    policies.require(actor, "entry.sit_out", entry)
    entry.refresh_from_db(fields=["withdrawn_at"])
    following = next_round(division)
    if following is None or number < following.number:
        name = round_names.in_division(round_, division)
        raise Conflict(_("%(round)s is drawn already.") % {"round": name})
    return competition, round_


def _note(actor: Actor, action: str, said: sentences.Sentence, entry: Entry, number: int) -> None:
    audit.record(
        actor=actor,
        action=action,
        summary=said % {"entry": str(entry), "number": number},
        competition=entry.competition,
        after={"entry": entry.pk, "round": number},
    )


def _locked(division: Division, number: int) -> tuple[Competition, Division, Round]:
    competition = competitions.locked(division.competition)
    if competition.stage.is_ladder:
        raise Conflict(_("A ladder has no rounds."))
    if not competition.stage.is_by_round:
        raise Conflict(_("The rounds of this competition are drawn all at once."))
    round_ = competition.stage.rounds.filter(number=number).first()
    if round_ is None:
        raise Conflict(_("There is no such round."))
    return competition, competition.stage.divisions.get(pk=division.pk), round_


def _write(proposal: Drawn, *, at: datetime) -> None:
    competition, round_ = proposal.division.competition, proposal.round
    plays_at = at_local(round_.starts_on, competition.play_time, competition.club.time_zone)
    if proposal.division.stage.is_on_one_day:
        # Everybody is in the room: they play as soon as they are drawn.
        plays_at = max(plays_at, at.replace(second=0, microsecond=0) + ONE_MINUTE)
    tables = [(table.number, table.entries) for table in proposal.tables]
    if isinstance(proposal, RoundOfPlayers):
        # Who are partners now become a pair; players are locked before the rows of the round.
        locks.players(sorted(player.pk for entry in proposal.playing for player in entry.lineup.players))
        pairs = iter(
            partners.seat(competition, [two for each in proposal.tables for two in (each.ns, each.ew)])
        )
        tables = [(number, (next(pairs), next(pairs))) for number, _players in tables]
    meetings.meet(
        (
            Fixture(
                division=proposal.division,
                round=round_,
                # A usual time that is past says nothing: who meets arranges another.
                starts_at=plays_at if plays_at > at else None,
                place=competition.place,
                table=str(number),
            ),
            entries,
        )
        for number, entries in tables
    )
    meetings.sit_out((round_, entry) for entry in proposal.sitting_out)


def exchanged(proposal: Proposal | RoundOfTables | RoundOfPlayers, one: int, other: int) -> str:
    """The tables with two entries exchanged, as a form sends them back."""
    places = {one: other, other: one}
    return ",".join(
        "-".join(str(places.get(key, key)) for key in map(int, two.split("-")))
        for two in proposal.written.split(",")
    )


def tables_as_text(drawn: SwissDraw) -> str:
    """The tables as a form sends them back: "12-15,13-14,16"; the first of two is home, one alone sits out."""
    tables = [f"{home}-{away}" for home, away in drawn.tables]
    return ",".join([*tables, *([] if drawn.bye is None else [str(drawn.bye)])])


def read_tables(tables: str, field: SwissField) -> list[Meeting]:
    """The tables that a form sent; raises Invalid unless everybody who plays sits there once."""
    try:
        found = [tuple(int(key) for key in two.split("-")) for two in tables.split(",")]
    except ValueError:
        found = []
    sitting = [key for two in found for key in two]
    playing = {entry.key for entry in field.playing}
    alone = sum(len(two) == 1 for two in found)
    if (
        len(sitting) != len(set(sitting))
        or set(sitting) != playing
        or any(len(two) > 2 for two in found)
        or alone != len(playing) % 2
    ):
        raise Invalid(_("These tables don’t match the entries in this round. Please start this draw again."))
    return [(two[0], two[1] if len(two) == 2 else None) for two in found]


def _who_meet(drawn: SwissDraw) -> tuple[set[frozenset[object]], object]:
    return {frozenset(two) for two in drawn.tables}, drawn.bye


def why_not(proposal: Proposal, one: int, other: int | None) -> SwissDraw:
    """The draw of least cost in which these two meet, or this one sits out: what it would have cost."""
    try:
        return proposal.field.draw_with((one, other))
    except ImpossibleDrawError:
        raise Conflict(_("That leaves somebody without an opponent.")) from None
