"""Burraco as the rest of the service knows it: one object that offers what engine/game asks of every game."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Final

from engine.burraco import play
from engine.burraco.cards import PACK, cards_in
from engine.burraco.for_learners import HELP, help_on_turn
from engine.burraco.melds import Meld
from engine.burraco.novice import NOVICE
from engine.burraco.play import DRAW, NEW, ON, SEATS, SIDES, SIZE, TAKE
from engine.burraco.records import Written, check_sheet, fault_of_total, fits_deal, read_written, written
from engine.burraco.sampling import SAMPLING
from engine.game import CheckedSheet, Game, Json, Kind, MatchResult, OptionField, Options, Score
from engine.game import values as seam
from engine.game.boards import PackBoards
from engine.game.matches import deals_or_target, sum_of_deals
from engine.game.searching import Searcher
from engine.game.sheets import check_totals, with_repeats
from engine.game.zones import Call, Composition, SeatZone, Zones
from engine.packs import JOKER, deal_out, in_order, is_card, read_cards
from engine.seats import Seat, Side
from engine.text import Message, Word, gettext_noop

_OPTIONS: Final = (
    OptionField(
        "target",
        Kind.NUMBER,
        2000,
        Word(gettext_noop("Target")),
        Word(gettext_noop("The match ends when a side reaches it. 0: a fixed number of deals is played.")),
        maximum=10_000,
    ),
    OptionField(
        "deals",
        Kind.NUMBER,
        0,
        Word(gettext_noop("Deals")),
        Word(gettext_noop("How many deals a match has, all of them played. 0: it goes to a target.")),
        maximum=100,
    ),
    OptionField(
        "semi_clean",
        Kind.YES_NO,
        default=False,
        label=Word(gettext_noop("Semi-clean burrachi")),
        help=Word(
            gettext_noop(
                "A run whose wild card lies beside at least seven natural cards in a row is worth 150."
            )
        ),
    ),
)
#: The searcher's budget for one decision at a table: a deal of a hundred actions takes its time.
PLAYOUTS: Final = 16
_SPOKEN: Final = {
    DRAW: (gettext_noop("Draw"), gettext_noop("draws a card")),
    TAKE: (gettext_noop("Take the pile"), gettext_noop("takes the pile")),
}
_SYMBOLS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


class BurracoGame(Game):
    """Italian Burraco for four, from the text of Denexa."""

    key = "burraco"
    name = Word(gettext_noop("Burraco"))
    players = range(4, 5)
    goes_below_zero = True
    boards = PackBoards(PACK, SEATS, (SIZE,) * 4)
    prefers_boards = True
    preset: Mapping[str, Json] = {"deals": 4, "target": 0}
    #: 20 shared between the pairs, one step for each 100 points.
    victory_points = tuple((100 * step, 10 + step, 10 - step) for step in range(11))
    sampling = SAMPLING
    robots = (NOVICE, Searcher(SAMPLING, SIDES, playouts=PLAYOUTS))

    def seats(self, players: int | None = None) -> tuple[str, ...]:
        """BU2."""
        return SEATS

    def sides(self, players: int | None = None) -> Mapping[str, tuple[str, ...]]:
        """BU2."""
        return SIDES

    def title(self, key: str) -> Word:
        """North, or North-South."""
        return Side(key).title if key in SIDES else Seat.parse(key).title

    def options(self) -> tuple[OptionField, ...]:
        """BU18."""
        return _OPTIONS

    def read_options(self, data: object) -> dict[str, Json]:
        """BU18."""
        return deals_or_target(_OPTIONS, data)

    def deals_in_match(self, options: Options) -> int | None:
        """BU18."""
        deals = self.read_options(options)["deals"]
        return deals if isinstance(deals, int) and deals else None

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        """BU3."""
        return str(deal_out(rng.sample(PACK, len(PACK)), (SIZE,) * 4))

    def read_deal(self, text: str, players: int | None = None) -> str:
        """BU21."""
        return str(play.read(text))

    def start(self, deal: str, dealer: str, options: Options, players: int | None = None) -> play.State:
        """BU3, BU11."""
        return play.start(deal, dealer, semi_clean=self.read_options(options)["semi_clean"] is True)

    def drawn(self, state: seam.State, chance: float) -> str:
        """BU11."""
        return _own(state).drawn(chance)

    def view(self, state: seam.State, seat: str | None) -> Zones:
        """BU19."""
        played = _own(state)
        now = played.now
        is_mine = seat is not None and seat == played.turn
        legal = played.legal() if is_mine else ()
        return Zones(
            seat=seat,
            dealer=played.setting.dealer,
            turn=played.turn,
            phase=_phase(played),
            seats=tuple(_zone(played, each, seat) for each in SEATS),
            stock=len(now.stock),
            layout=(now.pile,) if now.pile else (),
            cards=in_order(token for token in legal if is_card(token)),
            card_use="discard",
            calls=tuple(Call(token, Message(_SPOKEN[token][0])) for token in legal if token in _SPOKEN),
            compositions=_compositions(played) if is_mine and now.has_drawn else (),
            help=() if played.is_over else (*(help_on_turn(played) if is_mine else ()), *HELP),
            score=tuple(played.score().total.items()) if played.is_over else None,
            history=played.history,
            options=(
                ("legal", legal),
                ("semi_clean", played.setting.semi_clean),
                ("barred", now.barred if is_mine else ""),
                ("up", played.setting.up),
            ),
        )

    def token_seen_by(self, state: seam.State, token: str, seat: str | None) -> str:
        """BU19: nothing of an action is secret; a card that is drawn is none of its parts."""
        return token

    def calls(self) -> tuple[str, ...]:
        """BU11."""
        return tuple(_SPOKEN)

    def call_in_words(self, token: str) -> Message | None:
        """BU22."""
        if token in _SPOKEN:
            return Message(_SPOKEN[token][1])
        card, mark, _number = token.partition(">")
        if mark and is_card(card):
            return Message(gettext_noop("adds %(cards)s to a meld"), {"cards": in_symbols((card,))})
        if len(token) == 6 and all(is_card(token[at : at + 2]) for at in (0, 2, 4)):
            return Message(gettext_noop("lays %(cards)s"), {"cards": in_symbols(read_cards(token))})
        return super().call_in_words(token)

    def record_of(self, state: seam.State) -> Mapping[str, Json]:
        """BU23: the lines of the score, and the melds card by card."""
        return written(_own(state))

    def read_result(self, data: object, players: int | None = None) -> Written:
        """BU23 to BU26."""
        return read_written(data)

    def fits_deal(self, record: Mapping[str, Json], deal: str, dealer: str) -> bool:
        """BU24: whether melds and hands can have come from the cards that were dealt and drawn."""
        return fits_deal(record, deal)

    def check_sheet(
        self, content: object, first_dealer: str, options: Options, players: int | None = None
    ) -> CheckedSheet:
        """BU23 to BU26."""
        semi_clean = self.read_options(options)["semi_clean"] is True
        checked = check_totals(
            content,
            lambda data, _number: read_written(data, semi_clean=semi_clean),
            lambda scores: self.match(scores, options, players),
        )
        return check_sheet(with_repeats(checked))

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        """BU16."""
        return fault_of_total(total)

    def match(self, scores: Sequence[Score], options: Options, players: int | None = None) -> MatchResult:
        """BU18."""
        chosen = self.read_options(options)
        deals, target = chosen["deals"], chosen["target"]
        return sum_of_deals(
            scores,
            SIDES,
            deals=deals if isinstance(deals, int) and deals else None,
            target=target if isinstance(target, int) and target else None,
        )


def in_symbols(cards: Sequence[str]) -> str:
    """Cards as they are printed: 7♠ 8♠ ★, the star being a joker."""
    return " ".join(
        "★" if card == JOKER else card[0].replace("T", "10") + _SYMBOLS[card[1]] for card in cards
    )


def _phase(played: play.State) -> Message:
    if played.is_over:
        return Message(gettext_noop("The deal is over"))
    if not played.now.has_drawn:
        return Message(gettext_noop("Draw or take the pile"))
    return Message(gettext_noop("Meld and discard"))


def _zone(played: play.State, seat: str, viewer: str | None) -> SeatZone:
    """A seat's cards; the melds of a side lie before the viewer, and before the first of the others."""
    now, place = played.now, SEATS.index(seat)
    hand, down = cards_in(now.hands[place]), cards_in(now.down[place])
    side = SIDES[play.side_of(seat)]
    holds_melds = seat == (viewer if viewer in side else side[0])
    return SeatZone(
        seat,
        len(hand) + len(down),
        hand if seat == viewer else (),
        melds=tuple(meld.cards for meld in now.melds[place % 2]) if holds_melds else (),
        points=play.on_table(played, place % 2),
        notes=_notes(now, place),
        calls=(("took",) if now.took[place % 2] == place else ()) + (("down",) if down else ()),
    )


def _notes(now: play.Now, place: int) -> tuple[Message, ...]:
    """BU19: who took which pozzetto, and whether it is still face down."""
    if now.down[place]:
        return (Message(gettext_noop("pozzetto face down")),)
    return (Message(gettext_noop("took the pozzetto")),) if now.took[place % 2] == place else ()


def _compositions(played: play.State) -> tuple[Composition, ...]:
    """A new meld, and one more card on each meld that takes one: only where the hand has such cards."""
    hand, found = played.hand, []
    numbers = {token.partition(">")[2] for token in played.layings}
    if "" in numbers:
        found.append(Composition(NEW, Message(gettext_noop("Lay a new meld")), hand, 3, 3))
    for number, meld in enumerate(played.now.melds[played.side], 1):
        if str(number) in numbers:
            label = Message(gettext_noop("Add to %(meld)s"), {"meld": short(meld)})
            found.append(Composition(f"{number}{ON}", label, hand, 1, 1))
    return tuple(found)


def short(meld: Meld) -> str:
    """A meld on a button: 7♠–K♠, or K×4."""
    if meld.rank:
        return f"{meld.rank.replace('T', '10')}×{len(meld.cards)}"
    natural = [card for card in meld.cards if card != meld.wild] or list(meld.cards)
    return f"{in_symbols(natural[:1])}–{in_symbols(natural[-1:])}"


def _own(state: seam.State) -> play.State:
    """What comes back over the seam is what was given out."""
    if not isinstance(state, play.State):
        raise TypeError(state)
    return state


BURRACO: Final = BurracoGame()
