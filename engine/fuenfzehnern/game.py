"""Fünfzehnern as the rest of the service knows it: one object that offers what engine/game asks of every game."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Final

from engine.cards import Card
from engine.errors import DealError
from engine.fuenfzehnern import play
from engine.fuenfzehnern.for_learners import HELP, help_on_turn
from engine.fuenfzehnern.novice import NOVICE
from engine.fuenfzehnern.play import CARDS, HAND, ZWANGS, pack_of
from engine.fuenfzehnern.records import fault_of_total, read_written, with_sheet_checks, written
from engine.fuenfzehnern.sampling import SAMPLING
from engine.game import CheckedSheet, Game, Json, Kind, MatchResult, OptionField, Options, Score
from engine.game import values as seam
from engine.game.matches import sum_of_deals
from engine.game.searching import Searcher
from engine.game.sheets import WrittenDeal, check_totals, with_repeats
from engine.game.zones import Call, SeatZone, Zones
from engine.options import option_values
from engine.packs import deal_out, in_order, is_card
from engine.text import Message, Word, gettext_noop

_OPTIONS: Final = (
    OptionField(
        "deals",
        Kind.NUMBER,
        0,
        Word(gettext_noop("Deals")),
        Word(gettext_noop("How many deals a match has. 0: everybody deals twice.")),
        maximum=40,
    ),
)


class FuenfzehnernGame(Game):
    """Fünfzehnern for three or four, each alone."""

    key = "fuenfzehnern"
    name = Word(gettext_noop("Fünfzehnern"))
    players = range(3, 5)
    goes_below_zero = True
    ranks = "AKQJT987"
    sampling = SAMPLING
    robots = (NOVICE, Searcher(SAMPLING, playouts=160))

    def options(self) -> tuple[OptionField, ...]:
        """FZ9."""
        return _OPTIONS

    def read_options(self, data: object) -> dict[str, Json]:
        """FZ9."""
        return {"deals": 0, **option_values(_OPTIONS, data)}

    def deals_in_match(self, options: Options) -> int:
        """FZ9."""
        return self.deals_of(None, options)

    def deals_of(self, players: int | None, options: Options) -> int:
        """FZ9: two rounds of dealers where nobody says how many."""
        deals = self.read_options(options)["deals"]
        return deals if isinstance(deals, int) and deals else 2 * (players or self.players.stop - 1)

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        """FZ3."""
        pack, count = pack_of(len(self.seats(players))), len(self.seats(players))
        return str(deal_out(rng.sample(pack, len(pack)), (HAND,) * count))

    def read_deal(self, text: str, players: int | None = None) -> str:
        """FZ12."""
        return str(play.read(text, len(self.seats(players))))

    def start(self, deal: str, dealer: str, options: Options, players: int | None = None) -> play.State:
        """FZ4."""
        self.read_options(options)
        seats = self.seats(players)
        if dealer not in seats:
            template = gettext_noop("“%(given)s” isn’t a seat in this game.")
            raise DealError("seat-unknown", template, given=dealer)
        return play.start(deal, len(seats), seats.index(dealer))

    def view(self, state: seam.State, seat: str | None) -> Zones:
        """FZ10."""
        played = _own(state)
        is_mine = seat is not None and seat == played.turn
        legal = played.legal() if is_mine else ()
        return Zones(
            seat=seat,
            dealer=str(played.setting.dealer + 1),
            turn=played.turn,
            phase=_phase(played),
            seats=tuple(_zone(played, place, seat) for place in range(len(played.now.hands))),
            trick=_trick(played),
            cards=in_order(token for token in legal if is_card(token)),
            calls=tuple(Call(token, _named(token)) for token in legal if token in ZWANGS),
            help=() if played.is_over else (*(help_on_turn(played) if is_mine else ()), *HELP),
            score=tuple(played.score().total.items()) if played.is_over else None,
            history=played.history,
        )

    def token_seen_by(self, state: seam.State, token: str, seat: str | None) -> str:
        """FZ10: nothing of an action is secret."""
        return token

    def calls(self) -> tuple[str, ...]:
        """FZ7."""
        return ZWANGS

    def call_in_words(self, token: str) -> Message | None:
        """FZ7."""
        if token not in ZWANGS:
            return super().call_in_words(token)
        return Message(
            gettext_noop("leads %(card)s and says “Zwang”"), {"card": Card.parse(token[:2]).symbol}
        )

    def record_of(self, state: seam.State) -> Mapping[str, Json]:
        """FZ13."""
        return written(_own(state))

    def read_result(self, data: object, players: int | None = None) -> WrittenDeal:
        """FZ13 to FZ16."""
        return read_written(data, self.seats(players))

    def check_sheet(
        self, content: object, first_dealer: str, options: Options, players: int | None = None
    ) -> CheckedSheet:
        """FZ13 to FZ16."""
        seats = self.seats(players)
        checked = check_totals(
            content,
            lambda data, number: read_written(data, seats, self.dealer_after(first_dealer, number, players)),
            lambda scores: self.match(scores, options, players),
        )
        return with_repeats(with_sheet_checks(checked, seats))

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        """FZ8, FZ14."""
        return fault_of_total(total)

    def match(self, scores: Sequence[Score], options: Options, players: int | None = None) -> MatchResult:
        """FZ9."""
        seats = self.seats(players)
        return sum_of_deals(scores, seats, deals=self.deals_of(len(seats), options))


def _phase(played: play.State) -> Message:
    now = played.now
    if played.is_over:
        return Message(gettext_noop("The deal is over"))
    return Message(gettext_noop("Trick %(number)d"), {"number": len(now.won) + 1})


def _zone(played: play.State, place: int, seat: str | None) -> SeatZone:
    """A seat's cards, and the kings that a Zwang has shown."""
    now, own = played.now, str(place + 1)
    hand = now.hands[place]
    kings = CARDS.cards_in(hand & now.kings)
    return SeatZone(
        own,
        hand.bit_count(),
        in_order(CARDS.cards_in(hand)) if own == seat else (),
        melds=tuple((king,) for king in kings),
        tricks=now.won.count(place),
        points=now.taken[place],
    )


def _trick(played: play.State) -> tuple[tuple[str, str], ...]:
    """The trick on the table."""
    trick, players = played.now.trick, len(played.now.hands)
    leader = played.now.turn - len(trick)
    return tuple((str((leader + step) % players + 1), CARDS.cards[card]) for step, card in enumerate(trick))


def _named(token: str) -> Message:
    return Message(gettext_noop("%(card)s with Zwang"), {"card": Card.parse(token[:2]).symbol})


def _own(state: seam.State) -> play.State:
    """What comes back over the seam is what was given out."""
    if not isinstance(state, play.State):
        raise TypeError(state)
    return state


FUENFZEHNERN: Final = FuenfzehnernGame()
