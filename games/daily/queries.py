"""What the pages of the daily deal say: today's without a figure, a day that is over with all of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from engine import game
from engine.boards.sealing import SealingError, commitment
from games import front
from games.analysis.services.analyses import digests_of_question
from games.comparisons.reckoning.shown_figures import decimal_text
from games.daily.services import cards_of, finished, games_with_daily, points_of, question_of, result_of
from games.models import Analysis, DailyDeal, DailyPlay, TableDeal
from games.models.tables import OPEN
from games.tables.state.facts import deal_facts
from league.actors import Visitor
from league.extension import OwnEvent
from league.models import User
from league.standings.services.verification import Difference
from league.web.number_format import score_text


@dataclass(frozen=True, slots=True)
class Today:
    """The deal of today, as this visitor may know of it: nothing that anybody else did."""

    daily: DailyDeal
    play: DailyPlay | None
    own: tuple[int, int] | None
    """What the visitor made and the others at their own table, once their deal is over."""

    @property
    def is_open(self) -> bool:
        """Whether the visitor can go on with it at their table."""
        table = self.play.table if self.play else None
        return table is not None and table.state in OPEN and self.own is None


@dataclass(frozen=True, slots=True)
class Standing:
    """A result among all of the day. `percent` is of matchpoints: two for each that made less, one for the same."""

    own: int
    others: int
    rank: int
    level: int
    """How many others share the rank."""
    percent: Fraction | None
    """None where nobody else has finished it."""

    @property
    def percent_text(self) -> str:
        """With one decimal; empty where there is none."""
        return "" if self.percent is None else f"{decimal_text(self.percent, 1)} %"


@dataclass(frozen=True, slots=True)
class DayResult:
    """A day that is over: how many finished its deal in time, what they led by, what the cards could make."""

    daily: DailyDeal
    count: int
    begun: int
    leads: Sequence[int]
    best: Any

    @property
    def par(self) -> tuple[int, int] | None:
        """What the side of everybody's seat and the other would make by the best play; None where it isn't known."""
        totals = self.best.par if self.best else None
        if totals is None:
            return None
        offered = game.get(self.daily.game)
        places = offered.seats()
        side = offered.side_of(places[(places.index(self.daily.dealer) + 1) % len(places)])
        return totals[side], next(points for key, points in totals.items() if key != side)

    def standing(self, play: DailyPlay) -> Standing | None:
        """Where this result stands; None where it was not finished in time."""
        if play.own is None or play.others is None or play.lead is None:
            return None
        above = sum(lead > play.lead for lead in self.leads)
        level = self.leads.count(play.lead) - 1
        below = self.count - above - level - 1
        against = self.count - 1
        percent = Fraction(100 * (2 * below + level), 2 * against) if against else None
        return Standing(play.own, play.others, above + 1, level, percent)


def today(*, game_key: str, visitor: Visitor, at: datetime) -> Today | None:
    """Today's deal; None until it has been made."""
    return _by_game(DailyDeal.objects.filter(day=at.date(), game=game_key), visitor).get(game_key)


def _by_game(rows: QuerySet[DailyDeal], visitor: Visitor) -> dict[str, Today]:
    """A day's deals by the keys of their games, in two queries however many games there are."""
    plays: dict[int, DailyPlay] = {}
    if isinstance(visitor, User):
        own = DailyPlay.objects.filter(daily__in=rows, user=visitor).select_related("table")
        plays = {play.daily_id: play for play in own}
    found = [(daily, plays.get(daily.pk)) for daily in rows]
    return {daily.game: Today(daily, play, _own_points(play) if play else None) for daily, play in found}


def play_of(daily: DailyDeal, visitor: Visitor) -> DailyPlay | None:
    """The visitor's own play of that day."""
    if not isinstance(visitor, User):
        return None
    return DailyPlay.objects.filter(daily=daily, user=visitor).select_related("table").first()


def _own_points(play: DailyPlay) -> tuple[int, int] | None:
    deal = (
        TableDeal.objects.filter(table=play.table_id or 0, finished_at__isnull=False)
        .select_related("table")
        .first()
    )
    return points_of(deal, play.user_id) if deal else None


def newest_result(*, game_key: str) -> DayResult | None:
    """The last day that is over."""
    daily = DailyDeal.objects.filter(game=game_key, released_at__isnull=False).first()
    return result(daily) if daily else None


def result(daily: DailyDeal) -> DayResult | None:
    """The results of a day; None for everybody before its release."""
    if daily.released_at is None:
        return None
    plays = DailyPlay.objects.filter(daily=daily)
    counts = plays.aggregate(begun=Count("pk"), count=Count("pk", filter=Q(lead__isnull=False)))
    leads = [lead for lead in plays.order_by("-lead").values_list("lead", flat=True) if lead is not None]
    return DayResult(daily, counts["count"], counts["begun"], leads, _best(daily))


def _best(daily: DailyDeal) -> Any:
    digests = digests_of_question(game.get(daily.game), question_of(daily))
    analysis = Analysis.objects.filter(digest__in=digests).first()
    return front.of(daily.game).best_in(analysis) if analysis else None


def differences() -> Iterator[Difference]:
    """What a released day has stored in another way than its key, its cards and the tables' logs give it."""
    for daily in DailyDeal.objects.filter(released_at__isnull=False).order_by("pk"):
        where = f"Daily deal, {daily}"
        try:
            if commitment(daily.opened) != daily.commitment:
                yield Difference(where, "the key's fingerprint", daily.commitment, commitment(daily.opened))
            if cards_of(daily) != daily.deal:
                yield Difference(where, "the cards", daily.deal, cards_of(daily))
        except SealingError:
            yield Difference(where, "the key", daily.opened, "no key that anything follows from")
        kept = {play.pk: play for play in DailyPlay.objects.filter(daily=daily)}
        for deal in finished(daily):
            state = deal_facts(deal.table, deal, ()).fold.state
            deal.score = state.score().as_json() if state.is_over else None
            yield from _differing(where, kept.pop(deal.table.daily_play.pk), result_of(deal))
        for play in kept.values():
            yield from _differing(where, play, None)


def _differing(where: str, kept: DailyPlay, fresh: DailyPlay | None) -> Iterator[Difference]:
    stored = (kept.own, kept.others, kept.lead)
    computed = (fresh.own, fresh.others, fresh.lead) if fresh else (None, None, None)
    if stored != computed:
        yield Difference(f"{where}, play {kept.pk}", "the result", str(stored), str(computed))


def offers(*, user: Any, at: datetime) -> Iterator[OwnEvent]:
    """One card for the front page, with each game that has a deal today."""
    lines, open_for, steps = [], [], []
    found = _by_game(DailyDeal.objects.filter(day=at.date()), user)
    of_today = [
        (_(str(each.name)), each.key, found[each.key]) for each in games_with_daily() if each.key in found
    ]
    for name, key, each in of_today:
        label = _("Go on playing") if each.is_open else _("Play today’s deal")
        if each.own is not None:
            lines.append((_("You made") if len(of_today) == 1 else name, score_text(each.own)))
            label = _("View")
        else:
            open_for.append(name)
        steps.append((label if len(of_today) == 1 else name, reverse("daily", args=[key])))
    if open_for:
        lines.append((", ".join(open_for), _("The same deal for everybody, with robots.")))
    if steps:
        yield OwnEvent(_("Daily deal"), steps[0][1], tuple(lines), tuple(steps))
