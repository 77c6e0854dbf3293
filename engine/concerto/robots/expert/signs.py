"""What everybody can gather of a player's cards from what the player does: odds for each card.

A card played makes likely what would go well with the hand so far, a pass makes it unlikely; how much, depends on who
it was and how many passes came before. Part of it lasts into the next hand. The odds are common knowledge: both
partners reckon them from what lies open, and in the same way.
"""

# Compiled code has no objects to gather arguments in.
# ruff: noqa: PLR0917
from __future__ import annotations

from typing import Final

from engine.concerto.robots.expert.cards import (
    CARDS,
    ONE_RANK,
    PACK,
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
from engine.concerto.robots.expert.weights import KINDS, LASTS, TOLD_BY_CARD, TOLD_BY_PASS

_STAGES: Final = 3


@inner
def told_by_card(
    odds: Floats, who: int, card: int, before: int, passes: int, is_leader: bool, masks: Ints, figures: Floats
) -> None:
    """Change a player's odds after a card of theirs, which came after those ``before`` and so many passes."""
    if before == 0:
        lasts = figures[LASTS]
        for player in range(2):
            for place in range(CARDS):
                odds[player, place] = 1.0 + lasts * (odds[player, place] - 1.0)
    place = (0 if is_leader else 3) + min(passes, 2)
    _told(odds, who, before | card, card, masks, figures, TOLD_BY_CARD + KINDS * _STAGES * place)


@inner
def told_by_pass(
    odds: Floats, who: int, on_table: int, passes: int, is_leader: bool, masks: Ints, figures: Floats
) -> None:
    """Change a player's odds after a pass, which came after so many others."""
    if on_table:
        place = (0 if is_leader else 2) + min(passes, 1)
        _told(odds, who, on_table, on_table, masks, figures, TOLD_BY_PASS + KINDS * _STAGES * place)


@inner
def _told(odds: Floats, who: int, on_table: int, last: int, masks: Ints, figures: Floats, first: int) -> None:
    _sort_out(on_table, last, masks)
    stage = min(count(on_table), _STAGES) - 1
    for kind in range(KINDS):
        factor = figures[first + KINDS * stage + kind]
        cards = masks[kind] & ~on_table
        while cards:
            place = index_of(cards)
            cards &= cards - 1
            odds[who, place] = min(max(odds[who, place] * factor, 0.02), 50.0)


@inner
def _sort_out(on_table: int, last: int, masks: Ints) -> None:
    """Sort the pack by how a card goes with the hand.

    Of the last card's rank, of another on the table; next to the hand in its run and suit, elsewhere in them; of its
    suit; next to it in its run, elsewhere in it; nothing of that. Each card is in the first of the sets that has it.
    """
    for kind in range(KINDS):
        masks[kind] = 0
    played, ranks, suit = count(on_table), ranks_of(on_table), suit_of_all(on_table)
    different = count(ranks)
    rest = PACK
    if different == 1 or (different == 2 and played >= 2):
        masks[0] = ranks_of(last) * ONE_RANK
        masks[1] = ranks * ONE_RANK & ~masks[0]
        rest &= ~(ranks * ONE_RANK)
    if different == played:
        fit = 0
        for run in RUNS:
            if ranks & ~run == 0:
                fit |= run
        close = fit & (ranks << 1 | ranks >> 1 | ranks >> 12 | (ranks & 1) << 12)
        if suit >= 0:
            masks[2] = close << 13 * suit & rest
            masks[3] = (fit & ~close) << 13 * suit & rest
            masks[4] = (SUIT & ~fit) << 13 * suit & rest
            rest &= ~(SUIT << 13 * suit)
        masks[5] = close * ONE_RANK & rest
        masks[6] = (fit & ~close) * ONE_RANK & rest
        rest &= ~(fit * ONE_RANK)
    masks[7] = rest
