"""Why a round of a Swiss or of tables was drawn as it was, in words and figures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.contest import exact
from engine.contest.draws.seating import ImpossibleSeatingError
from engine.contest.draws.swiss import SwissField, advised_rounds
from engine.errors import ContestError
from league import extension
from league.draws.services import players, rounds, seating, ties
from league.draws.services.players import RoundOfPlayers
from league.draws.services.rounds import Drawn, Proposal, Table
from league.draws.services.seating import RoundOfTables
from league.errors import Conflict
from league.models import Competition, Division, Entry, Fixture, Round, RoundDraw
from league.standings.queries import read_facts
from league.web.number_format import exact_text

#: The six figures of a Swiss draw's cost (F20), in the order in which they are compared, and what a higher one means.
OF_A_SWISS = (
    (gettext_lazy("Repeat meetings"), gettext_lazy("There are more repeat meetings.")),
    (
        gettext_lazy("Sitting out: points already received without playing"),
        gettext_lazy("Somebody sits out who already has points without playing."),
    ),
    (
        gettext_lazy("Sitting out: how many are ranked lower"),
        gettext_lazy("Somebody sits out although someone ranked lower could."),
    ),
    (
        gettext_lazy("Score differences, squared and added up"),
        gettext_lazy("The opponents’ scores are further apart."),
    ),
    (
        gettext_lazy("Second match in a row against a higher or lower score"),
        gettext_lazy("More play against a higher or lower score for the second time in a row."),
    ),
    (
        gettext_lazy("Distances from the ideal opponents, squared and added up"),
        gettext_lazy("The scores are just as close, but the opponents are further from the ideal ones."),
    ),
)
#: Likewise the five of a round of tables.
OF_TABLES = (
    (gettext_lazy("Players who sit out"), gettext_lazy("More players sit out.")),
    (
        gettext_lazy("Tables larger or smaller than usual, squared and added up"),
        gettext_lazy("The tables are of less equal sizes."),
    ),
    (
        gettext_lazy("Sitting out: rounds missed before, squared and added up"),
        gettext_lazy("Somebody sits out who has already missed more rounds than others."),
    ),
    (
        gettext_lazy("Two at a table who have met: how often, squared and added up"),
        gettext_lazy("More players meet who have met before, or the same players once more."),
    ),
    (
        gettext_lazy("At a table of another size: how often before, squared and added up"),
        gettext_lazy("Somebody sits once more at a table that is larger or smaller than usual."),
    ),
)
#: Likewise the nine of a Swiss of players: who sits out, who are rivals, and how the rivals are seated.
OF_PLAYERS = (
    OF_A_SWISS[1],
    OF_A_SWISS[2],
    (gettext_lazy("Rivals: repeat meetings"), gettext_lazy("More rivals have met before.")),
    (
        gettext_lazy("Rivals: score differences, squared and added up"),
        gettext_lazy("The rivals’ scores are further apart."),
    ),
    (
        gettext_lazy("Rivals: differences of places, squared and added up"),
        gettext_lazy("The rivals’ places are further apart."),
    ),
    (
        gettext_lazy("Partners who were partners before"),
        gettext_lazy("More play with the same partner again."),
    ),
    (
        gettext_lazy("Opponents who were opponents before"),
        gettext_lazy("More meet the same opponents again."),
    ),
    (
        gettext_lazy("Differences of the two pairs’ scores, squared and added up"),
        gettext_lazy("The pairs at a table are further apart."),
    ),
    (
        gettext_lazy("Differences of the two pairs’ places, squared and added up"),
        gettext_lazy("The places of the pairs at a table are further apart."),
    ),
)
Words: TypeAlias = Sequence[tuple[Promise, Promise]]


@dataclass(frozen=True, slots=True)
class Figure:
    """One of the six figures of two draws, as people read it."""

    label: str
    drawn: str
    least: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """The answer to why two do not meet: what the best draw in which they do would cost, and what is worse in it.

    Of two who meet, or of who sits out, `because` says why, and there are no figures.
    """

    one: Entry
    other: Entry | None
    figures: tuple[Figure, ...]
    because: str
    is_drawn: bool = False


@dataclass(frozen=True, slots=True)
class HowDrawn:
    """A round that is drawn, with the scores before it; `is_otherwise`: by the results of today it would be another."""

    proposal: Proposal
    row: RoundDraw | None
    is_otherwise: bool

    @property
    def is_by_hand(self) -> bool:
        """Whether the director published other tables than those of least cost."""
        return self.row is not None and self.row.is_changed

    @property
    def tables(self) -> list[Table]:
        """The tables as they were published."""
        return self.proposal.tables


def playing(proposal: Proposal) -> list[Entry]:
    """Who plays in the round, in the order of the draw."""
    return [proposal.entries[int(entry.key)] for entry in proposal.field.playing]


def beside(words: Words, cost: Sequence[Any], least: Sequence[Any]) -> tuple[Figure, ...]:
    """What a draw costs beside the least there is, figure by figure; `words` are those of the format, above."""
    return tuple(
        Figure(str(label), _shown(own), _shown(lowest), own != lowest)
        for (label, _higher), own, lowest in zip(words, cost, least, strict=True)
    )


def _shown(figure: Any) -> str:
    return exact_text(exact.restore(str(figure)))


def dearer(words: Words, cost: Sequence[Any], least: Sequence[Any], *, is_by_hand: bool = False) -> str:
    """What is worse in a draw that costs more: the first figure that differs."""
    for (_label, higher), own, lowest in zip(words, cost, least, strict=True):
        if own != lowest:
            return str(higher)
    if is_by_hand:
        return _("It would have been as good as the best draw, but the director changed the proposal.")
    return _("It is just as good. The choice was made by drawing lots.")


def as_drawn(division: Division, round_: Round) -> Drawn | None:
    """The round as it was drawn, in the division's format; None where it is not."""
    if division.stage.is_at_tables:
        return seating.drawn(division=division, round_=round_)
    if division.stage.is_swiss_of_players:
        return players.drawn(division=division, round_=round_)
    if division.stage.is_bracket:
        return ties.drawn(division=division, round_=round_)
    how = how_drawn(division, round_)
    return how.proposal if how else None


def how_drawn(division: Division, round_: Round) -> HowDrawn | None:
    """How the round was drawn; None where it is not."""
    shown = published(division, round_)
    if shown is None:
        return None
    row = RoundDraw.objects.filter(division=division, round=round_).first()
    proposal = replace(shown, least=rounds.least_draw(shown.field))
    return HowDrawn(proposal, row, is_otherwise=proposal.is_changed and not _is_chosen(row, proposal))


def _is_chosen(row: RoundDraw | None, proposal: Proposal) -> bool:
    """Whether the director chose these tables: worse ones, or as good ones and no result was recorded since."""
    if row is None or row.is_changed:
        return row is not None
    if [row.cost, row.least] != [proposal.cost, proposal.least_cost]:
        return False
    before = proposal.division.fixtures.filter(round__number__lt=proposal.round.number)
    return not before.filter(decided_at__gt=row.made_at).exists()


def published(division: Division, round_: Round) -> Proposal | None:
    """The round of a Swiss as it was published, without what a draw of today would cost; None where it is not drawn."""
    fixtures = list(Fixture.objects.filter(division=division, round=round_).with_pairs().order_by("pk"))
    met = [fixture for fixture in fixtures if len(fixture.sides) == 2]
    if not met:
        return None
    facts = read_facts(division)
    field = rounds.field_of(division, round_, facts)
    row = RoundDraw.objects.filter(division=division, round=round_).first()
    here = {entry for fixture in met for side in fixture.sides for entry in [side.entry_id]}
    byes = [bye.entry for bye in facts.byes if bye.round == round_.number and not bye.is_requested]
    # Who has left since was there then, and who came later was not.
    taking_part = here.union(byes[:1])
    field = replace(
        field,
        absent=frozenset(entry.key for entry in field.entries if entry.key not in taking_part),
        seed=row.seed if row else field.seed,
    )
    drawn = field.draw_of(
        [*((each.home_id, each.away_id) for each in met), *((bye, None) for bye in byes[:1])]
    )
    # Tables and homes stay as they were published, whatever was corrected since (F3).
    drawn = replace(drawn, tables=tuple((each.home_id, each.away_id) for each in met))
    entries = {entry.pk: entry for entry in division.entries.with_pairs()}
    rested = tuple(
        entries[int(bye.entry)] for bye in facts.byes if bye.round == round_.number and bye.is_requested
    )
    return Proposal(division, round_, field, drawn, drawn, (), entries, rested)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A line of a pairing list: a table of a round, or somebody without a match, who is at home then."""

    division: Division
    table: Table | ties.Table | seating.Table | players.Table | None
    alone: Entry | None = None

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Who is meant, at home first, or in the order in which they sit."""
        if self.table is not None:
            return self.table.entries
        return (self.alone,) if self.alone is not None else ()


def pairings(competition: Competition, round_: Round) -> list[Pairing]:
    """Who meets whom at which table in a round that was drawn by itself, division by division; then who sits out."""
    found = []
    for division in competition.stage.divisions.order_by("level"):
        # What else a Swiss could have drawn takes long, and stands on no list.
        drawn: Drawn | None
        if division.stage.is_swiss_of_players:
            drawn = players.drawn(division=division, round_=round_, with_least=False)
        else:
            is_swiss = division.stage.is_swiss
            drawn = published(division, round_) if is_swiss else as_drawn(division, round_)
        if drawn is not None:
            found += [Pairing(division, table) for table in drawn.tables]
            found += [Pairing(division, None, entry) for entry in drawn.sitting_out]
    return found


@dataclass(frozen=True, slots=True)
class Met:
    """Whom somebody has sat with so far, how often, the most often first; and whom of those who play not yet."""

    entry: Entry
    others: tuple[tuple[Entry, int], ...]
    not_yet: tuple[Entry, ...]
    rounds: int
    """How many rounds they had a seat in."""


def who_met(division: Division) -> list[Met]:
    """Of rounds of tables: who has met whom, by number. A table that is not played is no meeting."""
    entries = list(division.entries.with_pairs().order_by("number"))
    room = seating.room_after(division, entries)
    found = []
    for entry in entries:
        times = [(other, room.times_met(entry.pk, other.pk)) for other in entries if other != entry]
        met = sorted((each for each in times if each[1]), key=lambda each: (-each[1], each[0].number))
        missing = tuple(other for other, often in times if not often and not other.withdrawn_at)
        found.append(Met(entry, tuple(met), missing, len(room.rounds) - room.missed(entry.pk)))
    return found


def asked_of_tables(found: RoundOfTables, one: str, other: str) -> Asked | None:
    """Why these two do not sit at one table, or why this one does not sit out; None for nobody who plays."""
    names = {str(entry.pk): entry for entry in found.playing}
    if one not in names or one == other or (other and other not in names):
        return None
    first, second = names[one], names.get(other)
    if second is None and not found.without_seat:
        return None
    if second is None and first in found.without_seat:
        return Asked(first, None, (), _("There is no table for this number of players."), is_drawn=True)
    if second is not None and any({first, second} <= {*table.entries} for table in found.tables):
        return Asked(first, second, (), _("They sit at the same table."), is_drawn=True)
    try:
        best = found.room.draw_with((first.pk, second.pk if second else None))
    except (ImpossibleSeatingError, ContestError):
        because = _("There is no such draw.")
        if second is not None and frozenset((first.pk, second.pk)) in found.room.apart:
            because = _("The director keeps them apart.")
        return Asked(first, second, (), because)
    costs = (OF_TABLES, best.cost, found.least_cost)
    return Asked(first, second, beside(*costs), dearer(*costs, is_by_hand=found.is_changed))


def asked_of_players(found: RoundOfPlayers, one: str, other: str) -> Asked | None:
    """Why these two sit together, or are no rivals, or why this one sits out; None for nobody who plays (F35)."""
    names = {str(entry.pk): entry for entry in found.playing}
    if one not in names or one == other or (other and other not in names):
        return None
    first, second = names[one], names.get(other)
    if second is None and not found.without_seat:
        return None
    if second is None and first in found.without_seat:
        because = _(
            "A table has four players, so some sit out: of those with the fewest points without playing, the "
            "lowest-placed. %(player)s is number %(rank)d of %(playing)d."
        ) % {"player": first, "rank": found.field.ranks[first.pk], "playing": len(found.playing)}
        return Asked(first, None, (), because, is_drawn=True)
    for table in found.tables:
        if second is not None and {first, second} <= {*table.entries}:
            because = " ".join(_why_they_sit_together(found, table, first, second))
            return Asked(first, second, (), because, is_drawn=True)
    best = found.field.draw_with(first.pk, second.pk if second else None)
    costs = (OF_PLAYERS, best.cost, found.least_cost)
    is_by_hand = found.row is not None and found.row.is_changed
    return Asked(first, second, beside(*costs), dearer(*costs, is_by_hand=is_by_hand))


def _why_they_sit_together(
    found: RoundOfPlayers, table: players.Table, one: Entry, other: Entry
) -> Iterator[str]:
    field = found.field
    yield _(
        "Before the round %(one)s was number %(rank)d with %(points)s, %(other)s number %(place)d with %(score)s."
    ) % {
        "one": one, "rank": field.ranks[one.pk], "points": exact_text(field.scores[one.pk]),
        "other": other, "place": field.ranks[other.pk], "score": exact_text(field.scores[other.pk]),
    }  # fmt: skip
    together, against = field.were_partners(one.pk, other.pk), field.were_opponents(one.pk, other.pk)
    yield _("Before, they were partners in %(together)d rounds and opponents in %(against)d.") % {
        "together": together,
        "against": against,
    }
    if {one, other} in ({*table.ns}, {*table.ew}):
        yield _(
            "They are partners: rivals play against each other, and of the two ways to seat them the one with fewer "
            "repeated partners is taken, then with fewer repeated opponents, then with the two pairs closer together."
        )
    else:
        yield _(
            "They are opponents: players who stand near each other and haven’t met become rivals, and two pairs of "
            "rivals share a table."
        )
    yield _("The tables are numbered by the better place at each, so this is table %(number)d.") % {
        "number": table.number
    }


def asked(how: HowDrawn, one: str, other: str) -> Asked | None:
    """Why these two meet in the round or do not, or why this one sits out or does not; None for nobody who plays."""
    proposal = how.proposal
    names = {str(entry.pk): entry for entry in playing(proposal)}
    if one not in names or one == other or (other and other not in names):
        return None
    first, second = names[one], names.get(other)
    if second is None and proposal.bye is None:
        return None
    if second is None and proposal.bye == first:
        by_hand = how.is_by_hand and proposal.least.bye != first.pk
        because = _("The director changed the proposal.") if by_hand else _why_out(proposal, first)
        return Asked(first, None, (), because, is_drawn=True)
    for table in proposal.tables:
        if second is not None and {table.home, table.away} == {first, second}:
            proposed = {frozenset(each) for each in proposal.least.tables}
            by_hand = how.is_by_hand and frozenset((first.pk, second.pk)) not in proposed
            because = " ".join(_why_they_meet(proposal, table, is_by_hand=by_hand))
            return Asked(first, second, (), because, is_drawn=True)
    try:
        best = rounds.why_not(proposal, first.pk, second.pk if second else None)
    except Conflict as refusal:
        return Asked(first, second, (), refusal.message)
    costs = (OF_A_SWISS, best.cost, proposal.least.cost)
    return Asked(first, second, beside(*costs), dearer(*costs, is_by_hand=how.is_by_hand))


def _why_out(proposal: Proposal, entry: Entry) -> str:
    field = proposal.field
    return _(
        "There is an odd number of entries, so one sits out: of those with the fewest points without playing, the "
        "lowest-placed. %(entry)s are number %(rank)d of %(playing)d."
    ) % {"entry": entry, "rank": field.ranks[entry.pk], "playing": len(field.playing)}


def _why_they_meet(proposal: Proposal, table: Table, *, is_by_hand: bool) -> Iterator[str]:
    """Rule by rule: where they stood, whether they had met, who stands in the score group, the table and the home."""
    field, (first, second) = proposal.field, (table.home, table.away)
    ranks = [field.ranks[each.pk] for each in (first, second)]
    yield _(
        "Before the round %(one)s were number %(rank)d with %(points)s, %(other)s number %(place)d with %(score)s."
    ) % {
        "one": first, "rank": ranks[0], "points": table.scores[0],
        "other": second, "place": ranks[1], "score": table.scores[1],
    }  # fmt: skip
    both = {first.pk, second.pk}
    # Where repeats are allowed, only a match of the round before counts for the draw.
    before = (match for each in field.rounds for match in each.matches if match.is_played)
    if not table.met and any({match.home, match.away} == both for match in before):
        yield _("They had met before. In this round opponents may meet again.")
    elif table.met:
        yield ngettext(
            "They had met once: without a repeat there was no draw for everyone, or the director chose it.",
            "They had met %(count)d times: without a repeat there was no draw for everyone, or the director chose it.",
            table.met,
        ) % {"count": table.met}
    else:
        yield _("They had not met.")
    if is_by_hand:
        yield _("The director changed the proposal.")
    else:
        yield _of_their_scores(field, first.pk, second.pk)
    yield _("The tables are numbered by the better place at each, so this is table %(number)d.") % {
        "number": table.number
    }
    yield _(
        "%(entry)s are at home. The one with fewer home matches is at home; if they are level, the one who was away "
        "when their home and away last differed; after that, the number of the table decides."
    ) % {"entry": first}


def _of_their_scores(field: SwissField, one: int, other: int) -> str:
    if field.scores[one] != field.scores[other]:
        return _("Nobody with the same score was left for them without making another table worse.")
    if field.is_by_halves:
        group = sum(field.scores[each.key] == field.scores[one] for each in field.playing)
        return ngettext(
            "%(count)d entry has this score: the upper half meets the lower half, as far as possible.",
            "%(count)d entries have this score: the upper half meets the lower half, as far as possible.",
            group,
        ) % {"count": group}
    return _("Of those with the same score, neighbours in the order meet, as far as possible.")


def advice(competition: Competition) -> list[str]:
    """What is to be said of the number of rounds of a Swiss for its entries, and what it needs (F10)."""
    if not competition.stage.is_swiss:
        return []
    divisions = competition.stage.divisions.order_by("level")
    sizes = {division.name: division.entries.active().count() for division in divisions}
    found = []
    for name, entries in sizes.items():
        if entries > 1:
            planned = competition.planned_rounds or advised_rounds(entries)
            said = _advice(entries, planned, of_players=competition.stage.partners_change)
            found += [f"{name}: {each}" if len(sizes) > 1 else each for each in said]
    port = extension.layer().games.get(competition.game)
    boards = port.deals_in_match(competition.rules) if port else 0
    planned = competition.planned_rounds or max(map(advised_rounds, filter(None, sizes.values())), default=0)
    if planned and boards and not competition.stage.is_on_one_day:
        values = {"rounds": planned, "boards": boards, "all": planned * boards}
        found.append(
            _(
                "Every round has an evening of its own and %(boards)d boards: %(rounds)d evenings, %(all)d boards."
            )
            % values
        )
    return found


def _advice(entries: int, planned: int, *, of_players: bool) -> Iterator[str]:
    advised = advised_rounds(entries)
    values = {"entries": entries, "advised": advised, "planned": planned}
    yield _("For %(entries)d entries we advise %(advised)d rounds; %(planned)d are planned.") % values
    if planned >= entries - 1 and of_players:
        yield _("That is as many rounds as players: nobody is left to be a new partner.")
    elif planned >= entries + entries % 2:
        said = _("That is more rounds than opponents: from round %(round)d on everyone meets somebody again.")
        yield said % {"round": entries + entries % 2}
    elif planned >= entries - 1:
        yield _("That is as many rounds as opponents: in a round robin everyone would meet everyone.")
    elif 2 * planned > entries and planned <= advised:
        yield _("With so few entries the leaders will meet far weaker opponents in the end.")
    elif 2 * planned > entries:
        yield _("That is too many: the leaders will meet far weaker opponents.")
    elif planned < (entries - 1).bit_length():
        yield _("That is too few: several can win all their matches.")
