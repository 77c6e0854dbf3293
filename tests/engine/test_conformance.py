"""The conformance suites, run on every registered game and on the tests' own; and tried on games broken on purpose."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.burraco.cards import CARDS as BURRACO_CARDS
from engine.burraco.game import BURRACO
from engine.burraco.records import FIELDS as BURRACO_FIELDS
from engine.cards import PACK, CardSet
from engine.concerto.game import CONCERTO, ConcertoGame
from engine.concerto.play import State
from engine.concerto.view import view
from engine.conquian.game import CONQUIAN
from engine.conquian.melds import CARDS as CONQUIAN_CARDS
from engine.conquian.records import FIELDS as CONQUIAN_FIELDS
from engine.deals import Deal
from engine.ecarte.game import ECARTE
from engine.ecarte.play import CARDS as ECARTE_CARDS
from engine.ecarte.play import WORDS
from engine.ecarte.records import FIELDS as ECARTE_FIELDS
from engine.errors import ActionError, RuleError
from engine.fuenfzehnern.game import FUENFZEHNERN
from engine.fuenfzehnern.play import CARDS as FUENFZEHNERN_CARDS
from engine.fuenfzehnern.play import ZWANGS
from engine.fuenfzehnern.records import FIELDS as FUENFZEHNERN_FIELDS
from engine.game import Game, MatchResult, Points, get, known_games, register
from engine.game.matches import sum_of_deals
from engine.game.zones import Zones
from engine.packs import Dealt, cards_text, in_order, read_cards, without
from engine.pinochle.game import PINOCHLE
from engine.pinochle.play import PACK as PINOCHLE_PACK
from engine.pinochle.records import FIELDS as PINOCHLE_FIELDS
from engine.seats import SEATS, Seat
from engine.tien_len.combinations import CARDS as TIEN_LEN_CARDS
from engine.tien_len.game import TIEN_LEN
from engine.tien_len.records import FIELDS as TIEN_LEN_FIELDS
from engine.tute.cards import PACK as TUTE_PACK
from engine.tute.game import TUTE_FOR_FOUR
from engine.tute.play import DECLARATIONS
from engine.tute.records import FIELDS
from tests.engine.burraco.hidden import shuffle_burraco
from tests.engine.conformance import capabilities, core, records
from tests.engine.conformance.adapters import Adapter
from tests.engine.conformance.core import ANY_JSON
from tests.engine.conquian.hidden import shuffle_conquian
from tests.engine.duet import DUET, DuetDeal, DuetGame, DuetState, cards_of_hand
from tests.engine.duet import PACK as DUET_PACK
from tests.engine.duet import SEATS as DUET_SEATS
from tests.engine.ecarte.hidden import shuffle_ecarte
from tests.engine.fuenfzehnern.hidden import shuffle_fuenfzehnern
from tests.engine.pinochle.hidden import shuffle_pinochle
from tests.engine.quartet import PACK as QUARTET_PACK
from tests.engine.quartet import QUARTET, FirstCard, QuartetState
from tests.engine.quartet import SEATS as QUARTET_SEATS
from tests.engine.table_adapters import TABLE_ADAPTERS
from tests.engine.tien_len.hidden import shuffle_tien_len
from tests.engine.trio import FOLD, TRIO, TrioGame, TrioSampling, TrioState
from tests.engine.trio import PACK as TRIO_PACK
from tests.engine.tute.hidden import shuffle_tute
from tests.thorough import examples

Twin = tuple[str, Sequence[str]]


def shuffle_cards(text: str, state: State, seat: str | None, rng: random.Random) -> Twin:
    """As shuffle_concerto, of the deal's text."""
    return str(
        shuffle_concerto(Deal.parse(text), state, None if seat is None else Seat.parse(seat), rng)
    ), state.history


def shuffle_concerto(deal: Deal, state: State, seat: Seat | None, rng: random.Random) -> Deal:
    """The cards that this seat has not seen, dealt again among those who hold them."""
    shown = {} if not state.is_over else dict(view(state, None).left_overs.cards)  # type: ignore[union-attr]
    hidden_seats = [other for other in SEATS if other is not seat and other not in shown]
    held = {other: state.cards_held(other) for other in hidden_seats}
    pool = [card for cards in held.values() for card in cards]
    rng.shuffle(pool)
    hands = {other: deal[other] for other in SEATS}
    for other in hidden_seats:
        new = CardSet.of(pool[: len(held[other])])
        del pool[: len(held[other])]
        hands[other] = (deal[other] - held[other]) | new
    return Deal.of(hands)


def write_concerto(deal: str, state: State) -> dict[str, Any]:
    return {"dealer": state.setting.dealer.letter, "deal": deal, "hands": list(state.hand_lines)}


def shuffle_duet(text: str, state: DuetState, seat: str | None, rng: random.Random) -> Twin:
    shown = CardSet.of(state.played) | (state.deal[seat] if seat else CardSet())
    pool = [card for card in DUET_PACK if card not in shown]
    rng.shuffle(pool)
    hands = {each: state.deal[each] for each in DUET_SEATS}
    for each in DUET_SEATS:
        if each != seat:
            held = state.held(each)
            # Cards with which a suit had to be followed are known not to be there: leave such states alone.
            hands[each] = (state.deal[each] - held) | CardSet.of(pool[: len(held)])
            del pool[: len(held)]
    found = str(DuetDeal((hands["1"], hands["2"])))
    try:
        DUET.replay(found, state.dealer, {}, state.history)
    except RuleError:
        return text, state.history
    return found, state.history


def shuffle_quartet(text: str, state: QuartetState, seat: str | None, rng: random.Random) -> Twin:
    """The cards that others hold, exchanged between them where the suits that they had to follow allow it."""
    others = [each for each in QUARTET_SEATS if each != seat]
    pool = [card for each in others for card in state.held(each)]
    rng.shuffle(pool)
    hands = dict(zip(QUARTET_SEATS, state.deal.hands, strict=True))
    for each in others:
        held = state.held(each)
        hands[each] = in_order((*(without(hands[each], held) or ()), *pool[: len(held)]))
        del pool[: len(held)]
    found = str(Dealt(tuple(hands.values())))
    try:
        QUARTET.replay(found, state.dealer, {}, state.history)
    except RuleError:
        return text, state.history
    return found, state.history


def shuffle_trio(text: str, state: TrioState, seat: str | None, rng: random.Random) -> Twin:
    """Every card that this seat does not know under another name: in hands, in the stock, in secret actions."""
    shown = state.playing if state.is_over else ()
    known = {card for each in state.seats if each in {*shown, seat} for card in state.hands[each]}
    if seat is not None:
        known |= set(state.deal.hands[state.seats.index(seat)])
    pool = [card for card in TRIO_PACK if card not in known]
    name = {**dict.fromkeys(known), **dict(zip(pool, rng.sample(pool, len(pool)), strict=True))}

    def renamed(cards: Sequence[str]) -> list[str]:
        return [name[card] or card for card in cards]

    deal = Dealt(
        tuple(in_order(renamed(hand)) for hand in state.deal.hands), tuple(renamed(state.deal.stock))
    )
    tokens = [
        token if token == FOLD else "x" + cards_text(renamed(read_cards(token[1:])))
        for token in state.history
    ]
    return str(deal), tokens


CONCERTO_ADAPTER = Adapter(
    CONCERTO,
    tokens=(*(card.text for card in PACK), "-", ">"),
    shuffle_hidden=shuffle_cards,
    written=write_concerto,
    field_names=("dealer", "deal", "hands", "left", "left_over", "left_over_to", "points", "made", "total"),
)
DUET_ADAPTER = Adapter(DUET, tokens=tuple(card.text for card in DUET_PACK), shuffle_hidden=shuffle_duet)
QUARTET_ADAPTER = Adapter(
    QUARTET, tokens=(*dict.fromkeys(QUARTET_PACK), "2s"), shuffle_hidden=shuffle_quartet
)
TRIO_ADAPTER = Adapter(
    TRIO,
    tokens=("x", "xAsKs", "xKsAs", "xAsKsQs", "x2s", "xAs", "x1"),
    shuffle_hidden=shuffle_trio,
    players=3,
)
TUTE_ADAPTER = Adapter(
    TUTE_FOR_FOUR,
    tokens=(*TUTE_PACK, *DECLARATIONS, "8s", "20x"),
    shuffle_hidden=shuffle_tute,
    is_by_total=False,
    field_names=FIELDS,
)
PINOCHLE_ADAPTER = Adapter(
    PINOCHLE,
    tokens=(*dict.fromkeys(PINOCHLE_PACK), "x", "-", "!", "2s"),
    shuffle_hidden=shuffle_pinochle,
    is_by_total=False,
    field_names=PINOCHLE_FIELDS,
)
BURRACO_ADAPTER = Adapter(
    BURRACO,
    tokens=(
        *BURRACO_CARDS,
        "7s8s9s",
        "9s8s7s",
        "JkJkJk",
        "As2s2s",
        "9s>1",
        "9s>99",
        "+",
        "+7s",
        "1<",
        "0<Jk",
        "Jk>",
    ),
    shuffle_hidden=shuffle_burraco,
    field_names=BURRACO_FIELDS,
)
ECARTE_ADAPTER = Adapter(
    ECARTE,
    tokens=(*ECARTE_CARDS.cards, *WORDS, "2s", "x", "xAsKs", "xKsAs", "x9", "xAsAs"),
    shuffle_hidden=shuffle_ecarte,
    is_by_total=False,
    field_names=ECARTE_FIELDS,
)
CONQUIAN_ADAPTER = Adapter(
    CONQUIAN,
    tokens=(*CONQUIAN_CARDS.cards, "8s", "+", "+4", "+AsKs", "+KsAs", "+8s", "+AsAs", "pass", "force"),
    shuffle_hidden=shuffle_conquian,
    field_names=CONQUIAN_FIELDS,
)
TIEN_LEN_ADAPTER = Adapter(
    TIEN_LEN,
    tokens=(*TIEN_LEN_CARDS, "-", "3s3c", "3c3s", "3s4s5s", "3s3s", "Jk", "3"),
    shuffle_hidden=shuffle_tien_len,
    is_by_total=False,
    field_names=TIEN_LEN_FIELDS,
)
FUENFZEHNERN_ADAPTER = Adapter(
    FUENFZEHNERN,
    tokens=(*FUENFZEHNERN_CARDS.cards, *ZWANGS, "2s", "Ks!"),
    shuffle_hidden=shuffle_fuenfzehnern,
    field_names=FUENFZEHNERN_FIELDS,
)
ADAPTERS = (
    CONCERTO_ADAPTER,
    TUTE_ADAPTER,
    PINOCHLE_ADAPTER,
    BURRACO_ADAPTER,
    ECARTE_ADAPTER,
    CONQUIAN_ADAPTER,
    *(replace(TIEN_LEN_ADAPTER, players=players) for players in (2, 4)),
    *(replace(FUENFZEHNERN_ADAPTER, players=players) for players in FUENFZEHNERN.players),
    *TABLE_ADAPTERS,
    DUET_ADAPTER,
    QUARTET_ADAPTER,
    *(replace(TRIO_ADAPTER, players=players) for players in TRIO.players),
)


def having(capability: str) -> pytest.MarkDecorator:
    """The games that have this capability."""
    found = [adapter for adapter in ADAPTERS if getattr(adapter.game, capability)]
    return pytest.mark.parametrize("adapter", found, ids=lambda adapter: adapter.name)


each_game = pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda adapter: adapter.name)
seeds = pytest.mark.parametrize("seed", range(3))


def test_every_registered_game_is_held_to_the_suites() -> None:
    assert {game.key for game in known_games()} <= {adapter.game.key for adapter in ADAPTERS}


def test_the_register_knows_concerto_and_nothing_twice() -> None:
    assert get("concerto") is CONCERTO
    with pytest.raises(RuleError, match="no game “poker”"):
        get("poker")
    with pytest.raises(RuleError, match="already"):
        register(CONCERTO)


@each_game
def test_identity(adapter: Adapter) -> None:
    core.check_identity(adapter)


@each_game
def test_options(adapter: Adapter) -> None:
    core.check_options(adapter)


@each_game
@seeds
def test_deals(adapter: Adapter, seed: int) -> None:
    core.check_deals(adapter, seed)


@each_game
@seeds
def test_play(adapter: Adapter, seed: int) -> None:
    core.check_play(adapter, seed)


@each_game
@seeds
def test_offers(adapter: Adapter, seed: int) -> None:
    core.check_offers(adapter, seed)


@each_game
@seeds
def test_replay_tells_where(adapter: Adapter, seed: int) -> None:
    core.check_replay_tells_where(adapter, seed)


@each_game
@seeds
def test_views_hide(adapter: Adapter, seed: int) -> None:
    core.check_views_hide(adapter, seed)


@each_game
@seeds
def test_views_are_built_from_nothing(adapter: Adapter, seed: int) -> None:
    core.check_views_are_built_from_nothing(adapter, seed)


@each_game
@seeds
def test_secret_tokens(adapter: Adapter, seed: int) -> None:
    core.check_secret_tokens(adapter, seed)


@each_game
@seeds
def test_matches(adapter: Adapter, seed: int) -> None:
    core.check_matches(adapter, 100 * seed)


@each_game
@seeds
def test_totals(adapter: Adapter, seed: int) -> None:
    core.check_totals(adapter, seed)


@each_game
@settings(max_examples=examples(50), deadline=None)
@given(data=st.data())
def test_reads_any_sheet(adapter: Adapter, data: st.DataObject) -> None:
    names = st.sampled_from(adapter.field_names)
    deals = st.lists(ANY_JSON | st.dictionaries(names, ANY_JSON), max_size=5)
    wrong = {"total": "x", "deals": "x"}
    content = data.draw(ANY_JSON | deals.map(lambda given: {"deals": [*given, wrong]}))
    core.check_reads_any_sheet(adapter, content)


@having("records")
@seeds
def test_written_deals(adapter: Adapter, seed: int) -> None:
    records.check_written_deals(adapter, seed)


@having("records")
@settings(max_examples=examples(150), deadline=None)
@given(data=st.data())
def test_reads_anything(adapter: Adapter, data: st.DataObject) -> None:
    names = st.sampled_from(adapter.field_names)
    records.check_reads_anything(adapter, data.draw(ANY_JSON | st.dictionaries(names, ANY_JSON)))


@having("analysis")
@seeds
def test_analysis(adapter: Adapter, seed: int) -> None:
    records.check_analysis(adapter, seed)


@pytest.mark.parametrize(
    "adapter", [each for each in ADAPTERS if not each.game.robots], ids=lambda each: each.name
)
@seeds
def test_a_game_without_robots_has_a_beginner(adapter: Adapter, seed: int) -> None:
    (robot,) = adapter.game.practice_robots
    capabilities.check_robot(adapter, robot, seed)
    state = adapter.game.start(*adapter.begin(seed), adapter.players)
    while not state.is_over:
        state = state.apply(robot.token(adapter.game.view(state, state.turn)))


@having("robots")
def test_robots(adapter: Adapter) -> None:
    # Concerto's stronger robots have a suite of their own (robot_conformance.py).
    capabilities.check_robot(adapter, adapter.game.robots[0], 0)


@having("boards")
@seeds
def test_boards(adapter: Adapter, seed: int) -> None:
    capabilities.check_boards(adapter, seed)


@having("signals")
def test_signals(adapter: Adapter) -> None:
    capabilities.check_signals(adapter, 0)


@having("sampling")
@seeds
def test_sampling(adapter: Adapter, seed: int) -> None:
    capabilities.check_sampling(adapter, seed)


# Controls: the suite notices a game that is broken.


class LeakyDuet(DuetGame):
    """Shows a player the opponent's cards."""

    def view(self, state: Any, seat: str | None) -> Zones:
        fair = super().view(state, seat)
        seats = [replace(zone, cards=cards_of_hand(state.held(zone.seat))) for zone in fair.seats]
        return replace(fair, seats=tuple(seats))


class CarelessDuet(DuetGame):
    """Puts the whole state into the view, though its JSON does not show it."""

    def view(self, state: Any, seat: str | None) -> Zones:
        fair = super().view(state, seat)
        return replace(fair, layout=(state,))


class HopefulDuet(DuetGame):
    """Offers every card of the hand."""

    def view(self, state: Any, seat: str | None) -> Zones:
        fair = super().view(state, seat)
        mine = next((zone.cards for zone in fair.seats if zone.seat == seat), ())
        return replace(fair, cards=mine if fair.cards else ())


class TalkativeTrio(TrioGame):
    """Tells everybody which cards were exchanged."""

    def view(self, state: Any, seat: str | None) -> Zones:
        fair = super().view(state, seat)
        return replace(fair, discards=state.history)


class MuddledTrio(TrioGame):
    """Keeps from players what they did themselves."""

    def token_seen_by(self, state: Any, token: str, seat: str | None) -> str:
        return "x"


class EndlessTrio(TrioGame):
    """Says that a match goes on for ever."""

    def match(self, scores: Any, options: Any, players: int | None = None) -> MatchResult:
        return replace(super().match(scores, options, players), is_over=False)


class GenerousTrio(TrioGame):
    """Leaves out a side of the score."""

    def match(self, scores: Any, options: Any, players: int | None = None) -> MatchResult:
        return replace(super().match(scores, options, players), ranks={})


class FreeState(DuetState):
    """Verifies nothing."""

    def verify(self, token: Any) -> None:
        pass


class FreeDuet(DuetGame):
    def start(self, deal: str, dealer: str, options: Any, players: int | None = None) -> DuetState:
        return FreeState(self._deal(deal), dealer)


def broken(game: Game, adapter: Adapter = DUET_ADAPTER) -> Adapter:
    return replace(adapter, game=game)


def test_control_a_leak_is_noticed() -> None:
    with pytest.raises(AssertionError):
        core.check_views_hide(broken(LeakyDuet()), 0)


def test_control_a_state_inside_a_view_is_noticed() -> None:
    with pytest.raises(AssertionError):
        core.check_views_are_built_from_nothing(broken(CarelessDuet()), 0)


def test_control_a_rule_that_is_not_verified_is_noticed() -> None:
    with pytest.raises(pytest.fail.Exception):
        core.check_play(broken(FreeDuet()), 0)


def test_control_a_table_that_offers_what_is_refused_is_noticed() -> None:
    with pytest.raises(AssertionError):
        core.check_offers(broken(HopefulDuet()), 0)


def test_control_secrets_in_a_view_are_noticed() -> None:
    with pytest.raises(AssertionError):
        core.check_secret_tokens(broken(TalkativeTrio(), TRIO_ADAPTER), 0)
    with pytest.raises(AssertionError):
        core.check_views_hide(broken(TalkativeTrio(), TRIO_ADAPTER), 0)


class LawlessRobot(FirstCard):
    """Plays what it likes."""

    def token(self, view: Any) -> str:
        return "As"


class OtherDeals(TrioSampling):
    """Samples a table that is nothing like the one seen."""

    def sample(self, view: Any, rng: random.Random) -> TrioState:
        return replace(super().sample(view, rng), carried=17)


def test_control_a_robot_that_breaks_the_rules_is_noticed() -> None:
    with pytest.raises(ActionError):
        capabilities.check_robot(QUARTET_ADAPTER, LawlessRobot(), 0)


def test_control_a_sample_that_the_seat_could_tell_apart_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TrioGame, "sampling", OtherDeals())
    with pytest.raises(AssertionError):
        capabilities.check_sampling(TRIO_ADAPTER, 0)


def test_control_an_action_that_who_took_it_is_not_told_is_noticed() -> None:
    with pytest.raises(AssertionError):
        core.check_secret_tokens(broken(MuddledTrio(), TRIO_ADAPTER), 0)


@pytest.mark.parametrize("game", [EndlessTrio(), GenerousTrio()])
def test_control_a_match_that_says_too_little_is_noticed(game: Game) -> None:
    with pytest.raises(AssertionError):
        core.check_matches(broken(game, TRIO_ADAPTER), 0)


def test_control_a_leak_in_concerto_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """One count of another's suits, hidden in an innocent field, is enough."""

    def leaky(self: ConcertoGame, state: Any, seat: str | None) -> Any:
        fair = view(state, None if seat is None else Seat.parse(seat))
        spades = len(state.cards_held(Seat.N).bits.to_bytes(8, "little").rstrip(b"\0"))
        return replace(fair, legal=(*fair.legal, str(spades)))

    monkeypatch.setattr(ConcertoGame, "view", leaky)
    with pytest.raises(AssertionError):
        core.check_views_hide(CONCERTO_ADAPTER, 0)


def test_what_nobody_won_lies_on_the_table_of_the_next_deal() -> None:
    """Four players: two have equal hands, so the four points stay, and the next winner takes eight."""
    deal = "AsKs7s6s AhKh7h6h 9s8s7d6d 9h8h7c6c | QsJsTsQhJhThAdKdQdJdTd9d8dAcKcQcJcTc9c8c"
    first = TRIO.replay(deal, "1", {}, ["x", "x", "x", "x"], 4).score()
    assert dict(first.total) == {"1": -1, "2": -1, "3": -1, "4": -1}
    result = TRIO.match([first], {"deals": 2}, 4)
    assert result.next_options == {"pot": 4}
    second = TRIO.replay(deal, "1", result.next_options, ["fold", "x", "x", "x"], 4).score()
    assert dict(second.total) == {"1": 7, "2": -1, "3": -1, "4": -1}
    result = TRIO.match([first, second], {"deals": 2}, 4)
    assert (result.winners, result.ranks) == (("1",), {"1": 1, "2": 2, "3": 2, "4": 2})
    assert TRIO.match([first, second, second], {"target": 6}, 4).counted == 2


def test_where_fewer_points_are_better_a_target_is_counted_down_to() -> None:
    scores = [Points({"1": 5, "2": 3}), Points({"1": -5, "2": 0}), Points({"1": 9, "2": 9})]
    result = sum_of_deals(scores, ("1", "2"), target=0, lower_is_better=True)
    assert (result.counted, result.winners, result.ranks) == (2, ("1",), {"1": 1, "2": 2})
