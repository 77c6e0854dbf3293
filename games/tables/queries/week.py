"""What a person played without a match in seven days: how close to the best, what cost most, what to try again."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction

from django.db.models import Exists, OuterRef

from games import front
from games.front import Practised
from games.models import Analysis, DailyDeal, Table, TableDeal, TableSeat
from games.tables.seating import seat_in
from games.tables.services import analyses
from games.tables.state.replays import replay_of
from league import policies
from league.models import User

DAYS = timedelta(days=7)
#: The newest of the week are looked at, so that a diligent person's page stays quick.
MOST_DEALS = 40
MOST_COSTS, MOST_AGAIN = 5, 3


@dataclass(frozen=True, slots=True)
class PractisedDeal:
    """A deal that is over. `study` is None while nobody has asked what its cards could make, or it isn't known yet."""

    deal: TableDeal
    study: Practised | None
    is_asked: bool

    @property
    def loss(self) -> int:
        """What its cards could have made more, and what was given to the others."""
        return self.study.best - self.study.made + self.study.given_away if self.study else 0


@dataclass(frozen=True, slots=True)
class Cost:
    """A hand that gave points up."""

    deal: TableDeal
    hand: int
    points: int


@dataclass(frozen=True, slots=True)
class Week:
    """The deals of a week, the newest first."""

    deals: Sequence[PractisedDeal]

    @property
    def known(self) -> Sequence[PractisedDeal]:
        """Those that were compared with the best."""
        return [each for each in self.deals if each.study]

    @property
    def to_ask(self) -> int:
        """How many nobody has asked about."""
        return sum(not each.is_asked for each in self.deals)

    @property
    def waiting(self) -> int:
        """How many are being worked out."""
        return sum(each.is_asked and each.study is None for each in self.deals)

    @property
    def percent(self) -> int | None:
        """What was made, of a hundred points that could have been."""
        best = sum(each.study.best for each in self.deals if each.study)
        made = sum(each.study.made for each in self.deals if each.study)
        return round(Fraction(100 * made, best)) if best else None

    @property
    def given_away(self) -> int:
        """To the others, in all."""
        return sum(each.study.given_away for each in self.deals if each.study)

    @property
    def costs(self) -> Sequence[Cost]:
        """The dearest hands."""
        every = [
            Cost(each.deal, number, points)
            for each in self.deals
            if each.study
            for number, points in each.study.costs.items()
            if points > 0
        ]
        return sorted(every, key=lambda cost: -cost.points)[:MOST_COSTS]

    @property
    def again(self) -> Sequence[PractisedDeal]:
        """The deals with the greatest loss."""
        return sorted((each for each in self.known if each.loss > 0), key=lambda each: -each.loss)[
            :MOST_AGAIN
        ]


def deals_of(user: User, *, at: datetime) -> list[TableDeal]:
    """The deals that ended in the week and at whose end this person sat there: alone with robots, or at casual tables
    that they may still look at; none of a day that isn't over."""
    sealed = DailyDeal.objects.filter(released_at=None).values("plays__table")
    held = TableSeat.objects.filter(table=OuterRef("table"), user=user, since__lte=OuterRef("finished_at"))
    found = TableDeal.objects.filter(
        Exists(held.exclude(left_at__lt=OuterRef("finished_at"))),
        table__fixture=None,
        finished_at__gt=at - DAYS,
    ).exclude(table__kind=Table.Kind.DAILY, table__in=sealed.exclude(plays__table=None))
    newest = found.select_related("table__club").order_by("-finished_at", "-pk")[:MOST_DEALS]
    return [deal for deal in newest if policies.may(user, "table.watch", deal.table)]


def week(*, user: User, at: datetime) -> Week:
    """What this person played."""
    return Week([_practised(deal, user) for deal in deals_of(user, at=at)])


def _practised(deal: TableDeal, user: User) -> PractisedDeal:
    told = replay_of(deal.table, deal.number, visitor=user)
    analysis = analyses.analysis_of(deal, told["record"]) if told else None
    is_answerable = told is not None and analyses.question_of(deal, told["record"]) is not None
    study = _study(deal, analysis, user) if analysis else None
    return PractisedDeal(deal, study, analysis is not None or not is_answerable)


def _study(deal: TableDeal, analysis: Analysis, user: User) -> Practised | None:
    seat = seat_in(deal, user)
    if not seat or deal.score is None:
        return None
    return front.of(deal.table.game).practised(analysis, deal.score, seat)
