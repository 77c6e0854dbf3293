"""Best play as lines of play: who plays which card when, so that the rules allow it (R3 to R7)."""

from __future__ import annotations

from engine.cards import cards_of
from engine.concerto.best_play.analysis import in_order, leads
from engine.concerto.best_play.par import FrontierPoint, Holding
from engine.concerto.play import PASS_TOKEN


def lines(point: FrontierPoint, *, one_leads_first: bool) -> tuple[str, ...]:
    """Four lines of play that make the point, in the order of the side's hands.

    The partners lead in turn; ``one_leads_first`` tells which of them leads the side's first hand.
    """
    ordered = in_order(point, one_leads_first=one_leads_first)
    by_one = leads(len(ordered), one_leads_first=one_leads_first)
    cards_left = [
        sum(len(hand[player]) for hand in point.hands) + len(point.left[player]) for player in (0, 1)
    ]
    return tuple(_line(hand, leader, cards_left) for hand, leader in zip(ordered, by_one, strict=True))


def _line(hand: Holding, one_leads: bool, cards_left: list[int]) -> str:
    """The tokens of one hand; ``cards_left`` counts both players' cards down as they play.

    Partners who play in turn need no pass; where one of them is to play twice running, the other passes between.
    """
    to_play = [[card.text for card in cards_of(cards.bits)] for cards in hand]
    turn = 0 if one_leads else 1
    tokens: list[str] = []
    while to_play[0] or to_play[1]:
        if to_play[turn]:
            tokens.append(to_play[turn].pop())
            cards_left[turn] -= 1
        else:
            tokens.append(PASS_TOKEN)
        # R7: nobody without cards has the turn.
        if cards_left[1 - turn]:
            turn = 1 - turn
    return " ".join(tokens)
