"""A deal of Poch as people write it down, and all that can be wrong with it (PO20)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.game.fields import Reader, by_side, one_of, read_written_deal, row_of_cards, whole_number
from engine.game.sheets import MOST_POINTS, WrittenDeal
from engine.game.values import CheckedSheet, Json
from engine.packs import SUITS
from engine.poch.board import BOARD_STAKE, COURT, HAND, MARRIAGE, PLACES, POCH, SEQUENCE, pack_of
from engine.poch.play import SHOWN, UNSEEN, State
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.text import gettext_noop

FIELDS: Final = ("trump", "up", "best", "stakes", "vying", "out", "left", "board", "total")
#: PO20: a place that nobody gets for more deals than this is odd.
LONG_CARRIED: Final = 8


def read_written(
    data: object,
    seats: Sequence[str],
    before: Mapping[str, int] | None,
    options: Mapping[str, Any] | None = None,
) -> WrittenDeal:
    """The deal from JSON, whatever the JSON is; ``before``: what lay on the board, where that is known."""
    most_stake = options["limit"] * (1 + options["raises"]) if options else None
    readers: dict[str, Reader] = {
        "trump": one_of(tuple(SUITS)),
        "up": row_of_cards(pack_of(len(seats)), (1,)),
        "best": by_side(PLACES, one_of(seats)),
        "stakes": by_side(seats, whole_number(0, 100)),
        "vying": one_of((SHOWN, UNSEEN)),
        "out": one_of(seats),
        "left": by_side(seats, whole_number(0, HAND)),
        "board": by_side(PLACES, whole_number(0, MOST_POINTS)),
        "total": by_side(seats, whole_number(-MOST_POINTS, MOST_POINTS)),
    }
    staked = len(seats) * BOARD_STAKE
    return read_written_deal(
        data,
        seats,
        readers,
        faults=lambda given: [
            *_impossible(given, most_stake),
            *_of_board(given, len(seats), before),
            *_of_total(given, seats, before),
            *(_of_left(given, seats) if options and not options["sequence_chip"] else ()),
        ],
        told=lambda given: _told(given, seats, before, options),
        fault_of_total=lambda total: fault_of_total(total, staked),
    )


def written(state: State) -> dict[str, Json]:
    """PO20: a deal that was played out."""
    score = state.score()
    found: dict[str, Json] = {
        name: score.detail[name] for name in ("trump", "best", "out", "left", "board") if score.detail[name]
    }
    if state.now.poch:
        found |= {"vying": state.now.poch[1]}
        found["stakes"] = {str(place + 1): points for place, points in enumerate(state.now.stakes)}
    return {**found, "up": state.setting.up, "total": dict(score.total)}


def board_after(
    given: Mapping[str, Any], before: Mapping[str, int] | None, players: int
) -> Mapping[str, int] | None:
    """PO5: what lies on the board after a deal, as it was written or as it follows; None where nobody knows."""
    board, best = given.get("board", {}), given.get("best")
    if len(board) == len(PLACES):
        return {place: board[place] for place in PLACES}
    if before is None or best is None:
        return None
    return {place: 0 if place in best else before[place] + _laid(place, players) for place in PLACES}


def odd(checked: CheckedSheet) -> Iterator[Problem]:
    """PO20, of the whole sheet."""
    given: list[Mapping[str, Any]] = [
        {} if record is None else record.as_json() for record in checked.records
    ]
    if sum(SEQUENCE in deal.get("best", {}) for deal in given) > 1:
        template = gettext_noop("A sequence of trumps twice in a match is rare.")
        yield suspicious("sequences", template, ("deals",))
    for place in PLACES[:-1]:
        running = 0
        for number, deal in enumerate(given):
            running = running + 1 if "best" in deal and place not in deal["best"] else 0
            if running == LONG_CARRIED + 1 and place not in {MARRIAGE, SEQUENCE}:
                template = gettext_noop("A place that nobody gets in nine deals running is rare.")
                yield suspicious("long-carried", template, ("deals", number, "best"))


def fault_of_total(total: Mapping[str, int], staked: int | None = None) -> str:
    """PO16: why no deal gives these totals; empty where one does."""
    if staked is not None and sum(total.values()) < -staked:
        return gettext_noop("Together the players can’t lose more than they put on the board.")
    return ""


def _impossible(given: Mapping[str, Any], most_stake: int | None) -> Iterator[Problem]:
    best, left, up = given.get("best", {}), given.get("left", {}), given.get("up", "")
    if MARRIAGE in best and not (best.get("K") == best.get("Q") == best[MARRIAGE]):
        template = gettext_noop("The marriage goes to who has both king and queen of trumps.")
        yield impossible("marriage", template, ("best", MARRIAGE))
    if best.get("K") is not None and best.get("K") == best.get("Q") != best.get(MARRIAGE):
        template = gettext_noop("Who has king and queen of trumps gets the marriage.")
        yield impossible("marriage", template, ("best",))
    owner = best.get(SEQUENCE)
    if owner and sum(best.get(rank) == owner for rank in COURT) > HAND - 3:
        template = gettext_noop("Nobody holds the sequence and three more of these cards.")
        yield impossible("too-many-best", template, ("best", SEQUENCE))
    if up and up[0] in best:
        template = gettext_noop("Nobody has the card that was turned up.")
        yield impossible("turned-place", template, ("best", up[0]))
    trump = given.get("trump", up[1:])
    if up and trump != up[1]:
        template = gettext_noop("The turned card’s suit is trump.")
        yield impossible("trump", template, ("trump",))
    out = given.get("out")
    empty = [seat for seat, count in left.items() if count == 0]
    if len(empty) > 1 or (out and (left.get(out) or empty not in ([], [out]))):
        template = gettext_noop("Only the player who is out has no cards left.")
        yield impossible("left-out", template, ("left",))
    if left and out and all(count == HAND for seat, count in left.items() if seat != out) and len(left) > 2:
        template = gettext_noop("It’s rare that nobody else has played a card.")
        yield suspicious("nobody-played", template, ("left",))
    stakes = given.get("stakes", {})
    if most_stake is not None and max(stakes.values(), default=0) > most_stake:
        template = gettext_noop("Nobody can stake more than %(most)d.")
        yield impossible("stakes", template, ("stakes",), most=most_stake)
    is_staked = given.get("vying") or any(stakes.values())
    if is_staked and POCH not in best and "best" in given:
        template = gettext_noop("Somebody takes the poch when it was staked for.")
        yield impossible("poch", template, ("best", POCH))


def _of_board(given: Mapping[str, Any], players: int, before: Mapping[str, int] | None) -> Iterator[Problem]:
    best, board = given.get("best", {}), given.get("board", {})
    for place in board:
        if place in best and board[place]:
            template = gettext_noop("What was paid out holds nothing any more.")
            yield inconsistent("paid-place", template, ("board", place))
        elif before is not None and "best" in given and place not in best:
            expected = before[place] + _laid(place, players)
            if board[place] != expected:
                template = gettext_noop("By the deal before %(points)d lie here.")
                yield inconsistent("board-before", template, ("board", place), points=expected)


def _of_total(
    given: Mapping[str, Any], seats: Sequence[str], before: Mapping[str, int] | None
) -> Iterator[Problem]:
    """PO16: the scores against the board."""
    total, board = given.get("total", {}), given.get("board", {})
    is_whole = len(total) == len(seats) and len(board) == len(PLACES)
    if before is not None and is_whole and sum((*total.values(), *board.values())) != sum(before.values()):
        template = gettext_noop("Scores and board must add up to what lay there before.")
        yield inconsistent("board-sum", template, ("board",))


def _laid(place: str, players: int) -> int:
    """PO2: what all together put on a place before the cards are dealt."""
    return 0 if place == POCH else players


def _told(
    given: Mapping[str, Any],
    seats: Sequence[str],
    before: Mapping[str, int] | None,
    options: Mapping[str, Any] | None,
) -> dict[str, int]:
    """PO16: what follows from who got what, the stakes, and the cards that were left."""
    best, stakes, left = given.get("best"), given.get("stakes", {}), dict(given.get("left", {}))
    empty = [seat for seat, count in left.items() if count == 0]
    out = given.get("out") or (empty[0] if len(empty) == 1 else None)
    if out is not None:
        left[out] = 0
    is_counted = options is not None and not options["sequence_chip"] and len(left) == len(seats)
    if before is None or best is None or out is None or not is_counted or (POCH in best and not stakes):
        return {}
    total = {seat: -BOARD_STAKE - stakes.get(seat, 0) - left[seat] for seat in seats}
    total[out] += sum(left.values())
    for place, seat in best.items():
        staked = sum(stakes.values()) if place == POCH else _laid(place, len(seats))
        total[seat] += before[place] + staked
    return total


def _of_left(given: Mapping[str, Any], seats: Sequence[str]) -> Iterator[Problem]:
    """PO15: the points of the third part, where ends of sequences are worth nothing."""
    total, left, out = given.get("total", {}), given.get("left", {}), given.get("out")
    if out not in total or len(left) < len(seats):
        return
    least = sum(left.values()) - BOARD_STAKE - given.get("stakes", {}).get(out, 100)
    if total[out] < least:
        template = gettext_noop("The player who is out gets a point for each card that the others hold.")
        yield inconsistent("left-points", template, ("left",))
