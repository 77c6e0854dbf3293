"""A deal of Burraco as people write it down, at any depth, and what can be wrong with it (BU23 to BU26)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.burraco.cards import CARDS, PACK, VALUE, cards_in
from engine.burraco.melds import Meld, meld_of
from engine.burraco.play import (
    CLEAN,
    CLOSING,
    DIRTY,
    LEFT_IN_STOCK,
    NO_POZZETTO,
    SEMI_CLEAN,
    SIDE_KEYS,
    SIDES,
    SIZE,
    State,
    lines_of,
    read,
)
from engine.errors import CardError, quoted
from engine.game.fields import by_side, one_of, read_fields, whole_number
from engine.game.sheets import MOST_DEALS, WrittenDeal, wrong_running
from engine.game.values import CheckedSheet, Json
from engine.packs import read_cards
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.seats import Side
from engine.text import gettext_noop

#: BU4: all cards.
ALL_POINTS: Final = sum(VALUE[card] for card in PACK)
#: BU24: the least that the cards of a burraco are worth.
LEAST: Final = {"clean": 35, "dirty": 50, "semi_clean": 65}
BONUS: Final = {"clean": CLEAN, "dirty": DIRTY, "semi_clean": SEMI_CLEAN}
#: BU26.
MANY_BURRACHI, HIGH, LOW = 5, 1500, -700
#: No total of a deal is beyond these: all cards with as many burrachi as they hold, or all of them held.
HIGHEST: Final = ALL_POINTS + CLEAN * (len(PACK) // 7) + CLOSING
LOWEST: Final = NO_POZZETTO - ALL_POINTS
BOTH: Final = "both"
#: The longest text of a meld or a hand, with spaces.
LONGEST: Final = 400
MOST_MELDS: Final = 40


@dataclass(frozen=True, slots=True)
class Written(WrittenDeal):
    """BU23: what was given of a deal, and its totals as far as they are known.

    ``given`` has of FIELDS those that can be read: by side the points ``melded`` and ``held``, the numbers of
    ``clean``, ``dirty`` and ``semi_clean`` burrachi, ``melds`` as a list of texts and ``cards``, those held, as a text;
    ``closed`` the side that closed, ``missed`` who took no pozzetto (a side, or "both"), and ``total`` and ``running``.
    """


def read_written(data: object, *, semi_clean: bool | None = None) -> Written:
    """The deal from JSON, whatever the JSON is, with every problem.

    ``semi_clean`` is that option; where it is not known it is on if the deal has such burrachi.
    """
    fields, problems = read_fields(data, _READERS)
    given: Mapping[str, Any] = fields
    if not isinstance(data, Mapping):
        return Written({}, tuple(problems))
    if semi_clean is None:
        semi_clean = "semi_clean" in given
    if not semi_clean and any(given.get("semi_clean", {}).values()):
        template = gettext_noop("Semi-clean burrachi don’t count in this competition.")
        problems.append(impossible("semi-clean-off", template, ("semi_clean",)))
    told = {**given, **_told_by_cards(given, semi_clean=semi_clean)}
    problems += _beside_cards(given, told) + _wrong_cards(given) + _wrong_lines(told)
    total, more = _total(told)
    problems += more
    if not any(problem.refuses for problem in problems):
        problems += _suspicious(told, total)
    return Written(total, tuple(problems), given)


def written(state: State) -> dict[str, Json]:
    """BU23: a deal that was played out, its melds card by card."""
    score, now = state.score(), state.now
    lines = {side: lines_of(state, place) for place, side in enumerate(SIDE_KEYS)}
    missed = [side for place, side in enumerate(SIDE_KEYS) if now.took[place] < 0]
    held = {
        side: "".join(cards_in(sum((*now.hands[place::2], *now.down[place::2]))))
        for place, side in enumerate(SIDE_KEYS)
    }
    told: dict[str, Json] = {
        "melds": {
            side: ["".join(meld.cards) for meld in now.melds[place]] for place, side in enumerate(SIDE_KEYS)
        },
        "cards": held,
        "melded": {side: lines[side]["melded"] for side in SIDE_KEYS},
        "clean": {side: lines[side]["clean"] // CLEAN for side in SIDE_KEYS},
        "dirty": {side: lines[side]["dirty"] // DIRTY for side in SIDE_KEYS},
        "held": {side: -lines[side]["held"] for side in SIDE_KEYS},
        "closed": SIDE_KEYS[now.closer % 2] if now.closer >= 0 else "",
        "missed": BOTH if len(missed) == len(SIDES) else "".join(missed),
        "total": dict(score.total),
    }
    if state.setting.semi_clean:
        told["semi_clean"] = {side: lines[side]["semi-clean"] // SEMI_CLEAN for side in SIDE_KEYS}
    return {name: value for name, value in told.items() if value}


# Reading


def _points(given: object) -> tuple[int | None, list[Problem]]:
    if type(given) is int and 0 <= given <= ALL_POINTS and not given % 5:
        return given, []
    template = gettext_noop("“%(given)s” aren’t points of cards: they go from 0 to 1,080 in steps of 5.")
    return None, [impossible("bad-cards", template, given=quoted(given))]


def _sum(given: object) -> tuple[int | None, list[Problem]]:
    if type(given) is int and LOWEST <= given <= HIGHEST and not given % 5:
        return given, []
    template = gettext_noop("“%(given)s” isn’t a total of a deal: totals go in steps of 5.")
    return None, [impossible("bad-points", template, given=quoted(given))]


def _running(given: object) -> tuple[int | None, list[Problem]]:
    if type(given) is int and abs(given) <= MOST_DEALS * HIGHEST and not given % 5:
        return given, []
    template = gettext_noop("“%(given)s” isn’t a running total.")
    return None, [impossible("bad-points", template, given=quoted(given))]


def _cards_in(given: object) -> tuple[str, ...] | None:
    if not isinstance(given, str) or len(given) > LONGEST:
        return None
    try:
        cards = read_cards("".join(given.split()))
    except CardError:
        return None
    return cards if {*CARDS} >= {*cards} else None


def _hand(given: object) -> tuple[str | None, list[Problem]]:
    cards = _cards_in(given)
    if cards is not None:
        return "".join(cards), []
    template = gettext_noop("“%(given)s” isn’t a row of cards: write Ks Td Jk.")
    return None, [impossible("bad-hand", template, given=quoted(given))]


def _melds(given: object) -> tuple[list[str] | None, list[Problem]]:
    """BU5, BU6, BU24: each meld of a side, and no rank in two sets."""
    texts: list[Any] = list(given)[:MOST_MELDS] if isinstance(given, list | tuple) else [given]
    found, problems, ranks = [], list[Problem](), set[str]()
    for number, text in enumerate(texts):
        cards = _cards_in(text)
        meld = meld_of(cards) if cards else None
        if meld is None:
            template = gettext_noop("“%(given)s” is no meld: write a set or a run, for example 7s 8s 9s.")
            problems.append(impossible("bad-meld", template, (number,), given=quoted(text)))
        elif meld.rank and meld.rank in ranks:
            template = gettext_noop("A side can have one set of each rank only.")
            problems.append(impossible("set-twice", template, (number,)))
        else:
            ranks.add(meld.rank)
            found.append("".join(meld.cards))
    return found, problems


_COUNT: Final = by_side(SIDE_KEYS, whole_number(0, len(PACK) // 7))
_READERS: Final = {
    "melds": by_side(SIDE_KEYS, _melds),
    "cards": by_side(SIDE_KEYS, _hand),
    "melded": by_side(SIDE_KEYS, _points),
    "clean": _COUNT,
    "semi_clean": _COUNT,
    "dirty": _COUNT,
    "closed": one_of(SIDE_KEYS),
    "held": by_side(SIDE_KEYS, _points),
    "missed": one_of((*SIDE_KEYS, BOTH)),
    "total": by_side(SIDE_KEYS, _sum),
    "running": by_side(SIDE_KEYS, _running),
}
#: BU23.
FIELDS: Final = tuple(_READERS)


# Checking


def melds_of(given: Mapping[str, Any], side: str) -> list[Meld]:
    """The melds of a side as they were written."""
    texts = given.get("melds", {}).get(side, [])
    return [meld for text in texts if (meld := meld_of(read_cards(text)))]


def _told_by_cards(given: Mapping[str, Any], *, semi_clean: bool) -> dict[str, dict[str, int]]:
    """The lines that follow from melds and hands that were written card by card, beside those that were given."""
    found = {name: dict(given.get(name, {})) for name in ("melded", "clean", "semi_clean", "dirty", "held")}
    for side in given.get("melds", {}):
        melds = melds_of(given, side)
        burrachi = [meld for meld in melds if meld.is_burraco]
        semi = sum(semi_clean and meld.is_semi_clean for meld in burrachi)
        found["melded"].setdefault(side, sum(meld.points for meld in melds))
        found["clean"].setdefault(side, sum(not meld.wild for meld in burrachi))
        if semi:
            found["semi_clean"].setdefault(side, semi)
        found["dirty"].setdefault(side, sum(bool(meld.wild) for meld in burrachi) - semi)
    for side, cards in given.get("cards", {}).items():
        found["held"].setdefault(side, sum(VALUE[card] for card in read_cards(cards)))
    return {name: by_sides for name, by_sides in found.items() if by_sides}


def _beside_cards(given: Mapping[str, Any], told: Mapping[str, Any]) -> list[Problem]:
    """BU25: lines that the melds and hands contradict."""
    cards_only = {name: given[name] for name in ("melds", "cards") if name in given}
    by_cards = _told_by_cards(cards_only, semi_clean="semi_clean" in told)
    template = gettext_noop("By the cards that were written it is %(points)d.")
    return [
        inconsistent("lines-cards", template, (name, side), points=by_cards[name][side])
        for name in ("melded", "clean", "semi_clean", "dirty", "held")
        for side, number in given.get(name, {}).items()
        if side in by_cards.get(name, {}) and by_cards[name][side] != number
    ]


def _all_cards(given: Mapping[str, Any]) -> Counter[str]:
    texts = [text for melds in given.get("melds", {}).values() for text in melds]
    return Counter(card for text in (*texts, *given.get("cards", {}).values()) for card in read_cards(text))


def _missed(given: Mapping[str, Any]) -> tuple[str, ...]:
    missed = given.get("missed", "")
    return SIDE_KEYS if missed == BOTH else tuple(side for side in SIDE_KEYS if side == missed)


def _wrong_cards(given: Mapping[str, Any]) -> list[Problem]:
    """BU24: a third copy of a card, a fifth joker, more cards than were dealt and drawn."""
    count = _all_cards(given)
    whole = Counter(PACK)
    template = gettext_noop("There are only %(number)d of this card: %(card)s.")
    found = [
        impossible("card-too-often", template, ("melds",), number=whole[card], card=card)
        for card, times in count.items()
        if times > whole[card]
    ]
    # Two cards stay in the stock, one lies on the pile, and a pozzetto that nobody took counts for nobody.
    most = len(PACK) - LEFT_IN_STOCK - 1 - SIZE * len(_missed(given))
    if count.total() > most:
        template = gettext_noop("More cards than were dealt and drawn: %(most)d at most.")
        found.append(impossible("too-many-cards", template, ("cards",), most=most))
    return found


def _wrong_lines(given: Mapping[str, Any]) -> list[Problem]:
    """BU24."""
    found = []
    cards = sum(sum(given.get(name, {}).values()) for name in ("melded", "held"))
    if cards > ALL_POINTS:
        template = gettext_noop("All cards together are worth 1,080. Here it is %(sum)d.")
        found.append(impossible("cards-sum", template, ("melded",), sum=cards))
    for side, points in given.get("melded", {}).items():
        least = sum(LEAST[name] * given.get(name, {}).get(side, 0) for name in LEAST)
        if points < least:
            template = gettext_noop("So many burrachi are worth %(least)d in cards at least.")
            found.append(impossible("melded-burrachi", template, ("melded", side), least=least))
    closed = given.get("closed")
    if closed and closed in _missed(given):
        template = gettext_noop("A side that took no pozzetto can’t close.")
        found.append(impossible("closed-missed", template, ("closed",)))
    counts = [given.get(name, {}).get(closed) for name in ("clean", "dirty")]
    if closed and counts == [0, 0] and not given.get("semi_clean", {}).get(closed):
        template = gettext_noop("A side without a burraco can’t close.")
        found.append(impossible("closed-burraco", template, ("closed",)))
    return found


def _total(given: Mapping[str, Any]) -> tuple[dict[str, int], list[Problem]]:
    """BU16, BU25: the totals, as written or as their lines have it, and what keeps them from being known."""
    parts = {side: points for side in SIDE_KEYS if (points := _part(given, side)) is not None}
    total: dict[str, int] = dict(given.get("total", {}))
    template = gettext_noop("The lines of the score come to %(points)d.")
    problems = [
        inconsistent("total-parts", template, ("total", side), points=parts[side])
        for side in total
        if side in parts and total[side] != parts[side]
    ]
    total = {**parts, **total}
    template = gettext_noop("%(side)s’s total is missing.")
    missing = [side for side in SIDE_KEYS if side not in total]
    problems += [
        impossible("total-missing", template, ("total", side), is_missing=True, side=Side(side).title)
        for side in missing
    ]
    if not missing and not problems and (fault := fault_of_total(total)):
        problems.append(impossible("totals-impossible", fault, ("total",)))
    return total, problems


def _part(given: Mapping[str, Any], side: str) -> int | None:
    """BU16: the score of a side by its lines; None where the points melded or held are not known."""
    melded, held = given.get("melded", {}).get(side), given.get("held", {}).get(side)
    if melded is None or held is None:
        return None
    bonus = sum(BONUS[name] * given.get(name, {}).get(side, 0) for name in BONUS)
    closing = CLOSING * (given.get("closed") == side)
    return int(melded - held + bonus + closing + NO_POZZETTO * (side in _missed(given)))


def fault_of_total(total: Mapping[str, int]) -> str:
    """BU16, BU24: why no deal gives these totals, in a sentence; empty where nothing speaks against them."""
    if any(points % 5 or not LOWEST <= points <= HIGHEST for points in total.values()):
        return gettext_noop("Totals of a deal go in steps of 5.")
    return ""


def _suspicious(given: Mapping[str, Any], total: Mapping[str, int]) -> list[Problem]:
    """BU26, of one deal."""
    found = []
    for side in SIDE_KEYS:
        if sum(given.get(name, {}).get(side, 0) for name in BONUS) >= MANY_BURRACHI:
            template = gettext_noop("Five burrachi or more by one side are rare.")
            found.append(suspicious("many-burrachi", template, ("clean", side)))
        if not LOW <= total[side] <= HIGH:
            template = gettext_noop("A total beyond 1,500 or below −700 is rare.")
            found.append(suspicious("rare-total", template, ("total", side)))
    if not any(total.values()):
        found.append(suspicious("no-points", gettext_noop("A deal of 0 to 0 is rare."), ("total",)))
    return found


# Beside other deals, and beside the board


def check_sheet(checked: CheckedSheet) -> CheckedSheet:
    """BU25: the running totals."""
    return replace(checked, problems=(*checked.problems, *wrong_running(checked)))


def fits_deal(given: Mapping[str, Any], deal: str) -> bool:
    """BU24: whether the cards that were written lie among those that could be dealt and drawn on this board."""
    dealt = read(deal)
    last = dealt.stock[-LEFT_IN_STOCK:]
    return not _all_cards(given) - (Counter(PACK) - Counter(last))
