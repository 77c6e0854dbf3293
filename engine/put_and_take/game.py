"""Put and Take as the rest of the service knows it: one object that offers what engine/game asks of every game."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from engine.game import CheckedSheet, Json, Kind, OptionField, Options
from engine.game import values as seam
from engine.game.beginner import BEGINNER
from engine.game.individuals import TWICE_EACH, IndividualGame, equal_deals_field
from engine.game.sheets import WrittenDeal, check_totals, with_repeats
from engine.game.zones import Call, SeatZone, Zones
from engine.packs import Dealt, read_deal
from engine.put_and_take import play
from engine.put_and_take.play import PACK, TURN, TURNED, due
from engine.put_and_take.records import fault_of_total, odd, read_written, written
from engine.text import Message, Word, gettext_noop


class PutAndTakeGame(IndividualGame[play.State]):
    """Put and Take for two to nine: all luck."""

    key = "put-and-take"
    name = Word(gettext_noop("Put and Take"))
    players = range(2, 10)
    goes_below_zero = True
    fields = (
        equal_deals_field(TWICE_EACH),
        OptionField(
            "doubling",
            Kind.YES_NO,
            default=False,
            label=Word(gettext_noop("Doubling")),
            help=Word(gettext_noop("The five cards are worth 1, 2, 4, 8 and 16 instead of 1 to 5.")),
        ),
    )
    preset: Mapping[str, Json] = {"deals": 6}
    state_type = play.State
    deals_each = 2
    is_friendly = True
    robots = (BEGINNER,)

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        """PT2, PT9."""
        return str(Dealt(((),) * len(self.seats(players)), tuple(rng.sample(PACK, len(PACK)))))

    def read_deal(self, text: str, players: int | None = None) -> str:
        """PT9."""
        return str(read_deal(text, PACK, (0,) * len(self.seats(players))))

    def begin(self, text: str, players: int, dealer: int, options: Mapping[str, Any]) -> play.State:
        """PT2."""
        return play.start(text, players, dealer, doubling=options["doubling"])

    def view(self, state: seam.State, seat: str | None) -> Zones:
        """PT8: the hands lie open, the pack does not."""
        played = self.own(state)
        setting, found = played.setting, played.so_far
        is_mine = seat is not None and seat == played.turn
        return Zones(
            seat=seat,
            dealer=str(setting.dealer + 1),
            turn=played.turn,
            phase=_phase(played),
            seats=tuple(_zone(played, place, found) for place in range(setting.players)),
            stock=len(setting.pack) - play.HAND * (setting.players - 1) - played.now,
            layout=tuple(row for row in (played.turned[:TURNED], played.turned[TURNED:]) if row),
            pot=found.pot,
            calls=(Call(TURN, Message(gettext_noop("Turn a card"))),) if is_mine else (),
            help=() if played.is_over else _help(played),
            score=tuple(played.score().total.items()) if played.is_over else None,
            history=played.history,
        )

    def calls(self) -> tuple[str, ...]:
        """PT9."""
        return (TURN,)

    def call_in_words(self, token: str) -> Message | None:
        """PT9."""
        return Message(gettext_noop("turns a card")) if token == TURN else super().call_in_words(token)

    def record_of(self, state: seam.State) -> Mapping[str, Json]:
        """PT10."""
        return written(self.own(state))

    def read_result(self, data: object, players: int | None = None) -> WrittenDeal:
        """PT10 to PT12."""
        return read_written(data, self.seats(players), None)

    def check_sheet(
        self, content: object, first_dealer: str, options: Options, players: int | None = None
    ) -> CheckedSheet:
        """PT10 to PT13."""
        seats, chosen = self.seats(players), self.read_options(options)
        checked = check_totals(
            content,
            lambda data, number: read_written(
                data, seats, chosen, self.dealer_after(first_dealer, number, players)
            ),
            lambda scores: self.match(scores, options, players),
        )
        return with_repeats(replace(checked, problems=(*checked.problems, *odd(checked))))

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        """PT11."""
        return fault_of_total(total)


def _help(played: play.State) -> tuple[Message, ...]:
    """PT3 to PT5, PT8."""
    worth = {"points": due(played.now % TURNED, doubling=played.setting.doubling)}
    what = _PUT if played.now < TURNED else _TAKE
    return Message(what, worth), Message(_POT), Message(_LUCK)


_PUT: Final = gettext_noop(
    "The dealer turns the next put card: everybody pays %(points)d into the pot for each card of its rank."
)
_TAKE: Final = gettext_noop(
    "The dealer turns the next take card: everybody takes %(points)d from the pot for each card of its rank."
)
_POT: Final = gettext_noop(
    "If the pot runs out, the dealer pays the rest. If points are left in the end, the dealer gets them."
)
_LUCK: Final = gettext_noop("Nothing is decided: only the dealer acts, and nobody plays cards from the hand.")


def _phase(played: play.State) -> Message:
    if played.is_over:
        return Message(gettext_noop("The deal is over"))
    number = played.now % TURNED + 1
    if played.now < TURNED:
        return Message(gettext_noop("Put: card %(number)d of 5"), {"number": number})
    return Message(gettext_noop("Take: card %(number)d of 5"), {"number": number})


def _zone(played: play.State, place: int, found: play.Result) -> SeatZone:
    hand: Sequence[str] = played.setting.hands.get(place, ())
    return SeatZone(str(place + 1), len(hand), tuple(hand), points=found.points.get(place))


PUT_AND_TAKE: Final = PutAndTakeGame()
