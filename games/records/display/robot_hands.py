"""Where robots acted for players: told wherever a deal is shown."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine import game
from games.models import RobotHand, Scoresheet


def by_deal(sheet: Scoresheet) -> dict[int, list[RobotHand]]:
    """The rows of a sheet by the number of the deal, in one query."""
    found: dict[int, list[RobotHand]] = {}
    for hand in RobotHand.objects.filter(deal__sheet=sheet).select_related("deal"):
        found.setdefault(hand.deal.number, []).append(hand)
    return found


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
        "actions": ngettext("%(actions)d action", "%(actions)d actions", actions) % {"actions": actions},
    }


def _listed(numbers: Sequence[str]) -> str:
    *before, last = numbers
    return _("%(one)s and %(other)s") % {"one": ", ".join(before), "other": last} if before else last


def called(robot: str, game_key: str) -> str:
    """A robot by its kind."""
    names = {each.key: each.name for each in game.get(game_key).practice_robots}
    return _("Robot (%(robot)s)") % {"robot": _(str(names.get(robot, robot)))}


def acting(hands: Iterable[RobotHand], names: Mapping[str, str], game_key: str) -> dict[tuple[int, str], str]:
    """By hand and seat, what to call the robot that acted there: its seat, its kind, and for whom it did."""
    offered = game.get(game_key)
    found = {}
    for hand in hands:
        said = {
            "seat": _(str(offered.title(hand.seat))),
            "robot": called(hand.robot, game_key),
            "player": names.get(hand.seat, ""),
        }
        words = _("%(seat)s, %(robot)s for %(player)s") if said["player"] else _("%(seat)s, %(robot)s")
        found[hand.number, hand.seat] = words % said
    return found


def sides_of(deals: Collection[int]) -> frozenset[tuple[int, str]]:
    """Of these deals of sheets, the sides for which a robot acted, in one query."""
    rows = RobotHand.objects.filter(deal__in=deals)
    return frozenset(rows.values_list("deal_id", "side").order_by())
