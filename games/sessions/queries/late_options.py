"""What can be done for a pair that comes when the evening is under way, with the consequences told first."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.contest.movements import roving
from engine.contest.movements.movement import Sitting
from games.models import Board, BoardSet, Evening
from games.sessions.sections import REPLACED, Section, of_running
from league.models import AuditEntry, Competition, Entry
from league.words import sentences

EMPTY, LEFT, ROVER = "empty", "left", "rover"


@dataclass(frozen=True, slots=True)
class Meeting:
    """Where the late pair is in a round: at a table against a pair, or sitting out for the reason `why`."""

    round_number: int
    sitting: Sitting
    table: str
    against: Entry | None
    why: str = ""
    instead_of: Entry | None = None


@dataclass(frozen=True, slots=True)
class LateOption:
    """One way in: the number the pair gets, and what follows. `key` names it for the service."""

    kind: str
    section: Section
    number: int
    from_round: int
    meetings: tuple[Meeting, ...]

    @property
    def key(self) -> str:
        return f"{self.kind}-{self.section.division.pk}-{self.number}-{self.from_round}"

    @property
    def played(self) -> tuple[Meeting, ...]:
        """The rounds in which it plays."""
        return tuple(each for each in self.meetings if each.against is not None)

    @property
    def title(self) -> sentences.Sentence:
        """What is done, in a line."""
        said = {"number": self.number, "round": self.from_round, "section": self.section.division}
        if self.kind == EMPTY:
            return (
                sentences.gettext("Takes the empty place: number %(number)d, from round %(round)d on") % said
            )
        if self.kind == LEFT:
            return (
                sentences.gettext(
                    "Takes the place of the pair that left: number %(number)d, from round %(round)d on"
                )
                % said
            )
        return sentences.gettext("Roves: number %(number)d, from round %(round)d on") % said

    @property
    def consequences(self) -> tuple[str, ...]:
        """What follows, a sentence each."""
        return tuple(self._consequences())

    def _consequences(self) -> Iterator[str]:
        count = len(self.played)
        yield ngettext("They play %(count)d round.", "They play %(count)d rounds.", count) % {"count": count}
        if self.kind == ROVER:
            yield _(
                "Every place is taken. So each round they take another pair’s place, and that pair sit out:"
            )
            yield (
                "; ".join(
                    _("round %(round)d, table %(table)s instead of %(pair)s")
                    % {"round": each.round_number, "table": each.table, "pair": each.instead_of}
                    for each in self.played
                )
                + "."
            )
        else:
            yield _("From round %(round)d on, nobody has to sit out against this place.") % {
                "round": self.from_round
            }
        for each in self.meetings:
            if each.why:
                yield _("Round %(round)d: %(why)s") % {"round": each.round_number, "why": each.why}


@dataclass(frozen=True, slots=True)
class LateOptions:
    """All ways in, and what is to be said of those that there are not."""

    options: tuple[LateOption, ...]
    refusals: tuple[str, ...]

    def find(self, key: str) -> LateOption | None:
        """The way with that key, if it is still there."""
        return next((each for each in self.options if each.key == key), None)


def late_options(competition: Competition) -> LateOptions:
    """What is possible now, in a fixed number of queries."""
    evening = Evening.objects.get(pk=competition.pk)
    public = public_sets(competition)
    options: list[LateOption] = []
    refusals: list[str] = []
    for section in of_running(competition):
        found = list(_in_section(section, evening, public))
        options += found
        if not found:
            refusals.append(_refusal(section, evening))
    return LateOptions(tuple(options), tuple(refusals))


def joined_late(competition: Competition) -> list[Entry]:
    """The pairs that came late and are still there."""
    acts = AuditEntry.objects.filter(competition=competition, action="evening.pair_joined")
    keys = [after["entry"] for after in acts.values_list("after", flat=True) if after]
    return list(Entry.with_rooms.active().filter(pk__in=keys, competition=competition).with_pairs())


def public_sets(competition: Competition) -> frozenset[int]:
    """The sets with a board whose cards are public: nobody can play them any more."""
    size = competition.rules["deals"]
    board_set = BoardSet.objects.filter(competition=competition, round=None, discarded_at=None).first()
    if board_set is None:
        return frozenset()
    places = Board.objects.filter(
        board_set=board_set, purpose=Board.Purpose.ORIGINAL, released_at__isnull=False
    )
    return frozenset((place - 1) // size + 1 for place in places.values_list("place", flat=True))


def _in_section(section: Section, evening: Evening, public: Collection[int]) -> Iterator[LateOption]:
    assert section.movement is not None  # noqa: S101 - it is laid out
    if section.of_players:  # every seat is taken: see _refusal
        return
    last = len(section.movement.rounds)
    starts = [number for number in (evening.round_number, evening.round_number + 1) if 1 <= number <= last]
    empty = list(_empty_places(section))
    for number, kind in empty:
        for first in starts:
            option = LateOption(
                kind, section, number, first, tuple(_at_place(section, number, first, last, public))
            )
            if option.played:
                yield option
    following = evening.round_number + 1  # nobody is sent away from a table in play
    if not empty and following <= last:
        yield from _roving(section, following)


def _empty_places(section: Section) -> Iterator[tuple[int, str]]:
    assert section.choice is not None  # noqa: S101 - it is laid out
    if section.choice.phantom and section.choice.phantom not in section.by_number:
        yield section.choice.phantom, EMPTY
    for number, entry in section.by_number.items():
        if entry.withdrawn_at and number < REPLACED:
            yield number, LEFT


def _at_place(
    section: Section, number: int, first: int, last: int, public: Collection[int]
) -> Iterator[Meeting]:
    assert section.movement is not None  # noqa: S101 - it is laid out
    for played in range(first, last + 1):
        sitting = next((each for each in section.movement.rounds[played - 1] if each.has(number)), None)
        if sitting is None:  # a rover has their place in this round
            continue
        other = section.by_number.get(sitting.second if sitting.first == number else sitting.first)
        meeting = Meeting(played, sitting, section.table(sitting), other)
        if other is None or other.withdrawn_at:
            yield replace(
                meeting, against=None, why=_("they would meet another empty place, so they sit out.")
            )
        elif sitting.boards in public:
            why = _("the boards are already public, so they and %(pair)s sit out.") % {"pair": other}
            yield replace(meeting, against=None, why=why)
        else:
            yield meeting


def _roving(section: Section, first: int) -> Iterator[LateOption]:
    assert section.choice is not None and section.movement is not None  # noqa: S101, PT018 - it is laid out
    number = 2 * section.choice.tables + 1
    if number in section.by_number:
        return
    full = replace(section.movement, phantom=None)
    found = roving.places(full, first)
    if not found:
        return
    by_number: Mapping[int, Entry] = section.by_number
    sittings = {
        (index, sitting.table): sitting
        for index, tables in enumerate(full.rounds, start=1)
        for sitting in tables
    }
    yield LateOption(
        ROVER,
        section,
        number,
        first,
        tuple(
            Meeting(
                each.round_number,
                sittings[each.round_number, each.table],
                section.table(sittings[each.round_number, each.table]),
                by_number[each.against],
                instead_of=by_number[each.instead_of],
            )
            for each in found
        ),
    )


def _refusal(section: Section, evening: Evening) -> str:
    assert section.movement is not None  # noqa: S101 - it is laid out
    name = section.prefix or _("the room")
    if evening.round_number >= len(section.movement.rounds):
        return _("In %(section)s the last round has started, so it’s too late to join.") % {"section": name}
    if section.of_players:
        return _(
            "In %(section)s every place is taken. A late player can take the place of somebody who leaves, or "
            "of the player for the house: choose “%(leave)s” there."
        ) % {"section": name, "leave": _("Leaves")}
    return _(
        "In %(section)s every place is taken. An extra pair would meet the same pair or boards "
        "twice, and an extra table would break the movement."
    ) % {"section": name}
