"""Everything that is found wrong with a written deal: each kind of problem, at its place, in its words.

The deal is the first of the oracles:

    1 N  7♥ A♥ 6♥ 5♥ 10♥   flush 6           2 E  9♣ 9♠ 8♠ 8♥ 9♦    full house 8
    3 S  10♦ Q♥ 10♠ Q♦ Q♣  full house 8      4 W  3♥ 4♥ 9♥ K♥ 2♥    flush 6
    5 N  4♣ 7♣ 6♣ 3♣ 5♣    str. flush 3+2 20  6 E  K♠ 3♠ 7♠ Q♠ 5♠    flush 6
    7 S  8♦ 4♦ A♦ J♦ 3♦    flush 6           8 W  2♦ 2♣ J♥ 6♦ 6♠    two pair 2
    made 40-22, no bonus.  Left: N A♠ 4♠ 2♠ 5♦, S J♣ K♣; E A♣ J♠, W K♦ 7♦ 10♣ 8♣
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.concerto.best_play import feasible
from engine.concerto.checking import check
from engine.concerto.records import messages
from engine.concerto.records.parsing import read_record
from engine.deals import Deal
from engine.game import Problem, Severity
from engine.seats import Seat
from tests.engine.oracle import DEALS, by_combination, by_seat, replayed

ORACLE = DEALS[0]
STATE = replayed(ORACLE)

Data = dict[str, Any]
Place = tuple[Any, ...]


def full() -> Data:
    """The oracle: deal, lines, and every figure."""
    return json.loads(json.dumps(ORACLE))


def cards() -> Data:
    """Who played which, and what is left; no deal and no figures."""
    return json.loads(json.dumps(by_seat(STATE)))


def combinations() -> Data:
    names = ["flush", "full-house", "full-house", "flush", "straight-flush", "flush", "flush", "two-pair"]
    hands: list[Data] = [{"combination": name} for name in names]
    hands[4]["split"] = "3+2"
    return {"dealer": "W", "hands": hands, "left_over": {"combination": "nothing"}}


def totals() -> Data:
    return {"total": {"NS": 40, "EW": 22}}


def but(data: Data, *changes: tuple[Place, Any]) -> Data:
    """The data, changed at these places."""
    for place, value in changes:
        target: Any = data
        for step in place[:-1]:
            target = target[step]
        target[place[-1]] = value
    return data


def without(data: Data, *names: str) -> Data:
    return {name: value for name, value in data.items() if name not in names}


def problems(data: Any, **known: Any) -> tuple[Problem, ...]:
    return check(read_record(data), **known).problems


def seen(data: Any, **known: Any) -> list[tuple[str, Place]]:
    return [(problem.code, problem.place) for problem in problems(data, **known)]


@pytest.mark.parametrize("data", [full(), cards(), combinations(), totals()], ids=len)
def test_the_deals_that_are_changed_here_have_nothing_wrong(data: Data) -> None:
    checked = check(read_record(data))
    assert checked.problems == ()
    assert checked.score is not None
    assert checked.score.total.as_json() == {"NS": 40, "EW": 22}


#: North was dealt all the spades; South no five cards in a row.
SPADES = "N:AKQJT98765432... .T876.T9876.T987 .AKQJ9.AKQJ.AKQJ .5432.5432.65432"


#: More straight flushes than thirteen spades have.
THREE: Data = {key: {"combination": "straight-flush"} for key in ("h1", "h5", "h7")}


def of_spades(**hands: Data) -> Data:
    """A deal of these cards, dealt by West, with hands by number: "h1"."""
    written = [hands.get(f"h{number}") for number in range(1, 9)]
    return {"dealer": "W", "deal": SPADES, "hands": written, "total": {"NS": 80, "EW": 10}}


#: (what is changed, the one problem that must come of it, its place, a part of its message, of its proposal)
IMPOSSIBLE = Severity.IMPOSSIBLE
INCONSISTENT = Severity.INCONSISTENT
SUSPICIOUS = Severity.SUSPICIOUS

CASES: dict[str, tuple[Data, Problem, Place, str, str]] = {
    # R1 to R3: the cards
    "a card in two hands": (
        but(cards(), (("hands", 3, "cards", "W"), ["7h", "9h", "Kh", "2h"])),
        messages.CARD_TWICE_NEAR,
        ("hands", 3, "cards"),
        "The 7♥ is already in hand 1, so it can’t be in hand 4 too.",
        "Was it the 3♥?",
    ),
    "a card in two hands, on a sheet without left-overs": (
        but(full(), (("hands", 1), "9c 9s - 8s 7h - 9d"), (("left",), None)),
        messages.CARD_TWICE_NEAR,
        ("hands", 1, "cards"),
        "The 7♥ is already in hand 1",
        "Was it the 7♦?",
    ),
    "a card in two hands while its fellows are all used": (
        but(cards(), (("hands", 3, "cards", "W"), ["9d", "9h", "Kh", "2h"]), (("left", "N"), None)),
        messages.CARD_TWICE,
        ("hands", 3, "cards"),
        "The 9♦ is already in hand 2, so it can’t be in hand 4 too.",
        "",
    ),
    "a card twice in one hand": (
        but(cards(), (("hands", 0, "cards", "N"), ["7h", "7h", "Th"])),
        messages.CARD_TWICE_IN_HAND,
        ("hands", 0, "cards"),
        "The 7♥ appears twice in hand 1.",
        "",
    ),
    "a card left with two players": (
        but(cards(), (("left", "E"), ["Ac", "Kc"])),
        messages.CARD_LEFT_TWICE,
        ("left", "S"),
        "The K♣ appears twice among the left-overs.",
        "",
    ),
    "a card played and left": (
        but(cards(), (("left", "E"), ["Ac", "Ks"])),
        messages.CARD_LEFT_AND_PLAYED,
        ("left", "E"),
        "The K♠ was played in hand 6, so East can’t have it left.",
        "",
    ),
    "four cards": (
        but(cards(), (("hands", 0, "cards", "N"), ["7h", "6h"])),
        messages.TOO_FEW_CARDS,
        ("hands", 0, "cards"),
        "Hand 1 has 4 cards so far. A hand has five.",
        "",
    ),
    "six cards": (
        but(cards(), (("hands", 0, "cards", "N"), ["7h", "6h", "Th", "2h"]), (("hands", 3), None)),
        messages.TOO_MANY_CARDS,
        ("hands", 0, "cards"),
        "Hand 1 has 6 cards. A hand has five.",
        "",
    ),
    "a hundred cards": (
        but(cards(), (("left", "N"), ["As"] * 100)),
        messages.TOO_MANY_IN_LIST,
        ("left", "N"),
        "There are 100 cards in this list.",
        "",
    ),
    "R3: a player of the other side": (
        but(cards(), (("hands", 0, "cards"), {"N": ["7h", "6h", "Th"], "E": ["Ah", "5h"]})),
        messages.WRONG_SIDE,
        ("hands", 0, "cards", "E"),
        "Hand 1 belongs to North-South. East doesn’t play in it.",
        "",
    ),
    "R3: the wrong dealer": (
        but(cards(), (("dealer",), "N")),
        messages.DEALER_DOUBTFUL,
        ("dealer",),
        "Every hand was played by the wrong side if North dealt.",
        "Was it West who dealt?",
    ),
    "R2: fourteen cards from one player": (
        without(
            but(
                cards(),
                (("hands", 0, "cards"), {"S": ["7h", "6h", "Th", "Ah", "5h"]}),
                (("hands", 4, "cards"), {"S": ["4c", "7c", "6c", "3c", "5c"]}),
            ),
            "left",
        ),
        messages.SEAT_TOO_MANY,
        ("hands", 4, "cards", "S"),
        "After hand 5 South would have played 14 cards, but everyone is dealt only 13.",
        "",
    ),
    "R2: more played and left than dealt": (
        but(cards(), (("left",), {"N": ["2s", "4s", "5d", "As", "Jc"]})),
        messages.SEAT_LEFT_TOO_MANY,
        ("left", "N"),
        "North played 9 cards and can’t have 5 left",
        "",
    ),
    "R2: fewer played and left than dealt": (
        but(
            cards(), (("left",), {"E": ["Ac", "Js"], "W": ["7d", "8c", "Kd", "Tc"], "N": ["2s", "4s", "5d"]})
        ),
        messages.SEAT_LEFT_TOO_FEW,
        ("left", "N"),
        "North played 9 cards and has 3 left. That leaves 1 of the 13 missing.",
        "",
    ),
    "R11: seven left to a side": (
        but(combinations(), (("left",), {"N": ["2s", "4s", "5d", "As"], "S": ["Jc", "Kc", "3d"]})),
        messages.SIDE_LEFT_COUNT,
        ("left",),
        "North-South have 7 cards left. After eight hands a side has six.",
        "",
    ),
    "R11: seven left to a player": (
        but(combinations(), (("left",), {"N": ["2s", "4s", "5d", "As", "Jc", "Kc", "3d"]})),
        messages.SIDE_LEFT_COUNT,
        ("left", "N"),
        "North have 7 cards left",
        "",
    ),
    "a card that was dealt to partner": (
        but(without(full(), "left"), (("hands", 0), {"cards": {"N": ["7h", "6h", "Th", "Ah"], "S": ["5h"]}})),
        messages.NOT_DEALT_TO,
        ("hands", 0, "cards", "N"),
        "The A♥ was dealt to South, so North can’t have played it.",
        "",
    ),
    "a card out of turn by the known deal": (
        but(full(), (("hands", 0), "7h 6h Ah 5h Th")),
        messages.NOT_DEALT_TO,
        ("hands", 0, "cards", "N"),
        "The A♥ was dealt to South, so North can’t have played it.",
        "",
    ),
    "a card that was dealt to the other side": (
        but(
            without(full(), "left"),
            (("hands", 0), {"cards": ["7h", "6h", "Th", "Ah", "Kh"]}),
            (("hands", 3), None),
        ),
        messages.NOT_DEALT_TO_SIDE,
        ("hands", 0, "cards"),
        "The K♥ was dealt to West, so it can’t be in North-South’s hand 1.",
        "",
    ),
    "a card left to whom it was not dealt": (
        but(full(), (("left", "N"), ["2s", "4s", "5d", "Ac"]), (("left", "E"), None)),
        messages.LEFT_NOT_DEALT_TO,
        ("left", "N"),
        "The A♣ was dealt to East, so North can’t have it left.",
        "",
    ),
    "left-overs that are not all": (
        but(full(), (("left", "N"), ["2s", "4s", "5d"])),
        messages.LEFT_INCOMPLETE,
        ("left", "N"),
        "Going by the deal, North must also have left: A♠.",
        "Add: A♠.",
    ),
    "a deal with a card twice": (
        but(combinations(), (("deal",), ORACLE["deal"].replace("A42", "A52"))),
        messages.BAD_DEAL,
        ("deal",),
        "The 5♠ appears twice.",
        "",
    ),
    # R4 to R7: lines of play
    "R5: a third pass": (
        but(full(), (("hands", 1), "9c 9s - - - 8s 8h 9d")),
        messages.LINE_PASS,
        ("hands", 1),
        "Hand 2, step 5: There have been two passes, so East must play a card.",
        "",
    ),
    "R4: a pass by the leader": (
        but(full(), (("hands", 1), "- 9c 9s 8s 8h 9d")),
        messages.LINE_PASS,
        ("hands", 1),
        "Hand 2, step 1: East leads the hand and must play a card.",
        "",
    ),
    "R6: a pass by one who was told to play": (
        but(full(), (("hands", 1), "9c > 8h - 9d 9s 8s")),
        messages.LINE_PASS,
        ("hands", 1),
        "Hand 2, step 4: East’s partner said “Play”, so East must complete the hand.",
        "",
    ),
    "a sixth card": (
        but(full(), (("hands", 1), "9c 9s - 8s 8h - 9d Js"), (("left",), None)),
        messages.LINE_TOO_LONG,
        ("hands", 1),
        "Hand 2 is complete with its fifth card, but “Js” follows.",
        "",
    ),
    "an endless line": (
        but(full(), (("hands", 1), "9c " + "- " * 500)),
        messages.LINE_TOO_LONG,
        ("hands", 1),
        "“-” follows",
        "",
    ),
    # R9: what the hands form
    "R9: a 4+1 split of fours": (
        but(combinations(), (("hands", 0), {"combination": "fours", "split": "4+1"})),
        messages.SPLIT_FOURS,
        ("hands", 0, "split"),
        "Fours can’t be split 4+1. The fifth card doesn’t count, so it must be 4+0, 3+1, 2+2.",
        "",
    ),
    "R9: a 2+2 split of a straight flush": (
        but(combinations(), (("hands", 4, "split"), "2+2")),
        messages.SPLIT_IMPOSSIBLE,
        ("hands", 4, "split"),
        "straight flush can’t be split 2+2, only 5+0, 4+1, 3+2.",
        "",
    ),
    "R13: a 5+1 split of left-overs": (
        but(combinations(), (("left_over",), {"combination": "fours", "split": "5+1"})),
        messages.SPLIT_FOURS,
        ("left_over", "split"),
        "Fours can’t be split 5+1",
        "",
    ),
    "a split that does not count and cannot be": (
        but(combinations(), (("hands", 0, "split"), "9+9")),
        messages.SPLIT_IDLE,
        ("hands", 0, "split"),
        "Hand 1: a split of 9+9 isn’t possible. It doesn’t count here anyway.",
        "",
    ),
    "R9: cards that form something else": (
        but(cards(), (("hands", 1, "combination"), "two-pair")),
        messages.COMBINATION_DIFFERS,
        ("hands", 1, "combination"),
        "The cards of hand 2 make full house, not two pair.",
        "Use full house.",
    ),
    "R9: cards that are split otherwise": (
        but(cards(), (("hands", 4, "split"), "4+1")),
        messages.SPLIT_DIFFERS,
        ("hands", 4, "split"),
        "Going by who played which card, hand 5 is split 3+2, not 4+1.",
        "Use 3+2.",
    ),
    "R9: a split that the numbers of cards exclude": (
        but(cards(), (("hands", 4), {"combination": "straight-flush", "split": "5+0"})),
        messages.SPLIT_BY_COUNTS,
        ("hands", 4, "split"),
        "Hand 5 can’t be split 5+0",
        "",
    ),
    "R9: a combination for which the cards are gone": (
        but(cards(), (("hands", 1), {"combination": "fours", "split": "2+2"})),
        messages.CANNOT_FORM,
        ("hands", 1, "combination"),
        "Hand 2: fours isn’t possible with the cards that are left for it.",
        "",
    ),
    "R9: a split that the deal excludes": (
        but(
            {"dealer": "W", "deal": ORACLE["deal"], "hands": [None] * 8, "total": {"NS": 40, "EW": 22}},
            (("hands", 0), {"combination": "fours", "split": "4+0"}),
        ),
        messages.CANNOT_FORM,
        ("hands", 0, "combination"),
        "Hand 1: fours isn’t possible",
        "",
    ),
    "R9: the right combination with a split that the deal excludes": (
        but(
            {"dealer": "W", "deal": ORACLE["deal"], "hands": [None] * 8, "total": {"NS": 40, "EW": 22}},
            (("hands", 0), {"combination": "straight-flush", "split": "5+0"}),
        ),
        messages.CANNOT_FORM_SPLIT,
        ("hands", 0, "split"),
        "Hand 1: straight flush, 5+0, isn’t possible",
        "",
    ),
    "R4: a hand for which its leader has no card": (
        of_spades(h3={"combination": "straight-flush"}),
        messages.HAND_NOT_DEALT,
        ("hands", 2),
        "Hand 3: the cards dealt to North-South can’t make straight flush there.",
        "",
    ),
    "R4: a split for which its leader has no card": (
        of_spades(h3={"combination": "straight-flush", "split": "5+0"}),
        messages.HAND_NOT_DEALT_SPLIT,
        ("hands", 2),
        "Hand 3: the cards dealt to North-South can’t make straight flush, 5+0, there.",
        "",
    ),
    "R9: hands that the deal has not all at once": (
        of_spades(**THREE),
        messages.HANDS_NOT_DEALT,
        ("hands", 6),
        "Hands 1, 5, 7: the cards dealt to North-South can’t make all of these.",
        "",
    ),
    "R11: three pairs in a hand": (
        but(combinations(), (("hands", 7), {"combination": "three-pairs"})),
        messages.NO_SUCH_HAND_VALUE,
        ("hands", 7, "combination"),
        "Three pairs need six cards",
        "two pair",
    ),
    # Points
    "R9: points that no hand is worth": (
        but(full(), (("points", 0), 7)),
        messages.POINTS_IMPOSSIBLE,
        ("points", 0),
        "No hand is worth 7. A hand is worth 0, 1, 2, 3, 5, 6, 8, 10, 12, 15, 16, 20.",
        "",
    ),
    "R9: points that differ from the hand's": (
        but(combinations(), (("hands", 0, "points"), 8)),
        messages.POINTS_DIFFER,
        ("hands", 0, "points"),
        "Hand 1 is flush, worth 6, not 8.",
        "Write 6.",
    ),
    "R9: points that no split gives": (
        but(combinations(), (("hands", 4), {"combination": "straight-flush", "points": 16})),
        messages.POINTS_IN_DOUBT,
        ("hands", 4, "points"),
        "Hand 5 is straight flush, worth 10, 15, 20, not 16.",
        "",
    ),
    "points told twice": (
        but(full(), (("hands", 0), {"line": ORACLE["hands"][0], "points": 6}), (("points", 0), 8)),
        messages.POINTS_TWICE,
        ("points", 0),
        "Hand 1 has 8 points in one place and 6 in another.",
        "",
    ),
    # R11 to R14: the left-overs
    "R11: a bonus for the wrong side": (
        but(full(), (("left_over_to",), "EW")),
        messages.LEFT_OVER_WRONG_SIDE,
        ("left_over_to",),
        "North-South made more points (40 to 22), so they score the left-overs.",
        "The bonus goes to North-South.",
    ),
    "R12: a bonus for the dealing side in a tie": (
        but({"dealer": "W", "points": [1] * 8, "left_over": "pair"}, (("left_over_to",), "EW")),
        messages.LEFT_OVER_TIE_SIDE,
        ("left_over_to",),
        "Both made 4 points, so North-South, who did not deal, score the left-overs.",
        "The bonus goes to North-South.",
    ),
    "R11: a bonus for the side with the lower total": (
        {"dealer": "W", "total": {"NS": 52, "EW": 39}, "left_over_to": "EW"},
        messages.LEFT_OVER_BY_TOTALS,
        ("left_over_to",),
        "At 52 to 39 North-South made more, so the bonus can’t go to East-West.",
        "The bonus goes to North-South.",
    ),
    "R11: a bonus that there is not": (
        but(combinations(), (("left_over_bonus",), 70)),
        messages.BONUS_IMPOSSIBLE,
        ("left_over_bonus",),
        "No left-overs are worth 70",
        "",
    ),
    "R11: a bonus that differs": (
        but(full(), (("left_over_bonus",), 10), (("total",), None)),
        messages.BONUS_DIFFERS,
        ("left_over_bonus",),
        "The left-overs give a bonus of 0, not 10.",
        "Write 0.",
    ),
    "R13: a bonus that no split gives": (
        but(combinations(), (("left_over",), {"combination": "fours"}), (("left_over_bonus",), 60)),
        messages.BONUS_IN_DOUBT,
        ("left_over_bonus",),
        "The left-overs can’t give a bonus of 60. They give 80, 120, 160.",
        "",
    ),
    "R11: left-overs that form something else": (
        but(cards(), (("left_over",), {"combination": "pair"})),
        messages.LEFT_OVER_DIFFERS,
        ("left_over", "combination"),
        "East-West’s six left-over cards make nothing, worth 0, not one pair, worth 1.",
        "",
    ),
    # Sums
    "the sum of the hands": (
        but(full(), (("made", "NS"), 41)),
        messages.MADE_DIFFERS,
        ("made", "NS"),
        "North-South’s four hands come to 40, not 41.",
        "Write 40.",
    ),
    "a sum below what is there already": (
        {
            "dealer": "W",
            "points": [20, None, 20, None, 20, None, None, None],
            "made": {"NS": 40, "EW": 22},
            "total": {"NS": 40, "EW": 22},
        },
        messages.MADE_IN_DOUBT,
        ("made", "NS"),
        "With these hands, North-South can’t have made 40.",
        "",
    ),
    "a sum that no four hands give": (
        {"dealer": "W", "made": {"NS": 79, "EW": 22}, "left_over_bonus": 0},
        messages.MADE_IMPOSSIBLE,
        ("made", "NS"),
        "Four hands can’t come to 79.",
        "",
    ),
    "a total": (
        but(full(), (("total", "EW"), 23)),
        messages.TOTAL_DIFFERS,
        ("total", "EW"),
        "East-West’s total comes to 22, not 23.",
        "Write 22.",
    ),
    "R11: a total with a bonus that there is not": (
        {"dealer": "W", "made": {"NS": 40, "EW": 22}, "total": {"NS": 47, "EW": 22}},
        messages.TOTAL_BONUS_IMPOSSIBLE,
        ("total", "NS"),
        "North-South made 40, so a total of 47 would mean a bonus of 7. There’s no such bonus.",
        "",
    ),
    "R11: the bonus added to the losers": (
        {"dealer": "W", "made": {"NS": 40, "EW": 22}, "left_over": "pair", "total": {"NS": 40, "EW": 32}},
        messages.TOTAL_BONUS_WRONG_SIDE,
        ("total",),
        "The bonus of 10 is counted for the wrong side. It belongs to North-South.",
        "North-South 50, East-West 22.",
    ),
    "R11: some bonus added to the losers": (
        {"dealer": "W", "made": {"NS": 40, "EW": 22}, "total": {"NS": 40, "EW": 32}},
        messages.TOTAL_BONUS_WRONG_SIDE,
        ("total",),
        "The bonus of 10 is counted for the wrong side",
        "North-South 50, East-West 22.",
    ),
    "R11: totals that no deal ends with": (
        {"total": {"NS": 281, "EW": 22}},
        messages.TOTALS_IMPOSSIBLE,
        ("total",),
        "A deal can’t end 281 to 22",
        "",
    ),
    "totals that the rest excludes": (
        {"dealer": "W", "points": [20, None, 20, None, 20, None, None, None], "total": {"NS": 40, "EW": 22}},
        messages.TOTALS_DISAGREE,
        ("total",),
        "Given everything else here, the deal can’t end 40 to 22.",
        "",
    ),
    # Not given yet
    "nothing": ({}, messages.EMPTY, (), "Nothing is entered for this deal yet.", ""),
    "no dealer": (
        without(combinations(), "dealer"),
        messages.DEALER_MISSING,
        ("dealer",),
        "Who dealt?",
        "",
    ),
    "no hand 3": (
        but(combinations(), (("hands", 2), None)),
        messages.HAND_MISSING,
        ("hands", 2),
        "Hand 3 (led by South) is missing.",
        "",
    ),
    "no split": (
        but(combinations(), (("hands", 4), {"combination": "straight-flush"})),
        messages.SPLIT_MISSING,
        ("hands", 4, "split"),
        "Hand 5 is straight flush. How many did each partner play?",
        "",
    ),
    "no left-overs": (
        without(combinations(), "left_over"),
        messages.LEFT_OVER_MISSING,
        ("left_over",),
        "East-West’s left-overs are missing",
        "",
    ),
    "no split of the left-overs": (
        but(combinations(), (("left_over",), "fours")),
        messages.LEFT_OVER_SPLIT_MISSING,
        ("left_over", "split"),
        "East-West have fours left. How are they split?",
        "",
    ),
    "no second total": (
        {"total": {"NS": 40}},
        messages.TOTAL_MISSING,
        ("total", "EW"),
        "East-West’s total is missing.",
        "",
    ),
    # Odd
    "much made": (
        {"dealer": "W", "points": [20, 0, 20, 0, 20, 0, 16, 1], "left_over": "nothing"},
        messages.MADE_HIGH,
        ("made", "NS"),
        "North-South made 76",
        "",
    ),
    "nothing made": (
        {"dealer": "W", "points": [2, 0, 1, 0, 3, 0, 1, 0], "left_over": "nothing"},
        messages.MADE_NOTHING,
        ("made", "EW"),
        "East-West scored nothing in all four hands.",
        "",
    ),
    "eight times the same": (
        {"dealer": "W", "hands": [{"combination": "flush"}] * 8, "left_over": "nothing"},
        messages.ALL_ALIKE,
        ("hands",),
        "All eight hands are the same: flush.",
        "",
    ),
    "a great bonus": (
        but(combinations(), (("left_over",), {"combination": "fours", "split": "2+2"})),
        messages.BONUS_HIGH,
        ("left_over_bonus",),
        "A bonus of 160",
        "",
    ),
    "many straight flushes": (
        {
            "dealer": "W",
            "hands": [{"combination": "straight-flush", "split": "5+0"}] * 4 + [{"combination": "pair"}] * 4,
            "left_over": "nothing",
        },
        messages.MANY_STRAIGHT_FLUSHES,
        ("hands",),
        "4 straight flushes in one deal.",
        "",
    ),
    # Reading
    "not an object": (
        [1],  # type: ignore[dict-item]
        messages.NOT_A_RECORD,
        (),
        "A deal must be an object, not a list.",
        "",
    ),
    "an unknown field": (
        {**full(), "weather": 1},
        messages.UNKNOWN_FIELD,
        ("weather",),
        "“weather” isn’t recognised. We skipped it.",
        "",
    ),
    "a misspelt field": (
        {**full(), "totals": 1},
        messages.UNKNOWN_FIELD_NEAR,
        ("totals",),
        "“totals” isn’t recognised",
        "Did you mean “total”?",
    ),
    "an unknown field of a hand": (
        but(combinations(), (("hands", 0, "suit"), "h")),
        messages.UNKNOWN_FIELD,
        ("hands", 0, "suit"),
        "“suit” isn’t recognised",
        "",
    ),
    "left-overs of another shape": (
        {**totals(), "left": 5},
        messages.BAD_SHAPE,
        ("left",),
        "5 under “left”",
        "",
    ),
    "an unknown dealer": (
        {**totals(), "dealer": "X"},
        messages.UNKNOWN_SEAT,
        ("dealer",),
        "“X” isn’t a seat",
        "",
    ),
    "an unknown player": (
        but(cards(), (("hands", 0, "cards", "Z"), [])),
        messages.UNKNOWN_SEAT,
        ("hands", 0, "cards", "Z"),
        "“Z” isn’t a seat",
        "",
    ),
    "an unknown side": (
        {**totals(), "made": {"NE": 40}},
        messages.UNKNOWN_SIDE,
        ("made", "NE"),
        "“NE” isn’t a side",
        "",
    ),
    "an unknown card": (
        but(cards(), (("hands", 0, "cards", "N"), ["7h", "6h", "1h"])),
        messages.UNKNOWN_CARD,
        ("hands", 0, "cards", "N"),
        "“1h” isn’t a card",
        "",
    ),
    "an unknown token": (
        but(full(), (("hands", 0), "7h Ah 6h ! 5h Th")),
        messages.UNKNOWN_CARD,
        ("hands", 0),
        "“!” isn’t a card",
        "",
    ),
    "an unknown combination": (
        but(combinations(), (("hands", 0), {"combination": "poker"})),
        messages.UNKNOWN_COMBINATION,
        ("hands", 0, "combination"),
        "“poker” isn’t a combination",
        "",
    ),
    "a split that is none": (
        but(combinations(), (("hands", 4, "split"), "three")),
        messages.UNKNOWN_SPLIT,
        ("hands", 4, "split"),
        "“three” isn’t a split",
        "",
    ),
    "points that are no number": (
        but(full(), (("points", 0), "six")),
        messages.NOT_A_NUMBER,
        ("points", 0),
        "not “six”",
        "",
    ),
    "points that are true": (
        but(full(), (("points", 0), True)),
        messages.NOT_A_NUMBER,
        ("points", 0),
        "“true”",
        "",
    ),
    "points below nothing": (but(full(), (("points", 0), -6)), messages.NEGATIVE, ("points", 0), "“-6”", ""),
    "points beyond measure": (
        but(full(), (("total", "NS"), 10**100)),
        messages.TOO_HIGH,
        ("total", "NS"),
        "No deal can be worth as much as a huge number.",
        "",
    ),
    "R3: six hands": (
        but(full(), (("hands",), ORACLE["hands"][:6])),
        messages.HANDS_COUNT,
        ("hands",),
        "There are 6 hands here, but a deal has eight.",
        "If you don’t know a hand",
    ),
    "R3: points of nine hands": (
        {**full(), "points": [*ORACLE["points"], 0]},
        messages.POINTS_COUNT,
        ("points",),
        "There are points for 9 hands here",
        "",
    ),
    "R3: one wrong leader": (
        but(full(), (("leaders", 2), "W")),
        messages.LEADER_DIFFERS,
        ("leaders", 2),
        "If West dealt, South leads hand 3, not W.",
        "South.",
    ),
    "R3: the leaders of another dealer": (
        but(full(), (("leaders",), list("ESWNESWN"))),
        messages.LEADERS_DIFFER,
        ("leaders",),
        "Going by the leaders, North dealt. But West did.",
        "Was it North who dealt?",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_mistake_is_told_at_its_place_in_plain_words(name: str) -> None:
    data, fault, place, message, proposal = CASES[name]
    checked = check(read_record(data))
    found = [problem for problem in checked.problems if (problem.code, problem.place) == (fault.code, place)]
    assert found, seen(data)
    problem = found[0]
    assert message in str(problem.message)
    assert proposal in str(problem.proposal)
    assert bool(proposal) == bool(str(problem.proposal))
    assert problem.severity is fault.severity
    assert problem.is_missing == fault.is_missing
    assert (checked.score is None) == any(each.refuses for each in checked.problems)
    if fault.severity.refuses:
        assert checked.score is None


#: Cases in which one slip of the pen has to give one problem, and no trail of others.
ALONE = [
    "a card twice in one hand",
    "R3: the wrong dealer",
    "R3: a player of the other side",
    "R9: a 2+2 split of a straight flush",
    "R9: cards that form something else",
    "R9: cards that are split otherwise",
    "R9: points that no hand is worth",
    "R11: a bonus for the wrong side",
    "R11: a bonus for the side with the lower total",
    "R11: a bonus that there is not",
    "R11: left-overs that form something else",
    "the sum of the hands",
    "a total",
    "R11: totals that no deal ends with",
    "no hand 3",
    "no split",
    "no left-overs",
    "nothing",
    "R5: a third pass",
]


@pytest.mark.parametrize("name", ALONE)
def test_one_slip_is_told_once(name: str) -> None:
    data, fault, place, *_ = CASES[name]
    assert seen(data) == [(fault.code, place)]


def test_every_kind_of_problem_is_tried_here_or_with_the_sheet() -> None:
    kinds = {name: value for name, value in vars(messages).items() if isinstance(value, Problem)}
    tried = {case[1] for case in CASES.values()}
    elsewhere = {"DEAL_DIFFERS", "DEALER_DIFFERS", "INCOMPLETE"}
    of_sheets = {
        "NOT_A_SHEET", "NO_DEALS", "NEXT_DEAL_MISSING", "DEAL_AFTER_END", "TOO_MANY_DEALS",
        "MATCH_TOTAL_DIFFERS", "SAME_DEAL",
    }  # fmt: skip
    assert {name for name, kind in kinds.items() if kind not in tried} == elsewhere | of_sheets


def test_all_problems_come_at_once_in_the_order_of_the_sheet() -> None:
    data = but(
        full(),
        (("points", 0), 8),
        (("hands", 1), "9c 9s - - - 8s 8h 9d"),
        (("hands", 4), {"line": ORACLE["hands"][4], "split": "4+1"}),
        (("made", "EW"), 79),
        (("left_over_to",), "EW"),
        (("left_over_bonus",), 70),
        (("total", "NS"), -1),
    )
    assert seen(data) == [
        ("line-illegal", ("hands", 1)),
        ("split-differs", ("hands", 4, "split")),
        ("points-differ", ("points", 0)),
        ("made-impossible", ("made", "EW")),
        ("left-over-wrong-side", ("left_over_to",)),
        ("bonus-impossible", ("left_over_bonus",)),
        ("negative", ("total", "NS")),
    ]


def test_the_board_tells_the_deal() -> None:
    board = Deal.parse(ORACLE["deal"])
    other = Deal.parse(DEALS[1]["deal"])
    assert problems(full(), deal=board) == ()
    assert ("deal-differs", ("deal",)) in seen(full(), deal=other)
    assert problems(cards(), deal=board) == ()
    assert any(code == "not-dealt-to" for code, _ in seen(cards(), deal=other))


@pytest.mark.parametrize("oracle", DEALS[:8], ids=range(8))
def test_r9_combinations_that_were_made_pass_where_the_board_is_known(oracle: Data) -> None:
    state = replayed(oracle)
    written = {**by_combination(state), "left_over_bonus": state.score().left_over_bonus}
    board = Deal.parse(oracle["deal"])
    assert not any(problem.refuses for problem in problems({**written, "deal": oracle["deal"]}))
    assert not any(problem.refuses for problem in problems(written, deal=board))


def test_r9_cards_that_are_left_over_were_not_played() -> None:
    """Two straight flushes need ten of North's thirteen spades: with four of them left there is one at most."""
    both = of_spades(h1={"combination": "straight-flush"}, h5={"combination": "straight-flush"})
    assert seen(both) == []
    left = {"N": ["As", "Ks", "8s", "7s"], "S": ["Ah", "Kh"]}
    assert seen({**both, "left": left}) == [("hands-not-dealt", ("hands", 4))]


def test_r9_hands_are_asked_together_while_the_sheet_is_being_filled_in() -> None:
    found = problems(without(of_spades(**THREE), "total"))
    assert [problem.code for problem in found if not problem.is_missing] == ["hands-not-dealt"]
    assert any(problem.is_missing for problem in found)


def test_r9_a_search_that_would_take_too_long_lets_the_hands_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feasible.Budget.__init__, "__defaults__", (0,))
    feasible.culprits.cache_clear()
    data = of_spades(**THREE)
    assert seen(data) == []
    feasible.culprits.cache_clear()


def test_the_match_tells_the_dealer() -> None:
    assert check(read_record(without(cards(), "dealer"), Seat.W)).problems == ()
    found = check(read_record(cards(), Seat.N)).problems
    assert found[0].code == "dealer-differs"
    assert str(found[0].message) == "It was North’s turn to deal, not West’s."
    assert found[0].severity is INCONSISTENT


def test_suspicious_is_accepted_with_a_mark() -> None:
    checked = check(read_record(CASES["a great bonus"][0]))
    assert checked.is_accepted
    assert checked.score is not None
    assert [problem.severity for problem in checked.problems] == [SUSPICIOUS]


def test_what_is_merely_missing_is_marked_as_such() -> None:
    found = problems({"dealer": "W", "hands": ["7h Ah", None, None, None, None, None, None, None]})
    assert {problem.is_missing for problem in found} == {True}
    assert all(problem.severity is IMPOSSIBLE for problem in found)


def test_a_problem_as_json() -> None:
    (problem,) = problems(but(full(), (("made", "NS"), 41)))
    assert problem.as_json() == {
        "code": "made-differs",
        "severity": "inconsistent",
        "place": ["made", "NS"],
        "message": "North-South’s four hands come to 40, not 41.",
        "proposal": "Write 40.",
        "missing": False,
    }
    assert problem.under("deals", 2).place == ("deals", 2, "made", "NS")
    assert hash(problem) == hash(problems(but(full(), (("made", "NS"), 41)))[0])
