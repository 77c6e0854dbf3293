"""Setting an evening up: what and when, and how each section moves. Until it is laid out everything can be changed."""

from dataclasses import asdict, dataclass, replace
from datetime import date, time
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from engine import game
from engine.contest.movements import sections as offers
from engine.contest.movements.sections import Choice
from engine.errors import ContestError
from games.comparisons.handicaps import HandicapPart, share_of
from games.embargo import FEWEST_BOARDS
from games.models import Duplicate, Evening, SectionMovement
from games.sessions.sections import columns_of
from league import extension, formats, policies, validation
from league.actors import Actor
from league.audit.services import audit
from league.competitions.services import competitions, drafts
from league.competitions.services.competitions import Setup
from league.competitions.services.divisions import DivisionPlan
from league.errors import Conflict, Invalid
from league.manage.services import setups
from league.models import Club, Competition, Division, Entry
from league.web.wording import in_words
from league.words import sentences

LETTERS = "ABCDEFGH"
MOST_BOARDS_A_ROUND = 12
PART = "duplicate"
COMPARISON = ("measure", "method", "tops", "least_share")
State = Competition.State


@dataclass(frozen=True, slots=True)
class EveningPlan:
    """Everything a director says of an evening; what is left out has a good default.

    `partners_change`: players enter, and have another partner in every round (F120).
    `boards_a_round` is how many boards two pairs play together, two or more; the sections are called A, B, C and so on.
    Without a game it is the club's usual one.
    """

    name: str
    starts_on: date
    game: str = ""
    play_time: time = time(19, 30)
    place: str = ""
    boards_a_round: int = 4
    minutes_a_round: int = 28
    measure: str = Duplicate.Measure.DIFFERENCE
    method: str = Duplicate.Way.MATCHPOINTS
    tops: str = Duplicate.Tops.SAME
    least_share: int = 50
    visibility: str = Competition.Visibility.PUBLIC
    sections: int = 1
    partners_change: bool = False
    handicap: int = 0


@transaction.atomic
def make(*, actor: Actor, club: Club, data: EveningPlan) -> Competition:
    """Makes a draft of an evening with its sections, in the club's season of that day."""
    policies.require(actor, "competition.set_up", club)
    _check(data)
    competition = competitions.set_up(actor=actor, club=club, data=Setup(**_changes(club, data)))
    duplicate = Duplicate(competition=competition, **_comparison(data))
    evening = Evening(competition=competition, minutes_a_round=data.minutes_a_round)
    for row in (duplicate, evening):
        validation.check(row)
        row.save()
    return competition


def copied(*, original: Competition, made: Competition) -> None:
    """A draft was made like an evening: its rounds are as long. How boards are compared came with the set-up."""
    if original.stage.is_evening:
        minutes = Evening.objects.get(pk=original.pk).minutes_a_round
        Evening.objects.create(competition=made, minutes_a_round=minutes)


@transaction.atomic
def edit(*, actor: Actor, competition: Competition, data: EveningPlan) -> Competition:
    """Changes an evening. What is played, and how it is compared, in a draft only; the minutes of a round always."""
    competition = competitions.locked(competition)
    policies.require(actor, "evening.run", competition)
    competitions.check_not_final(competition)
    data = replace(data, game=data.game or competition.game)
    _check(data)
    before = plan_of(competition)
    if competition.state != State.DRAFT:
        _check_fixed(before, data)
    elif before.partners_change != data.partners_change and competition.entries.exists():
        said = _("Remove those who are entered first: players who change partners enter one by one.")
        raise Conflict(said, details=[validation.fault(said, "partners_change")])
    competition = setups.save(actor=actor, competition=competition, changes=_changes(competition.club, data))
    changed = {
        name: getattr(data, name)
        for name in (*COMPARISON, "minutes_a_round")
        if getattr(data, name) != getattr(before, name)
    }
    if changed:
        _remember(actor, competition, sentences.gettext("Boards and time of a round changed"))
        _save_rows(competition, data)
        audit.record(
            actor=actor,
            action="evening.edited",
            summary=sentences.gettext("Evening edited"),
            competition=competition,
            before={name: getattr(before, name) for name in changed},
            after=changed,
        )
    return competition


@transaction.atomic
def choose_movement(*, actor: Actor, division: Division, choice: Choice) -> SectionMovement:
    """Says how a section moves. Raises Invalid where that movement is not for its pairs, or breaks the laws."""
    competition = competitions.locked(division.competition)
    policies.require(actor, "evening.run", competition)
    if competition.state != State.DRAFT:
        raise Conflict(
            _("The pairs are already seated. Undo the seating first, then choose another movement.")
        )
    division = competition.stage.divisions.get(pk=division.pk)
    try:
        entered = division.entries.active().count()
        offers.check(choice, entered, of_players=competition.stage.partners_change)
    except ContestError as refusal:
        raise Invalid(in_words(refusal.message)) from refusal
    _remember(
        actor, competition, sentences.gettext("Movement of section %(name)s chosen") % {"name": division}
    )
    row, _is_new = SectionMovement.objects.update_or_create(division=division, defaults=columns_of(choice))
    audit.record(
        actor=actor,
        action="evening.movement_chosen",
        summary=sentences.gettext("Movement of section %(name)s chosen") % {"name": division},
        competition=competition,
        after={"division": division.pk, **columns_of(choice)},
    )
    return row


@transaction.atomic
def set_house(*, actor: Actor, entry: Entry, is_house: bool) -> Entry:
    """Says whether a player is for the house: for the others it counts, and it gets no place itself (F123)."""
    competition = competitions.locked(entry.competition)
    policies.require(actor, "evening.run", competition)
    if competition.state != State.DRAFT:
        raise Conflict(_("Everyone has a seat already, so this can’t be changed any more."))
    if not competition.stage.partners_change:
        raise Conflict(_("Only where partners change can a player be for the house."))
    entry = Entry.objects.with_pairs().get(pk=entry.pk)
    if entry.is_house == is_house:
        return entry
    said = (
        sentences.gettext("%(entry)s: plays for the house")
        if is_house
        else sentences.gettext("%(entry)s: plays for a place")
    )
    summary = said % {"entry": entry}
    drafts.remember(
        actor=actor,
        competition=competition,
        action="evening.house",
        summary=summary,
        parts=("entries",),
    )
    entry.is_house = is_house
    entry.save(update_fields=["is_house"])
    audit.record(
        actor=actor,
        action="evening.house",
        summary=summary,
        competition=competition,
        before={"entry": entry.pk, "is_house": not is_house},
        after={"entry": entry.pk, "is_house": is_house},
    )
    return entry


def plan_of(competition: Competition) -> EveningPlan:
    """What the evening is set up as, for a form or an edit that changes a part of it."""
    duplicate = Duplicate.objects.get(pk=competition.pk)
    return EveningPlan(
        name=competition.name,
        starts_on=competition.starts_on,
        game=competition.game,
        play_time=competition.play_time,
        place=competition.place,
        boards_a_round=competition.rules["deals"],
        minutes_a_round=Evening.objects.get(pk=competition.pk).minutes_a_round,
        measure=duplicate.measure,
        method=duplicate.method,
        tops=duplicate.tops,
        least_share=duplicate.least_share,
        visibility=competition.visibility,
        sections=competition.stage.divisions.count(),
        partners_change=competition.stage.partners_change,
        handicap=share_of(competition),
    )


def games_with_boards() -> dict[str, str]:
    """The games that evenings can be played in, of those for pairs: the key of each with its name."""
    found = extension.layer().games.items()
    return {key: str(each.name) for key, each in found if each.has_boards_for_pairs}


def usual_game(club: Club) -> str:
    """The club's usual game, if its deals can be played at several tables; otherwise the first such game."""
    offered, usual = games_with_boards(), competitions.usual_game(club)
    return usual if usual in offered else next(iter(offered))


def _changes(club: Club, data: EveningPlan) -> dict[str, Any]:
    """The plan as fields of league.competitions.services.competitions.Setup."""
    offered = game.get(data.game or usual_game(club))
    rules: dict[str, Any] = {"deals": data.boards_a_round}
    if offered.boards is not None:
        rules = offered.boards.options_for(rules, together=True, is_new=True)
    return {
        "name": data.name,
        "starts_on": data.starts_on,
        "play_time": data.play_time,
        "place": data.place,
        "visibility": data.visibility,
        "game": offered.key,
        "format": formats.INDIVIDUALS if data.partners_change else formats.EVENING,
        "divisions": tuple(DivisionPlan(letter) for letter in LETTERS[: data.sections]),
        # Each board is a result of its own: what a game counts over a whole match it leaves out then.
        "rules": rules,
        "points": {},
        "days_between_rounds": 1,
        "extra": {HandicapPart.key: {"share": data.handicap}},
    }


def _check(data: EveningPlan) -> None:
    faults = []
    if data.game and data.game not in games_with_boards():
        faults.append(validation.fault(_("Please choose a game whose deals can be repeated."), "game"))
    if not 1 <= data.sections <= len(LETTERS):
        said = _("An evening has 1 to %(most)d sections.") % {"most": len(LETTERS)}
        faults.append(validation.fault(said, "sections"))
    if not FEWEST_BOARDS <= data.boards_a_round <= MOST_BOARDS_A_ROUND:
        said = _("A round has %(fewest)d to %(most)d boards.") % {
            "fewest": FEWEST_BOARDS,
            "most": MOST_BOARDS_A_ROUND,
        }
        faults.append(validation.fault(said, "boards_a_round"))
    if not 1 <= data.minutes_a_round <= 600:
        faults.append(validation.fault(_("A round takes 1 to 600 minutes."), "minutes_a_round"))
    if data.measure not in Duplicate.Measure.values:
        faults.append(validation.fault(_("Please choose what to compare."), "measure"))
    if data.method not in Duplicate.Way.values:
        faults.append(validation.fault(_("Please choose how to compare."), "method"))
    if data.tops not in Duplicate.Tops.values:
        faults.append(validation.fault(_("Please choose the top on a board."), "tops"))
    if not 0 <= data.least_share <= 100:
        faults.append(validation.fault(_("Please enter a whole number from 0 to 100."), "least_share"))
    if not 0 <= data.handicap <= 100:
        faults.append(validation.fault(_("Please enter a whole number from 0 to 100."), "handicap"))
    validation.refuse(faults)


def _check_fixed(before: EveningPlan, data: EveningPlan) -> None:
    fixed = set(asdict(before)) - {"name", "place", "visibility", "minutes_a_round"}
    if any(getattr(before, name) != getattr(data, name) for name in fixed):
        raise Conflict(
            _(
                "The pairs are seated. You can only change the name, the place, the minutes per "
                "round and who can see the evening."
            )
        )


def _remember(actor: Actor, competition: Competition, summary: sentences.Said) -> None:
    drafts.remember(
        actor=actor,
        competition=competition,
        action="evening.changed",
        summary=summary,
        parts=(PART,),
    )


def _save_rows(competition: Competition, data: EveningPlan) -> None:
    Evening.objects.filter(pk=competition.pk).update(minutes_a_round=data.minutes_a_round)
    Duplicate.objects.filter(pk=competition.pk).update(**_comparison(data))


def _comparison(data: EveningPlan) -> dict[str, Any]:
    """How boards are compared and pairs ranked, as columns of Duplicate."""
    return {name: getattr(data, name) for name in COMPARISON}
