"""What the tests of the formats share: the oracle's set, and random boards, games and play."""

import json
import random
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import strategies as st

from engine.boards.files.boards import Board
from engine.boards.files.pbn_game import PbnGame
from engine.cards import PACK
from engine.concerto.options import Options
from engine.concerto.play import HandPlayed, State, start
from engine.concerto.records.parsing import read_record
from engine.concerto.records.record import Record
from engine.deals import Deal
from engine.seats import SEATS, Seat, dealer_of_board

FILES = Path(__file__).parents[3] / "oracles/deal_formats"
ORACLE = json.loads((FILES / "set.json").read_text())
ORACLE_BOARDS = [Board.of(board["board"], Deal.parse(board["deal"])) for board in ORACLE["boards"]]


def oracle_file(ending: str) -> bytes:
    return (FILES / f"set.{ending}").read_bytes()


deals = st.randoms(use_true_random=False).map(Deal.random)


@st.composite
def board_sets(draw: st.DrawFn, most: int = 99) -> list[Board]:
    """Boards that follow one another, some deals as regular as they get."""
    count = draw(st.integers(1, 6))
    first = draw(st.integers(1, most - count + 1))
    regular = st.sampled_from(
        [Deal.parse("N:...AKQJT98765432 ..AKQJT98765432. .AKQJT98765432.. AKQJT98765432...")]
    )
    return [Board.of(first + place, draw(deals | regular)) for place in range(count)]


class Played(NamedTuple):
    """A deal played out, and how it is written down card by card."""

    deal: Deal
    state: State
    record: Record


def played_out(rng: random.Random, dealer: Seat = Seat.N, deal: Deal | None = None) -> Played:
    """A deal played out with random legal actions."""
    dealt = deal or Deal.random(rng)
    state = start(dealt, dealer, Options())
    while not state.is_over:
        state = state.apply(rng.choice(state.legal_actions()))
    data = {"dealer": dealer.letter, "hands": list(state.hand_lines), **state.score().as_json()}
    return Played(dealt, state, read_record(data))


def at_other_depths(rng: random.Random, played: Played) -> Record:
    """The same play with some hands told in less detail, some not at all, and sums left out."""
    data = played.record.as_json()
    for number, hand in enumerate(played.state.hands):
        kind = rng.choice(["line", "cards", "seats", "combination", "points", "nothing"])
        if kind != "line":
            data["hands"][number] = told_as(kind, hand)
        if kind == "nothing" or rng.random() < 0.3:
            data["points"][number] = None
    for field in (("made",), ("left_over_to", "left_over_bonus"), ("total",)):
        if rng.random() < 0.5:
            for name in field:
                data.pop(name)
    if rng.random() < 0.5:
        data["left"] = {seat.letter: str(played.state.cards_held(seat)).split() for seat in SEATS}
    return read_record(data)


def told_as(kind: str, hand: HandPlayed) -> dict[str, Any] | None:
    if kind == "cards":
        return {"cards": [card.text for card in hand.cards]}
    if kind == "seats":
        seats = {move.seat for move in hand.line if move.action.card}
        return {"cards": {seat.letter: cards_of_seat(hand, seat) for seat in seats}}
    if kind == "combination":
        split = str(hand.value.split) if hand.value.split else None
        return {"combination": hand.value.combination.key, "split": split}
    return None


def cards_of_seat(hand: HandPlayed, seat: Seat) -> list[str]:
    return [move.action.token for move in hand.line if move.seat is seat and move.action.card]


tag_values = st.text(max_size=60) | st.text("abc \"'[]{};%#\\äé¡ÿłß", max_size=40)
tags = st.dictionaries(
    st.sampled_from(["Event", "Site", "Date", "North", "West", "Room", "Scoring", "Table2"]), tag_values
)


@st.composite
def games(draw: st.DrawFn) -> PbnGame:
    """A game with any depth of knowledge: hidden hands, no play, some of it, all of it."""
    rng = draw(st.randoms(use_true_random=False))
    number = draw(st.integers(1, 5000))
    dealer = draw(st.sampled_from([dealer_of_board(number), *SEATS]))
    told = draw(tags)
    kind = draw(st.sampled_from(["board", "hidden", "played", "partly"]))
    if kind == "board":
        return PbnGame.of_board(Board(number, Deal.random(rng), dealer), told)
    played = played_out(rng, dealer)
    if kind == "partly":
        known = rng.choice([played.deal, None])
        return PbnGame.of_record(number, at_other_depths(rng, played), known, told)
    game = PbnGame.of_record(number, played.record, played.deal, told)
    if kind == "played":
        return game
    north, east, south, west = (cards if rng.random() < 0.6 else None for cards in game.hands)
    return PbnGame(number, dealer, (north, east, south, west), game.tags)


def is_sound(deal: Deal) -> bool:
    """Whether it is 52 different cards, 13 a seat, counted from nothing."""
    cards = [card for seat in Seat for card in deal[seat]]
    return len(cards) == 52 and set(cards) == set(PACK) and all(len(deal[seat]) == 13 for seat in Seat)
