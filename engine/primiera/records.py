"""Deals of Primiera and Primero as people write them down, and all that can be wrong with them (PM22, PR13)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.game.fields import Reader, by_side, one_of, read_written_deal, row_of_cards, whole_number
from engine.game.sheets import MOST_POINTS, WrittenDeal
from engine.game.values import CheckedSheet, Json
from engine.packs import in_order, read_cards
from engine.primiera import play, vying
from engine.primiera.hands import (
    CHORUS,
    FIFTY_FIVE,
    FLUSH,
    FLUXUS,
    HAND,
    NUMERUS,
    PACK,
    POINT,
    PRIMIERA,
    SUPREMUS,
    Hand,
    count,
    kind_of,
    merit,
    old_kind_of,
    old_merit,
    point,
)
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.text import gettext_noop

#: PM22, PR13: what each hand can count.
COUNTS: Final = {
    FLUSH: range(42, 71),
    FIFTY_FIVE: range(65, 77),
    PRIMIERA: range(40, 85),
    POINT: range(10, 71),
}
OLD_COUNTS: Final = {
    CHORUS: range(40, 85),
    FLUXUS: range(42, 71),
    SUPREMUS: range(65, 77),
    PRIMIERA: range(40, 82),
    NUMERUS: range(20, 55),
}
_ANTE: Final = 10
#: PM22: so many flushes and fifty-fives without a draw in a match are odd.
MANY: Final = 3


class Sheet(ABC):
    """What the two games' sheets have in common: a winner, a hand and what it counts, a pot, the scores."""

    counts: Mapping[str, range]
    outcomes: tuple[str, ...]
    most_paid: int

    @abstractmethod
    def own_readers(self, seats: Sequence[str]) -> dict[str, Reader]:
        """The fields that only this game has."""

    @abstractmethod
    def own_faults(self, given: Mapping[str, Any], options: Mapping[str, Any] | None) -> Iterator[Problem]:
        """What is wrong with them."""

    @abstractmethod
    def paid(
        self, given: Mapping[str, Any], seats: Sequence[str], options: Mapping[str, Any] | None
    ) -> Mapping[str, int]:
        """What each is known to have put in."""

    @abstractmethod
    def of_hand(self, hand: Hand, options: Mapping[str, Any] | None) -> tuple[str, int]:
        """What a hand is called and counts."""

    @abstractmethod
    def odd(self, checked: CheckedSheet) -> Iterator[Problem]:
        """What is odd about the deals of a sheet together."""

    @abstractmethod
    def written(self, state: Any) -> dict[str, Json]:
        """A deal that was played out."""

    @abstractmethod
    def fault_of_total(self, total: Mapping[str, int]) -> str:
        """Why no deal gives these totals; empty where one does."""

    def read(
        self,
        data: object,
        seats: Sequence[str],
        options: Mapping[str, Any] | None,
        pot: int | None,
    ) -> WrittenDeal:
        """The deal from JSON, whatever the JSON is; ``options`` and the ``pot`` before it where they are known."""
        readers: dict[str, Reader] = {
            "outcome": one_of(self.outcomes),
            "winner": one_of(seats),
            "with": one_of(tuple(self.counts)),
            "count": whole_number(10, 84),
            "hand": row_of_cards(PACK, (HAND,)),
            "pot": whole_number(0, MOST_POINTS),
            **self.own_readers(seats),
            "total": by_side(seats, whole_number(-self.most_paid, MOST_POINTS)),
        }
        return read_written_deal(
            data,
            seats,
            readers,
            faults=lambda given: [
                *self._faults(given, options),
                *self.own_faults(given, options),
                *self._of_pot(given, seats, options, pot),
            ],
            told=lambda given: self._told(given, seats, options, pot),
            fault_of_total=self.fault_of_total,
        )

    def _faults(self, given: Mapping[str, Any], options: Mapping[str, Any] | None) -> Iterator[Problem]:
        kind, counted = given.get("with"), given.get("count")
        if kind and counted and counted not in self.counts[kind]:
            possible = self.counts[kind]
            template = gettext_noop("This hand counts from %(least)d to %(most)d.")
            least, most = possible.start, possible.stop - 1
            yield impossible("count", template, ("count",), least=least, most=most)
        winner = given.get("winner", "")
        cards = given.get("hand") or given.get("hands", {}).get(winner)
        if cards:
            name, worth = self.of_hand(in_order(read_cards(cards)), options)
            if kind not in {None, name, POINT}:
                template = gettext_noop("These cards are no such hand.")
                yield impossible("hand-kind", template, ("hand",) if "hand" in given else ("hands", winner))
            elif kind == name and counted not in {None, worth}:
                template = gettext_noop("These cards count %(count)d.")
                yield inconsistent("hand-count", template, ("count",), count=worth)
        if given.get("outcome") == play.ANNULLED and given.get("winner"):
            yield impossible("winner-stays", gettext_noop("Nobody wins a pot that stays."), ("winner",))

    def _staked(
        self,
        given: Mapping[str, Any],
        seats: Sequence[str],
        options: Mapping[str, Any] | None,
        pot: int | None,
    ) -> int | None:
        paid = self.paid(given, seats, options)
        return pot + sum(paid.values()) if pot is not None and len(paid) == len(seats) else None

    def _of_pot(
        self,
        given: Mapping[str, Any],
        seats: Sequence[str],
        options: Mapping[str, Any] | None,
        pot: int | None,
    ) -> Iterator[Problem]:
        staked = self._staked(given, seats, options, pot)
        if staked is not None and given.get("pot", staked) != staked:
            template = gettext_noop("The pot must hold %(pot)d: what stayed before, and what was put in.")
            yield inconsistent("pot", template, ("pot",), pot=staked)
        total, winner = given.get("total", {}), given.get("winner")
        if winner in total and len(total) == len(seats) and max(total, key=total.__getitem__) != winner:
            template = gettext_noop("The winner has the highest score.")
            yield inconsistent("winner-total", template, ("winner",))

    def _told(
        self,
        given: Mapping[str, Any],
        seats: Sequence[str],
        options: Mapping[str, Any] | None,
        pot: int | None,
    ) -> dict[str, int]:
        paid, winner = self.paid(given, seats, options), given.get("winner")
        if given.get("outcome") == play.ANNULLED:
            return {seat: -points for seat, points in paid.items()}
        won = given.get("pot", self._staked(given, seats, options, pot))
        if not winner:
            return {}
        return {
            seat: (won if seat == winner else 0) - points
            for seat, points in paid.items()
            if seat != winner or won is not None
        }


class PrimieraSheet(Sheet):
    """PM22."""

    counts = COUNTS
    outcomes = (play.CLAIMED, play.BY_POINT, play.ANNULLED)
    most_paid = _ANTE + 30

    def own_readers(self, seats: Sequence[str]) -> dict[str, Reader]:
        """PM15, PM22."""
        return {
            "draws": whole_number(0, 3),
            "hands": by_side(seats, row_of_cards(PACK, (HAND,))),
        }

    def own_faults(self, given: Mapping[str, Any], options: Mapping[str, Any] | None) -> Iterator[Problem]:
        """PM15, PM16."""
        if options and given.get("draws", 0) > options["draws"]:
            template = gettext_noop("There are no more than %(draws)d draws in a deal.")
            yield impossible("draws", template, ("draws",), draws=options["draws"])
        if (given.get("outcome"), given.get("with", POINT) == POINT) in {
            (play.CLAIMED, "with" in given),
            (play.BY_POINT, False),
        }:
            template = gettext_noop("Who claims wins with a hand; where nobody claims the point wins.")
            yield impossible("outcome-with", template, ("with",))
        hands = {seat: in_order(read_cards(text)) for seat, text in given.get("hands", {}).items()}
        counts = Counter(card for hand in hands.values() for card in hand)
        if counts and max(counts.values()) > 1:
            yield impossible("card-twice", gettext_noop("A card is there twice."), ("hands",))
        winner = given.get("winner")
        if not options or winner not in hands or given.get("outcome") == play.ANNULLED:
            return
        if given.get("with") == POINT:
            worth: dict[str, tuple[int, ...]] = {seat: (point(hand),) for seat, hand in hands.items()}
        else:
            # Only hands that were claimed are known to have been shown.
            sets, best_suit = options["sets"], options["best_suit"]
            worth = {
                seat: merit(hand, sets=sets, best_suit=best_suit)
                for seat, hand in hands.items()
                if seat in given.get("claims", hands)
            }
        if winner in worth and max(worth.values()) > worth[winner]:
            template = gettext_noop("By the hands given somebody else wins.")
            yield inconsistent("winner-hands", template, ("winner",))

    def paid(
        self, given: Mapping[str, Any], seats: Sequence[str], options: Mapping[str, Any] | None
    ) -> Mapping[str, int]:
        """PM13."""
        if not options or (options["second_stake"] and "draws" not in given):
            return {}
        each = options["ante"] + options["second_stake"] * given.get("draws", 0)
        return dict.fromkeys(seats, each)

    def of_hand(self, hand: Hand, options: Mapping[str, Any] | None) -> tuple[str, int]:
        """PM4, PM5, PM8, PM9."""
        kind = kind_of(hand, sets=options is None or options["sets"])
        return kind, point(hand) if kind == POINT else count(hand)

    def odd(self, checked: CheckedSheet) -> Iterator[Problem]:
        """PM22."""
        given = [{} if record is None else record.as_json() for record in checked.records]
        if sum(deal.get("outcome") == play.ANNULLED for deal in given) > 1:
            yield suspicious(
                "annulled-twice", gettext_noop("Two annulled deals in a match are rare."), ("deals",)
            )
        dealt = [deal for deal in given if deal.get("draws") == 0 and deal.get("with") in {FLUSH, FIFTY_FIVE}]
        if len(dealt) >= MANY:
            template = gettext_noop("Three flushes or fifty-fives without a draw are rare.")
            yield suspicious("many-dealt", template, ("deals",))
        for number, deal in enumerate(given):
            hands: Any = deal.get("hands", {})
            winning = [text for text in hands.values() if kind_of(in_order(read_cards(text))) != POINT]
            if deal.get("draws") == 0 and len(winning) > 1:
                template = gettext_noop("Two winning hands before the first draw are rare.")
                yield suspicious("two-dealt", template, ("deals", number, "hands"))

    def written(self, state: play.State) -> dict[str, Json]:
        """PM22."""
        score, (outcome, winner) = state.score(), state.best
        found: dict[str, Json] = {"outcome": outcome, "draws": state.now.draws, "pot": state.pot}
        shown = state.now.claims or range(len(state.setting.hands))
        hands: Any = score.detail["hands"]
        found["hands"] = {str(place + 1): hands[str(place + 1)] for place in sorted(shown)}
        if winner is not None:
            hand = state.now.drawn.hands[winner]
            kind = score.detail["with"]
            found |= {"winner": str(winner + 1), "with": kind}
            found["count"] = point(hand) if kind == POINT else count(hand)
        return {**found, "total": dict(score.total)}

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        """PM18: all have paid the same."""
        paid = -min(total.values())
        winners = [points for points in total.values() if points != -paid]
        if paid < 1 or len(winners) > 1:
            return gettext_noop("All but the winner of the pot pay the same.")
        if winners and winners[0] < paid * (len(total) - 1):
            return gettext_noop("The winner gets what’s in the pot.")
        return ""


class PrimeroSheet(Sheet):
    """PR13."""

    counts = OLD_COUNTS
    outcomes = (vying.SHOWDOWN, vying.UNSEEN, vying.ANNULLED)
    most_paid = _ANTE + 60

    def own_readers(self, seats: Sequence[str]) -> dict[str, Reader]:
        """PR13."""
        return {
            "folded": by_side(seats, one_of(("yes", "no"))),
            "put": by_side(seats, whole_number(1, self.most_paid)),
            "hands": by_side(seats, row_of_cards(PACK, (HAND,))),
        }

    def own_faults(self, given: Mapping[str, Any], options: Mapping[str, Any] | None) -> Iterator[Problem]:
        """PR6, PR7, PR13."""
        put, winner = given.get("put", {}), given.get("winner")
        if options:
            most = options["ante"] + options["limit"] * options["raises"]
            for seat, points in put.items():
                if not options["ante"] <= points <= most:
                    template = gettext_noop("Everybody puts in from %(least)d to %(most)d.")
                    yield impossible("put", template, ("put", seat), least=options["ante"], most=most)
        folded = given.get("folded", {})
        for seat in put:
            if folded.get(seat) == "no" and winner in put and put[seat] < put[winner]:
                template = gettext_noop("Who has not folded has put in as much as the winner.")
                yield impossible("put-less", template, ("put", seat))
        if folded.get(winner) == "yes":
            yield impossible("winner-folded", gettext_noop("Who folded can’t win."), ("winner",))
        hands = {seat: in_order(read_cards(text)) for seat, text in given.get("hands", {}).items()}
        counts = Counter(card for hand in hands.values() for card in hand)
        if counts and max(counts.values()) > 1:
            yield impossible("card-twice", gettext_noop("A card is there twice."), ("hands",))
        worth = {seat: old_merit(hand) for seat, hand in hands.items() if folded.get(seat) != "yes"}
        if winner in worth and max(worth.values()) > worth[winner]:
            template = gettext_noop("By the hands given somebody else wins.")
            yield inconsistent("winner-hands", template, ("winner",))

    def paid(
        self, given: Mapping[str, Any], seats: Sequence[str], options: Mapping[str, Any] | None
    ) -> Mapping[str, int]:
        """PR9."""
        put: Mapping[str, int] = given.get("put", {})
        return put

    def of_hand(self, hand: Hand, options: Mapping[str, Any] | None) -> tuple[str, int]:
        """PR3, PR4."""
        kind = old_kind_of(hand)
        return kind, point(hand) if kind == NUMERUS else count(hand)

    def odd(self, checked: CheckedSheet) -> Iterator[Problem]:
        """PR13."""
        given = [{} if record is None else record.as_json() for record in checked.records]
        if sum(deal.get("outcome") == vying.ANNULLED for deal in given) > 1:
            yield suspicious(
                "annulled-twice", gettext_noop("Two annulled deals in a match are rare."), ("deals",)
            )
        if sum(deal.get("with") in {CHORUS, SUPREMUS} for deal in given) > 1:
            template = gettext_noop("Chorus or supremus twice in a match is rare.")
            yield suspicious("rare-hands", template, ("deals",))
        puts: list[Any] = [deal.get("put") for deal in given]
        if len(puts) >= MANY and all(puts):
            most = [{seat for seat in put if put[seat] == max(put.values())} for put in puts]
            if any(len(each) < len(put) for each, put in zip(most, puts, strict=True)) and set.intersection(
                *most
            ):
                template = gettext_noop("One player put in the most in every deal.")
                yield suspicious("always-most", template, ("deals",))

    def written(self, state: vying.State) -> dict[str, Json]:
        """PR13."""
        score, (outcome, winner) = state.score(), state.best
        hands = state.now.drawn.hands
        found: dict[str, Json] = {"outcome": outcome, "put": score.detail["put"], "pot": state.pot}
        found["folded"] = {
            str(place + 1): "yes" if place in state.now.folded else "no" for place in range(len(hands))
        }
        if outcome != vying.UNSEEN:
            found["hands"] = {str(place + 1): "".join(hands[place]) for place in state.staying}
        if winner is not None:
            found["winner"] = str(winner + 1)
        if winner is not None and outcome == vying.SHOWDOWN:
            found["with"], found["count"] = self.of_hand(hands[winner], None)
        return {**found, "total": dict(score.total)}

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        """PR9."""
        winners = [seat for seat, points in total.items() if points >= 0]
        if len(winners) > 1:
            return gettext_noop("Only one player can win the pot.")
        if winners and sum(total.values()) < 0:
            return gettext_noop("The winner gets what’s in the pot.")
        return ""


PRIMIERA_SHEET: Final = PrimieraSheet()
PRIMERO_SHEET: Final = PrimeroSheet()
FIELDS: Final = (
    "outcome",
    "winner",
    "with",
    "count",
    "hand",
    "pot",
    "draws",
    "hands",
    "put",
    "folded",
    "total",
)
