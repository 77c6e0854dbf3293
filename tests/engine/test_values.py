"""Cards, seats, deals and errors: values that refuse to be wrong (R1, R2, R19)."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import PACK, Card, CardSet, Rank, Suit
from engine.deals import Deal
from engine.errors import (
    ActionError,
    CardError,
    ContestError,
    DealError,
    OptionError,
    RecordError,
    RuleError,
    quoted,
)
from engine.seats import SEATS, SIDES, BySide, Seat, Side, dealer_of_board
from engine.text import Word

CARDS = st.sampled_from(list(PACK))
SETS = st.sets(CARDS).map(CardSet.of)
DEALS = st.integers(0, 10**9).map(lambda seed: Deal.random(random.Random(seed)))


def test_r1_the_pack_has_52_cards_of_13_ranks_in_4_suits() -> None:
    assert len(PACK) == 52
    assert Counter(card.rank for card in PACK) == dict.fromkeys(Rank, 4)
    assert Counter(card.suit for card in PACK) == dict.fromkeys(Suit, 13)
    assert "".join(rank.letter for rank in Rank) == "23456789TJQKA"


@given(CARDS)
def test_a_card_is_one_object_however_it_is_come_by(card: Card) -> None:
    assert Card.parse(str(card)) is card
    assert Card(card.rank, card.suit) is card
    assert Card.at(card.index) is card
    assert pickle.loads(pickle.dumps(card)) is card
    assert copy.deepcopy(card) is card


def test_a_card_does_not_change() -> None:
    card = Card.parse("As")
    with pytest.raises(AttributeError):
        card.rank = Rank.TWO
    with pytest.raises(AttributeError):
        del card.rank
    with pytest.raises(AttributeError):
        card.colour = "black"


@pytest.mark.parametrize("text", ["", "A", "1s", "AS", "10s", "Asx", "sA", " As", None, 5, ["As"]])
def test_a_text_that_is_no_card_is_refused_with_the_input_in_the_message(text: object) -> None:
    with pytest.raises(CardError) as refused:
        Card.parse(text)  # type: ignore[arg-type]
    assert refused.value.code == "card-unknown"
    assert refused.value.given == text
    assert quoted(text) in str(refused.value.message)


def test_card_texts_and_symbols() -> None:
    assert [str(Card.parse(text)) for text in ("As", "Td", "2c", "9h")] == ["As", "Td", "2c", "9h"]
    assert Card.parse("Td").symbol == "10♦"
    assert Card.parse("Qh").symbol == "Q♥"
    assert Suit.HEARTS.same_colour is Suit.DIAMONDS
    assert Suit.SPADES.same_colour is Suit.CLUBS
    assert [suit.is_red for suit in Suit] == [False, True, True, False]


@given(SETS, SETS)
def test_card_sets_are_sets(one: CardSet, other: CardSet) -> None:
    a, b = set(one), set(other)
    assert set(one | other) == a | b
    assert set(one & other) == a & b
    assert set(one - other) == a - b
    assert (one <= other) == (a <= b)
    assert len(one) == len(a)
    assert bool(one) == bool(a)
    assert all(card in one for card in a)
    assert not any(card in one for card in b - a)
    assert CardSet.parse(str(one)) == one
    assert list(one) == sorted(one)
    assert [card for suit in Suit for card in one.of_suit(suit)] == list(one)


def test_a_card_set_refuses_doubles_and_what_is_outside_the_pack() -> None:
    with pytest.raises(CardError, match="A♠ appears twice"):
        CardSet.parse("As Kd As")
    with pytest.raises(CardError):
        CardSet(1 << 52)
    with pytest.raises(CardError):
        CardSet(-1)
    assert "As" not in CardSet.parse("As")


def test_r2_seats_go_clockwise_and_partners_sit_opposite() -> None:
    assert [seat.letter for seat in SEATS] == ["N", "E", "S", "W"]
    assert [seat.left for seat in SEATS] == [Seat.E, Seat.S, Seat.W, Seat.N]
    assert [seat.partner for seat in SEATS] == [Seat.S, Seat.W, Seat.N, Seat.E]
    assert [seat.side for seat in SEATS] == [Side.NS, Side.EW, Side.NS, Side.EW]
    assert Side.NS.seats == (Seat.N, Seat.S)
    assert Side.EW.seats == (Seat.E, Seat.W)
    assert Side.NS.other is Side.EW
    assert [side.index for side in SIDES] == [0, 1]
    assert Seat.parse("W") is Seat.W
    with pytest.raises(RuleError, match="“X” isn’t a seat"):
        Seat.parse("X")


def test_by_side_is_a_mapping() -> None:
    made = BySide(40, 22)
    assert dict(made) == {Side.NS: 40, Side.EW: 22}
    assert made[Side.EW] == made["EW"] == 22
    assert made.as_json() == {"NS": 40, "EW": 22}
    assert BySide.of(lambda side: side.value) == BySide("NS", "EW")
    with pytest.raises(KeyError):
        made["N"]


@given(DEALS)
def test_r2_everybody_is_dealt_thirteen(deal: Deal) -> None:
    assert [len(deal[seat]) for seat in SEATS] == [13, 13, 13, 13]
    assert sorted(card for seat in SEATS for card in deal[seat]) == list(PACK)


@given(DEALS, st.sampled_from(SEATS))
def test_a_deal_is_read_back_from_its_text_from_any_seat(deal: Deal, first: Seat) -> None:
    assert Deal.parse(str(deal)) == deal
    assert Deal.parse(deal.to_text(first)) == deal
    assert Deal.parse(deal.to_text(first).lower()) == deal
    assert Deal.of({seat: deal[seat] for seat in SEATS}) == deal


def test_a_deal_in_text() -> None:
    text = "N:A42.QT76.A543.64 KQJ65.J84.96.A92 T.A5.QJT8.KQJ753 9873.K932.K72.T8"
    deal = Deal.parse(text)
    assert str(deal) == text
    assert deal[Seat.E] == CardSet.parse("Ks Qs Js 6s 5s Jh 8h 4h 9d 6d Ac 9c 2c")
    assert Deal.parse(text.replace("T", "10")) == deal


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("", ["isn’t a deal"]),
        ("N", ["isn’t a deal"]),
        ("Q:... ... ... ...", ["isn’t a deal"]),
        ("N:... ... ...", ["isn’t a deal"]),
        ("N:A.K.Q.J", ["isn’t a deal"]),
        ("x" * 10_000_000, ["isn’t a deal"]),
        ("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ..", ["four suits"]),
        (
            "N:AAQJT98765432... .AKQJT9876543X.. ..AKQJT98765432. ...AKQJT98765432",
            ["North has the A♠ twice", "“X” among East’s"],
        ),
        (
            "N:AKQJT9876543... .AKQJT98765432.2. ..AKQJT98765432. ...AKQJT98765432",
            ["North has 12 cards", "East has 14 cards", "The 2♦ appears twice"],
        ),
        ("N:... ... ... ...", [f"{seat.title} has 0 cards" for seat in SEATS]),
    ],
    ids=range(10),
)
def test_r1_what_is_no_deal_is_refused_with_every_fault(text: str, reasons: list[str]) -> None:
    with pytest.raises(DealError) as refused:
        Deal.parse(text)
    for reason in reasons:
        assert reason in str(refused.value.message)
    assert len(refused.value.causes) == len(reasons)
    assert len(str(refused.value.message)) < 500


def test_a_deal_refuses_sets_that_are_no_deal() -> None:
    deal = Deal.random(random.Random(1))
    with pytest.raises(DealError):
        Deal((deal[Seat.N], deal[Seat.N], deal[Seat.S], deal[Seat.W]))
    with pytest.raises(DealError):
        Deal.of({Seat.N: deal[Seat.N]})
    with pytest.raises(DealError):
        Deal(())  # type: ignore[arg-type]


def test_dealing_is_fair_and_repeatable() -> None:
    rng = random.Random(7)
    first = [Deal.random(rng) for _ in range(2000)]
    rng = random.Random(7)
    assert [Deal.random(rng) for _ in range(2000)] == first
    ace = Card.parse("As")
    counts = Counter(next(seat for seat in SEATS if ace in deal[seat]) for deal in first)
    assert all(430 < count < 570 for count in counts.values())


def test_r19_board_numbers_tell_the_dealer() -> None:
    assert [dealer_of_board(number).letter for number in range(1, 10)] == list("NESWNESWN")
    with pytest.raises(RuleError, match="numbered from 1"):
        dealer_of_board(0)


def test_errors_are_one_family_and_carry_what_a_program_needs() -> None:
    for kind in (CardError, DealError, ActionError, RecordError, OptionError, ContestError):
        error = kind("some-code", "The %(card)s, not %(given)s.", given="xx", place=("hands", 3), card="A♠")
        assert isinstance(error, RuleError)
        assert error.code == "some-code"
        assert str(error.message) == str(error) == "The A♠, not xx."
        assert error.place == ("hands", 3)
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is kind
        assert str(again.message) == str(error.message)
        assert again.place == error.place


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (7, "7"),
        (10**9999, "a huge number"),
        (-(10**9999), "a huge number"),
        (1.5, "1.5"),
        ({"a": 1}, "an object"),
        ([1], "a list"),
        ("x" * 100, "x" * 24 + "…"),
        (float("nan"), "nan"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_input_is_quoted_short(value: object, text: str) -> None:
    assert quoted(value) == text


def test_words_are_marked_for_translation() -> None:
    assert isinstance(Seat.N.title, Word)
    assert isinstance(quoted([]), Word)
    assert f"{Seat.N.title}" == "North"
