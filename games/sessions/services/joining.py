"""A pair that comes late: one of the ways in of games.sessions.queries.late_options is carried out."""

from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from engine.contest.movements.movement import Sitting
from games.boards.services import boards
from games.comparisons import handicaps
from games.models import BoardSet
from games.sessions.queries import late_options as reads
from games.sessions.queries.late_options import EMPTY, LEFT, LateOption
from games.sessions.sections import REPLACED, Section, of_running
from games.sessions.services import partners, places
from games.sessions.services.clock import locked
from games.sessions.services.starting import boards_at, table_of
from league import validation
from league.actors import Actor
from league.audit.services import audit
from league.errors import Conflict
from league.fixtures.services import fixtures, meetings
from league.models import Appearance, AuditEntry, Competition, Entry, Fixture, Lineup
from league.words import sentences

RUN = "evening.run"
JOINED = "evening.pair_joined"


@transaction.atomic
def late_pair(*, actor: Actor, competition: Competition, lineup: Lineup, option: str, at: datetime) -> Entry:
    """Lets a pair join in the way that `option` (a key of `late_options`) names. Raises Conflict where it is gone."""
    competition, _evening = locked(actor=actor, competition=competition)
    chosen = reads.late_options(competition).find(option)
    if chosen is None:
        said = _("This is no longer possible. Please look at the options again.")
        raise Conflict(said, details=[validation.fault(said, "option")])
    old = chosen.section.by_number.get(chosen.number)
    if old is not None:
        places.step_aside(old)
    entry = places.enter(
        competition=competition,
        division=chosen.section.division,
        lineup=lineup,
        number=chosen.number,
        first_round=chosen.from_round,
    )
    handicaps.fix(competition=competition, at=at)
    _seat(actor, entry, chosen, old, at)
    audit.record(
        actor=actor,
        action=JOINED,
        summary=sentences.gettext("%(pair)s join: %(how)s") % {"pair": entry, "how": chosen.title},
        competition=competition,
        after={
            "entry": entry.pk,
            "option": chosen.key,
            "seated": places.seated(entry),
            "rounds": [[each.round_number, each.table] for each in chosen.played],
        },
    )
    return entry


@transaction.atomic
def take_back_late(*, actor: Actor, entry: Entry, at: datetime) -> None:
    """Undoes that a pair joined, as long as none of its tables has begun."""
    competition, _evening = locked(actor=actor, competition=entry.competition)
    entry = _fresh(entry)
    if not _joined(competition, entry):
        raise Conflict(
            _("This pair didn’t join late, so you can’t undo that. You can remove the pair instead.")
        )
    tables = places.fixtures_from(entry, 1)
    places.check_untouched(tables)
    section = next(each for each in of_running(competition) if each.division.pk == entry.division_id)
    old = _before(section, entry)
    if old is not None:
        _give_back(actor, entry, old, tables)
    elif section.choice is not None and entry.number == section.choice.phantom:
        _clear(tables, entry)
    else:
        _give_back_roving(section, entry, tables)
    audit.record(
        actor=actor,
        action="evening.joining_taken_back",
        summary=sentences.gettext("%(pair)s didn’t join after all") % {"pair": entry},
        competition=competition,
        before={"entry": entry.pk, "number": entry.number, "at": at.isoformat()},
    )
    entry.appearances.byes().delete()
    entry.delete()
    if old is not None:
        places.step_back(old)


def _seat(actor: Actor, entry: Entry, chosen: LateOption, old: Entry | None, at: datetime) -> None:
    if chosen.kind == EMPTY:
        _fill(actor, entry, chosen, at)
    elif chosen.kind == LEFT:
        assert old is not None  # noqa: S101 - the place was somebody's
        _take_over(actor, entry, old, chosen)
    else:
        _rove(entry, chosen)


def _fill(actor: Actor, entry: Entry, chosen: LateOption, at: datetime) -> None:
    """Makes the tables that there would have been, had the pair been there from the beginning."""
    competition = entry.competition
    rounds = {each.number: each for each in competition.stage.rounds.all()}
    section = replace(chosen.section, by_number={**chosen.section.by_number, entry.number: entry})
    made: list[tuple[Fixture, Sitting]] = []
    for meeting in chosen.meetings:
        played = rounds[meeting.round_number]
        if meeting.against is None:
            meetings.sit_out([(played, entry)])
            continue
        fixture, sides = table_of(
            section, meeting.sitting, played, partners.of_section(section), starts_at=None
        )
        fixture.starts_at = places.expected_at(fixture, at)
        Appearance.objects.byes().filter(round=played, entry=meeting.against).delete()
        meetings.meet([(fixture, sides)])
        made.append((fixture, meeting.sitting))
    board_set = BoardSet.objects.select_related("competition").get(
        competition=competition, round=None, discarded_at=None
    )
    boards.assign(actor=actor, board_set=board_set, plays=boards_at(board_set, made))
    places.count_again(fixture for fixture, _sitting in made)


def _take_over(actor: Actor, entry: Entry, old: Entry, chosen: LateOption) -> None:
    """Puts the tables back on the list that were struck off when the other pair left."""
    wanted = {each.round_number for each in chosen.played}
    tables = [each for each in places.fixtures_from(old, chosen.from_round) if each.round.number in wanted]
    rounds = entry.competition.stage.rounds.filter(number__in=[each.round_number for each in chosen.meetings])
    meetings.sit_out((each, entry) for each in rounds if each.number not in wanted)
    places.hand_over(tables, old=old, new=entry)
    reason = _("%(pair)s join") % {"pair": entry}
    for fixture in tables:
        if fixture.status == Fixture.Status.VOID:
            fixtures.restore(actor=actor, fixture=fixture, reason=reason, by=RUN)
    places.count_again(tables)


def _rove(entry: Entry, chosen: LateOption) -> None:
    for meeting in chosen.played:
        old = meeting.instead_of
        assert old is not None  # noqa: S101 - who roves sits in somebody's place
        fixture = Fixture.with_rooms.with_pairs().get(
            round__number=meeting.round_number, division=entry.division_id, table=meeting.table
        )
        places.check_untouched([fixture])
        places.hand_over([fixture], old=old, new=entry, old_sits_out=True)


def _before(section: Section, entry: Entry) -> Entry | None:
    """Who had the pair's number before it, and left."""
    retired = [each for number, each in section.by_number.items() if number > REPLACED]
    return next((each for each in retired if each.number % REPLACED == entry.number % REPLACED), None)


def _joined(competition: Competition, entry: Entry) -> bool:
    """Whether the pair came after the tables were laid out."""
    joined = AuditEntry.objects.filter(competition=competition, action=JOINED)
    return any(after and after["entry"] == entry.pk for after in joined.values_list("after", flat=True))


def _give_back(actor: Actor, entry: Entry, old: Entry, tables: list[Fixture]) -> None:
    reason = _("%(pair)s didn’t join after all") % {"pair": entry}
    places.hand_over(tables, old=entry, new=old)
    for fixture in tables:
        if old.withdrawn_at and fixture.status != Fixture.Status.VOID:
            fixtures.void(actor=actor, fixture=fixture, reason=reason, by=RUN)


def _give_back_roving(section: Section, entry: Entry, tables: list[Fixture]) -> None:
    assert section.movement is not None  # noqa: S101 - it is laid out
    for fixture in tables:
        sittings = section.movement.rounds[fixture.round.number - 1]
        sitting = next(each for each in sittings if section.table(each) == fixture.table)
        number = sitting.first if fixture.home_id == entry.pk else sitting.second
        places.hand_over([fixture], old=entry, new=section.by_number[number])


def _clear(tables: list[Fixture], entry: Entry) -> None:
    """Takes away the tables that were added; the pairs there sit out again."""
    places.count_again(tables)
    for fixture in tables:
        others = fixture.others(entry)
        fixture.delete()
        meetings.sit_out((fixture.round, other) for other in others)


def _fresh(entry: Entry) -> Entry:
    found: Entry | None = (
        Entry.with_rooms.with_pairs().select_related("competition").filter(pk=entry.pk).first()
    )
    if found is None:
        raise Conflict(_("This has already been undone."))
    return found
