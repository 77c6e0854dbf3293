"""Opening and closing tables: a match's, a casual one, and one for practice with robots."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from engine import game
from engine.boards.files.boards import faults_error
from engine.boards.files.pbn import boards_of, read_pbn
from engine.errors import RuleError
from engine.game import Game
from games.comparisons.services import comparisons
from games.models import Board, OnlinePlay, Table, TableDeal, TableRequest, TableSeat
from games.models.tables import CALLS, TableTerms, Timeout
from games.options import players_in_words, port_of, usual_robot, with_preset
from games.seating import first_dealer_of, usual_seating
from games.tables.seating import keys_of, practised_as, seat_in, table_begun
from games.tables.services import calls, dealing, rows, seats
from games.tables.state.cards import cards_of
from games.tables.state.replays import replay_of
from league import extension, locks, policies, validation
from league.actors import Actor
from league.audit.services import audit
from league.errors import Conflict, Invalid
from league.fixtures.services import fixtures
from league.models import Club, Competition, Fixture, Lineup, User
from league.web.wording import in_words
from league.words import sentences

Kind, State = Table.Kind, Table.State
PLAYABLE = {Fixture.Status.SCHEDULED, Fixture.Status.POSTPONED, Fixture.Status.IN_PLAY}
MOST_OPEN_TABLES = 5
# The terms of a table where one person is alone with robots.
ALONE = {"clock_seconds": 0, "helps": True, "spectators": "nobody"}


@transaction.atomic
def open_match(*, actor: User, fixture: Fixture) -> Table:
    """The online table of a match, opened if there is none: two pairs at once come to the same one.

    A table at which cards were dealt, and which was closed, goes on where it was: no deal is dealt once more to those
    who have seen its cards.
    """
    fixture = fixtures.locked(fixture)
    policies.require(actor, "table.open", fixture)
    fixtures.check_not_final(fixture)
    there = Table.objects.open().filter(fixture=fixture).first()
    if there is not None:
        return there
    competition = fixture.round.competition
    online = OnlinePlay.objects.filter(competition=competition).first() or OnlinePlay(competition=competition)
    if not online.is_open or competition.state != Competition.State.RUNNING:
        raise Conflict(_("This competition isn’t played online."), code="not_online")
    if fixture.status not in PLAYABLE:
        raise Conflict(_("This match is “%(now)s”.") % {"now": fixture.get_status_display()})
    refusal = dealing.why_not(fixture, at=timezone.now())
    if refusal is not None:
        raise refusal
    begun = table_begun(fixture)
    if begun is not None and begun.finished_at is None:
        return _resume(actor, fixture, begun.pk)
    offered = game.get(competition.game)
    seating = usual_seating(fixture, offered)
    table = Table.objects.create(
        club=competition.club,
        kind=Kind.MATCH,
        fixture=fixture,
        game=competition.game,
        players=len(seating.players),
        options=competition.rules,
        first_dealer=first_dealer_of(fixture),
        seating=keys_of(seating.players),
        opened_by=actor,
        **_terms(offered, online.terms()),
    )
    audit.record(
        actor=actor, action="table.opened", summary=sentences.gettext("Online table opened"), fixture=fixture
    )
    calls.call_if_time(table, fixture, at=timezone.now(), by=actor)
    return table


def _resume(actor: User, fixture: Fixture, table_id: int) -> Table:
    """Opens a closed table of a match again: the same seats, and the same deal after the same actions."""
    table = rows.lock(table_id)
    deal = TableDeal.objects.get(table=table, number=table.deal_number)
    table.state = State.PLAYING if deal.finished_at is None else State.BETWEEN
    # A player who was ready for the next deal may have gone since.
    TableSeat.objects.filter(table=table, left_at=None).update(ready_for=table.deal_number)
    # Nobody has answered what waited for a director when the table was closed.
    waiting = TableRequest.objects.filter(table=table, kind__in=CALLS, state=TableRequest.State.LAPSED)
    waiting.update(state=TableRequest.State.OPEN, ended_at=None)
    said = sentences.gettext("Online table opened again in deal %(deal)d, whose cards have been seen")
    audit.record(
        actor=actor,
        action="table.resumed",
        summary=said % {"deal": deal.number},
        fixture=fixture,
        after={"table": table.pk, "deal": deal.number},
    )
    table.called_at = None
    rows.changed(table, "state", "called_at")
    calls.call_if_time(table, fixture, at=timezone.now(), by=actor)
    return table


@transaction.atomic
def open_casual(
    *,
    actor: User,
    club: Club,
    terms: dict[str, Any],
    options: dict[str, Any],
    game_key: str = "",
    players: int | None = None,
) -> Table:
    """A table at which any member of the club may sit; the person who opens it sets the terms.

    Options that they leave out are those of the game's preset.
    """
    policies.require(actor, "table.open_casual", club)
    chosen = with_preset(game.get(game_key or extension.first_game()), options)
    return _opened(actor, club, Kind.CASUAL, terms, chosen, game_key=game_key, players=players)


@transaction.atomic
def practise(
    *,
    actor: User,
    club: Club,
    robot: str,
    partner: str = "",
    seat: str = "",
    board: Board | None = None,
    deal: str = "",
    game_key: str = "",
    players: int | None = None,
    pair: Lineup | None = None,
) -> Table:
    """A player alone with robots, on random deals, on a board that everybody may see, or on a deal that was set up.

    It counts nowhere, and its first deal begins at once. `robot` plays for the opponents and, unless `partner` names
    another, for the partner; `seat` is the player's own, else the one that leads. `deal` is a text as `read_position`
    takes it. `pair` is one of the player's own, whose convention card the partner plays.
    """
    policies.require(actor, "table.open_casual", club)
    if pair is not None:
        policies.require(actor, "pair.agree", pair)
    if board is not None and (board.released_at is None or board.board_set.club != club):
        raise Conflict(_("This board isn’t public yet."), code="sealed")
    game_key = (board.board_set.competition.game if board is not None else game_key) or extension.first_game()
    offered = game.get(game_key)
    position = read_position(deal, offered, players) if deal else None
    options = _one_deal(offered) if board is not None or position is not None else {}
    dealer = board.dealer if board is not None else position.dealer if position is not None else ""
    table = _opened(
        actor,
        club,
        Kind.PRACTICE,
        ALONE,
        options,
        board=board,
        game_key=game_key,
        players=players,
        dealer=dealer,
    )
    _seat_alone(table, actor, robot, partner=partner, seat=seat, pair=pair, at=timezone.now())
    _begin_alone(table, position.deal if position is not None else "")
    return table


@transaction.atomic
def open_daily(*, actor: User, offered: Game, robot: str, dealer: str, deal: str) -> Table:
    """A player alone with robots at the deal of a day, which begins at once. It belongs to no club."""
    policies.require(actor, "table.play_daily")
    table = _opened(actor, None, Kind.DAILY, ALONE, _one_deal(offered), game_key=offered.key, dealer=dealer)
    _seat_alone(table, actor, robot, at=timezone.now())
    _begin_alone(table, deal)
    return table


@transaction.atomic
def practise_again(*, actor: User, deal: TableDeal) -> Table:
    """The same cards once more, from the same seat and with the same robots, begun at once. It counts nowhere.

    Only what the person practised, or played at a casual table, where robots take the others' seats; and may step
    through: of the deal of a day nothing before the day is over.
    """
    before = deal.table
    if before.club is not None:
        policies.require(actor, "table.open_casual", before.club)
    offered, seat = game.get(before.game), seat_in(deal, actor)
    if not seat or before.fixture_id or replay_of(before, deal.number, visitor=actor) is None:
        raise Conflict(_("You can’t practise this deal again."), code="not_yours")
    sat = practised_as(before) if before.is_alone else {"robot": usual_robot(offered), "seat": seat}
    table = _opened(
        actor,
        before.club,
        Kind.PRACTICE,
        ALONE,
        {**before.options, **_one_deal(offered)},
        game_key=before.game,
        players=before.players,
        dealer=deal.dealer,
    )
    _seat_alone(table, actor, at=timezone.now(), pair=_pair_of(before, actor), **sat)
    _begin_alone(table, cards_of(deal))
    return table


def _pair_of(before: Table, actor: User) -> Lineup | None:
    """The pair whose card the partner played there, if it is still the player's own."""
    played = before.seats.filter(pair__isnull=False).order_by("-pk").values("pair")[:1]
    pair = Lineup.objects.with_players().filter(pk__in=played).first()
    return pair if pair is not None and policies.may(actor, "pair.agree", pair) else None


def _one_deal(offered: Game) -> dict[str, Any]:
    """A match of one deal, or of the fewest that the game allows; without a target where it can do without."""
    found = {each.name: each for each in offered.options()}
    if "deals" not in found:
        return {}
    no_target = {"target": 0} if "target" in found and not found["target"].minimum else {}
    return {"deals": max(1, found["deals"].minimum), **no_target}


def _seat_alone(
    table: Table,
    actor: User,
    robot: str,
    *,
    at: datetime,
    partner: str = "",
    seat: str = "",
    pair: Lineup | None = None,
) -> None:
    """The person in the seat that was chosen, else in the second, which leads the first deal; robots in the others."""
    offered, places = game.get(table.game), table.places
    own = seat or places[(places.index(table.first_dealer) + 1) % len(places)]
    if own not in places:
        raise Invalid(_("Choose one of the seats."), code="seat_unknown")
    side = offered.side_of(own, table.players)
    for each in places:
        is_partner = offered.side_of(each, table.players) == side
        key = partner if partner and is_partner else robot
        if each == own:
            seats.put(table, each, sitter=actor, at=at)
        else:
            known = seats.known_robot(table, key)
            seats.put(table, each, robot=known, pair=pair if is_partner else None, at=at)


def _begin_alone(table: Table, deal: str) -> None:
    """The first deal, with these cards where there are any, else with a board's or by chance."""
    if deal:
        dealing.begin_with(table, deal, at=timezone.now())
    else:
        dealing.begin(table, at=timezone.now())
    rows.changed(table, *dealing.FIELDS)
    rows.hint_robots(table)


@dataclass(frozen=True, slots=True)
class Position:
    """A deal that was set up: its text as the game writes it, and who deals it, where that was said."""

    deal: str
    dealer: str


def read_position(text: str, offered: Game, players: int | None) -> Position:
    """A deal from its own text or from a PBN file, of which the first deal counts. Raises Invalid: what is wrong."""
    try:
        if "[" not in text:
            return Position(offered.read_deal(text.strip(), players), "")
        reading = boards_of(read_pbn(text))
        if not reading.settled():
            raise faults_error(reading.faults)
        board = reading.boards[0]
        return Position(offered.read_deal(str(board.deal), players), str(board.dealer))
    except RuleError as error:
        raise Invalid(in_words(error.message), code=error.code) from error


def _opened(  # noqa: PLR0917 - the parts of one row
    actor: User,
    club: Club | None,
    kind: str,
    terms: dict[str, Any],
    options: dict[str, Any],
    board: Board | None = None,
    game_key: str = "",
    players: int | None = None,
    dealer: str = "",
) -> Table:
    if Table.objects.open().filter(opened_by=actor, fixture__isnull=True).count() >= MOST_OPEN_TABLES:
        raise Conflict(
            _("You already have %(count)d open tables. Please close one first.")
            % {"count": MOST_OPEN_TABLES},
            code="too_many_tables",
        )
    offered = game.get(game_key or extension.first_game())
    count = players or offered.players.start
    if count not in offered.players:
        raise Invalid(
            _("%(game)s is played by %(range)s.")
            % {"game": _(str(offered.name)), "range": players_in_words(offered)},
            code="players",
        )
    table = Table(
        club=club,
        kind=kind,
        board=board,
        game=offered.key,
        players=count,
        options=port_of(offered).read_options(options),
        first_dealer=dealer or offered.seats()[0],
        opened_by=actor,
        **_terms(offered, terms),
    )
    validation.check(table)
    table.save()
    return table


def _terms(offered: Game, terms: dict[str, Any]) -> dict[str, Any]:
    """The terms of a new table: where no robot knows the game, a director decides instead."""
    return terms if offered.robots else {**terms, "robots": False, "on_timeout": Timeout.DIRECTOR}


@transaction.atomic
def close(*, actor: Actor, table_id: int, reason: str = "", at: datetime | None = None) -> Table:
    """Ends a table. A match's is closed by a director, with a reason; opened again, it goes on where it was.

    The reason is asked for as long as the table has become no result: also of a match that waits to be written down.
    """
    at = at or timezone.now()
    table = rows.lock(table_id)
    policies.require(actor, "table.close", table)
    if table.state == State.CLOSED:
        return table
    if table.fixture_id is not None and table.sheet_id is None:
        if not reason.strip():
            raise Invalid(_("Please give a reason. We keep it with the match."))
        audit.record(
            actor=actor,
            action="table.closed",
            summary=sentences.gettext("Online table closed"),
            fixture=Fixture.with_rooms.with_pairs().get(pk=table.fixture_id),
            reason=reason,
        )
    if table.fixture_id is not None and table.state == State.PLAYING:
        _rest(table, at)
    table.state = State.CLOSED
    rows.lapse(table, *TableRequest.Kind.values, at=at)
    rows.changed(table, "state")
    return table


def _rest(table: Table, at: datetime) -> None:
    """A pause until somebody ends it at the table that is opened again: no clock runs meanwhile."""
    deal = TableDeal.objects.get(table=table, number=table.deal_number)
    kind, granted = TableRequest.Kind.PAUSE, TableRequest.State.GRANTED
    if not TableRequest.objects.filter(deal=deal, kind=kind, state=granted, ended_at=None).exists():
        rows.request(table, kind, at=at, deal=deal, state=granted, granted_at=at)


@transaction.atomic
def set_online(*, actor: Actor, competition: Competition, is_open: bool, terms: dict[str, Any]) -> OnlinePlay:
    """How a competition is played online. Tables that are open keep the terms that they were opened under."""
    competition = locks.competition(competition.pk)
    policies.require(actor, "competition.set_up", competition)
    known = {field.name for field in TableTerms._meta.fields} | {"compares_robots"}
    online = OnlinePlay.objects.filter(competition=competition).first() or OnlinePlay(competition=competition)
    before = {"is_open": online.is_open, "compares_robots": online.compares_robots, **online.terms()}
    online.is_open = is_open
    for name in known & set(terms):
        setattr(online, name, terms[name])
    validation.check(online)
    if online.robot not in {"", *(robot.key for robot in game.get(competition.game).robots)}:
        said = _("There’s no such robot.")
        raise Invalid(said, code="robot_unknown", details=[validation.fault(said, "robot")])
    online.save()
    audit.record(
        actor=actor,
        action="competition.online",
        summary=sentences.gettext("Online play set"),
        competition=competition,
        before=before,
        after={"is_open": online.is_open, "compares_robots": online.compares_robots, **online.terms()},
    )
    if before["compares_robots"] != online.compares_robots:
        comparisons.bump_event(competition)
    return online
