"""The conformance suite, run on every registered game and on Duet; and tried on games that are broken on purpose."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import PACK, CardSet
from engine.concerto.game import CONCERTO, ConcertoGame
from engine.concerto.play import State
from engine.concerto.view import view
from engine.deals import Deal
from engine.errors import RuleError
from engine.game import AnyGame, all_games, get, register
from engine.seats import SEATS, Seat
from tests.engine import conformance
from tests.engine.conformance import ANY_JSON, Adapter
from tests.engine.duet import DUET, DuetDeal, DuetGame, DuetState, DuetView, Player
from tests.engine.duet import PACK as DUET_PACK


def shuffle_concerto(deal: Deal, state: State, seat: Seat | None, rng: random.Random) -> Deal:
    """The cards that this seat has not seen, dealt anew among those who hold them."""
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


def write_concerto(deal: Deal, state: State) -> dict[str, Any]:
    return {"dealer": state.setting.dealer.letter, "deal": str(deal), "hands": list(state.hand_lines)}


def shuffle_duet(deal: DuetDeal, state: DuetState, seat: Player | None, rng: random.Random) -> DuetDeal:
    hidden = [player for player in Player if player is not seat]
    shown = CardSet.of(state.played) | (deal[seat] if seat else CardSet())
    pool = [card for card in DUET_PACK if card not in shown]
    rng.shuffle(pool)
    hands = {player: deal[player] for player in Player}
    for player in hidden:
        held = state.held(player)
        # Cards with which a suit had to be followed are known not to be there: leave such states alone.
        hands[player] = (deal[player] - held) | CardSet.of(pool[: len(held)])
        del pool[: len(held)]
    other = DuetDeal(hands[Player.A], hands[Player.B])
    try:
        DUET.replay(other, state.dealer, DUET.read_options({}), state.history)
    except RuleError:
        return deal
    return other


def write_duet(deal: DuetDeal, state: DuetState) -> dict[str, Any]:
    return {player.value: tricks for player, tricks in state.score().total.items()}


CONCERTO_ADAPTER = Adapter(
    CONCERTO,
    tokens=(*(card.text for card in PACK), "-", ">"),
    shuffle_hidden=shuffle_concerto,
    written=write_concerto,
    field_names=("dealer", "deal", "hands", "left", "left_over", "left_over_to", "points", "made", "total"),
)
DUET_ADAPTER = Adapter(
    DUET,
    tokens=tuple(card.text for card in DUET_PACK),
    shuffle_hidden=shuffle_duet,
    written=write_duet,
    field_names=("A", "B"),
)
ADAPTERS = (CONCERTO_ADAPTER, DUET_ADAPTER)

each_game = pytest.mark.parametrize("adapter", ADAPTERS, ids=lambda adapter: adapter.game.key)
seeds = pytest.mark.parametrize("seed", range(3))


def test_every_registered_game_is_held_to_the_suite() -> None:
    assert {game.key for game in all_games()} <= {adapter.game.key for adapter in ADAPTERS}


def test_the_register_knows_concerto_and_nothing_twice() -> None:
    assert get("concerto") is CONCERTO
    with pytest.raises(RuleError, match="no game “poker”"):
        get("poker")
    with pytest.raises(RuleError, match="already"):
        register(CONCERTO)


@each_game
def test_identity(adapter: Adapter) -> None:
    conformance.check_identity(adapter)


@each_game
def test_options(adapter: Adapter) -> None:
    conformance.check_options(adapter)


@each_game
@seeds
def test_deals(adapter: Adapter, seed: int) -> None:
    conformance.check_deals(adapter, seed)


@each_game
@seeds
def test_play(adapter: Adapter, seed: int) -> None:
    conformance.check_play(adapter, seed)


@each_game
@seeds
def test_replay_tells_where(adapter: Adapter, seed: int) -> None:
    conformance.check_replay_tells_where(adapter, seed)


@each_game
@seeds
def test_views_hide(adapter: Adapter, seed: int) -> None:
    conformance.check_views_hide(adapter, seed)


@each_game
@seeds
def test_views_are_built_from_nothing(adapter: Adapter, seed: int) -> None:
    conformance.check_views_are_built_from_nothing(adapter, seed)


@each_game
@seeds
def test_written_deals(adapter: Adapter, seed: int) -> None:
    conformance.check_written_deals(adapter, seed)


@each_game
@seeds
def test_sheets(adapter: Adapter, seed: int) -> None:
    conformance.check_sheets(adapter, 100 * seed)


@each_game
@seeds
def test_analysis(adapter: Adapter, seed: int) -> None:
    conformance.check_analysis(adapter, seed)


@each_game
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_reads_anything(adapter: Adapter, data: st.DataObject) -> None:
    names = st.sampled_from(adapter.field_names)
    conformance.check_reads_anything(adapter, data.draw(ANY_JSON | st.dictionaries(names, ANY_JSON)))


@each_game
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_reads_any_sheet(adapter: Adapter, data: st.DataObject) -> None:
    names = st.sampled_from(adapter.field_names)
    deals = st.lists(ANY_JSON | st.dictionaries(names, ANY_JSON), max_size=5)
    wrong = {"A": "x", "deals": "x"}
    content = data.draw(ANY_JSON | deals.map(lambda given: {"deals": [*given, wrong]}))
    conformance.check_reads_any_sheet(adapter, content)


# Controls: the suite notices a game that is broken.


NONE = CardSet()


@dataclass(frozen=True)
class LeakyView(DuetView):
    theirs: CardSet = NONE


class LeakyDuet(DuetGame):
    """Shows a player the opponent's cards."""

    def view(self, state: DuetState, seat: Player | None) -> DuetView:
        fair = super().view(state, seat)
        theirs = state.held(seat.other if seat else Player.A)
        return LeakyView(fair.seat, fair.mine, fair.played, fair.turn, theirs)


class CarelessDuet(DuetGame):
    """Puts the whole state into the view, though its JSON does not show it."""

    def view(self, state: DuetState, seat: Player | None) -> DuetView:
        fair = super().view(state, seat)
        return replace(fair, played=(*fair.played, state))  # type: ignore[arg-type]


class FreeState(DuetState):
    """Verifies nothing."""

    def verify(self, action: Any) -> None:
        pass


class FreeDuet(DuetGame):
    def start(self, deal: DuetDeal, dealer: Player, options: Any) -> DuetState:
        return FreeState(deal, dealer)


def broken(game: AnyGame) -> Adapter:
    return replace(DUET_ADAPTER, game=game)


def test_control_a_leak_is_noticed() -> None:
    with pytest.raises(AssertionError):
        conformance.check_views_hide(broken(LeakyDuet()), 0)


def test_control_a_state_inside_a_view_is_noticed() -> None:
    with pytest.raises(AssertionError):
        conformance.check_views_are_built_from_nothing(broken(CarelessDuet()), 0)


def test_control_a_rule_that_is_not_verified_is_noticed() -> None:
    with pytest.raises(pytest.fail.Exception):
        conformance.check_play(broken(FreeDuet()), 0)


def test_control_a_leak_in_concerto_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """One count of another's suits, hidden in an innocent field, is enough."""

    def leaky(self: ConcertoGame, state: State, seat: Seat | None) -> Any:
        fair = view(state, seat)
        spades = len(state.cards_held(Seat.N).bits.to_bytes(8, "little").rstrip(b"\0"))
        return replace(fair, legal=(*fair.legal, str(spades)))

    monkeypatch.setattr(ConcertoGame, "view", leaky)
    with pytest.raises(AssertionError):
        conformance.check_views_hide(CONCERTO_ADAPTER, 0)
