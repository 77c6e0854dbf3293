"""The rules of Burraco, each test by the number that it covers."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from engine.burraco.cards import CARDS, OF_RANK, PACK, VALUE, cards_in, hand_of
from engine.burraco.game import BURRACO
from engine.burraco.melds import Meld, Melds, extended, meld_of
from engine.burraco.new_melds import new_melds
from engine.burraco.play import SEATS, Now, Setting, State, start
from engine.errors import ActionError, DealError, OptionError
from engine.game.values import Points
from engine.game.zones import Zones
from engine.packs import in_order, read_cards


def meld(text: str) -> Meld:
    found = meld_of(in_order(read_cards(text)))
    assert found is not None
    return found


def grown(text: str, *cards: str) -> str:
    found = meld(text)
    for card in cards:
        more = extended(found, card)
        if more is None:
            return f"no {card}"
        found = more
    return "".join(found.cards)


def test_bu1_bu4_the_cards_are_worth_1080() -> None:
    assert len(PACK) == 108
    assert sum(VALUE[card] for card in PACK) == 1080


@pytest.mark.parametrize(
    ("text", "lies"),
    [
        ("8s7sJk", "Jk7s8s"), ("QhKhAh", "QhKhAh"), ("KhAh2h", "2hKhAh"), ("2h3h4h", "2h3h4h"), ("3h2h5h", "3h2h5h"),
        ("2c3c2s", "2s2c3c"), ("2c2h4c", "2c2h4c"), ("AcJk3c", "AcJk3c"), ("Ac2cJk", "Ac2cJk"), ("7s7s7h", "7s7s7h"),
        ("Kh2dKs", "KsKh2d"), ("2h2h4h", "2h2h4h"),
    ],
)  # fmt: skip
def test_bu5_to_bu9_how_three_cards_lie(text: str, lies: str) -> None:
    assert "".join(meld(text).cards) == lies


@pytest.mark.parametrize(
    "text", ["2s2h2d", "JkJkJk", "7sJkJk", "7s8s", "7s8sTh", "7s8hJk", "KhAh3h", "AhAhJk2h", "7s7sTs"]
)
def test_bu5_bu6_what_is_no_meld(text: str) -> None:
    assert meld_of(in_order(read_cards(text))) is None


@pytest.mark.parametrize(
    ("text", "cards", "lies"),
    [
        ("Jk7s8s", ["Ts"], "7s8sJkTs"),
        ("Jk7s8s", ["Ts", "9s"], "Jk7s8s9sTs"),
        ("Jk7s8s", ["Ts", "9s", "6s"], "Jk6s7s8s9sTs"),
        ("2h3h4h", ["6h"], "3h4h2h6h"),
        ("2h3h4h", ["6h", "Jk"], "no Jk"),
        ("2h3h4h", ["6h", "2h"], "2h3h4h2h6h"),
        ("2h3h4h", ["6h", "5h"], "2h3h4h5h6h"),
        ("2h3h4h", ["Jk"], "Jk2h3h4h"),
        ("2h3h4h", ["Jk", "Ah"], "Ah2h3h4hJk"),
        ("Ah2h3h", ["Jk"], "Ah2h3hJk"),
        ("QhKhAh", ["2h"], "2hQhKhAh"),
        ("KsKh2d", ["Jk"], "no Jk"),
        ("KsKh2d", ["Ks", "Kc"], "KsKsKhKc2d"),
        ("7s8s9s", ["7s"], "no 7s"),
    ],
)
def test_bu7_bu8_what_goes_on_a_meld_and_where_the_wild_card_lies(
    text: str, cards: list[str], lies: str
) -> None:
    """The worked examples 1 to 3 among them."""
    assert grown(text, *cards) == lies


def test_bu5_a_run_has_thirteen_cards_at_most_and_one_ace() -> None:
    whole = "".join(rank + "s" for rank in "A23456789TJQK")
    assert len(meld(whole).cards) == 13
    assert grown(whole, "As") == "no As"
    assert grown(whole, "Jk") == "no Jk"
    assert meld_of(in_order(read_cards("AsAs2s3s"))) is None


def test_bu22_every_meld_of_three_is_found_once() -> None:
    found = set(new_melds(hand_of(read_cards("7s8s9s9h9sJk"))))
    assert {"7s8s9s", "9s9s9h", "Jk8s9s", "7sJk9s", "Jk7s8s", "9s9sJk", "9s9hJk"} == found


@pytest.mark.parametrize("seed", range(40))
def test_bu22_the_melds_found_are_those_among_all_threes(seed: int) -> None:
    """Whatever the table of melds leaves out or looks up, trying every three cards finds the same."""
    hand = random.Random(seed).sample(PACK, 4 + seed // 2)
    threes = (meld_of(in_order(cards)) for cards in combinations(hand, 3))
    found = new_melds(hand_of(hand))
    assert sorted(found) == sorted({"".join(each.cards) for each in threes if each})
    sets = [each for each in found if each[0] == "K" == each[2]]
    assert set(new_melds(hand_of(hand), OF_RANK["K"])) == set(found) - set(sets)


@pytest.mark.parametrize(
    "text",
    [
        "7s8s9s",
        "Jk7d8d",
        "2h3h4h",
        "3h4h2h6h",
        "2s2h3h",
        "2dKhAh",
        "QcKcAc",
        "Ac2cJk",
        "4h5h2d7h",
        "KsKhKd",
        "KsKh2d",
    ],
)
def test_bu5_to_bu8_what_a_meld_takes_is_what_extends_it(text: str) -> None:
    one = meld(text)
    assert cards_in(one.takes) == tuple(card for card in CARDS if extended(one, card))


@pytest.mark.parametrize("seed", range(12))
def test_bu5_to_bu8_what_a_growing_meld_takes_is_what_extends_it(seed: int) -> None:
    rng = random.Random(seed)
    one: Meld | None = meld(("4h5h6h", "QcKcJk", "3d2d5d", "9s9hJk")[seed % 4])
    while one:
        goes = [card for card in CARDS if extended(one, card)]
        assert cards_in(one.takes) == tuple(goes)
        one = extended(one, rng.choice(goes)) if goes and len(one.cards) < 13 else None


HAND = "7s8s9sThTd"


def state(
    hand: str, *, melds: tuple[str, ...] = (), took: int = -1, drawn: bool = True, **more: Any
) -> State:
    """North on turn with these cards; the others hold a card each."""
    laid = (Melds(meld(text) for text in melds), Melds())
    now = Now(
        hands=tuple(hand_of(read_cards(cards)) for cards in (hand, "3c", "4c", "5c")),
        stock=("6c",) * 10,
        pile=("7c",),
        pozzetti=(hand_of(("8c", "9c")), hand_of(("Tc", "Jc"))),
        turn=0,
        has_drawn=drawn,
        melds=laid,
        took=(took, -1),
    )
    return State(Setting("W"), (), now._replace(**more))


def code(played: State, token: str) -> str:
    with pytest.raises(ActionError) as refused:
        played.verify(token)
    return refused.value.code


def test_what_was_drawn_by_chance_allows_nothing_else() -> None:
    played = state(HAND)
    assert code(played, "") == "token"
    assert played.drawn(0.99) == "Td"
    assert played.apply("Td").turn == "E"
    assert code(played, "") == "token"
    assert code(played, "Kd") == "not-held"


def test_bu11_bu20_draw_first_then_meld_and_discard() -> None:
    before = state(HAND, drawn=False)
    assert before.legal() == ("draw", "take")
    assert code(before, "7s") == code(before, "7s8s9s") == "draw-first"
    after = before.apply("draw")
    assert code(after, "draw") == code(after, "take") == "drawn"
    taken = before.apply("take")
    assert "7c" in taken.hand
    assert taken.now.pile == ()
    assert code(after, "Kh") == "not-held"
    assert code(after, "x") == code(after, "9s>1") == "token"


@pytest.mark.parametrize(
    ("token", "wanted"),
    [("7s8sTh", "no-meld"), ("2s2hJk", "set-of-wilds"), ("7s2sJk", "two-wilds"), ("AhAhKh", "two-aces"),
     ("TsTh2s", "set-twice"), ("Jk>1", "two-wilds"), ("7s>1", "no-meld"), ("Jk>2", "wild-stays"), ("Ah>3", "two-aces"),
     ("+7s8s", "three-cards"), ("1<7s8s", "one-card")],
)  # fmt: skip
def test_bu20_refusals(token: str, wanted: str) -> None:
    played = state("7s8s9sTsTh2s2hJkAhAhKh4d", melds=("TdTc2c", "3h4h2h6h", "AhKhQh"))
    assert code(played, token) == wanted


def test_bu22_cards_are_chosen_in_any_order_and_written_as_they_lie() -> None:
    played = state(HAND)
    for chosen in ("+9s8s7s", "+9s7s8s", "7s8s9s"):
        assert played.apply(chosen).history == ("7s8s9s",)
    assert code(played, "9s8s7s") == "token"
    assert code(state(HAND, melds=("TsTcTh",)), "Td>01") == "token"
    assert state(HAND, melds=("TsTcTh",)).apply("1<Td").history == ("Td>1",)


def test_bu12_a_card_just_taken_is_not_discarded_again() -> None:
    taken = state("7s8s", drawn=False).apply("take")
    assert code(taken, "7c") == "just-taken"
    assert sorted(taken.legal()) == ["7s", "8s"]
    held = state("7s7c", drawn=False).apply("take")
    assert "7c" in held.legal()
    two = state("7s8s", drawn=False, pile=("7c", "8c")).apply("take")
    assert {"7c", "8c"} <= set(two.legal())


def test_bu13_a_pozzetto_in_flight_and_by_a_discard() -> None:
    flight = state("7s8s9s").apply("7s8s9s")
    assert (flight.turn, flight.hand, flight.now.took) == ("N", ("9c", "8c"), (0, -1))
    down = state("2s").apply("2s")
    assert down.now.took == (0, -1)
    assert cards_in(down.now.down[0]) == ("9c", "8c")
    assert down.now.hands[0] == 0
    seen = BURRACO.view(down, "N")
    assert isinstance(seen, Zones)
    assert (seen.seats[0].held, seen.seats[0].cards) == (2, ())
    for card in ("3c", "4c", "5c"):
        down = down.apply("draw").apply(card)
    assert (down.turn, down.hand) == ("N", ("9c", "8c"))


BURRACO_OF_KINGS = "KsKsKhKhKdKdKc"


def test_bu14_closing_needs_a_burraco_and_a_last_card_that_is_not_wild() -> None:
    assert code(state("7s8s9s", melds=(BURRACO_OF_KINGS,), took=2), "7s8s9s") == "no-discard"
    assert code(state("7s8s9sTs", took=2), "7s8s9s") == "no-discard"
    assert code(state("7s8s9s2d", melds=(BURRACO_OF_KINGS,), took=2), "7s8s9s") == "no-discard"
    assert code(state("Qs", took=2), "Qs") == "no-burraco"
    assert code(state("2d", melds=(BURRACO_OF_KINGS,), took=2), "2d") == "wild-last"
    closed = state("7s8s9sQs", melds=(BURRACO_OF_KINGS,), took=2).apply("7s8s9s").apply("Qs")
    score = closed.score()
    assert score.detail["ended"] == "closed"
    assert score.detail["closed_by"] == "N"
    # The melds, a clean burraco, closing, and South's card.
    assert score.total["NS"] == 70 + 25 + 200 + 100 - 5
    assert score.total["EW"] == -5 - 5 - 100
    assert code(closed, "draw") == "over"


def test_bu14_a_card_that_cant_be_discarded_may_be_left_if_it_can_be_melded() -> None:
    taken = state("7s8s9s", drawn=False, pile=("Ts",)).apply("take")
    assert taken.now.barred == "Ts"
    assert taken.apply("7s8s9s").legal() == ("Ts>1",)
    assert taken.apply("7s8s9s").apply("Ts>1").hand == ("9c", "8c")
    assert code(state("7s8s9s", drawn=False, pile=("Qd",)).apply("take"), "7s8s9s") == "no-discard"


def test_bu15_the_stock_ends_the_deal_with_two_cards_left() -> None:
    played = state("7s8s", drawn=False, stock=("6c", "6d", "6h"))
    assert played.apply("draw").apply("7s").now.ended == "stock"


def test_bu15_stalemate_after_four_turns_that_change_one_card() -> None:
    played = state("7s8s", drawn=False)
    for token in ("take", "7s", "take", "3c", "take", "4c", "take"):
        played = played.apply(token)
    assert not played.is_over
    ended = played.apply("5c")
    assert ended.score().detail["ended"] == "stalemate"
    idle = played.now.idle
    assert (idle, played.apply("5c").now.idle) == (3, 4)


def test_bu16_bu17_an_unseen_pozzetto_counts_against_its_owner() -> None:
    ended = state("2s", stock=("6c", "6d")).apply("2s")
    assert ended.score().detail["unseen"] == ["N"]
    assert ended.score().total["NS"] == -10 - 10 - 5


@pytest.mark.parametrize(
    ("text", "is_semi_clean"),
    [
        ("Jk3s4s5s6s7s8s9s", True), ("As2s3s4s5s6s7s9sJk", True), ("Jk3s4s5s6s7s8s", False),
        ("3s4s5sJk7s8s9sTs", False), ("KsKsKhKhKdKdKcJk", False), ("3s4s5s6s7s8s9s", False), ("2s2s3s4s5s6s7s8s", True),
        ("2s3s4s5s6s7s8s2d", True),
    ],
)  # fmt: skip
def test_semi_clean_a_wild_card_beside_seven_natural_cards_in_a_row(text: str, is_semi_clean: bool) -> None:
    """An option of ours, beside the rules' page: no oracle has it."""
    assert meld(text).is_semi_clean is is_semi_clean
    played = state("7s8s", melds=(text,), stock=("6c", "6d"))
    on = State(Setting("W", semi_clean=True), (), played.now).apply("7s").score()
    off = played.apply("7s").score()
    assert on.total["NS"] - off.total["NS"] == 50 * is_semi_clean
    lines = on.detail["lines"]
    assert isinstance(lines, dict)
    assert lines["NS"]["semi-clean"] == 150 * is_semi_clean


def test_semi_clean_is_an_option_that_is_off() -> None:
    assert BURRACO.read_options({})["semi_clean"] is False
    deal = BURRACO.deal(random.Random(1), "N", {})
    assert BURRACO.start(deal, "N", {"semi_clean": True}).setting.semi_clean


def test_bu18_a_target_or_a_number_of_deals() -> None:
    assert (BURRACO.read_options({})["target"], BURRACO.deals_in_match({"deals": 4})) == (2000, 4)
    with pytest.raises(OptionError):
        BURRACO.read_options({"deals": 4, "target": 2000})
    scores = [Points({"NS": 1200, "EW": 300}), Points({"NS": 800, "EW": 300})]
    assert BURRACO.match(scores, {}).winners == ("NS",)
    assert not BURRACO.match(scores[:1], {}).is_over


def test_bu21_a_deal_has_every_card() -> None:
    deal = BURRACO.deal(random.Random(2), "N", {})
    with pytest.raises(DealError):
        start(deal.replace("Jk", "As", 1), "N")
    with pytest.raises(DealError):
        start(deal, "X")


def test_bu22_laying_is_offered_where_something_fits() -> None:
    """A new meld, and a card on each meld that takes one: no button for what no cards can do."""

    def offered(played: State) -> list[str]:
        seen = BURRACO.view(played, "N")
        assert isinstance(seen, Zones)
        return [each.prefix for each in seen.compositions]

    assert offered(state(HAND)) == ["+"]
    assert offered(state("7s8s4d6h", melds=("TsTcTh", "Jk7h8h"))) == ["2<"]
    assert offered(state("7s8d4d", melds=("TsTcTh",))) == []
    # It would be a run, but after it nothing could be discarded (BU14).
    assert offered(state("7s8s9s", melds=("TsTcTh",), took=2)) == []


@pytest.mark.parametrize("seed", range(6))
def test_cards_are_conserved_and_the_lines_add_up(seed: int) -> None:
    rng = random.Random(seed)
    played = BURRACO.start(BURRACO.deal(rng, "N", {}), "N", {})
    while not played.is_over:
        played = played.apply(rng.choice(played.legal()))
    now = played.now
    piles = [*map(cards_in, (*now.hands, *now.down, *now.pozzetti)), now.stock, now.pile]
    cards = Counter(card for cards in piles for card in cards)
    cards.update(card for melds in now.melds for each in melds for card in each.cards)
    assert cards == Counter(PACK)
    score = played.score()
    lines = score.detail["lines"]
    assert isinstance(lines, dict)
    assert {side: sum(of_side.values()) for side, of_side in lines.items()} == dict(score.total)


def test_bu19_a_seat_sees_melds_and_the_pile_but_no_hands() -> None:
    played = state(HAND, melds=(BURRACO_OF_KINGS,))
    seen = BURRACO.view(played, "E")
    assert isinstance(seen, Zones)
    assert [zone.cards for zone in seen.seats if zone.seat != "E"] == [()] * 3
    assert seen.layout == (("7c",),)
    assert [len(zone.melds) for zone in seen.seats] == [1, 0, 0, 0]
    partner = BURRACO.view(played, "S")
    assert isinstance(partner, Zones)
    assert [zone.seat for zone in partner.seats if zone.melds] == ["S"]
    assert SEATS.index("S") == 2
