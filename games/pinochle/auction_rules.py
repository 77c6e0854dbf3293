"""What the page of the rules of Auction Pinochle draws: what is worth points, and a deal that the engine has played."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from engine.packs import is_card
from engine.pinochle.auction.game import AUCTION_PINOCHLE
from engine.pinochle.auction.melds import melded_cards
from engine.pinochle.auction.play import BIDDING, LAST_TRICK, PASS, PLAY, STEPS, WORTH
from engine.pinochle.melds import FOURS
from engine.pinochle.melds import WORTH as MELDS
from engine.pinochle.tricks import RANKS
from games.pinochle.rules_page import meld_words
from games.records.plain_form import in_twos
from games.templatetags.cards import SUITS
from games.worked_deals import NAMES, Line

PLAYERS = 3
# Anna dealt. Whatever the page says of the deal, the engine works out.
DEALER = "1"
DEAL = "QsTsTsAhKhQhJhTh9hQdJdTdTdQc9c AsAsKsKs9s9sQhJhTh9hAdKd9dJc9c QsJsJsAhAdKdQdJd9dAcKcQcJcTcTc | KhKcAc"
TOKENS = (
    "300 350 380 - - h Ts 9c Ts Ah Qh Ah Ac Jc Jc Th Jh Js Td Ad Kd Th Ad 9h As Qs Qs As Js Jh Td 9d 9d Kh 9h Jd "
    "Kh 9s Qd Kc 9c Tc Ac Qc 9s Tc Qh Ks Qd Kd Qc Ks Kc Jd"
)


def worth() -> dict[str, Any]:
    """Melds with cards that show them where hearts are trumps, the cards, and what contracts are worth."""
    melds = [
        (tuple(rank + "h" for rank in "ATKQJ"), _("trump sequence"), MELDS["sequence"]),
        (("Kh", "Qh"), _("royal marriage: king and queen of trumps"), MELDS["royal-marriage"]),
        (("Kc", "Qc"), _("marriage: king and queen of another suit"), MELDS["marriage-c"]),
        *(
            (tuple(rank + suit for suit in SUITS), meld_words(f"four-{name}"), points)
            for rank, (name, points) in FOURS.items()
        ),
        (("Qs", "Jd"), _("pinochle: queen of spades and jack of diamonds"), MELDS["pinochle"]),
        (("9h",), _("dix: a nine of trumps"), MELDS["dix"]),
    ]
    cards = [((rank + "h",), _("in a trick"), points) for rank, points in WORTH.items() if points]
    return {
        "melds": [*melds, *cards, ((), _("The last trick"), LAST_TRICK)],
        "units": [*reversed(STEPS)],
    }


def content() -> dict[str, Any]:
    """The ranks, the example's cards, its bids, what was melded and buried, the tricks and the score."""
    options = AUCTION_PINOCHLE.read_options({})
    state = AUCTION_PINOCHLE.start(DEAL, DEALER, options, PLAYERS)
    bids: list[tuple[str, str]] = []
    tricks: list[Line] = []
    for token in TOKENS.split():
        name, phase = NAMES[str(state.turn)], state.now.phase
        if phase == BIDDING:
            bids.append((name, _("passes") if token == PASS else _("bids %(points)s") % {"points": token}))
        elif phase == PLAY and not state.now.laid:
            tricks.append(Line(name))
        state = state.apply(token)
        if phase == PLAY and is_card(token):
            tricks[-1].cards.append(token)
            if not state.now.laid:
                taker = NAMES[str(state.now.won[-1] + 1)]
                tricks[-1].words = _("%(seat)s takes it") % {"seat": taker}
    hands, _bar, widow = DEAL.partition(" | ")
    score = state.score()
    return {
        "values": worth(),
        "ranks": [rank + "h" for rank in RANKS],
        "dealt": [*zip(NAMES.values(), map(in_twos, hands.split()), strict=False)],
        "widow": in_twos(widow),
        "bids": bids,
        "buried": state.now.buried,
        "melded": melded_cards(state.melds, state.now.trump),
        "names": ", ".join(named(state.melds.items())),
        "tricks": tricks,
        "bidder": NAMES[str(state.now.bidder + 1)],
        "made": score.detail,
        "sum": state.now.meld + state.now.cards,
        "total": [(NAMES.get(seat, _("the kitty")), points) for seat, points in score.total.items()],
    }


def named(melds: Any) -> Sequence[str]:
    """Melds in words, each with its points."""
    return [f"{meld_words(name)} {MELDS[name] * times}" for name, times in melds]
