"""A deal of Brag as people write it down, and all that can be wrong with it (BN16, BX6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.brag.hands import PACK, SIZE, Variant, groupings, laid, strength, token_of
from engine.brag.play import ENOUGH, FOUR_OF_A_KIND, FOUR_PAIRS, HANDS_OF_NINE, STAYS, WON, State, compared
from engine.errors import CardError, quoted
from engine.game.fields import Reader, by_side, one_of, read_written_deal, whole_number
from engine.game.sheets import MOST_POINTS, WrittenDeal
from engine.game.values import CheckedSheet, Json
from engine.packs import in_order, read_cards
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.text import gettext_noop

#: BN16: a pot carried more often than this is odd.
OFTEN_CARRIED: Final = 5
FIELDS: Final = ("outcome", "winner", "points", "fours", "hands", "pot", "total")
_MOST_ANTE: Final = 10


def read_written(
    data: object, seats: Sequence[str], variant: Variant, ante: int | None, pot: int | None
) -> WrittenDeal:
    """The deal from JSON, whatever the JSON is; ``ante`` and the ``pot`` before it where they are known."""
    outcomes = (WON, STAYS, FOUR_OF_A_KIND, *([FOUR_PAIRS] if variant.pairs else []))
    readers: dict[str, Reader] = {
        "outcome": one_of(outcomes),
        "winner": one_of(seats),
        "points": by_side(seats, whole_number(0, variant.hands)),
        "fours": by_side(seats, one_of(variant.order)),
        "hands": by_side(seats, _hands(variant)),
        "pot": whole_number(0, MOST_POINTS),
        "total": by_side(seats, whole_number(-_MOST_ANTE, MOST_POINTS)),
    }
    staked = None if ante is None or pot is None else pot + ante * len(seats)
    return read_written_deal(
        data,
        seats,
        readers,
        faults=lambda given: [*_impossible(given, variant), *_inconsistent(given, seats, variant, staked)],
        told=lambda given: _told(given, seats, ante, staked),
        fault_of_total=lambda total: fault_of_total(total, ante, staked),
    )


def written(state: State) -> dict[str, Json]:
    """BN16: a deal that was played out."""
    score, setting = state.score(), state.setting
    found: dict[str, Json] = {"outcome": score.detail["outcome"], "total": dict(score.total)}
    if score.detail["winner"]:
        found["winner"] = score.detail["winner"]
    if any(setting.fours):
        order = setting.variant.order
        fours = {str(at + 1): order[len(order) - high] for at, high in enumerate(setting.fours) if high}
        return {**found, "fours": fours, "pot": setting.staked}
    hands = {str(place + 1): token_of(each) for place, each in sorted(state.laid_by.items())}
    told = {"points": score.detail["points"], "hands": hands} if hands else {}
    return {**found, **told, "pot": setting.staked}


def with_sheet_checks(checked: CheckedSheet) -> Iterator[Problem]:
    """BN16, of the whole sheet."""
    given = [{} if record is None else record.as_json() for record in checked.records]
    if sum(deal.get("outcome") == FOUR_OF_A_KIND for deal in given) > 1:
        template = gettext_noop("Four of a kind twice in a match is rare.")
        yield suspicious("fours-twice", template, ("deals",))
    running = 0
    for number, score in enumerate(checked.scores):
        running = running + 1 if score is not None and max(score.total.values()) < 0 else 0
        if running == OFTEN_CARRIED + 1:
            template = gettext_noop("A pot that nobody wins six times running is rare.")
            yield suspicious("often-carried", template, ("deals", number))


def fault_of_total(total: Mapping[str, int], ante: int | None = None, staked: int | None = None) -> str:
    """BN12: why no deal gives these totals; empty where one does."""
    paid = -min(total.values())
    winners = [points for points in total.values() if points != -paid]
    if not 1 <= paid <= _MOST_ANTE or (ante is not None and paid != ante):
        return gettext_noop("Everybody but the winner loses the ante.")
    if len(winners) > 1:
        return gettext_noop("Only one player can win the pot.")
    least = paid * (len(total) - 1)
    if winners and (winners[0] < least or (staked is not None and winners[0] != staked - paid)):
        return gettext_noop("The winner gets what’s in the pot.")
    return ""


def _hands(variant: Variant) -> Reader:
    """The hands that a player laid, in any order."""

    def read(given: object) -> tuple[Any, list[Problem]]:
        try:
            hands = (
                [in_order(read_cards(hand)) for hand in given.split("/")] if isinstance(given, str) else []
            )
        except CardError:
            hands = []
        cards = [card for hand in hands for card in hand]
        if len(hands) != variant.hands or any(len(hand) != SIZE for hand in hands) or {*cards} - {*PACK}:
            template = gettext_noop("“%(given)s” must be %(hands)d hands of three cards.")
            return None, [impossible("bad-hands", template, given=quoted(given), hands=variant.hands)]
        return token_of(hands), []

    return read


def _laid(given: Mapping[str, Any]) -> dict[str, list[tuple[str, ...]]]:
    hands: Mapping[str, str] = given.get("hands", {})
    return {seat: [read_cards(hand) for hand in text.split("/")] for seat, text in hands.items()}


def _impossible(given: Mapping[str, Any], variant: Variant) -> Iterator[Problem]:
    points, winner, outcome = given.get("points", {}), given.get("winner"), given.get("outcome")
    if sum(points.values()) > variant.hands:
        yield impossible("points-sum", gettext_noop("There are more points than hands."), ("points",))
    if outcome == WON and winner in points and variant.hands == HANDS_OF_NINE and points[winner] < ENOUGH:
        yield impossible(
            "won-with-one", gettext_noop("Two hands are needed to win the pot."), ("points", str(winner))
        )
    if winner and outcome in {STAYS, FOUR_PAIRS}:
        yield impossible("winner-stays", gettext_noop("Nobody wins a pot that stays."), ("winner",))
    fours = given.get("fours", {})
    if len({*fours.values()}) < len(fours):
        template = gettext_noop("Two players can’t have the same four of a kind.")
        yield impossible("same-fours", template, ("fours",))
    cards = Counter(card for hands in _laid(given).values() for hand in hands for card in hand)
    if cards and max(cards.values()) > 1:
        yield impossible("card-twice", gettext_noop("A card is there twice."), ("hands",))


def _inconsistent(
    given: Mapping[str, Any], seats: Sequence[str], variant: Variant, staked: int | None
) -> Iterator[Problem]:
    order, hands = variant.order, _laid(given)
    for seat, each in hands.items():
        lies = laid(each, order)
        if [strength(hand, order) for hand in each] != [strength(hand, order) for hand in lies]:
            template = gettext_noop("The hands must lie by their strength, the best first.")
            proposal = gettext_noop("Write %(hands)s.")
            text = token_of(lies)
            yield inconsistent("hands-order", template, ("hands", seat), proposal=proposal, hands=text)
        better = _beaten(lies, variant)
        if better:
            template = gettext_noop("Another way to lay these cards is better in every hand: %(hands)s.")
            yield suspicious("better-grouping", template, ("hands", seat), hands=better)
    if staked is not None and given.get("pot", staked) != staked:
        template = gettext_noop("The pot must hold %(pot)d: what stayed before, and the antes.")
        yield inconsistent("pot", template, ("pot",), pot=staked)
    if len(hands) == len(seats):
        yield from _against_hands(given, [laid(hands[seat], order) for seat in seats], seats, variant)
    fours = given.get("fours", {})
    highest = min(fours.values(), key=order.index, default=None)
    if fours and given.get("winner") not in {None, *(seat for seat in fours if fours[seat] == highest)}:
        template = gettext_noop("The highest four of a kind wins.")
        yield inconsistent("winner-fours", template, ("winner",))


def _against_hands(
    given: Mapping[str, Any], hands: Sequence[Any], seats: Sequence[str], variant: Variant
) -> Iterator[Problem]:
    """BN10, BN11, BX6: who won, by the hands of all."""
    points, winner = compared(hands, variant)
    name = None if winner is None else seats[winner]
    if given.get("winner", name) != name or (name is None) != (
        given.get("outcome", STAYS if name is None else WON) == STAYS
    ):
        template = gettext_noop("By the hands laid this isn’t how the deal ended.")
        yield inconsistent("winner-hands", template, ("winner",))
    for seat, count in given.get("points", {}).items():
        if points[seats.index(seat)] != count:
            template = gettext_noop("By the hands laid this player wins %(count)d.")
            yield inconsistent("points-hands", template, ("points", seat), count=points[seats.index(seat)])


def _beaten(hands: Sequence[tuple[str, ...]], variant: Variant) -> str:
    """A way to lay these cards that is better in every hand; empty where there is none."""
    if len({card for hand in hands for card in hand}) < variant.hands * SIZE:
        return ""
    own = [strength(hand, variant.order) for hand in hands]
    cards = in_order(card for hand in hands for card in hand)
    for other in groupings(cards, variant):
        if all(strength(hand, variant.order) > mine for hand, mine in zip(other, own, strict=True)):
            return token_of(other)
    return ""


def _told(
    given: Mapping[str, Any], seats: Sequence[str], ante: int | None, staked: int | None
) -> dict[str, int]:
    """BN12: what the winner, or that there is none, says of the totals."""
    outcome, winner = given.get("outcome"), given.get("winner")
    if ante is None or (outcome not in {STAYS, FOUR_PAIRS} and not winner):
        return {}
    won = given.get("pot", staked)
    if winner and won is None:
        return {seat: -ante for seat in seats if seat != winner}
    return {seat: -ante + (won if seat == winner else 0) for seat in seats}
