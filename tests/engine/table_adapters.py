"""The vying and social games, and what the conformance suites need to know of them."""

from __future__ import annotations

from dataclasses import replace

from engine.bouillotte.game import BOUILLOTTE
from engine.bouillotte.records import FIELDS as BOUILLOTTE_FIELDS
from engine.brag.game import NINE_CARDS, SEVEN_CARDS, SIX_CARDS
from engine.brag.records import FIELDS as BRAG_FIELDS
from engine.kowah.game import KOWAH
from engine.kowah.records import FIELDS as KOWAH_FIELDS
from engine.pinochle.auction.game import AUCTION_PINOCHLE
from engine.pinochle.auction.records import FIELDS as AUCTION_FIELDS
from engine.play_or_pay.game import PLAY_OR_PAY
from engine.play_or_pay.records import FIELDS as PLAY_OR_PAY_FIELDS
from engine.poch.game import POCH_FOR_MANY
from engine.poch.records import FIELDS as POCH_FIELDS
from engine.pontoon.game import PONTOON
from engine.pontoon.records import FIELDS as PONTOON_FIELDS
from engine.primiera.game import PRIMERO, PRIMIERA
from engine.primiera.records import FIELDS as PRIMIERA_FIELDS
from engine.put_and_take.game import PUT_AND_TAKE
from engine.put_and_take.records import FIELDS as PUT_AND_TAKE_FIELDS
from engine.stealing_bundles.game import STEALING_BUNDLES
from engine.stealing_bundles.records import FIELDS as STEALING_FIELDS
from engine.twenty_down.game import TWENTY_DOWN
from engine.twenty_down.records import FIELDS as TWENTY_DOWN_FIELDS
from tests.engine.bouillotte.hidden import shuffle_bouillotte
from tests.engine.brag.hidden import shuffle_brag
from tests.engine.conformance.adapters import Adapter
from tests.engine.kowah.hidden import shuffle_kowah
from tests.engine.pinochle.auction.hidden import shuffle_auction
from tests.engine.play_or_pay.hidden import shuffle_play_or_pay
from tests.engine.poch.hidden import shuffle_poch
from tests.engine.pontoon.hidden import shuffle_pontoon
from tests.engine.primiera.hidden import shuffle_primero, shuffle_primiera
from tests.engine.put_and_take.hidden import shuffle_put_and_take
from tests.engine.stealing_bundles.hidden import shuffle_stealing_bundles
from tests.engine.twenty_down.hidden import shuffle_twenty_down

BRAG_TOKENS = (
    "laid",
    "AsKsQs/9h9d2c/8c7c3d",
    "AsKsQs/9h9d2c",
    "AsKs/Qs9h9d/2c8c7c",
    "AsAsAs/KsKsKs",
    "As",
    "x",
)
BRAG = tuple(
    Adapter(game, tokens=BRAG_TOKENS, shuffle_hidden=shuffle_brag, field_names=BRAG_FIELDS)
    for game in (NINE_CARDS, SEVEN_CARDS, SIX_CARDS)
)
PRIMIERA_ADAPTER = Adapter(
    PRIMIERA,
    tokens=("!", "-", "x", "xAsKs", "xKsAs", "x8s", "x1", "As"),
    shuffle_hidden=shuffle_primiera,
    field_names=PRIMIERA_FIELDS,
)
PRIMERO_ADAPTER = Adapter(
    PRIMERO,
    tokens=("-", "=", "f", "+0", "+1", "+11", "+x", "x", "xAsKs", "x8s", "x1", "As"),
    shuffle_hidden=shuffle_primero,
    field_names=PRIMIERA_FIELDS,
)
BOUILLOTTE_ADAPTER = Adapter(
    BOUILLOTTE,
    tokens=("f", "s", "=", "o0", "o1", "o30", "+0", "+1", "+99", "x", "As"),
    shuffle_hidden=shuffle_bouillotte,
    field_names=BOUILLOTTE_FIELDS,
)
POCH_ADAPTER = Adapter(
    POCH_FOR_MANY,
    tokens=("-", "=", "f", "+0", "+1", "+6", "As", "7h", "2s", "x"),
    shuffle_hidden=shuffle_poch,
    field_names=POCH_FIELDS,
)
PLAY_OR_PAY_ADAPTER = Adapter(
    PLAY_OR_PAY,
    tokens=("pay", "As", "2c", "Jk", "x"),
    shuffle_hidden=shuffle_play_or_pay,
    field_names=PLAY_OR_PAY_FIELDS,
)
STEALING_BUNDLES_ADAPTER = Adapter(
    STEALING_BUNDLES,
    tokens=("As", "2c", "Jk", "x"),
    shuffle_hidden=shuffle_stealing_bundles,
    is_by_total=False,
    field_names=STEALING_FIELDS,
)
PUT_AND_TAKE_ADAPTER = Adapter(
    PUT_AND_TAKE,
    tokens=("turn", "As", "x"),
    shuffle_hidden=shuffle_put_and_take,
    field_names=PUT_AND_TAKE_FIELDS,
)
PONTOON_ADAPTER = Adapter(
    PONTOON,
    tokens=("stick", "twist", "split", "bet0", "bet1", "bet6", "buy1", "buy11", "As", "x"),
    shuffle_hidden=shuffle_pontoon,
    field_names=PONTOON_FIELDS,
)
TWENTY_DOWN_ADAPTER = Adapter(
    TWENTY_DOWN,
    tokens=("s", "-", "i", "o", "x", "xAsKs", "xKsAs", "xAsKsQsJs", "x2s", "x1", "As", "2s"),
    shuffle_hidden=shuffle_twenty_down,
    field_names=TWENTY_DOWN_FIELDS,
)
KOWAH_ADAPTER = Adapter(
    KOWAH,
    tokens=("stock", "pile", "As", "Kc", "9c", "As!As", "2s!Ad", "As!", "x"),
    shuffle_hidden=shuffle_kowah,
    field_names=KOWAH_FIELDS,
)
AUCTION_ADAPTER = Adapter(
    AUCTION_PINOCHLE,
    tokens=("-", "w", "x", "s", "300", "345", "710", "bury", "As", "2s", "no"),
    shuffle_hidden=shuffle_auction,
    field_names=AUCTION_FIELDS,
)
TABLE_ADAPTERS = (
    *(replace(AUCTION_ADAPTER, players=players) for players in (3, 5)),
    replace(KOWAH_ADAPTER, players=3),
    TWENTY_DOWN_ADAPTER,
    *(replace(PONTOON_ADAPTER, players=players) for players in (2, 4)),
    *(replace(PLAY_OR_PAY_ADAPTER, players=players) for players in (3, 5)),
    STEALING_BUNDLES_ADAPTER,
    *(replace(PUT_AND_TAKE_ADAPTER, players=players) for players in (2, 5)),
    *(replace(POCH_ADAPTER, players=players) for players in (3, 5)),
    BOUILLOTTE_ADAPTER,
    *(replace(each, players=players) for each in BRAG for players in (2, 5)),
    *(replace(PRIMIERA_ADAPTER, players=players) for players in (3, 5)),
    *(replace(PRIMERO_ADAPTER, players=players) for players in (2, 4)),
)
