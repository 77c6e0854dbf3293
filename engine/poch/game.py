"""Poch as the rest of the service knows it: one object that offers what engine/game asks of every game."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from engine.cards import Card
from engine.errors import OptionError
from engine.game import CheckedSheet, Json, Kind, MatchResult, OptionField, Options, Score
from engine.game import values as seam
from engine.game.individuals import TWICE_EACH, IndividualGame, cards_among, equal_deals_field
from engine.game.searching import Searcher
from engine.game.sheets import MOST_POINTS, WrittenDeal, check_totals, with_repeats
from engine.game.zones import Call, SeatZone, Zones
from engine.packs import Dealt, in_order, is_card
from engine.poch import play
from engine.poch.board import HAND, NAMES, PLACES, board_of, higher, pack_of, paid_cards
from engine.poch.for_learners import help_of
from engine.poch.novice import NOVICE
from engine.poch.records import board_after, fault_of_total, odd, read_written, written
from engine.poch.sampling import SAMPLING
from engine.text import Message, Word, gettext_noop

_OPTIONS: Final = (
    equal_deals_field(TWICE_EACH),
    OptionField(
        "limit",
        Kind.NUMBER,
        5,
        Word(gettext_noop("Limit")),
        Word(gettext_noop("How many points may be staked at a time.")),
        minimum=1,
        maximum=10,
    ),
    OptionField(
        "raises",
        Kind.NUMBER,
        3,
        Word(gettext_noop("Raises")),
        Word(gettext_noop("How often the one who opened may raise in a deal.")),
        maximum=6,
    ),
    OptionField(
        "sequence_chip",
        Kind.YES_NO,
        default=False,
        label=Word(gettext_noop("Ends of sequences")),
        help=Word(gettext_noop("Who ends a sequence gets a point from each of the others.")),
    ),
)
_SPOKEN: Final = {
    play.PASS: (gettext_noop("Pass"), gettext_noop("passes")),
    play.MATCH: (gettext_noop("Match the stake"), gettext_noop("matches the stake")),
    play.DROP: (gettext_noop("Drop out"), gettext_noop("drops out")),
}


class PochGame(IndividualGame[play.State]):
    """Poch for three to eight, each alone."""

    key = "poch"
    name = Word(gettext_noop("Poch"))
    players = range(3, 9)
    goes_below_zero = True
    fields = _OPTIONS
    preset: Mapping[str, Json] = {"limit": 3}
    carried = ("board",)
    state_type = play.State
    deals_each = 2
    sampling = SAMPLING
    robots = (NOVICE, Searcher(SAMPLING, playouts=600))

    def read_options(self, data: object) -> dict[str, Json]:
        """PO3, PO17: with what lies on the board, where it is given."""
        board = data.get("board") if isinstance(data, Mapping) else None
        given = {name: data[name] for name in data if name != "board"} if isinstance(data, Mapping) else data
        chosen = super().read_options(given)
        if board is None:
            return chosen
        if (
            not isinstance(board, Mapping)
            or {*board} != {*PLACES}
            or any(type(points) is not int or not 0 <= points <= MOST_POINTS for points in board.values())
        ):
            template = gettext_noop("“%(given)s” isn’t what can lie on the board.")
            raise OptionError("option-value", template, place=("board",), given=board)
        return {**chosen, "board": {place: board[place] for place in PLACES}}

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        """PO3."""
        count = len(self.seats(players))
        cards = rng.sample(pack_of(count), HAND * count + 1)
        hands = (in_order(cards[HAND * at : HAND * (at + 1)]) for at in range(count))
        return str(Dealt(tuple(hands), (cards[-1],)))

    def read_deal(self, text: str, players: int | None = None) -> str:
        """PO3."""
        dealt, up = play.read(text, len(self.seats(players)))
        return str(Dealt(dealt.hands, (up,)))

    def begin(self, text: str, players: int, dealer: int, options: Mapping[str, Any]) -> play.State:
        """PO2 to PO5."""
        rules = play.Rules(options["limit"], options["raises"], options["sequence_chip"])
        board = board_of(options.get("board") or dict.fromkeys(PLACES, 0))
        return play.start(text, players, dealer, rules, board)

    def match(self, scores: Sequence[Score], options: Options, players: int | None = None) -> MatchResult:
        """PO5, PO17: the board as the last deal left it."""
        result = super().match(scores, options, players)
        last: Any = scores[result.counted - 1].as_json().get("board") if result.counted else None
        return replace(result, next_options={} if result.is_over or not last else {"board": last})

    def view(self, state: seam.State, seat: str | None) -> Zones:
        """PO18."""
        played = self.own(state)
        now, setting = played.now, played.setting
        legal = played.legal() if seat is not None and seat == played.turn else ()
        done = _done(played)
        return Zones(
            seat=seat,
            dealer=str(setting.dealer + 1),
            turn=played.turn,
            phase=_phase(played),
            seats=tuple(_zone(played, place, seat, done) for place in range(len(setting.hands))),
            layout=_layout(done),
            upcard=setting.up,
            trump=setting.up[1],
            places=tuple(zip(map(Message, NAMES.values()), now.board, strict=True)),
            cards=cards_among(legal),
            calls=tuple(Call(token, _label(token, played)) for token in legal if not is_card(token)),
            barred=_barred(played) if legal else (),
            help=help_of(played, is_mine=bool(legal)),
            score=tuple(played.score().total.items()) if played.is_over else None,
            history=played.history,
            options=(
                ("limit", setting.rules.limit),
                ("raises", setting.rules.raises),
                ("sequence_chip", setting.rules.sequence_chip),
                ("before", setting.board),
                ("best", tuple(setting.best.items())),
                ("played", tuple((place, token) for place, token in done if is_card(token))),
                ("begins", now.phase == play.PLAY and not now.last),
            ),
        )

    def calls(self) -> tuple[str, ...]:
        """PO19."""
        return (*_SPOKEN, *(f"{play.STAKE}{k}" for k in range(1, 11)))

    def call_in_words(self, token: str) -> Message | None:
        """PO19."""
        if token in _SPOKEN:
            return Message(_SPOKEN[token][1])
        if token[:1] == play.STAKE and token[1:].isdecimal():
            return Message(gettext_noop("stakes %(points)s"), {"points": token[1:]})
        return super().call_in_words(token)

    def record_of(self, state: seam.State) -> Mapping[str, Json]:
        """PO20."""
        return written(self.own(state))

    def read_result(self, data: object, players: int | None = None) -> WrittenDeal:
        """PO20."""
        return read_written(data, self.seats(players), None)

    def check_sheet(
        self, content: object, first_dealer: str, options: Options, players: int | None = None
    ) -> CheckedSheet:
        """PO20: each deal with the board as the one before left it."""
        seats, chosen = self.seats(players), self.read_options(options)
        left: dict[int, Mapping[str, int] | None] = {0: dict.fromkeys(PLACES, 0)}

        def read(data: object, number: int) -> WrittenDeal:
            found = read_written(data, seats, left.get(number), chosen)
            left[number + 1] = board_after(found.given, left.get(number), len(seats))
            return found

        checked = check_totals(content, read, lambda scores: self.match(scores, options, players))
        return with_repeats(replace(checked, problems=(*checked.problems, *odd(checked))))

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        """PO16."""
        return fault_of_total(total)


def _done(played: play.State) -> tuple[tuple[int, str], ...]:
    """Who has done what."""
    state, found = play.begun(played.setting), []
    for token in played.history:
        found.append((state.now.turn, token))
        state = state.after(token)
    return tuple(found)


def _layout(done: Sequence[tuple[int, str]]) -> tuple[tuple[str, ...], ...]:
    """The sequences as they were played."""
    rows: list[list[str]] = []
    for _place, token in done:
        if not is_card(token):
            continue
        if rows and token == higher(rows[-1][-1]):
            rows[-1].append(token)
        else:
            rows.append([token])
    return tuple(map(tuple, rows))


def _phase(played: play.State) -> Message:
    if played.is_over:
        return Message(gettext_noop("Seat %(seat)s is out"), {"seat": str(played.now.out + 1)})
    now = played.now
    if now.phase == play.OPENING:
        return Message(gettext_noop("Open the poching, or pass"))
    if now.phase == play.PLAY:
        follows = played.must_play
        if follows:
            return Message(gettext_noop("Next: %(card)s"), {"card": Card.parse(follows).symbol})
        return Message(gettext_noop("Begin a sequence"))
    return Message(gettext_noop("Stakes: %(points)d"), {"points": max(now.stakes)})


def _zone(played: play.State, place: int, seat: str | None, done: Sequence[tuple[int, str]]) -> SeatZone:
    """A seat's cards; whose hand was shown keeps it open, and who was paid for cards holds them."""
    now, own = played.now, str(place + 1)
    is_shown = now.poch is not None and now.poch[1] == play.SHOWN and place in played.staying
    hand, is_open = now.hands[place], own == seat or is_shown
    paid = () if is_open else paid_cards(played.setting.best, played.setting.up[1], place)
    return SeatZone(
        own,
        len(hand),
        hand if is_open else (),
        melds=tuple((card,) for card in paid if card in hand),
        points=now.points[place],
        stake=now.stakes[place],
        calls=tuple(token for by, token in done if by == place and not is_card(token)),
        is_in=place not in now.dropped or now.phase == play.PLAY,
        notes=tuple(Message(NAMES[name]) for name, by in played.setting.best.items() if by == place),
    )


def _barred(played: play.State) -> tuple[Call, ...]:
    """PO8, PO9: the raise of somebody who did not open, or one too many."""
    token, phase = f"{play.STAKE}1", played.now.phase
    is_barred = phase in {play.ANSWERS, play.OPENER} and token not in played.legal()
    return (Call(token, _label(token, played)),) if is_barred else ()


def _label(token: str, played: play.State) -> Message:
    if token == play.MATCH and played.now.phase == play.OPENER:
        return Message(gettext_noop("Show"))
    if token in _SPOKEN:
        return Message(_SPOKEN[token][0])
    template = gettext_noop("Raise by %(points)s") if played.now.raises or played.now.opener >= 0 else _STAKE
    return Message(template, {"points": token[1:]})


_STAKE: Final = gettext_noop("Stake %(points)s")


POCH_FOR_MANY: Final = PochGame()
