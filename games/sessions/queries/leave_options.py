"""What can be done when a pair leaves in the middle of an evening, with the consequences; and which have left."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.comparisons.masked_reasons import masked_reasons
from games.models import Evening
from league.actors import Visitor
from league.models import AuditEntry, Competition, Entry, Fixture
from league.words import sentences

SIT_OUT, OUT_OF_COMPARISON, STAND_IN = "sit-out", "out", "stand-in"
Status = Fixture.Status
NOT_PLAYED = {Status.WALKOVER, Status.VOID}
TO_PLAY = {Status.SCHEDULED, Status.POSTPONED, Status.IN_PLAY}


@dataclass(frozen=True, slots=True)
class LeaveOption:
    """One way to go on without the pair. `key` names it for the service."""

    kind: str
    number: int
    from_round: int
    played: int
    left: tuple[Fixture, ...]
    opponents: tuple[tuple[int, str], ...]
    of_players: bool = False

    @property
    def key(self) -> str:
        return f"{self.kind}-{self.from_round}"

    @property
    def title(self) -> sentences.Sentence:
        """What is done, in a line."""
        said = {"number": self.number, "round": self.from_round}
        if self.kind == SIT_OUT:
            return (
                sentences.gettext(
                    "Their place stays empty from round %(round)d on; what they have played counts"
                )
                % said
            )
        if self.kind == OUT_OF_COMPARISON:
            return (
                sentences.gettext(
                    "Their place stays empty from round %(round)d on; what they have played is removed"
                )
                % said
            )
        if self.of_players:
            return (
                sentences.gettext("Another player takes over number %(number)d from round %(round)d on")
                % said
            )
        return sentences.gettext("Another pair takes over number %(number)d from round %(round)d on") % said

    @property
    def consequences(self) -> tuple[str, ...]:
        """What follows, a sentence each."""
        return tuple(self._consequences())

    def _consequences(self) -> Iterator[str]:
        if self.kind == STAND_IN and not self.played:
            yield _("Nobody sits out.")
            return
        if self.of_players:
            yield _("Nobody sits out. Each of the two is ranked by what they play.")
            return
        if self.kind == STAND_IN:
            matches = ngettext("%(count)d match", "%(count)d matches", self.played) % {"count": self.played}
            yield _(
                "Nobody sits out. The pair keep their %(matches)s, and the new pair are ranked by "
                "what they play."
            ) % {"matches": matches}
            return
        if self.opponents:
            out = "; ".join(
                _("round %(round)d: %(pair)s") % {"round": number, "pair": name}
                for number, name in self.opponents
            )
            yield _("These pairs sit out: %(pairs)s.") % {"pairs": out}
        else:
            yield _("Nobody has to sit out, because the pair have no tables left to play.")
        if not self.played:
            return
        if self.kind == SIT_OUT:
            yield ngettext(
                "Their %(count)d match counts for everyone.",
                "Their %(count)d matches count for everyone.",
                self.played,
            ) % {"count": self.played}
        else:
            yield ngettext(
                "Their %(count)d match no longer counts for anyone, including their opponents. It "
                "will count again if you undo this.",
                "Their %(count)d matches no longer count for anyone, including their opponents. They "
                "will count again if you undo this.",
                self.played,
            ) % {"count": self.played}


def leave_options(entry: Entry, evening: Evening) -> tuple[LeaveOption, ...]:
    """What is possible now for a pair that plays."""
    if entry.withdrawn_at:
        return ()
    own = Entry.with_rooms.playing_for(entry).values("pk")
    tables = list(Fixture.with_rooms.of_entries(own).with_pairs().order_by("round__number"))
    return tuple(option for first in _starts(tables, evening) for option in _from(entry, tables, first))


def _starts(tables: list[Fixture], evening: Evening) -> Iterator[int]:
    """From which rounds it can leave: the round in play as long as its table there has no result, and the next."""
    now = evening.round_number
    at_table = next((each for each in tables if each.round.number == now), None)
    if now and at_table is not None and at_table.status in TO_PLAY:
        yield now
    rounds = entry_rounds(tables)
    if not rounds or now < max(rounds):
        yield now + 1


def entry_rounds(tables: list[Fixture]) -> list[int]:
    """The rounds in which the pair has a table."""
    return [each.round.number for each in tables]


def _from(entry: Entry, tables: list[Fixture], first: int) -> Iterator[LeaveOption]:
    left = tuple(each for each in tables if each.round.number >= first and each.status in TO_PLAY)
    before = [each for each in tables if each.round.number < first and each.status not in NOT_PLAYED]
    # What it still plays would count after all: whose results are taken out leaves at once, or when all are there.
    is_settled = all(each.status == Status.CONFIRMED for each in before)
    if entry.competition.stage.partners_change:  # a table of three can't play
        if left:
            yield LeaveOption(STAND_IN, entry.number, first, len(before), left, (), of_players=True)
        return
    opponents = tuple((each.round.number, " – ".join(map(str, each.others(entry)))) for each in left)
    may_be_out = bool(before) and is_settled
    kinds = [SIT_OUT, *([OUT_OF_COMPARISON] if may_be_out else []), *([STAND_IN] if left else [])]
    for kind in kinds:
        yield LeaveOption(kind, entry.number, first, len(before), left, opponents)


@dataclass(frozen=True, slots=True)
class LeftPair:
    """A pair that has left; `reason` is empty where it could tell readers of boards that they still have to play."""

    entry: Entry
    reason: str


def left_pairs(competition: Competition, reader: Visitor) -> tuple[LeftPair, ...]:
    """Those that are away now, in the order in which they left; a few queries, however many they are."""
    entries = list(
        Entry.objects.filter(competition=competition, withdrawn_at__isnull=False)
        .with_pairs()
        .order_by("withdrawn_at")
    )
    told = list(AuditEntry.objects.filter(competition=competition, action="evening.pair_left"))
    masked = masked_reasons(reader=reader, entries=told)
    kept = {each.after["entry"] for each in told if each.pk in masked and each.after}
    return tuple(LeftPair(each, "" if each.pk in kept else each.withdrawal_reason) for each in entries)
