"""What the pages of the rules draw: how hands rank, what a deal is worth, and a deal that the engine has played."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from engine.brag.game import NINE_CARDS, SEVEN_CARDS, SIX_CARDS, BragGame
from engine.brag.hands import KIND_NAMES, Variant, strength
from engine.packs import RANKS
from games.records.plain_form import in_twos
from games.worked_deals import NAMES

# Anna dealt; three play. Whatever the page says of the deal, the engine works out.
PLAYERS, DEALER = 3, "1"
DEALS = {
    NINE_CARDS.key: (
        "5s3sKhJh9hQcJcTc4c KsTs6sAh6d8c7c6c3c AsQs2hAdKdJd8d2dAc",
        "8c7c6c/KsTs6s/Ah6d3c AsAdAc/QsKdJd/2h8d2d QcJcTc/5s3s4c/KhJh9h",
    ),
    SEVEN_CARDS.key: (
        "Ks8s6s2sTh5c2c TsQh9hAdJd4d7c 9s5s3s3hKdTdJc",
        "Ts9hJd/QhAd7c 9sTdJc/3s3hKd Ks8s6s/2sTh2c",
    ),
    SIX_CARDS.key: (
        "4s9h3h7dTc2c Td6d5d4dAc7c As4h2hAd3d8c",
        "Td5d4d/6dAc7c 4h2h3d/AsAd8c 4s3h2c/9h7dTc",
    ),
}
#: An example of each kind of hand, the best first; the best rank of the game takes the place of the star.
KINDS = ("*s*h*d", "Ts9s8s", "JsTh9d", "AdJd4d", "KsKh5c", "AsTh3d")


@dataclass(frozen=True, slots=True)
class Laid:
    """A hand that was laid, what it is called, and whether no other in its row is as good, or one is just as good."""

    cards: list[str]
    name: str
    is_best: bool
    is_level: bool


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody's cards and hands, and what the deal gave them."""

    name: str
    cards: list[str]
    hands: list[Laid]
    score: int


def worth() -> list[tuple[tuple[str, ...], str, str]]:
    """What a deal gives with an ante of 1."""
    return [
        ((), _("You take the pot"), _("the pot − 1")),
        ((), _("Somebody else takes the pot, or it stays"), "−1"),
    ]


def content(offered: BragGame) -> dict[str, Any]:
    """The ranks, the hands, and the worked deal."""
    variant = offered.variant
    deal, tokens = DEALS[offered.key]
    state = offered.own(offered.replay(deal, DEALER, {}, tokens.split(), PLAYERS))
    hands = [state.laid_by[place] for place in range(PLAYERS)]
    total = state.score().total
    players = [
        Player(name, in_twos(dealt), _rated(hands, place, variant), total[seat])
        for place, ((seat, name), dealt) in enumerate(
            zip([*NAMES.items()][:PLAYERS], deal.split(), strict=True)
        )
    ]
    best = variant.best
    return {
        "values": worth(),
        "variant": variant,
        "ranks": [rank + "h" for rank in variant.order],
        "best": best,
        "kinds": [
            (in_twos(cards.replace("*", best)), _(KIND_NAMES[-1 - at])) for at, cards in enumerate(KINDS)
        ],
        "dealt": players,
    }


def _rated(hands: list[Any], place: int, variant: Variant) -> list[Laid]:
    found = []
    for row, cards in enumerate(hands[place]):
        every = [strength(each[row], variant.order) for each in hands]
        own = every[place]
        is_first = own == max(every)
        found.append(
            Laid(
                cards=sorted(cards, key=lambda card: RANKS.index(card[0])),
                name=_(KIND_NAMES[own[0]]),
                is_best=is_first and every.count(own) == 1,
                is_level=is_first and every.count(own) > 1,
            )
        )
    return found
