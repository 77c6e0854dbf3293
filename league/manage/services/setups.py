"""Setting up a season step by step: each step is kept in the draft at once, and publishing draws what was seen."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction

from league import extension, locks, policies
from league.actors import Actor
from league.competitions.services import competitions, drafts
from league.draws.services import draws
from league.entries.services import entries, typed_entries
from league.imports.services import imports
from league.models import Competition, Division, Entry, ImportBatch, Lineup, Player
from league.people.services import lineups
from league.seasons.services import following

State = Competition.State


@transaction.atomic
def save(*, actor: Actor, competition: Competition, changes: Mapping[str, Any]) -> Competition:
    """Changes some fields of `competitions.Setup`. A draft's draw that no longer fits is taken back."""
    competition = competitions.locked(competition)
    policies.require(actor, "competition.set_up", competition)
    before = competitions.setup_of(competition)
    wanted = replace(before, **changes)
    drawn_by = (*competitions.SCHEDULE, "divisions")
    if any(getattr(before, name) != getattr(wanted, name) for name in drawn_by):
        undraw(actor=actor, competition=competition)
    return competitions.edit(actor=actor, competition=competition, data=wanted)


@transaction.atomic
def undraw(*, actor: Actor, competition: Competition) -> None:
    """Takes a draft's draw back, if there is one, so that pairs and dates can change."""
    if competition.state == State.DRAFT and competition.stage.rounds.exists():
        draws.take_back(actor=actor, competition=competition)


@transaction.atomic
def enter(
    *,
    actor: Actor,
    division: Division,
    chosen: Sequence[Lineup | Player],
    typed: str,
    at: datetime,
    are_different: bool = False,
) -> int:
    """Enters pairs of the club, or players who play alone, and those that were typed: all or none.

    Gives how many. Asks about names that are nearly those of others, unless they `are_different` people.
    """
    if not chosen and not typed.strip():
        return 0
    club = locks.club(division.competition.club_id)
    undraw(actor=actor, competition=competitions.locked(division.competition))
    batch = None
    if typed.strip():
        kind, name = typed_entries.kind_for(division.competition), str(division.competition)
        batch = typed_entries.carry_out(
            actor=actor, club=club, text=typed, name=name, kind=kind, are_different=are_different
        )
    return len(typed_entries.enter_with(actor=actor, division=division, chosen=chosen, batch=batch, at=at))


@transaction.atomic
def lineup_of(competition: Competition, chosen: Lineup | Player) -> Lineup:
    """What enters when this pair, or this player alone, is chosen."""
    if isinstance(chosen, Lineup):
        return chosen
    return lineups.alone(club=locks.club(competition.club_id), players=[chosen])[0]


@transaction.atomic
def who_joins(
    *, actor: Actor, competition: Competition, chosen: Lineup | Player | None, typed: str
) -> Lineup:
    """Who takes a place in a competition under way: chosen of the club, or typed and made where it has them not."""
    club = locks.club(competition.club_id)
    competitions.locked(competition)
    if chosen is not None:
        return lineup_of(competition, chosen)
    kind = typed_entries.kind_for(competition)
    return typed_entries.make(actor=actor, club=club, text=typed, name=str(competition), kind=kind)[0]


@transaction.atomic
def import_pairs(*, actor: Actor, competition: Competition, batch: ImportBatch, at: datetime) -> int:
    """Carries an import of pairs out and enters them in the highest division. Gives how many were entered."""
    locks.club(competition.club_id)
    competition = competitions.locked(competition)
    undraw(actor=actor, competition=competition)
    done = imports.commit(actor=actor, batch=batch)
    division = competition.stage.divisions.order_by("level")[0]
    return len(typed_entries.enter_batch(actor=actor, division=division, batch=done, at=at))


@transaction.atomic
def remove(*, actor: Actor, entry: Entry) -> None:
    """Takes a pair out of a draft."""
    undraw(actor=actor, competition=competitions.locked(entry.competition))
    entries.remove(actor=actor, entry=entry)


@transaction.atomic
def arrange(*, actor: Actor, competition: Competition, places: Mapping[int, tuple[int, int]]) -> None:
    """Sets divisions and numbers of a draft's pairs (see `entries.arrange`)."""
    undraw(actor=actor, competition=competitions.locked(competition))
    entries.arrange(actor=actor, competition=competition, places=places)


@transaction.atomic
def draw_numbers(*, actor: Actor, competition: Competition) -> None:
    """Draws lots for the numbers of a draft's pairs."""
    undraw(actor=actor, competition=competitions.locked(competition))
    draws.draw_numbers(actor=actor, competition=competition)


@transaction.atomic
def seed_by_grades(*, actor: Actor, competition: Competition, at: datetime) -> None:
    """Numbers a draft's entries by their players' grades, the strongest first; the lots decide nothing (F40, F140)."""
    competition = competitions.locked(competition)
    policies.require(actor, "entry.add", competition)
    undraw(actor=actor, competition=competition)
    strength = extension.layer().seeds(competition=competition, at=at)
    entered = [(division, entry) for division, found in draws.fields(competition) for entry in found]
    ranked = sorted(entered, key=lambda each: -strength.get(each[1].pk, 0))
    places = {entry.pk: (division.pk, rank) for rank, (division, entry) in enumerate(ranked)}
    entries.arrange(actor=actor, competition=competition, places=places)


@transaction.atomic
def share_out(*, actor: Actor, competition: Competition) -> None:
    """Shares a draft's pairs out over its divisions as evenly as can be, in the order in which they stand now."""
    competition = competitions.locked(competition)
    policies.require(actor, "entry.add", competition)
    undraw(actor=actor, competition=competition)
    fields = draws.fields(competition)
    standing: list[Entry] = [entry for _division, entered in fields for entry in entered]
    places = {
        entry.pk: (fields[index * len(fields) // len(standing)][0].pk, index)
        for index, entry in enumerate(standing)
    }
    entries.arrange(actor=actor, competition=competition, places=places)


@transaction.atomic
def publish(*, actor: Actor, competition: Competition, seen: int | None = None) -> Competition:
    """Draws what the preview has shown, unless it is drawn already, and opens the competition to everybody.

    `seen` is the newest act on the draft that the preview knew of: nothing that came later is published unseen.
    """
    competition = competitions.locked_with_last(competition)
    policies.require(actor, "competition.set_up", competition)
    if competition.state == State.DRAFT:
        drafts.check_seen(competition, seen)
        following.check_answers(competition)
    if competition.state == State.DRAFT and not competition.stage.rounds.exists():
        seed = competition.stage.draw_seed
        order = draws.BY_LOT if seed else draws.GIVEN
        draws.draw(actor=actor, competition=competition, order=order, seed=seed or None)
    return competitions.publish(actor=actor, competition=competition)
