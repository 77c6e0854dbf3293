"""What one press of a button can do about a problem: the engine's proposal as a change of the sheet's content."""

from collections.abc import Callable
from typing import Any

from engine.cards import PACK
from engine.game import Problem

Change = dict[str, Any]
Place = tuple[str | int, ...]
TEXT_OF_SYMBOL = {card.symbol: card.text for card in PACK}


def remedy(problem: Problem, content: Any) -> list[Change] | None:
    """The changes that put it right, each a place in the content and its new value; None where none is obvious."""
    if not problem.proposal.template:
        return None
    maker = MAKERS.get(problem.code)
    return maker(problem, content) if maker else None


def _write_computed(problem: Problem, _content: Any) -> list[Change] | None:
    computed = problem.message.params.get("computed")
    return None if computed is None else [_change(problem.place, computed)]


def _drop_claim(problem: Problem, _content: Any) -> list[Change] | None:
    hand = problem.place[:-1]
    return [_change((*hand, "combination"), None), _change((*hand, "split"), None)]


def _right_side(problem: Problem, _content: Any) -> list[Change] | None:
    """Who scores the left-overs follows from the hands: a claim about it is taken out, totals are put right."""
    if problem.place[-1:] == ("left_over_to",):
        return [_change(problem.place, None)]
    if {"ns", "ew"} <= set(problem.message.params):
        return [
            _change((*problem.place, side.upper()), problem.message.params[side]) for side in ("ns", "ew")
        ]
    return None


def _other_card(problem: Problem, content: Any) -> list[Change] | None:
    """The card that was written twice becomes the one that is likely meant, in the hand where it cannot be."""
    wrong = TEXT_OF_SYMBOL.get(str(problem.message.params.get("card")))
    right = TEXT_OF_SYMBOL.get(str(problem.message.params.get("near")))
    place = problem.place[:-1]
    hand = _at(content, place)
    if wrong is None or right is None or hand is None:
        return None
    changed = _replaced(hand, wrong, right)
    return None if changed == hand else [_change(place, changed)]


def _replaced(value: Any, wrong: str, right: str) -> Any:
    if isinstance(value, str):
        return " ".join(right if word == wrong else word for word in value.split())
    if isinstance(value, list):
        return [_replaced(each, wrong, right) for each in value]
    if isinstance(value, dict):
        return {key: _replaced(each, wrong, right) for key, each in value.items()}
    return value


def _at(content: Any, place: Place) -> Any:
    for step in place:
        is_key = isinstance(content, dict) and step in content
        is_number = isinstance(content, list) and type(step) is int and 0 <= step < len(content)
        if not (is_key or is_number):
            return None
        content = content[step]
    return content


def _change(place: Place, value: Any) -> Change:
    return {"place": list(place), "value": value}


MAKERS: dict[str, Callable[[Problem, Any], list[Change] | None]] = {
    "first-dealer": _write_computed,
    "points-differ": _write_computed,
    "made-differs": _write_computed,
    "total-differs": _write_computed,
    "bonus-differs": _write_computed,
    "split-differs": _write_computed,
    "combination-differs": _drop_claim,
    "left-over-wrong-side": _right_side,
    "card-twice": _other_card,
}
