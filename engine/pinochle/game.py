"""Pinochle in partnerships as the rest of the service knows it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, final

from engine.errors import OptionError
from engine.game import CheckedSheet, Game, Json, Kind, MatchResult, OptionField, Options, Score
from engine.game import values as seam
from engine.game.boards import PackBoards, ShownCardBoards
from engine.game.searching import Searcher
from engine.game.sheets import with_repeats
from engine.game.zones import Call, SeatZone, Zones
from engine.options import option_values
from engine.packs import SUITS, deal_out, in_order
from engine.pinochle import play
from engine.pinochle.for_learners import HELP, help_on_turn
from engine.pinochle.match import match_result
from engine.pinochle.melds import FOURS
from engine.pinochle.novice import NOVICE
from engine.pinochle.play import CLAIM, EXCHANGE, KEEP, PACK, SEATS, SIDES, TRICKS, by_rank
from engine.pinochle.records import Written, check_sheet, fits_deal, read_written, written
from engine.pinochle.sampling import SAMPLING
from engine.pinochle.tricks import RANKS
from engine.seats import Seat, Side
from engine.text import Message, Word, gettext_noop

_OPTIONS: Final = (
    OptionField(
        "target",
        Kind.NUMBER,
        1000,
        Word(gettext_noop("Target")),
        Word(gettext_noop("The first side to reach it wins the match. A multiple of 50.")),
        minimum=500,
        maximum=2000,
    ),
    OptionField(
        "deals",
        Kind.NUMBER,
        12,
        Word(gettext_noop("Deals")),
        Word(gettext_noop("The most deals that a match can have.")),
        minimum=1,
        maximum=100,
    ),
    OptionField(
        "claims",
        Kind.YES_NO,
        default=False,
        label=Word(gettext_noop("Claiming the match")),
        help=Word(
            gettext_noop("On your turn you may claim the match. If your side isn’t there yet, you lose.")
        ),
    ),
    OptionField(
        "duplicate",
        Kind.YES_NO,
        default=False,
        label=Word(gettext_noop("Duplicate")),
        help=Word(gettext_noop("All deals are played, without a target and without claims.")),
    ),
)
_USUAL: Final = {option.name: option.default for option in _OPTIONS}
#: The searcher's budget for one decision at a table: twelve tricks of 48 cards take their time.
PLAYOUTS: Final = 160
_CALLS: Final = {
    EXCHANGE: (gettext_noop("Exchange the nine"), gettext_noop("exchanges the nine of trumps")),
    KEEP: (gettext_noop("Keep the nine"), gettext_noop("keeps the nine of trumps")),
    CLAIM: (gettext_noop("Claim the match"), gettext_noop("claims the match")),
}


@final
class PinochleBoards(ShownCardBoards):
    """PP3: four hands, and which of the dealer's cards is turned up. A duplicate match plays all its deals (PP22)."""

    own_options = frozenset({"duplicate"})

    def options_for(self, options: Options, *, together: bool, is_new: bool) -> dict[str, Json]:
        """PP22."""
        return {**options, "duplicate": together}


class PinochleGame(Game):
    """Partnership Pinochle."""

    key = "pinochle-partnership"
    name = Word(gettext_noop("Partnership Pinochle"))
    players = range(4, 5)
    carried = ("before",)
    robots = (NOVICE, Searcher(SAMPLING, SIDES, playouts=PLAYOUTS))
    sampling = SAMPLING
    boards = PinochleBoards(PackBoards(PACK, SEATS, (TRICKS,) * 4), SEATS, by_rank)
    ranks = RANKS
    preset: Mapping[str, Json] = {"deals": 8, "claims": False}
    prefers_boards = True

    def seats(self, players: int | None = None) -> tuple[str, ...]:
        """PP2."""
        return SEATS

    def sides(self, players: int | None = None) -> Mapping[str, tuple[str, ...]]:
        """PP2."""
        return SIDES

    def title(self, key: str) -> Word:
        """North, or North-South."""
        return Side(key).title if key in SIDES else Seat.parse(key).title

    def options(self) -> tuple[OptionField, ...]:
        """PP22."""
        return _OPTIONS

    def read_options(self, data: object) -> dict[str, Json]:
        """PP22: with the totals before the deal, where they are given."""
        before, given = None, data
        if isinstance(data, Mapping) and "before" in data:
            before, given = data["before"], {name: data[name] for name in data if name != "before"}
        chosen: dict[str, Any] = {**_USUAL, **option_values(_OPTIONS, given)}
        if chosen["target"] % 50:
            template = gettext_noop("The target must be a multiple of 50.")
            raise OptionError("option-value", template, place=("target",), given=chosen["target"])
        if before is None:
            return chosen
        if (
            not isinstance(before, Mapping)
            or set(before) != set(SIDES)
            or any(type(points) is not int for points in before.values())
        ):
            template = gettext_noop("“%(given)s” aren’t the totals of the two sides.")
            raise OptionError("option-value", template, place=("before",), given=before)
        return {**chosen, "before": dict(before)}

    def deals_in_match(self, options: Options) -> int:
        """PP22."""
        deals = self.read_options(options)["deals"]
        return deals if isinstance(deals, int) else 0

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        """PP3."""
        dealt = deal_out(rng.sample(PACK, len(PACK)), (TRICKS,) * 4)
        return f"{dealt} | {rng.choice(dealt.hands[SEATS.index(dealer)])}"

    def read_deal(self, text: str, players: int | None = None) -> str:
        """PP4."""
        dealt, up = play.read(text)
        return f"{dealt} | {up}"

    def start(self, deal: str, dealer: str, options: Options, players: int | None = None) -> play.State:
        """PP5."""
        dealt, up = play.read(deal)
        chosen: dict[str, Any] = self.read_options(options)
        claims = chosen["claims"] and not chosen["duplicate"]
        before = chosen.get("before", {})
        return play.start(
            play.Setting(dealt, up, Seat.parse(dealer).letter, chosen["target"], claims, before)
        )

    def view(self, state: seam.State, seat: str | None) -> Zones:
        """PP23."""
        played = _own(state)
        setting = played.setting
        is_mine = seat is not None and seat == played.turn
        legal = played.legal() if is_mine else ()
        return Zones(
            seat=seat,
            dealer=setting.dealer,
            turn=played.turn,
            phase=_phase(played),
            seats=tuple(_zone(played, each, is_own=each == seat) for each in SEATS),
            trick=played.now.trick,
            upcard=setting.up if played.is_exchanging else "",
            trump=setting.trump,
            cards=in_order(token for token in legal if token not in _CALLS),
            calls=tuple(Call(token, Message(_CALLS[token][0])) for token in legal if token in _CALLS),
            help=() if played.is_over else (*(help_on_turn(played) if is_mine else ()), *HELP),
            score=tuple(played.score().total.items()) if played.is_over else None,
            history=played.history,
            options=(
                ("up", setting.up),
                ("target", setting.target),
                ("claims", setting.claims),
                ("before", tuple(setting.before.get(side, 0) for side in SIDES)),
            ),
        )

    def token_seen_by(self, state: seam.State, token: str, seat: str | None) -> str:
        """PP23: nothing of an action is secret."""
        return token

    def calls(self) -> tuple[str, ...]:
        """PP5, PP21."""
        return tuple(_CALLS)

    def call_in_words(self, token: str) -> Message | None:
        """PP5, PP21."""
        return Message(_CALLS[token][1]) if token in _CALLS else super().call_in_words(token)

    def record_of(self, state: seam.State) -> Mapping[str, Json]:
        """PP25: the parts of the score."""
        return written(_own(state))

    def read_result(self, data: object, players: int | None = None) -> Written:
        """PP25."""
        return read_written(data)

    def fits_deal(self, record: Mapping[str, Json], deal: str, dealer: str) -> bool:
        """PP25: the trump and the melds of the board."""
        return fits_deal(record, deal, dealer)

    def check_sheet(
        self, content: object, first_dealer: str, options: Options, players: int | None = None
    ) -> CheckedSheet:
        """PP25: with the running totals, and melds that are there twice."""
        chosen: dict[str, Any] = self.read_options(options)
        checked = super().check_sheet(content, first_dealer, options, players)
        return check_sheet(with_repeats(checked), claims=chosen["claims"] and not chosen["duplicate"])

    def match(self, scores: Sequence[Score], options: Options, players: int | None = None) -> MatchResult:
        """PP20 to PP22."""
        chosen: dict[str, Any] = self.read_options(options)
        is_duplicate = chosen["duplicate"]
        return match_result(
            scores,
            deals=chosen["deals"],
            target=None if is_duplicate else chosen["target"],
            claims=chosen["claims"] and not is_duplicate,
        )


def _phase(played: play.State) -> Message:
    if played.is_over:
        return Message(gettext_noop("The deal is over"))
    if played.is_exchanging:
        return Message(gettext_noop("The exchange"))
    if not played.now.won:
        melds = {side: played.meld(side) for side in SIDES}
        return Message(gettext_noop("Trick 1. Melds: North-South %(NS)d, East-West %(EW)d"), melds)
    return Message(gettext_noop("Trick %(number)d"), {"number": len(played.now.won) + 1})


def _zone(played: play.State, seat: str, *, is_own: bool) -> SeatZone:
    """A seat's cards; those that its melds showed to all, until they are played; its answer, and what it melded."""
    held = played.held(seat)
    # Of equal cards nobody can tell which was played.
    whole = Counter(played.after_exchange(seat))
    # A nine that was exchanged was shown, and lies with the dealer now.
    shown = in_order(((Counter(shown_cards(played, seat)) & whole) - (whole - Counter(held))).elements())
    return SeatZone(
        seat,
        len(held),
        in_order(held) if is_own else (),
        melds=(shown,) if shown else (),
        calls=(*_answered(played, seat), *Counter(played.melds.get(seat, {})).elements()),
        tricks=played.now.won.count(SEATS.index(seat)),
        points=None if played.is_exchanging else played.made(play.side_of(seat)),
    )


def _answered(played: play.State, seat: str) -> tuple[str, ...]:
    answers = zip(played.setting.asked, played.history, strict=False)
    return tuple(token for asked, token in answers if asked == seat and token in {EXCHANGE, KEEP})


def shown_cards(played: play.State, seat: str) -> tuple[str, ...]:
    """PP23: of each card as many copies as the class of melds that uses it most often."""
    if played.is_exchanging:
        return ()
    melds, trump = played.melds[seat], played.setting.trump
    sequence, pinochle, fours = Counter[str](), Counter[str](), Counter[str]()
    for times, name in ((1, "sequence"), (2, "double-sequence")):
        sequence.update({rank + trump: times * melds.get(name, 0) for rank in "ATKQJ"})
    for suit in SUITS:
        name = "royal-marriage" if suit == trump else f"marriage-{suit}"
        sequence.update({rank + suit: melds.get(name, 0) for rank in "KQ"})
    for rank, (name, _points) in FOURS.items():
        times = melds.get(f"four-{name}", 0) + 2 * melds.get(f"eight-{name}", 0)
        fours.update({rank + suit: times for suit in SUITS})
    both = melds.get("pinochle", 0) + 2 * melds.get("double-pinochle", 0)
    pinochle.update({"Qs": both, "Jd": both})
    dix = Counter({played.setting.dix: melds.get("dix", 0)})
    return in_order((sequence | fours | pinochle | dix).elements())


def _own(state: seam.State) -> play.State:
    """What comes back over the seam is what was given out."""
    if not isinstance(state, play.State):
        raise TypeError(state)
    return state


PINOCHLE: Final = PinochleGame()
