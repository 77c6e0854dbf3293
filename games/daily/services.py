"""The deal of a day: made beforehand, begun once by each person, released when the day (UTC) is over."""

from datetime import date, datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from engine import game
from engine.boards.sealing import Purpose, commitment, new_session_key, sealed_numbers
from engine.game import Game
from games import board_cards
from games.analysis.services import analyses
from games.models import DailyDeal, DailyPlay, Table, TableDeal
from games.options import usual_robot
from games.tables.services import opening
from league.background import announce, sweeps
from league.errors import Conflict
from league.models import User
from league.storage import board_keys


def games_with_daily() -> tuple[Game, ...]:
    """Those whose deals can be sealed and that robots play."""
    return tuple(each for each in game.all_games() if each.robots and each.boards is not None)


def sweep(*, at: datetime) -> int:
    """Makes the deals of today and tomorrow, and releases those whose day is over; gives how many were released.

    After days without a worker the days that nobody could play have no deal, and all that was missed is released.
    """
    if not board_keys.is_ready():
        return 0
    today = at.date()
    for offered in games_with_daily():
        for day in (today, today + timedelta(days=1)):
            made(offered, day)
    return sweeps.run(
        work="daily deals",
        rows=DailyDeal.objects.filter(day__lt=today, released_at=None).order_by("pk"),
        do=lambda key: release(daily_id=key, at=at),
        at=at,
    )


def made(offered: Game, day: date) -> DailyDeal:
    """The deal of that day, sealed if there is none yet: of two at once, one finds the other's."""
    found = DailyDeal.objects.filter(game=offered.key, day=day).first()
    if found is not None:
        return found
    key = new_session_key()
    row, _is_new = DailyDeal.objects.get_or_create(
        game=offered.key,
        day=day,
        defaults={
            "dealer": offered.dealer_of_board(day.toordinal()),
            "commitment": commitment(key),
            "secret": key,
        },
    )
    return row


def cards_of(daily: DailyDeal) -> str:
    """The deal, in memory only: by the published key where there is one, as everybody can derive it."""
    numbered = board_cards.numbering_of(daily.game)
    numbers = sealed_numbers(daily.opened or daily.secret, daily.mixed_in, Purpose.ORIGINAL, numbered.deals)
    return numbered.deal_of_number(next(iter(numbers)), daily.dealer)


@transaction.atomic
def play(*, actor: User, offered: Game, at: datetime) -> Table:
    """The person's table with the deal of today, begun if there is none: two presses at once come to the same one.

    A person plays it once: a table that was closed is not dealt again.
    """
    if offered not in games_with_daily():
        raise Conflict(_("This game has no daily deal."), code="no_daily")
    daily = made(offered, at.date())
    # The second of two waits here for the first to commit, and finds its table.
    begun, is_new = DailyPlay.objects.get_or_create(daily=daily, user=actor)
    if not is_new and begun.table is not None:
        return begun.table
    begun.table = opening.open_daily(
        actor=actor,
        offered=offered,
        robot=usual_robot(offered),
        dealer=daily.dealer,
        deal=cards_of(daily),
    )
    begun.save(update_fields=["table"])
    return begun.table


@transaction.atomic
def release(*, daily_id: int, at: datetime) -> bool:
    """Makes the cards and the key of a day public, and takes down what was made in time; whether it was to do."""
    daily = DailyDeal.objects.get(pk=daily_id)
    if at < daily.ends_at:
        return False
    waiting = DailyDeal.objects.filter(pk=daily_id, released_at=None)
    if not waiting.update(released_at=at, opened=daily.secret, deal=cards_of(daily)):
        return False
    daily.refresh_from_db()
    results = [each for each in map(result_of, finished(daily)) if each]
    DailyPlay.objects.bulk_update(results, ["own", "others", "lead"], batch_size=500)
    offered = game.get(daily.game)
    if offered.analysis is not None:
        asked = analyses.ask(offered, [question_of(daily)])
        announce.after_commit("games.tasks.analyse", *sorted(each.pk for each in asked.values()))
    return True


def question_of(daily: DailyDeal) -> dict[str, object]:
    """What is asked of the game's analysis: the cards of a released deal, without a hand played."""
    return {"dealer": daily.dealer, "deal": daily.deal, "hands": []}


def finished(daily: DailyDeal) -> list[TableDeal]:
    """The deals of that day that ended in time, each with its table and its play."""
    deals = TableDeal.objects.filter(
        table__daily_play__daily=daily, number=1, score__isnull=False, finished_at__lt=daily.ends_at
    )
    return list(deals.select_related("table__daily_play"))


def result_of(deal: TableDeal) -> DailyPlay | None:
    """Its play with what was made, not saved; None where the seat is not known."""
    play: DailyPlay = deal.table.daily_play
    points = points_of(deal, play.user_id)
    if points is None:
        return None
    play.own, play.others = points
    lead = play.own - play.others
    play.lead = -lead if game.get(deal.table.game).lower_is_better else lead
    return play


def points_of(deal: TableDeal, user_id: int) -> tuple[int, int] | None:
    """What the person's side made of a finished deal, and the best of the others; None where the seat is not known."""
    offered, players = game.get(deal.table.game), deal.table.players
    seat = deal.table.seats.filter(user=user_id).values_list("seat", flat=True).first()
    if seat is None or deal.score is None:
        return None
    side = offered.side_of(seat, players)
    best = min if offered.lower_is_better else max
    totals = deal.score["total"]
    return totals[side], best(points for key, points in totals.items() if key != side)
