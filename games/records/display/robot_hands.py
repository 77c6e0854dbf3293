"""Where robots acted for players: told wherever a deal is shown."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine import game
from games.models import RobotHand, Scoresheet
from league.models import Fixture


@dataclass(frozen=True, slots=True)
class StandIn:
    """What robots did at a seat in a hand: `who` has the seat, the robot and for whom it acted; `actions` how often."""

    who: str
    robot: str
    player: str
    actions: int

    @property
    def line(self) -> str:
        """What stands beside the hand."""
        return _("%(who)s: %(actions)s") % {"who": self.who, "actions": _counted(self.actions)}

    def acted(self, moves: int) -> str:
        """Who did the seat's `moves` of the hand. Which of them were the robot's is told only where all were."""
        if self.actions >= moves or not self.player:
            return self.who
        return _("%(player)s or %(robot)s") % {"player": self.player, "robot": self.robot}


StandIns = Mapping[tuple[int, str], StandIn]
"""By hand, from 1, and seat."""


def by_deal(sheet: Scoresheet) -> dict[int, list[RobotHand]]:
    """The rows of a sheet by the number of the deal, in one query."""
    found: dict[int, list[RobotHand]] = {}
    for hand in RobotHand.objects.filter(deal__sheet=sheet).select_related("deal"):
        found.setdefault(hand.deal.number, []).append(hand)
    return found


def of_newest(fixture: Fixture) -> dict[int, list[RobotHand]]:
    """The rows of the match's newest sheet: corrections leave them as they are."""
    newest = Scoresheet.objects.filter(match=fixture.pk).first()
    return by_deal(newest) if newest else {}


def in_words(hands: Iterable[RobotHand], names: Mapping[str, str], game_key: str) -> tuple[str, ...]:
    """One sentence for each player and robot: in which hands it acted, and how often."""
    robots = {robot.key: _(str(robot.name)) for robot in game.get(game_key).practice_robots}
    grouped: dict[tuple[str, str], list[RobotHand]] = {}
    for hand in hands:
        grouped.setdefault((hand.seat, hand.robot), []).append(hand)
    return tuple(
        _sentence(rows, robots.get(robot, robot), names.get(seat, ""), _(str(game.get(game_key).title(seat))))
        for (seat, robot), rows in sorted(grouped.items())
    )


def _sentence(rows: Sequence[RobotHand], robot: str, player: str, seat: str) -> str:
    numbers = [str(row.number) for row in rows]
    actions = sum(row.actions for row in rows)
    said = ngettext(
        "A robot (%(robot)s) played for %(player)s (%(seat)s) in hand %(hands)s: %(actions)s.",
        "A robot (%(robot)s) played for %(player)s (%(seat)s) in hands %(hands)s: %(actions)s.",
        len(numbers),
    )
    return said % {
        "robot": robot,
        "player": player,
        "seat": seat,
        "hands": _listed(numbers),
        "actions": _counted(actions),
    }


def _counted(actions: int) -> str:
    return ngettext("%(actions)d action", "%(actions)d actions", actions) % {"actions": actions}


def _listed(numbers: Sequence[str]) -> str:
    *before, last = numbers
    return _("%(one)s and %(other)s") % {"one": ", ".join(before), "other": last} if before else last


def called(robot: str, game_key: str) -> str:
    """A robot by its kind."""
    names = {each.key: each.name for each in game.get(game_key).practice_robots}
    return _("Robot (%(robot)s)") % {"robot": _(str(names.get(robot, robot)))}


def stand_ins(hands: Iterable[RobotHand], names: Mapping[str, str], game_key: str) -> StandIns:
    """What robots did in the hands of a deal; `names` are the players by seat."""
    grouped: dict[tuple[int, str], list[RobotHand]] = {}
    for hand in hands:
        grouped.setdefault((hand.number, hand.seat), []).append(hand)
    return {
        (number, seat): _stand_in(rows, names.get(seat, ""), _(str(game.get(game_key).title(seat))), game_key)
        for (number, seat), rows in sorted(grouped.items())
    }


def _stand_in(rows: Sequence[RobotHand], player: str, seat: str, game_key: str) -> StandIn:
    robot = _listed([called(row.robot, game_key) for row in rows])
    words = _("%(seat)s, %(robot)s for %(player)s") if player else _("%(seat)s, %(robot)s")
    who = words % {"seat": seat, "robot": robot, "player": player}
    return StandIn(who, robot, player, sum(row.actions for row in rows))


def sides_of(deals: Collection[int]) -> frozenset[tuple[int, str]]:
    """Of these deals of sheets, the sides for which a robot acted, in one query."""
    rows = RobotHand.objects.filter(deal__in=deals)
    return frozenset(rows.values_list("deal_id", "side").order_by())
