"""Stealing Bundles as the rest of the service knows it: one object that offers what engine/game asks of every game."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from engine.game import CheckedSheet, Json, Kind, MatchResult, OptionField, Options, Score
from engine.game import values as seam
from engine.game.boards import PackBoards
from engine.game.individuals import IndividualGame, cards_among
from engine.game.matches import winners_of
from engine.game.searching import Searcher
from engine.game.sheets import WrittenDeal, check_totals, with_repeats
from engine.game.zones import SeatZone, Zones
from engine.packs import deal_out, read_deal
from engine.stealing_bundles import play
from engine.stealing_bundles.for_learners import HELP, help_on_turn
from engine.stealing_bundles.novice import NOVICE
from engine.stealing_bundles.play import HAND, PACK, SEATS
from engine.stealing_bundles.records import fault_of_total, fits_deal, odd, read_written, written
from engine.stealing_bundles.sampling import SAMPLING
from engine.text import Message, Word, gettext_noop


class StealingBundlesGame(IndividualGame[play.State]):
    """Stealing Bundles for two."""

    key = "stealing-bundles"
    name = Word(gettext_noop("Stealing Bundles"))
    players = range(2, 3)
    is_friendly = True
    fields = (
        OptionField(
            "deals",
            Kind.NUMBER,
            6,
            Word(gettext_noop("Deals")),
            Word(gettext_noop("How many deals a match has. All of them are played.")),
            minimum=1,
            maximum=40,
        ),
    )
    #: Suits do not matter.
    sorts_by_rank = True
    state_type = play.State
    boards = PackBoards(PACK, SEATS, (HAND, HAND))
    sampling = SAMPLING
    robots = (NOVICE, Searcher(SAMPLING, playouts=300))

    def deal(self, rng: random.Random, dealer: str, options: Options, players: int | None = None) -> str:
        """SB2."""
        return str(deal_out(rng.sample(PACK, len(PACK)), (HAND, HAND)))

    def read_deal(self, text: str, players: int | None = None) -> str:
        """SB12."""
        return str(read_deal(text, PACK, (HAND, HAND)))

    def begin(self, text: str, players: int, dealer: int, options: Mapping[str, Any]) -> play.State:
        """SB2."""
        return play.start(text, dealer)

    def match(self, scores: Sequence[Score], options: Options, players: int | None = None) -> MatchResult:
        """SB9: more deals won, then more cards."""
        result = super().match(scores, options, players)
        counted = scores[: result.counted]
        won = {
            seat: sum(
                score.total[seat] > max(score.total[each] for each in SEATS if each != seat)
                for score in counted
            )
            for seat in SEATS
        }
        merit = {seat: (won[seat], result.total[seat]) for seat in SEATS}
        ranks = {seat: 1 + sum(other > merit[seat] for other in merit.values()) for seat in SEATS}
        winners = winners_of(ranks) if result.is_over else ()
        return replace(result, ranks=ranks, winners=winners, detail={"won": won})

    def view(self, state: seam.State, seat: str | None) -> Zones:
        """SB10."""
        played = self.own(state)
        now = played.now
        legal = played.legal() if seat is not None and seat == played.turn else ()
        return Zones(
            seat=seat,
            dealer=SEATS[played.setting.dealer],
            turn=played.turn,
            phase=_phase(played),
            seats=tuple(_zone(played, place, seat) for place in (0, 1)),
            stock=len(now.stock),
            layout=(now.board,) if now.board else (),
            cards=cards_among(legal),
            help=() if played.is_over else (*(help_on_turn(played) if legal else ()), *HELP),
            score=tuple(played.score().total.items()) if played.is_over else None,
            history=played.history,
            options=(("board", played.setting.board),),
        )

    def record_of(self, state: seam.State) -> Mapping[str, Json]:
        """SB13."""
        return written(self.own(state))

    def read_result(self, data: object, players: int | None = None) -> WrittenDeal:
        """SB13 to SB16."""
        return read_written(data)

    def fits_deal(self, record: Mapping[str, Json], deal: str, dealer: str) -> bool:
        """SB15: whether this board was played like that."""
        return fits_deal(record, play.start(deal, SEATS.index(dealer)))

    def check_sheet(
        self, content: object, first_dealer: str, options: Options, players: int | None = None
    ) -> CheckedSheet:
        """SB13 to SB16. Who dealt says whose cards were played first."""
        checked = check_totals(
            content,
            lambda data, number: read_written(data, self.dealer_after(first_dealer, number)),
            lambda scores: self.match(scores, options, players),
        )
        return with_repeats(replace(checked, problems=(*checked.problems, *odd(checked))))

    def fault_of_total(self, total: Mapping[str, int]) -> str:
        """SB14."""
        return fault_of_total(total)


def _phase(played: play.State) -> Message:
    if played.is_over:
        return Message(gettext_noop("The deal is over"))
    number = min(len(played.history) // (2 * HAND), len(PACK) // (2 * HAND) - 1) + 1
    return Message(gettext_noop("Round %(number)d of 6"), {"number": number})


def _zone(played: play.State, place: int, seat: str | None) -> SeatZone:
    hand, bundle = played.now.hands[place], played.now.bundles[place]
    return SeatZone(
        SEATS[place],
        len(hand),
        hand if SEATS[place] == seat else (),
        melds=((bundle[-1],),) if bundle else (),
        points=len(bundle),
    )


STEALING_BUNDLES: Final = StealingBundlesGame()
