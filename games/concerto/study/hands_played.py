"""What a pair did in a deal: the rows that statistics are made of, and in a few words.

In words: "full house, flush, two pair, left-overs 10".
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from engine import game
from games.analysis.services.analyses import hands_of
from games.concerto.deals import value_key
from games.concerto.values import SHORT, offered_values
from games.front import Figures, entry_of
from games.models import Match, PlayedDeal
from games.records.parsing import Reading

Hands = tuple[tuple[str, int], ...]
# A hand and its points stay in one line.
NO_BREAK = "\N{NO-BREAK SPACE}"


def take_figures(match: Match, deal: PlayedDeal, reading: Reading) -> Iterator[Figures]:
    """What follows from the sheet for each pair in a deal."""
    described = reading.descriptions[deal.number - 1]
    for side in game.get(match.game).sides():
        yield Figures(
            entry=entry_of(reading, side),
            side=side,
            given_away=_given_away(described, side),
            hands=tuple(
                (hand.number + 1, value_key(hand.combination, hand.split), hand.points)
                for hand in described.hands
                if hand.side == side and hand.points is not None
            ),
        )


def _given_away(described: Any, side: Any) -> int | None:
    """What a side's left-overs gave the other: nothing where it scores the other's, None where that is not known."""
    if described.left_over_to is None:
        return None
    if described.left_over_to == side:
        return 0
    bonus: int | None = described.left_over_bonus
    return bonus


@dataclass(frozen=True, slots=True)
class Summary:
    """The hands of a pair in a deal, the best first: what each was, and its points."""

    hands: Hands

    @property
    def text(self) -> str:
        """The hands in words, those that are worth nothing left out."""
        each = (f"{words} {points}".replace(" ", NO_BREAK) for words, points in self.hands if points)
        return " · ".join(each) or _("nothing")

    def of_total(self, total: int) -> str:
        """The hands in words, and the bonus of the others' left-overs where these points hold one."""
        bonus = total - sum(points for _words, points in self.hands)
        left = [(_("left-overs %(points)d") % {"points": bonus}).replace(" ", NO_BREAK)] if bonus > 0 else []
        return " · ".join([self.text, *left])


def summaries(deals: Collection[int], game: str) -> Mapping[tuple[int, int], Summary]:
    """Of deals that were played, by the deal's key and the pair's entry; nothing where only totals are known."""
    found: dict[tuple[int, int], list[tuple[str, int]]] = {}
    words = _words(game)
    for hand in sorted(hands_of(deals), key=lambda hand: (-hand.points, hand.number)):
        key = (hand.played.deal_id, hand.played.entry_id)
        found.setdefault(key, []).append((words.get(hand.value, ""), hand.points))
    return {key: Summary(tuple(hands)) for key, hands in found.items() if all(word for word, _p in hands)}


def _words(game: str) -> dict[str, str]:
    """Each value by its short name; the points tell how the cards were split."""
    return {
        value.key: str(SHORT.get(value.combination.key, value.combination.title))
        for value in offered_values(game, left=False)
    }
