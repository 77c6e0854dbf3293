"""What many hands of five cards form, all at once (R9, R10), with numpy.

Only who asks for it imports this module; the rules themselves get by without numpy. Held against ``poker.classify``
and against the frequencies of all hands in tests/engine/test_batch_classify.py.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine.errors import CardError, gettext_noop
from engine.poker import FIVE_CARD_COMBINATIONS, Combination

Bytes = npt.NDArray[np.uint8]

#: So many hands at a time keep all that is worked on near the processor.
_CHUNK: Final = 32_768
_ACE: Final = 12
#: The ranks of A-2-3-4-5 add up to this, and those of no other five different ranks with an ace do.
_WHEEL: Final = 18


def classify_many(cards: npt.NDArray[Any]) -> Bytes:
    """What each row forms: the ``order`` of its Combination, 0 for nothing to 8 for a straight flush.

    ``cards`` is an array of shape (n, 5) of whole numbers: the ``index`` of each card, 0 to 51. The five cards of a row
    must be different; that is not looked at. Raises CardError where it is no such array.
    """
    _check(cards)
    found = np.empty(len(cards), np.uint8)
    for start in range(0, len(cards), _CHUNK):
        chunk = np.ascontiguousarray(cards[start : start + _CHUNK].T, dtype=np.uint8)
        _classify(chunk, found[start : start + _CHUNK])
    return found


def combination_of(order: int) -> Combination:
    """The combination that classify_many means by this number."""
    return FIVE_CARD_COMBINATIONS[order]


def _check(cards: npt.NDArray[Any]) -> None:
    if cards.ndim != 2 or cards.shape[1] != 5 or cards.dtype.kind not in "iu":
        raise CardError("batch-shape", gettext_noop("Hands are an array of whole numbers, five in each row."))
    if cards.size and (cards.max() > 51 or (cards.dtype.kind == "i" and cards.min() < 0)):
        raise CardError("batch-cards", gettext_noop("Cards are numbered from 0 to 51."))


def _classify(cards: Bytes, found: Bytes) -> None:
    """The combinations of a few hands, whose cards are in five rows, into ``found``.

    Everything is a byte, so that the processor takes many hands at a time; comparisons count as 0 and 1.
    """
    suits = np.zeros_like(cards)
    for first in (13, 26, 39):
        suits += (cards >= first).view(np.uint8)
    ranks = cards - 13 * suits
    # How many pairs of equal cards there are tells all that the ranks' frequencies can: 0 to 4, or 6 for fours.
    alike = np.zeros_like(found)
    for one, other in combinations(ranks, 2):
        alike += (one == other).view(np.uint8)
    flush = np.ones_like(found)
    for one, other in pairwise(suits):
        flush &= (one == other).view(np.uint8)
    straight = _straight(ranks)
    straight &= (alike == 0).view(np.uint8)
    # In the order of Combination: full houses have 4 such pairs and are 6, fours have 6 and are 7.
    found[:] = alike
    found += 2 * (alike == 4).view(np.uint8)
    found += (alike == 6).view(np.uint8)
    found += 4 * straight
    found += 5 * flush
    # Both together, 9, are a straight flush, 8.
    found -= straight & flush


def _straight(ranks: Bytes) -> Bytes:
    """R10: whether the ranks, where they are different, are a run; the ace is high or low."""
    highest: Bytes = ranks.max(axis=0)
    is_run: Bytes = (highest - ranks.min(axis=0) == 4).view(np.uint8)
    is_wheel = (highest == _ACE).view(np.uint8)
    is_wheel &= (ranks.sum(axis=0, dtype=np.uint8) == _WHEEL).view(np.uint8)
    is_run |= is_wheel
    return is_run
