"""What everybody can gather of a player's cards from what the player does: odds for each card.

A card played makes likely what would go well with the hand so far, a pass makes it unlikely. The odds are common
knowledge: both partners reckon them from what lies open, and in the same way.
"""

# Compiled code has no objects to gather arguments in.
# ruff: noqa: PLR0917
from __future__ import annotations

from typing import Final

from engine.concerto.robots.expert.cards import (
    ONE_RANK,
    RUNS,
    SUIT,
    Floats,
    Ints,
    count,
    index_of,
    ranks_of,
    suit_of_all,
)
from engine.concerto.robots.expert.compiling import inner
from engine.concerto.robots.expert.weights import TOLD_BY_CARD, TOLD_BY_PASS

#: The ways in which a card can go with a hand: of its ranks, of its run and suit, of its suit, of its run.
KINDS: Final = 4
_STAGES: Final = 3


@inner
def told_by_card(
    odds: Floats, who: int, on_table: int, is_leader: bool, masks: Ints, figures: Floats
) -> None:
    """Change a player's odds after a card of theirs; the hand has it already."""
    first = TOLD_BY_CARD if is_leader else TOLD_BY_CARD + KINDS * _STAGES
    _told(odds, who, on_table, masks, figures, first)


@inner
def told_by_pass(odds: Floats, who: int, on_table: int, masks: Ints, figures: Floats) -> None:
    """Change a player's odds after a pass."""
    if on_table:
        _told(odds, who, on_table, masks, figures, TOLD_BY_PASS)


@inner
def _told(odds: Floats, who: int, on_table: int, masks: Ints, figures: Floats, first: int) -> None:
    _sort_out(on_table, masks)
    stage = min(count(on_table), _STAGES) - 1
    for kind in range(KINDS):
        factor = figures[first + _STAGES * kind + stage]
        cards = masks[kind] & ~on_table
        while cards:
            low = cards & -cards
            cards ^= low
            place = index_of(low)
            odds[who, place] = min(max(odds[who, place] * factor, 0.02), 50.0)


@inner
def _sort_out(on_table: int, masks: Ints) -> None:
    """Sort the pack by how a card goes with the hand; each card is in the first of the sets that has it."""
    for kind in range(KINDS):
        masks[kind] = 0
    played, ranks, suit = count(on_table), ranks_of(on_table), suit_of_all(on_table)
    different = count(ranks)
    if different == 1 or (different == 2 and played >= 2):
        masks[0] = ranks * ONE_RANK
    if different != played:
        return
    fit = 0
    for run in RUNS:
        if ranks & ~run == 0:
            fit |= run
    if suit >= 0:
        masks[1] = fit << 13 * suit & ~masks[0]
        masks[2] = SUIT << 13 * suit & ~masks[0] & ~masks[1]
    masks[3] = fit * ONE_RANK & ~masks[0] & ~masks[1] & ~masks[2]
