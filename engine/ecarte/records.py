"""A deal of Écarté as people write it down, and all that can be wrong with it (EC21 to EC24)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final, NamedTuple

from engine.ecarte.match import fault_of_total
from engine.ecarte.play import CARDS, SEATS, TRICKS, State, allowed
from engine.game.core import SEAT_NAMES
from engine.game.fields import by_side, one_of, read_fields, row_of_cards, whole_number, wrong_dealer
from engine.game.sheets import WrittenDeal
from engine.game.values import CheckedSheet, Json, MatchResult, Score
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.text import gettext_noop

#: Nobody was vulnerable, or showed a king: which is more than not to say.
NOBODY: Final = "-"
#: EC24: so many exchanges are rare, and a king in so many deals running.
MANY_EXCHANGES: Final = 7
MANY_KINGS: Final = 5
_READERS: Final = {
    "dealer": one_of(SEATS),
    "turned": one_of(CARDS.pack),
    "exchanges": whole_number(0, 21),
    "vulnerable": one_of((*SEATS, NOBODY)),
    "turned_king": one_of((*SEATS, NOBODY)),
    "king": one_of((*SEATS, NOBODY)),
    "play": row_of_cards(CARDS.pack, (2 * TRICKS,), is_hand=False),
    "tricks": by_side(SEATS, whole_number(0, TRICKS)),
    "total": by_side(SEATS, whole_number(0, 4)),
    "running": by_side(SEATS, whole_number(0, 1000)),
}
#: EC21.
FIELDS: Final = tuple(_READERS)


class Outcome(NamedTuple):
    """One way in which a deal can end."""

    winner: str
    tricks: int
    vulnerable: str
    turned_king: str
    king: str

    @property
    def marks(self) -> tuple[tuple[str, str, int], ...]:
        """EC14."""
        found = [
            (seat, why, 1) for seat, why in ((self.turned_king, "turned"), (self.king, "king")) if seat != "-"
        ]
        if self.winner == NOBODY:
            return tuple(found)
        found.append((self.winner, "point", 1))
        if self.tricks == TRICKS:
            found.append((self.winner, "vole", 1))
        if self.vulnerable not in {self.winner, NOBODY}:
            found.append((self.winner, "vulnerable", 1))
        return tuple(found)

    @property
    def total(self) -> dict[str, int]:
        """EC13."""
        return {seat: sum(points for by, _why, points in self.marks if by == seat) for seat in SEATS}


_ANYBODY: Final = (*SEATS, NOBODY)
#: EC13: each with its marks; a king that was turned cannot be shown. EC15: a king alone may have ended the match.
_OUTCOMES: Final = tuple(
    Outcome(*found)
    for found in (
        *product(SEATS, (3, 4, 5), _ANYBODY, _ANYBODY, _ANYBODY),
        *product(NOBODY, (0,), _ANYBODY, _ANYBODY, _ANYBODY),
    )
    if NOBODY in found[3:] and {*SEATS} & {found[0], *found[3:]}
)


@dataclass(frozen=True, slots=True)
class Written(WrittenDeal):
    """EC21: what was given of a deal, as it is read, and its totals as far as they are known."""

    marks: tuple[tuple[str, str, int], ...] = ()
    """EC14: in order, where all of them are known."""
    is_cut_off: bool = False
    """EC15: a king is all that was marked."""

    def detail(self) -> dict[str, Json]:
        """With the marks in order where they are known."""
        marks: dict[str, Json] = {"marks": [list(mark) for mark in self.marks]} if self.marks else {}
        return {**self.given, **marks}


def read_written(data: object, dealer: str | None = None) -> Written:
    """The deal from JSON, whatever the JSON is, with every problem; ``dealer``: where the match tells it."""
    fields, problems = read_fields(data, _READERS)
    given: Mapping[str, Any] = fields
    if not isinstance(data, Mapping):
        return Written({}, tuple(problems))
    problems += wrong_dealer(given, dealer, SEATS)
    known = {**given, "dealer": dealer} if dealer else given
    tricks, faults = _tricks_of_play(known)
    known = {**({"tricks": tricks} if tricks else {}), **known}
    faults += _impossible(known)
    problems += faults
    possible = [] if faults else [outcome for outcome in _OUTCOMES if _agrees(outcome, known)]
    total, more = _total(given, possible)
    problems += more
    if not (problems or possible):
        problems.append(inconsistent("total-parts", _NOT_THE_PARTS, ("tricks",)))
    if given.get("exchanges", 0) >= MANY_EXCHANGES and not any(problem.refuses for problem in problems):
        template = gettext_noop("Seven exchanges or more are rare.")
        problems.append(suspicious("many-exchanges", template, ("exchanges",)))
    fitting = [outcome for outcome in possible if outcome.total == total]
    marks = {outcome.marks for outcome in fitting}
    is_cut_off = bool(fitting) and all(outcome.winner == NOBODY for outcome in fitting)
    return Written(total, tuple(problems), given, marks.pop() if len(marks) == 1 else (), is_cut_off)


def written(state: State) -> dict[str, Json]:
    """EC21: a deal that was played out."""
    detail = state.score().detail
    marked = {why: SEATS[seat] for seat, why, _points in state.marks}
    found: dict[str, Json] = {
        "dealer": SEATS[state.setting.dealer],
        "turned": state.setting.up,
        "king": marked.get("king", NOBODY),
        "total": dict(state.score().total),
    }
    # A king that is turned up may end the match before anybody has spoken.
    if detail["exchanges"] or detail["vulnerable"]:
        found |= {"exchanges": detail["exchanges"], "vulnerable": detail["vulnerable"] or NOBODY}
    if len(state.now.won) == TRICKS:
        found["tricks"] = {seat: state.now.won.count(place) for place, seat in enumerate(SEATS)}
    return found


def with_sheet_checks(
    checked: CheckedSheet, match: Callable[[Sequence[Score]], MatchResult], target: int
) -> CheckedSheet:
    """EC23, EC24, of the sheet: whose mark ended a game, running totals, and kings in deal after deal."""
    problems: list[Problem] = []
    known: list[Score] = []
    for number, (record, score) in enumerate(zip(checked.records, checked.scores, strict=True)):
        if score is None:
            break
        known.append(score)
        result = match(known)
        standing: Any = result.detail.get("game", result.total)
        is_last = bool(target) and max(standing.values()) == target
        if is_last and _is_open(score):
            template = gettext_noop("One point each: say who had the king, as that mark comes first.")
            problems.append(impossible("king-missing", template, ("deals", number, "king"), is_missing=True))
        if isinstance(record, Written) and record.is_cut_off and not is_last:
            template = gettext_noop("Nobody has the point in this deal, and the match wasn’t over.")
            problems.append(inconsistent("cut-off", template, ("deals", number, "tricks")))
        running: Any = score.as_json().get("running", {})
        problems += [
            inconsistent("running", _NOT_THE_SUM, ("deals", number, "running", seat), points=standing[seat])
            for seat in running
            if running[seat] != standing[seat]
        ]
    return replace(checked, problems=(*checked.problems, *problems, *_kings_running(checked.scores)))


def _tricks_of_play(given: Mapping[str, Any]) -> tuple[dict[str, int], list[Problem]]:
    """EC11, EC21: who took how many tricks by the ten cards that were played, and the first that may not be there."""
    play, turned, dealer = (given.get(name, "") for name in ("play", "turned", "dealer"))
    if not play or not dealer:
        return {}, []
    if not turned:
        template = gettext_noop("For the play we need the card that was turned up.")
        return {}, [impossible("play-trumps", template, ("turned",), is_missing=True)]
    cards = [CARDS.number[play[at : at + 2]] for at in range(0, len(play), 2)]
    if CARDS.number[turned] in cards:
        template = gettext_noop("The card that was turned up can’t be played.")
        return {}, [impossible("play-turned", template, ("play",))]
    trumps = CARDS.suit_of[CARDS.number[turned]]
    leader, leads = 1 - SEATS.index(dealer), list[int]()
    for led, card in zip(cards[::2], cards[1::2], strict=True):
        leads.append(leader)
        if CARDS.above[led] >> card & 1 or (trumps >> card & 1 and not trumps >> led & 1):
            leader = 1 - leader
    tricks = dict(
        zip(SEATS, (sum(each == place for each in (*leads[1:], leader)) for place in (0, 1)), strict=True)
    )
    for number, (led, card) in enumerate(zip(cards[::2], cards[1::2], strict=True)):
        second = 1 - leads[number]
        hand = sum(1 << cards[2 * at + (leads[at] != second)] for at in range(number, TRICKS))
        if not allowed(hand, led, trumps) >> card & 1:
            template = gettext_noop("Card %(number)d can’t be played there.")
            return {}, [impossible("play-rule", template, ("play",), number=2 * number + 2)]
    if any(tricks[seat] != count for seat, count in given.get("tricks", {}).items()):
        return tricks, [inconsistent("play-other", gettext_noop("The play says otherwise."), ("tricks",))]
    return tricks, []


def _is_open(score: Score) -> bool:
    return set(score.total.values()) == {1} and "marks" not in score.as_json()


def _kings_running(scores: Sequence[Score | None]) -> list[Problem]:
    running, found = 0, []
    for number, score in enumerate(scores):
        marks: Any = () if score is None else score.as_json().get("marks", ())
        has_king = any(mark[1] in {"turned", "king"} for mark in marks)
        running = running + 1 if has_king else 0
        if running == MANY_KINGS:
            template = gettext_noop("A king in five deals running is rare.")
            found.append(suspicious("many-kings", template, ("deals", number, "king")))
    return found


def _impossible(given: dict[str, Any]) -> list[Problem]:
    """EC22; the owner of a turned king follows from the dealer."""
    found: list[Problem] = []
    tricks, vulnerable = given.get("tricks", {}), given.get("vulnerable")
    if len(tricks) == len(SEATS) and sum(tricks.values()) != TRICKS:
        template = gettext_noop("There are five tricks, not %(sum)d.")
        found.append(impossible("tricks-sum", template, ("tricks",), sum=sum(tricks.values())))
    if given.get("exchanges") and vulnerable in SEATS:
        template = gettext_noop("After an exchange nobody is vulnerable.")
        found.append(impossible("vulnerable-exchanges", template, ("vulnerable",)))
    if given.get("exchanges") == 0 and vulnerable == NOBODY:
        template = gettext_noop("Without an exchange somebody is vulnerable: who said play, or refused?")
        found.append(impossible("nobody-vulnerable", template, ("vulnerable",)))
    owner = given.get("turned_king")
    is_king = given["turned"][0] == "K" if "turned" in given else owner in SEATS
    if is_king and given.get("king") in SEATS:
        template = gettext_noop("The king of trumps was turned up: nobody can have shown it.")
        found.append(impossible("king-turned", template, ("king",)))
    if not is_king and owner in SEATS:
        template = gettext_noop("The turned card isn’t a king.")
        found.append(impossible("turned-no-king", template, ("turned_king",)))
    if is_king and (owner == NOBODY or (owner or given.get("dealer")) != given.get("dealer", owner)):
        template = gettext_noop("A king that’s turned up counts for the dealer.")
        found.append(impossible("turned-king-dealer", template, ("turned_king",)))
    return found


def _agrees(outcome: Outcome, given: Mapping[str, Any]) -> bool:
    """Whether a deal with these fields can have ended so; of the totals nothing is asked."""
    lost = TRICKS - outcome.tricks
    tricks = {seat: outcome.tricks if seat == outcome.winner else lost for seat in SEATS}
    exchanges, turned = given.get("exchanges"), given.get("turned")
    dealer = given.get("dealer", outcome.turned_king)
    is_turned = outcome.turned_king != NOBODY
    return (
        all(tricks[seat] == number for seat, number in given.get("tricks", {}).items())
        and not ("tricks" in given and outcome.winner == NOBODY)
        and given.get("vulnerable", outcome.vulnerable) == outcome.vulnerable
        and (exchanges is None or (exchanges == 0) == (outcome.vulnerable != NOBODY))
        and given.get("king", outcome.king) == outcome.king
        and (turned is None or (turned[0] == "K") == is_turned)
        and (not is_turned or outcome.turned_king == dealer)
        and given.get("turned_king", outcome.turned_king) == outcome.turned_king
    )


def _total(given: Mapping[str, Any], possible: Sequence[Outcome]) -> tuple[dict[str, int], list[Problem]]:
    """EC13, EC22, EC23: the totals, as written or as the rest has them, and what keeps them from being known."""
    total: dict[str, int] = dict(given.get("total", {}))
    totals = [dict(found) for found in {tuple(outcome.total.items()) for outcome in possible}]
    fitting = [found for found in totals if all(found[seat] == total[seat] for seat in total)]
    if len(fitting) == 1:
        return fitting[0], []
    missing = [seat for seat in SEATS if seat not in total]
    if missing and (fitting or not totals):
        template = gettext_noop("%(side)s’s total is missing.")
        return total, [
            impossible("total-missing", template, ("total", seat), is_missing=True, side=name)
            for seat, name in zip(SEATS, SEAT_NAMES, strict=False)
            if seat in missing
        ]
    if not missing and (fault := fault_of_total(total)):
        return total, [impossible("totals-impossible", fault, ("total",))]
    if totals and not fitting:
        return total, [inconsistent("total-parts", _NOT_THE_PARTS, ("total",))]
    return total, []


_NOT_THE_PARTS: Final = gettext_noop("These points don’t go with the tricks, the king and the exchanges.")
_NOT_THE_SUM: Final = gettext_noop("The deals so far make %(points)d.")
