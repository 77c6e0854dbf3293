"""When a match ends and what it was worth (R15 to R18)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.concerto.options import GAME_BONUS, GAME_TOTAL, Options
from engine.game.matches import ranks_of
from engine.game.values import MatchResult, Score
from engine.seats import BySide, Side


def match_result(scores: Sequence[Score], options: Options) -> MatchResult:
    """R15 to R18: the match after deals with these scores, in order; deals after its end do not count."""
    totals = [BySide(score.total[Side.NS], score.total[Side.EW]) for score in scores]
    counted = deals_that_count(totals, options)
    points = _sum(totals[:counted])
    is_over = counted == options.deals or _is_game(points, options)
    bonus = game_bonus(points, options.deals - counted, options) if is_over else BySide(0, 0)
    total = _sum((points, bonus))
    winner = _winner(total) if is_over else None
    winners = () if winner is None else (winner,)
    return MatchResult(counted, points, bonus, total, winners, is_over, ranks_of(total))


def deals_that_count(totals: Sequence[BySide[int]], options: Options) -> int:
    """R15: how many of these deals belong to the match: none after the end."""
    points = BySide(0, 0)
    for number, total in enumerate(totals[: options.deals]):
        points = _sum((points, total))
        if _is_game(points, options):
            return number + 1
    return min(len(totals), options.deals)


def _is_game(points: BySide[int], options: Options) -> bool:
    """R15, R18: whether a side's points end the match early."""
    return options.early_end and max(points.ns, points.ew) >= GAME_TOTAL


def game_bonus(points: BySide[int], unplayed: int, options: Options) -> BySide[int]:
    """R16: the bonus of the only side that reached 100, more for each deal left unplayed."""
    if not options.game_bonus or (points.ns >= GAME_TOTAL) == (points.ew >= GAME_TOTAL):
        return BySide(0, 0)
    bonus = GAME_BONUS + GAME_BONUS * unplayed
    return BySide(bonus, 0) if points.ns >= GAME_TOTAL else BySide(0, bonus)


def _winner(total: BySide[int]) -> Side | None:
    """R17: the higher final total wins; None is a draw."""
    if total.ns == total.ew:
        return None
    return Side.NS if total.ns > total.ew else Side.EW


def _sum(parts: Iterable[BySide[int]]) -> BySide[int]:
    ns = ew = 0
    for part in parts:
        ns += part.ns
        ew += part.ew
    return BySide(ns, ew)
