"""An evening of individuals at tables: set up in one step, who is there, and its beginning."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, time

from django.db import transaction
from django.utils.translation import gettext as _

from league import extension, formats, locks, policies
from league.actors import Actor
from league.competitions.services import competitions
from league.competitions.services.competitions import Setup
from league.draws.services import draws
from league.entries.services import typed_entries, withdrawals
from league.errors import Conflict, Invalid
from league.manage.services import setups
from league.models import Club, Competition, Division, Entry, Player

State = Competition.State


@dataclass(frozen=True, slots=True)
class Register:
    """What changed: how many came, and how many left."""

    came: int
    left: int


def suitable_games() -> list[extension.GamePort]:
    """The games in which tables of individuals can be drawn."""
    return [port for port in extension.layer().games.values() if port.suits_tables]


@transaction.atomic
def make(
    *,
    actor: Actor,
    club: Club,
    name: str,
    game: str,
    starts_on: date,
    play_time: time,
    place: str = "",
    rounds: int = formats.USUAL_ROUNDS_AT_TABLES,
) -> Competition:
    """A draft of an evening by the game's preset, in which nobody takes part yet."""
    port = extension.layer().games.get(game)
    if port is None:
        raise Invalid(_("Choose a game."))
    preset = {key: value for key, value in port.preset.items() if key.startswith("rules_")}
    data = Setup(
        name=name,
        game=port.key,
        format=formats.TABLES_EVENING,
        planned_rounds=rounds,
        starts_on=starts_on,
        play_time=play_time,
        place=place,
        rules={key.removeprefix("rules_"): value for key, value in preset.items()},
    )
    return competitions.set_up(actor=actor, club=club, data=data)


@transaction.atomic
def register(
    *,
    actor: Actor,
    division: Division,
    came: Collection[Player],
    left: Collection[int],
    typed: str = "",
    at: datetime,
    begins: bool = False,
) -> Register:
    """Who came plays in the division from the round that is drawn next; who left, by entry, is not drawn any more.

    The names `typed` are of people whom the club may not know yet. Who comes back goes on with the results from before.
    With `begins` the evening begins with these (see `begin`), or nothing of it is kept.
    """
    locks.club(division.competition.club_id)
    competition = competitions.locked(division.competition)
    division = competition.stage.divisions.get(pk=division.pk)
    policies.require(actor, "entry.add", competition)
    if not competition.stage.has_register:
        raise Conflict(_("Only where tables are drawn round by round do we keep a list of who is there."))
    known = {entry.lineup.players[0].pk: entry for entry in competition.entries.with_pairs()}
    new = [player for player in came if player.pk not in known]
    elsewhere = [
        player for player in came if player.pk in known and known[player.pk].division_id != division.pk
    ]
    if elsewhere:
        said = _("%(player)s plays in another division: untick the name here, or move it there first.")
        raise Conflict(said % {"player": elsewhere[0].name})
    back = [known[player.pk] for player in came if player.pk in known and known[player.pk].withdrawn_at]
    gone = [entry for entry in known.values() if entry.pk in set(left) and not entry.withdrawn_at]
    # Players are locked before matches: who comes, before who leaves a table.
    count = _enter(actor, division, new, typed, at)
    for entry in gone:
        _leave(actor, competition, entry, at)
    for entry in back:
        withdrawals.reinstate(actor=actor, entry=entry, reason=_("Back at the tables"), at=at)
    if begins:
        begin(actor=actor, competition=competition)
    return Register(count + len(back), len(gone))


def _enter(actor: Actor, division: Division, new: list[Player], typed: str, at: datetime) -> int:
    """Enters new players, those of the club and those typed; gives how many."""
    competition = division.competition
    if competition.state == State.DRAFT:
        return setups.enter(
            actor=actor, division=division, chosen=new, typed=typed, at=at, are_different=True
        )
    batch = None
    if typed.strip():
        batch = typed_entries.carry_out(
            actor=actor,
            club=competition.club,
            text=typed,
            name=str(competition),
            kind=typed_entries.kind_for(competition),
            # People wait to sit down: who is twice in the list is found on the desk afterwards.
            are_different=True,
        )
    return len(typed_entries.enter_with(actor=actor, division=division, chosen=new, batch=batch, at=at))


def _leave(actor: Actor, competition: Competition, entry: Entry, at: datetime) -> None:
    if competition.state == State.DRAFT:
        setups.remove(actor=actor, entry=entry)
    else:
        withdrawals.withdraw(actor=actor, entry=entry, reason=_("Left the tables"), at=at)


@transaction.atomic
def begin(*, actor: Actor, competition: Competition, seed: str | None = None) -> Competition:
    """Opens the evening to everybody; the tables of its first round are drawn next. Its seed is drawn by lot.

    A seed is given only to repeat a draw.
    """
    competition = competitions.locked(competition)
    policies.require(actor, "competition.set_up", competition)
    if competition.state == State.DRAFT and not competition.stage.rounds.exists():
        draws.draw(actor=actor, competition=competition, order=draws.BY_LOT, seed=seed)
    return competitions.publish(actor=actor, competition=competition)
