"""A deal of Stealing Bundles as people write it down, and all that can be wrong with it (SB13 to SB16)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from engine.game.fields import Reader, by_side, one_of, read_written_deal, row_of_cards, whole_number
from engine.game.sheets import WrittenDeal
from engine.game.values import CheckedSheet, Json
from engine.packs import cards_text
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.stealing_bundles.play import BOARD, HAND, PACK, SEATS, Setting, State, begun
from engine.text import gettext_noop

FIELDS: Final = ("winner", "last", "steals", "left_over", "board", "play", "total")
LEVEL: Final = "level"
_WHOLE: Final = len(PACK)
#: SB7: the fourteenth open card finds its rank.
_MOST_LEFT: Final = 13


def read_written(data: object, dealer: str | None = None) -> WrittenDeal:
    """The deal from JSON, whatever the JSON is, with every problem.

    ``play`` are the 48 cards as they were played, ``board`` the four that lay open at first. ``dealer`` is who dealt,
    where the match tells: then it is known who played which card, and what each took.
    """
    readers: dict[str, Reader] = {
        "winner": one_of((*SEATS, LEVEL)),
        "last": one_of(SEATS),
        "steals": whole_number(0, _WHOLE - 4),
        "left_over": whole_number(0, _MOST_LEFT),
        "board": row_of_cards(PACK, (BOARD,)),
        "play": row_of_cards(PACK, (_WHOLE - BOARD,), is_hand=False),
        "total": by_side(SEATS, whole_number(0, _WHOLE)),
    }
    return read_written_deal(
        data,
        SEATS,
        readers,
        faults=lambda given: (*_faults(given), *_faults_of_play(given, dealer)),
        told=lambda given: _told(given, dealer),
        fault_of_total=fault_of_total,
        whole=_WHOLE,
    )


def written(state: State) -> dict[str, Json]:
    """SB13: a deal that was played out."""
    score = state.score()
    one, two = (score.total[seat] for seat in SEATS)
    winner = LEVEL if one == two else SEATS[two > one]
    return {"winner": winner, **score.detail, "total": dict(score.total)}


def fits_deal(given: Mapping[str, Any], begun_so: State) -> bool:
    """SB15: whether the board and the play, as far as they were written, go with the deal before its first card."""
    if given.get("board") not in {None, cards_text(begun_so.now.board)}:
        return False
    play, state = given.get("play", ""), begun_so
    for at in range(0, len(play), 2):
        card = play[at : at + 2]
        if card not in state.legal():
            return False
        state = state.after(card)
    return True


def odd(checked: CheckedSheet) -> Iterator[Problem]:
    """SB16."""
    for number, score in enumerate(checked.scores):
        if score is not None and 0 in score.total.values():
            template = gettext_noop("One player with all the cards is rare.")
            yield suspicious("takes-all", template, ("deals", number, "total"))


def fault_of_total(total: Mapping[str, int]) -> str:
    """SB8, SB14: why no deal gives these totals; empty where one does."""
    if sum(total.values()) != _WHOLE or min(total.values()) < 0:
        return gettext_noop("The two players have 52 cards together.")
    if 1 in total.values():
        return gettext_noop("No bundle has a single card.")
    return ""


def _faults(given: Mapping[str, Any]) -> Iterator[Problem]:
    total, winner = dict(given.get("total", {})), given.get("winner")
    if len(total) == 1:
        # The other one's follow.
        (known,) = total
        total[SEATS[known == SEATS[0]]] = _WHOLE - total[known]
    if len(total) == len(SEATS) and winner:
        one, two = (total[seat] for seat in SEATS)
        if winner != (LEVEL if one == two else SEATS[two > one]):
            template = gettext_noop("The winner has more cards.")
            yield inconsistent("winner-total", template, ("winner",))
    last = given.get("last")
    if last and total.get(last, 1) == 0:
        template = gettext_noop("Who captured last has cards.")
        yield impossible("last-empty", template, ("last",))


def _told(given: Mapping[str, Any], dealer: str | None) -> Mapping[str, int]:
    """The points by the play, where it is known who played what."""
    play = given.get("play")
    state, _wrong = replayed(play) if play and dealer else (None, 0)
    return {} if state is None else _by_seat(state.score().total, dealer)


def _by_seat(total: Mapping[str, int], dealer: str | None) -> dict[str, int]:
    """What was replayed as if the second seat had dealt, for the seats as they were."""
    return dict(total) if dealer == SEATS[1] else dict(zip(SEATS, (total["2"], total["1"]), strict=True))


@lru_cache(maxsize=64)
def replayed(play: str) -> tuple[State | None, int]:
    """The deal that was played like this, with the second seat as the dealer; None, and the number of the card, from 1,
    that was trailed though another would have captured (SB6).
    """
    cards = [play[at : at + 2] for at in range(0, len(play), 2)]
    board = tuple(card for card in PACK if card not in cards)
    hands = (tuple(cards[: 2 * HAND : 2]), tuple(cards[1 : 2 * HAND : 2]))
    state = begun(Setting(hands, board, tuple(cards[2 * HAND :]), 1))
    for number, card in enumerate(cards, start=1):
        if card not in state.legal():
            return None, number
        state = state.after(card)
    return state, 0


def _faults_of_play(given: Mapping[str, Any], dealer: str | None) -> Iterator[Problem]:
    """SB6, SB14, SB15."""
    play, board = given.get("play"), given.get("board")
    if not play:
        return
    if board and any(card in play for card in (board[at : at + 2] for at in range(0, len(board), 2))):
        template = gettext_noop("A card can’t lie open at first and be played too.")
        yield inconsistent("play-board", template, ("board",))
    state, wrong = replayed(play)
    if state is None:
        template = gettext_noop("Card %(number)d captures nothing, but another card in the hand would have.")
        yield impossible("must-capture", template, ("play",), number=wrong)
        return
    detail = state.score().detail
    told = {name: detail[name] for name in ("steals", "left_over")}
    if dealer:
        told["last"] = detail["last"] if dealer == SEATS[1] else SEATS[detail["last"] == SEATS[0]]
    for name, value in told.items():
        if given.get(name, value) != value:
            yield inconsistent("play-other", gettext_noop("The play says otherwise."), (name,))
