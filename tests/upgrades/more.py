"""What the demo has not, in its database: everything that a later release may have to carry over."""
# ruff: noqa: E402

import django

django.setup()

# Models can be imported only now.
from django.utils import timezone

from games.boards.services import boards
from games.conventions import services as agreements
from games.models import BoardDraw, BoardSet, Scoresheet, Table
from games.papers.services import papers
from games.scoresheets.services import scoresheets
from games.tables.seating import seating_at
from games.tables.services import opening, play, seats
from games.tables.services.play import Sent
from games.tables.state import facts as reading
from league.fixtures.services import substitutions
from league.models import Appearance, Competition, Fixture, Player, User
from league.people.services import tokens


def main() -> None:
    """All of it, by the services of the release."""
    director = User.objects.get(email="daniel.quinn@example.org")
    league = Competition.objects.get(name="Duplicate League")
    to_play = Fixture.objects.with_pairs().get(
        round__stage__competition=league, round__number=2, status=Fixture.Status.SCHEDULED
    )
    draw_out(director, BoardSet.objects.get(round=to_play.round))
    play_online(to_play)
    play_casually(User.objects.get(email="anna.berg@example.org"), director)
    ordinary = Fixture.objects.with_pairs().filter(
        round__stage__competition__name="Winter League", status=Fixture.Status.SCHEDULED
    )
    substitute(director, ordinary[0])
    write(ordinary[1])


def draw_out(director: User, board_set: BoardSet) -> None:
    """A director takes files and a paper with sealed cards."""
    boards.draw_out(actor=director, board_set=board_set, kind=BoardDraw.Kind.FILES, reason="to deal them")
    parameters = {"set": board_set.pk, "reason": "to deal them", "site": "http://localhost:8000"}
    papers.ask(actor=director, competition=board_set.competition, kind="slips", parameters=parameters)


def play_online(fixture: Fixture) -> None:
    """A match on sealed boards: its first deal is over, the second in play; a robot sits for one of them."""
    of_side = [accounts(entry.lineup.players) for entry in (fixture.home, fixture.away)]
    table = opening.open_match(actor=of_side[0][0], fixture=fixture)
    for seat, player in seating_at(table, fixture).players.items():
        is_home = player in fixture.home.lineup.players
        if player.user is not None and player.user != of_side[1][-1]:
            seats.sit(actor=player.user, table_id=table.pk, seat=seat)
        else:
            seats.seat_robot(
                actor=of_side[0 if is_home else 1][0], table_id=table.pk, seat=seat, robot="novice"
            )
    all_ready(table)
    play_on(table, deals=1)
    all_ready(table)
    play_on(table, actions=7)


def accounts(players: tuple[Player, ...]) -> list[User]:
    """Of those who have one."""
    return [player.user for player in players if player.user is not None]


def play_casually(anna: User, director: User) -> None:
    """A casual table of two people and two robots, one deal of it."""
    club = Competition.objects.get(name="Winter League").club
    table = opening.open_casual(actor=anna, club=club, terms={}, options={"deals": 2})
    seats.sit(actor=anna, table_id=table.pk, seat="N")
    seats.sit(actor=director, table_id=table.pk, seat="E")
    for seat in "SW":
        seats.seat_robot(actor=anna, table_id=table.pk, seat=seat, robot="player")
    all_ready(table)
    play_on(table, deals=1)


def all_ready(table: Table) -> None:
    """Every person at the table is."""
    for holder in reading.current(table.pk).seats.values():
        if holder.user is not None:
            seats.ready(actor=User.objects.get(pk=holder.user), table_id=table.pk)


def play_on(table: Table, *, deals: int = 0, actions: int = 0) -> None:
    """As the weakest robot would: so many deals to their ends, or so many actions of people."""
    start = reading.current(table.pk).deal
    while start is not None:
        play.play_robots(table_id=table.pk)
        facts = reading.current(table.pk)
        done = facts.state != Table.State.PLAYING if deals else actions == 0
        if done or facts.deal is None:
            return
        state = facts.deal.fold.state
        token = facts.offered.robots[0].token(facts.offered.view(state, state.turn))
        sent = Sent(
            facts.deal.number, facts.deal.fold.next_number, token, f"key-{facts.deal.fold.next_number}"
        )
        actor = User.objects.get(pk=facts.seats[facts.deal.fold.turn or ""].user or 0)
        play.act(actor=actor, table_id=table.pk, sent=sent)
        actions -= 1


def substitute(director: User, fixture: Fixture) -> None:
    """Somebody stands in, with the reason."""
    playing = {player.pk for entry in (fixture.home, fixture.away) for player in entry.lineup.players}
    busy = Appearance.objects.filter(round=fixture.round).values_list("entry__lineup__members__player")
    free = Player.objects.filter(club=fixture.round.competition.club, merged_into=None)
    free = free.exclude(pk__in=playing | {key for row in busy for key in row})
    substitutions.appoint(
        actor=director,
        fixture=fixture,
        absent=fixture.home.lineup.players[0],
        substitute=free[0],
        reason="ill",
    )


def write(fixture: Fixture) -> None:
    """A draft, a sheet sent with a key and rejected, a convention card, a token for programs."""
    home = accounts(fixture.home.lineup.players)[0]
    away = accounts(fixture.away.lineup.players)[0]
    deals = [{"total": {"NS": 30, "EW": 20}}] * 4
    scoresheets.save_draft(actor=home, fixture=fixture, content={"deals": deals[:2]})
    sheet = scoresheets.submit(
        actor=home,
        fixture=fixture,
        content={"deals": deals},
        origin=Scoresheet.Origin.API,
        key="a-key-of-a-phone",
    )
    scoresheets.reject(actor=away, sheet=sheet, reason="The third deal was ours.")
    scoresheets.save_draft(actor=away, fixture=fixture, content={"deals": deals[:1]})
    agreements.agree(actor=home, pair=fixture.home.lineup, text="We lead our longest suit.")
    tokens.make(actor=home, at=timezone.now())


if __name__ == "__main__":
    main()
