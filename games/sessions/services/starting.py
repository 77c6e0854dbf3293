"""Laying an evening out: the movement becomes rounds, tables, sit-outs, and boards at the tables."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from engine.boards.sealing import DelayedInformation, DelayedKind
from engine.contest.movements.movement import Movement, Sitting, faults
from games.boards.services import boards
from games.models import Board, BoardSet, Evening, Match, SectionMovement
from games.sessions.sections import CARDS_ARE_PUBLIC, Section, begins_at, columns_of, of_draft
from games.sessions.services import partners
from league import policies
from league.actors import Actor
from league.audit.services import audit
from league.competitions.services import competitions, drafts
from league.draws.services import draws
from league.errors import Conflict, Invalid
from league.fixtures.services import meetings
from league.models import Competition, Entry, Fixture, Round
from league.words import sentences

State = Competition.State
RESERVES = 2
KEPT_OPEN = timedelta(days=1)


@transaction.atomic
def start(*, actor: Actor, competition: Competition, at: datetime, seen: int | None = None) -> Competition:
    """Seats the pairs for the whole evening and opens it to everybody; the clock waits for the first round.

    Boards are made where the director has not made any. `seen` is the newest act on the draft that the person knew.
    """
    competition = competitions.locked(competition)
    policies.require(actor, "evening.run", competition)
    if competition.state != State.DRAFT:
        raise Conflict(_("The pairs are already seated."))
    drafts.check_seen(competition, seen)
    found = of_draft(competition)
    sets = max((movement.sets for movement in _movements(found)), default=0)
    for section in found:
        _number(section)
    rounds = _write_rounds(competition, max(len(movement.rounds) for movement in _movements(found)))
    partners.make(competition, found)
    tables = {section.division.pk: _write_tables(competition, section, rounds) for section in found}
    board_set = _board_set(actor, competition, count=sets * competition.rules["deals"])
    _deal(actor, board_set, [pair for written in tables.values() for pair in written])
    audit.record(
        actor=actor,
        action="evening.laid_out",
        summary=sentences.gettext("Pairs seated"),
        competition=competition,
        after={
            "sections": [_facts(section) for section in found],
            "seed": competition.stage.draw_seed,
            "board_set": board_set.pk,
            "at": at.isoformat(),
        },
    )
    return competitions.publish(actor=actor, competition=competition)


@transaction.atomic
def take_back(*, actor: Actor, competition: Competition, reason: str = "") -> Competition:
    """Makes a draft again of an evening that is laid out, as long as no round has begun; the boards are kept."""
    competition = competitions.locked(competition)
    policies.require(actor, "evening.run", competition)
    if competition.state != State.RUNNING:
        raise Conflict(_("The pairs aren’t seated yet."))
    evening = Evening.objects.get(pk=competition.pk)
    begun = Fixture.with_rooms.of_competition(competition.pk).exclude(status=Fixture.Status.SCHEDULED)
    has_matches = Match.objects.filter(fixture__round__stage__competition=competition).exists()
    if evening.round_number or begun.exists() or has_matches:
        raise Conflict(
            _("The first round has started. Pairs can still join and leave, but everyone keeps their place.")
        )
    competition.stage.rounds.all().delete()
    Entry.with_rooms.filter(competition=competition, team__isnull=False).delete()
    competitions.set_state(competition, State.DRAFT)
    audit.record(
        actor=actor,
        action="evening.taken_back",
        summary=sentences.gettext("Seating undone"),
        competition=competition,
        reason=reason,
    )
    return competition


def _movements(sections: Sequence[Section]) -> Iterator[Movement]:
    """The movements of all sections. Raises Invalid or Conflict where one has none, or one that breaks the laws."""
    for section in sections:
        if section.movement is None:
            raise Invalid(_("Section %(name)s: %(why)s") % {"name": section.division, "why": section.refusal})
        broken = list(faults(section.movement))
        if broken:
            raise Conflict(
                _("Section %(name)s: this movement doesn’t work (%(faults)s). Please choose another one.")
                % {"name": section.division, "faults": "; ".join(broken)}
            )
        yield section.movement


def _number(section: Section) -> None:
    """Gives the pairs the numbers of the movement, and keeps the movement itself where nobody chose one."""
    assert section.choice is not None  # noqa: S101 - _movements has refused it otherwise
    # Numbers are unique in a division, so they first step aside together.
    Entry.objects.filter(division=section.division).update(number=F("number") + draws.OUT_OF_THE_WAY)
    for number, entry in section.by_number.items():
        entry.number, entry.first_round = number, 1
        entry.save(update_fields=["number", "first_round"])
    SectionMovement.objects.update_or_create(division=section.division, defaults=columns_of(section.choice))


def _write_rounds(competition: Competition, count: int) -> list[Round]:
    first = begins_at(competition)
    return Round.objects.bulk_create(
        Round(
            stage=competition.stage,
            number=number,
            starts_on=competition.starts_on,
            # The clock closes them one by one as it goes on.
            closes_at=first + KEPT_OPEN + timedelta(minutes=number),
        )
        for number in range(1, count + 1)
    )


def _write_tables(
    competition: Competition, section: Section, rounds: Sequence[Round]
) -> list[tuple[Fixture, Sitting]]:
    movement = section.movement
    assert movement is not None  # noqa: S101 - see above
    minutes = Evening.objects.values_list("minutes_a_round", flat=True).get(pk=competition.pk)
    first = begins_at(competition)
    planned = [
        (row, sitting) for row in rounds[: len(movement.rounds)] for sitting in movement.played(row.number)
    ]
    pairs = partners.of_section(section)
    fixtures = meetings.meet(
        table_of(
            section, sitting, row, pairs, starts_at=first + timedelta(minutes=minutes * (row.number - 1))
        )
        for row, sitting in planned
    )
    meetings.sit_out(
        (row, section.by_number[waiting])
        for row in rounds[: len(movement.rounds)]
        if (waiting := movement.sitting_out(row.number))
    )
    return [(fixture, sitting) for fixture, (_row, sitting) in zip(fixtures, planned, strict=True)]


def table_of(
    section: Section,
    sitting: Sitting,
    played: Round,
    pairs: Mapping[frozenset[int], Entry],
    *,
    starts_at: datetime | None,
) -> tuple[Fixture, tuple[Entry, ...]]:
    """A table of a round as a fixture, not saved, and its sides: the pair at home sits on the first side."""
    fixture = Fixture(
        division=section.division,
        round=played,
        starts_at=starts_at,
        place=section.division.competition.place,
        table=section.table(sitting),
    )
    return fixture, tuple(pairs[frozenset(side)] for side in sitting.sides)


def _board_set(actor: Actor, competition: Competition, *, count: int) -> BoardSet:
    found = BoardSet.objects.filter(competition=competition, round=None, discarded_at=None).first()
    if found is None:
        if count > boards.MOST_BOARDS:
            raise Invalid(
                _("This needs %(count)d boards, but a set has at most %(most)d. Play fewer boards per "
                "round, or divide the pairs into more sections.") % {"count": count, "most": boards.MOST_BOARDS}
            )  # fmt: skip
        agreed = DelayedInformation(
            DelayedKind.AGREED_TEXT, _("the name of the evening"), None, competition.name
        )
        return boards.make(
            actor=actor, competition=competition, count=count, reserve=RESERVES, delayed=agreed
        )
    if boards.is_any_released(found):
        raise Conflict(str(CARDS_ARE_PUBLIC))
    if found.count < count:
        raise Conflict(
            _("The evening needs %(count)d boards, but its set has %(there)d. Discard the set and "
            "create a new one, or choose a shorter movement.") % {"count": count, "there": found.count}
        )  # fmt: skip
    return found


def _deal(actor: Actor, board_set: BoardSet, tables: Sequence[tuple[Fixture, Sitting]]) -> None:
    boards.assign(actor=actor, board_set=board_set, plays=boards_at(board_set, tables))


def boards_at(
    board_set: BoardSet, tables: Sequence[tuple[Fixture, Sitting]]
) -> Mapping[Fixture, Sequence[Board]]:
    """Which boards the tables play: set s of the movement is the s-th so many boards of the evening's set.

    A reserve board that stands for one of them is played in its place.
    """
    size = board_set.competition.rules["deals"]
    of_set: dict[int, list[Board]] = defaultdict(list)
    originals = Board.objects.filter(board_set=board_set, purpose=Board.Purpose.ORIGINAL)
    for board in originals.select_related("replaced_by").order_by("place"):
        of_set[(board.place - 1) // size + 1].append(getattr(board, "replaced_by", board))
    return {fixture: of_set[sitting.boards] for fixture, sitting in tables}


def _facts(section: Section) -> dict[str, object]:
    choice = section.choice
    return {
        "division": section.division.pk,
        "movement": choice and [choice.kind.value, choice.tables, choice.rounds, choice.phantom],
        "pairs": {str(number): entry.pk for number, entry in section.by_number.items()},
    }
