"""The expert's search: each action tried in worlds that the past makes likely, all of it compiled.

In each world the hand is played on by the first judgement of both partners, each from its own cards only, and what it
makes counts, with a share of the best total of the cards then left (``leaf``) or, in a side's last hand, with
what the bonus for left-overs is likely to be (R11).
"""

# Compiled code has no objects to gather arguments in.
# ruff: noqa: PLR0917
from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from engine.concerto.best_play.compiling import compiled
from engine.concerto.best_play.search import six_value
from engine.concerto.robots.expert.belief import (
    Mind,
    draw_worlds,
    explain,
    follow,
    keep_likely,
    new_mind,
    tell,
)
from engine.concerto.robots.expert.cards import (
    CARDS,
    PACK,
    Floats,
    Ints,
    count,
    hand_points,
)
from engine.concerto.robots.expert.compiling import digest_of, inner
from engine.concerto.robots.expert.judgement import (
    ACTIONS,
    NOT_ALLOWED,
    PASS,
    judge,
)
from engine.concerto.robots.expert.leaf import best_total, new_levels
from engine.concerto.robots.expert.plans import weigh

_MODULES: Final = (
    "best_play/search",
    "robots/expert/belief",
    "robots/expert/cards",
    "robots/expert/judgement",
    "robots/expert/leaf",
    "robots/expert/plans",
    "robots/expert/search",
    "robots/expert/signs",
    "robots/expert/weights",
)

#: What the opponents' six left-over cards are worth on average.
_THEIR_LEFT_OVERS: Final = 1.3
#: After so many worlds, actions that are so many standard errors behind are given up.
_GLANCE, _HOPELESS = 12, 2.0


class Situation(NamedTuple):
    """What a player on turn knows besides the log. The two partners are 0 and 1."""

    me: int
    mine: int
    partner_count: int
    seen: int
    hand: int
    """Its number in the deal, from 0."""
    leader: int
    by_me: int
    by_other: int
    passes: int
    alone: bool
    ahead: int
    """By how many points this side is ahead in hands made."""


class Effort(NamedTuple):
    """How hard to search, and how to weigh what is found."""

    drawn: int
    """Worlds drawn by the odds."""
    kept: int
    """Worlds kept of those, by how well they explain the past, and looked into."""
    tried: int
    """Actions looked at: those that the first judgement puts highest."""
    trust: float
    """The power of the odds by which worlds are drawn: what is told counts again where worlds explain the past."""
    warmth: float
    doubt: float
    """As ``belief.explain`` takes them."""
    later: float
    """The share of the best total of cards left over that partners make of it."""
    margin: float
    """By how much an action must be better than the first judgement's, in points."""
    errors: float
    """And by how many standard errors of the difference."""
    bonus: float
    """How much the value of left-overs counts: ten by the rules (R11)."""


class Play(NamedTuple):
    """A deal being played on in one world."""

    held: Ints
    by: Ints
    now: Ints
    """By the columns below."""
    mind: Mind
    levels: Ints


TURN, SEEN, PASSES = range(3)


@inner
def take(play: Play, action: int, leader: int, alone: bool, figures: Floats) -> None:
    """The player on turn acts."""
    turn = play.now[TURN]
    other = 1 - turn
    tell(play.mind, turn, action, play.by[0] | play.by[1], play.now[PASSES], turn == leader, figures)
    if action == PASS:
        play.now[PASSES] += 1
        play.now[TURN] = other
        return
    bit = 1 << action
    play.held[turn] ^= bit
    play.by[turn] |= bit
    play.now[SEEN] |= bit
    play.now[PASSES] = 0
    # R4, R6, R7, as in turns.partner_follows.
    follows = play.held[turn] == 0 if alone else play.held[other] != 0
    play.now[TURN] = other if follows else turn


@inner
def judge_turn(play: Play, hand: int, leader: int, alone: bool, figures: Floats) -> int:
    """What the player on turn does by the first judgement."""
    turn = play.now[TURN]
    other = 1 - turn
    mind, mine = play.mind, play.held[turn]
    size = count(play.held[other])
    weigh(PACK & ~play.now[SEEN] & ~mine, size, mind.odds, other, mind.chances)
    passes, may_pass = play.now[PASSES], not alone and size > 0
    by_me, by_other, later = play.by[turn], play.by[other], 3 - hand // 2
    return judge(
        mine, by_me, by_other, passes, may_pass, turn == leader, later, mind.chances, figures, mind.values
    )


@inner
def _play_on(play: Play, at: Situation, effort: Effort, figures: Floats) -> float:
    """Finish the hand, and value what it came to."""
    while count(play.by[0] | play.by[1]) < 5:
        take(play, judge_turn(play, at.hand, at.leader, at.alone, figures), at.leader, at.alone, figures)
    points = hand_points(play.by[0], play.by[1])
    to_come = 3 - at.hand // 2
    if to_come:
        return points + effort.later * best_total(play.held[0], play.held[1], to_come, play.levels)
    behind = _chance_to_lose(at.hand, at.ahead + points)
    left = six_value(play.held[0] | play.held[1], play.held[0])
    return points + effort.bonus * ((1.0 - behind) * _THEIR_LEFT_OVERS - behind * left)


@inner
def _chance_to_lose(hand: int, ahead: int) -> float:
    """R11, R12: that the other side gets the bonus. Before hand 7 that is only likely, as one hand is to come."""
    if hand == 7:
        return 1.0 if ahead <= 0 else 0.0
    return float(1.0 / (1.0 + np.exp((ahead - 5.0) / 2.0)))


@inner
def _start(play: Play, at: Situation, world: int, odds: Floats) -> None:
    other = 1 - at.me
    play.held[at.me], play.held[other] = at.mine, world
    play.by[at.me], play.by[other] = at.by_me, at.by_other
    play.now[TURN], play.now[SEEN], play.now[PASSES] = at.me, at.seen, at.passes
    for place in range(CARDS):
        play.mind.odds[0, place] = odds[0, place]
        play.mind.odds[1, place] = odds[1, place]


@inner
def _highest(values: Floats, most: int) -> Ints:
    """The actions valued highest, the best first; a pass is always among them if it is allowed."""
    ranked = np.empty(ACTIONS, np.int64)
    length, pass_value = 0, values[PASS]
    while length < ACTIONS:
        best = 0
        for action in range(1, ACTIONS):
            if values[action] > values[best]:
                best = action
        if values[best] == NOT_ALLOWED or (length >= most and pass_value == NOT_ALLOWED):
            break
        if length >= most:
            best = PASS
        if best == PASS:
            pass_value = NOT_ALLOWED
        values[best] = NOT_ALLOWED
        ranked[length] = best
        length += 1
    return ranked[:length]


@inner
def _compare(made: Floats, worlds: int, column: int, other: int) -> tuple[float, float]:
    """By how much one column is more than another in the first rows: the mean, and its standard error."""
    total, squares = 0.0, 0.0
    for row in range(worlds):
        gain = made[row, column] - made[row, other]
        total += gain
        squares += gain * gain
    mean = total / worlds
    return mean, (max(0.0, squares / worlds - mean * mean) / (worlds - 1)) ** 0.5


@inner
def _drop_hopeless(made: Floats, worlds: int, hopeful: Ints) -> None:
    """Look no further into actions that are clearly worse than the best one. The first column stays for comparison."""
    best = 0
    for column in range(1, made.shape[1]):
        if _compare(made, worlds, column, best)[0] > 0.0:
            best = column
    for column in range(1, made.shape[1]):
        mean, error = _compare(made, worlds, column, best)
        if column != best and mean + _HOPELESS * error <= 0.0:
            hopeful[column] = 0


@inner
def _clearly_best(made: Floats, hopeful: Ints, effort: Effort) -> int:
    """The column that beats the first one most clearly; the first, if none does. ``made`` has a row for each world."""
    best, most = 0, 0.0
    for column in range(1, made.shape[1]):
        mean, error = _compare(made, len(made), column, 0)
        clear = mean - effort.margin - effort.errors * error
        if hopeful[column] and clear > most:
            best, most = column, clear
    return best


@inner
def _mean_of(made: Floats, column: int) -> float:
    total = 0.0
    for row in range(len(made)):
        total += made[row, column]
    return total / len(made)


@inner
def _first_look(at: Situation, mind: Mind, effort: Effort, figures: Floats) -> Ints:
    """The actions to try, the first judgement's own choice first; in a side's last hand all."""
    weigh(PACK & ~at.seen & ~at.mine, at.partner_count, mind.odds, 1 - at.me, mind.chances)
    may_pass, to_come = not at.alone and at.partner_count > 0, 3 - at.hand // 2
    leads = at.me == at.leader
    judge(
        at.mine,
        at.by_me,
        at.by_other,
        at.passes,
        may_pass,
        leads,
        to_come,
        mind.chances,
        figures,
        mind.values,
    )
    return _highest(mind.values, effort.tried if to_come else ACTIONS)


@inner
def _try_out(
    actions: Ints, worlds: Ints, at: Situation, mind: Mind, effort: Effort, figures: Floats, hopeful: Ints
) -> Floats:
    """What each action (a column) makes in each world (a row); ``hopeful`` tells which were tried in all worlds."""
    odds = mind.odds.copy()
    held, by, now = np.zeros(2, np.int64), np.zeros(2, np.int64), np.zeros(3, np.int64)
    play = Play(held, by, now, mind, new_levels())
    made = np.zeros((len(worlds), len(actions)))
    for row in range(len(worlds)):
        if row == _GLANCE:
            _drop_hopeless(made, row, hopeful)
        for column in range(len(actions)):
            if hopeful[column]:
                _start(play, at, worlds[row], odds)
                take(play, actions[column], at.leader, at.alone, figures)
                made[row, column] = _play_on(play, at, effort, figures)
    return made


@inner
def _believed(
    log: Ints, at: Situation, effort: Effort, figures: Floats, odds: Floats, lean: Floats, luck: Ints
) -> Ints:
    """Worlds as likely as the past makes them."""
    other = 1 - at.me
    leaning = odds.copy()
    for place in range(CARDS):
        leaning[other, place] = leaning[other, place] ** effort.trust * lean[place]
    worlds, fit = np.zeros(effort.drawn, np.int64), np.zeros(effort.drawn)
    draw_worlds(PACK & ~at.seen & ~at.mine, at.partner_count, leaning, other, luck, worlds)
    explain(log, other, worlds, effort.warmth, effort.doubt, new_mind(), figures, fit)
    kept = np.zeros(effort.kept, np.int64)
    keep_likely(worlds, fit, luck, kept)
    return kept


def _entry(digest: int) -> Any:
    """The function to be compiled and kept. What it closes over is part of its key in numba's cache."""

    def choose(
        log: Ints, at: Situation, effort: Effort, figures: Floats, lean: Floats, luck: Ints, values: Floats
    ) -> int:
        for action in range(ACTIONS):
            values[action] = NOT_ALLOWED
        mind = new_mind()
        follow(log, mind, figures)
        actions = _first_look(at, mind, effort, figures)
        if len(actions) == 1 or digest == 0:
            return int(actions[0])
        kept = _believed(log, at, effort, figures, mind.odds, lean, luck)
        hopeful = np.ones(len(actions), np.int64)
        made = _try_out(actions, kept, at, mind, effort, figures, hopeful)
        for column in range(len(actions)):
            if hopeful[column]:
                values[actions[column]] = _mean_of(made, column)
        return int(actions[_clearly_best(made, hopeful, effort)])

    return compiled(choose)


#: ``choose(log, at, effort, figures, lean, luck, values)`` gives the action for a situation, a card's index or PASS.
#: ``lean`` multiplies the odds of each of partner's cards for the worlds; ``values`` gets what each action is expected
#: to bring.
choose = _entry(digest_of(_MODULES, Path(__file__).parents[2]))
