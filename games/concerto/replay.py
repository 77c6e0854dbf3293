"""A finished deal, action by action: what lay on the table at each moment, and what each seat knew then."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from engine import game
from engine.game import Game, State, View
from games.concerto.deals import value_in_words
from games.concerto.study.given_up import GivenUp, given_up
from games.concerto.values import offered_values
from games.models import Analysis
from games.tables.queries.played import EVERYBODY, Played
from games.templatetags.cards import SEATS, card_name
from league.web.wording import in_words


@dataclass(frozen=True, slots=True)
class ReplayAction:
    """One action of the list: `step` is the moment right after it."""

    step: int
    seat: str
    player: str
    words: str
    is_current: bool
    cost: int | None = None
    """What it gave up, where that is known and all cards are shown."""


@dataclass(frozen=True, slots=True)
class ReplayStudy:
    """The moment in the light of best play: `par` from here on, `cost` what the last action gave up."""

    par: tuple[tuple[str, int], ...]
    cost: int | None
    advice: tuple[str, ...]
    sides: tuple[tuple[str, int, tuple[tuple[str, int], ...]], ...]
    """What each side gave up in all, and of that each player, or robot."""
    graph: SafeString
    is_awaited: bool


@dataclass(frozen=True, slots=True)
class ReplayHand:
    """A hand as far as it was played: `cards` with who played each, `words` what it came to."""

    number: int
    first_step: int
    leader: str
    cards: tuple[tuple[str, str], ...]
    partners: tuple[str, ...]
    words: str
    points: int | None
    is_current: bool
    meanings: tuple[str, ...]
    cost: int | None
    """What a finished hand gave up against the best play, where that is known."""
    stand_ins: tuple[str, ...]
    """What robots did in it for players."""


@dataclass(frozen=True, slots=True)
class Replay:
    """The page of one moment. `first_steps` has where each hand begins: its number and the moment before it.

    As one seat saw it, `actions` ends with this moment: what follows names cards that the seat did not know of.
    """

    step: int
    steps: int
    seen_from: str
    dealer: str
    names: Mapping[str, str]
    diagram: Mapping[str, Any]
    hands: tuple[ReplayHand, ...]
    actions: tuple[ReplayAction, ...]
    first_steps: tuple[tuple[int, int], ...]
    sides: tuple[tuple[str, int], ...]
    last: str
    turn: str
    score: tuple[tuple[str, int], ...]
    left_over: str
    study: ReplayStudy | None

    @property
    def previous(self) -> int | None:
        return self.step - 1 if self.step else None

    @property
    def next(self) -> int | None:
        return self.step + 1 if self.step < self.steps else None


def replay(
    played: Played,
    *,
    step: int,
    seen_from: str = EVERYBODY,
    costs: Mapping[int, int] | None = None,
    analysis: Analysis | None = None,
) -> Replay:
    """The deal after so many actions (more than there are: at its end), with all cards or as one seat saw them.

    costs: by hand, from 1, what it gave up against the best play. That, and what the analysis says of each action, is
    told with all cards only, since it follows from them.
    """
    study = given_up(analysis, played.tokens, played.card_versions) if seen_from == EVERYBODY else None
    return _Stepper(played, (costs or {}) if seen_from == EVERYBODY else {}, study).at(step, seen_from)


class _Stepper:
    def __init__(self, played: Played, costs: Mapping[int, int], study: GivenUp | None) -> None:
        self.played = played
        self.costs = costs
        self.study = study
        self.offered: Game = game.get(played.game)
        state = self.offered.start(played.deal, played.dealer, played.options)
        self.states = [state]
        for token in played.tokens:
            state = state.apply(token)
            self.states.append(state)
        self.titles = {
            value.combination.key: value.combination
            for left in (False, True)
            for value in offered_values(played.game, left=left)
        }

    def at(self, step: int, seen_from: str) -> Replay:
        step = min(step, len(self.played.tokens))
        state = self.states[step]
        view = self.offered.view(state, None)
        shown: Any = view.as_json()
        at_end = step == len(self.played.tokens)
        return Replay(
            step=step,
            steps=len(self.played.tokens),
            seen_from=seen_from,
            dealer=self.played.dealer,
            names=self.played.names,
            diagram=self._diagram(state, seen_from, shown),
            hands=tuple(self._hands(view, shown)),
            actions=tuple(
                each for each in self._actions(step) if seen_from == EVERYBODY or each.step <= step
            ),
            first_steps=tuple((hand + 1, begun) for hand, begun in self._first_steps().items()),
            sides=tuple((side, points) for side, points in shown["made"].items()),
            last=self._words(step - 1) if step else _("Nothing has been played yet."),
            turn=self._player(shown["turn"], len(shown["hands"])) if shown["turn"] else "",
            score=tuple(shown["score"]["total"].items()) if at_end and shown["score"] else (),
            left_over=self._left_over(shown) if at_end and shown["left_overs"] else "",
            study=self._study(step) if self.study else None,
        )

    def _study(self, step: int) -> ReplayStudy:
        study, moves = self.study, self._moves()
        assert study is not None  # noqa: S101 (asked before)
        last = moves[step - 1] if step else None
        players = [self._player(seat, hand) for hand, seat, _token in moves]
        return ReplayStudy(
            par=tuple(study.par[step].items()),
            cost=study.costs[step - 1] if step else None,
            advice=study.advice(step - 1, last[2], players[step - 1]) if last else (),
            sides=study.sums([self.offered.side_of(seat) for _hand, seat, _token in moves], players),
            graph=study.graph(step),
            is_awaited=study.is_awaited,
        )

    def _cost(self, hand: int) -> int | None:
        """What a hand, counted from 0, gave up: by its actions, or by its points where no more is known."""
        if self.study is None:
            return self.costs.get(hand + 1)
        return sum(
            cost
            for cost, (of, _seat, _token) in zip(self.study.costs, self._moves(), strict=True)
            if of == hand
        )

    def _diagram(self, state: State, seen_from: str, shown: Mapping[str, Any]) -> dict[str, Any]:
        """By seat its cards, or how many it holds where the chosen seat could not see them."""
        found: dict[str, Any] = {}
        for seat in self.offered.seats():
            is_shown = seen_from in {EVERYBODY, seat}
            cards = self.offered.view(state, seat).as_json()["mine"]
            found[seat] = cards if is_shown else int(shown["cards_left"][seat])
        return found

    def _hands(self, view: View, shown: Mapping[str, Any]) -> list[ReplayHand]:
        begun = self._first_steps()
        rows = [*shown["hands"], *([shown["current"]] if shown["current"] else [])]
        return [self._hand(view, row, begun) for row in rows if row["moves"]]

    def _hand(self, view: View, row: Mapping[str, Any], begun: Mapping[int, int]) -> ReplayHand:
        hand = int(row["number"])
        played = [(token, self._player(seat, hand), seat) for seat, token in row["moves"] if len(token) > 1]
        value = self.titles.get(row["combination"])
        return ReplayHand(
            number=row["number"] + 1,
            first_step=begun.get(row["number"], 0),
            leader=self._player(row["leader"], hand),
            cards=tuple((token, player) for token, player, _seat in played),
            partners=tuple(token for token, _player, seat in played if seat != row["leader"]),
            words=value_in_words(value, row["split"]) if value else "",
            points=row["points"],
            is_current=row["points"] is None,
            meanings=self._meanings(view, hand, row["leader"]),
            cost=self._cost(hand) if row["points"] is not None else None,
            stand_ins=tuple(
                each.line
                for (number, _seat), each in self.played.robots.items()
                if number == hand + 1 and each.player
            ),
        )

    def _meanings(self, view: View, hand: int, leader: str) -> tuple[str, ...]:
        signals = self.played.signals_of(leader)
        if signals is None:
            return ()
        return tuple(in_words(each.message) for each in signals.meanings(view, hand))

    def _actions(self, step: int) -> list[ReplayAction]:
        found = []
        for index, (hand, seat, token) in enumerate(self._moves(), start=1):
            words = _action_words(token)
            cost = self.study.costs[index - 1] if self.study else None
            found.append(ReplayAction(index, seat, self._player(seat, hand), words, index == step, cost))
        return found

    def _moves(self) -> list[tuple[int, str, str]]:
        """Every action of the deal: the hand that it belongs to, who took it, its token."""
        shown: Any = self.offered.view(self.states[-1], None).as_json()
        rows = shown["hands"]
        return [(row["number"], seat, token) for row in rows for seat, token in row["moves"]]

    def _first_steps(self) -> dict[int, int]:
        found: dict[int, int] = {}
        for index, (hand, _seat, _token) in enumerate(self._moves()):
            found.setdefault(hand, index)
        return found

    def _words(self, index: int) -> str:
        hand, seat, token = self._moves()[index]
        said = {"player": self._player(seat, hand), "action": _action_words(token)}
        return _("%(player)s: %(action)s") % said

    def _player(self, seat: str, hand: int) -> str:
        """Who acted for the seat in a hand, counted from 0."""
        robot = self.played.robots.get((hand + 1, seat))
        if robot:
            return robot.acted(sum((at, by) == (hand, seat) for at, by, _token in self._moves()))
        return self.played.names.get(seat) or str(SEATS[seat][1])

    def _left_over(self, shown: Mapping[str, Any]) -> str:
        left = shown["left_overs"]
        value = self.titles.get(left["combination"])
        return value_in_words(value, left["split"]) if value else ""


def _action_words(token: str) -> str:
    calls: Mapping[str, Callable[[], str]] = {"-": lambda: _("pass"), ">": lambda: _("“Play”")}
    return calls[token]() if token in calls else card_name(token)


def seats_to_choose(names: Mapping[str, str]) -> Sequence[tuple[str, str]]:
    """From where a replay can be seen: with all cards, or as each player saw it."""
    seats = [
        (seat, f"{word} ({names[seat]})" if names.get(seat) else str(word))
        for seat, (_css, word, _letter) in SEATS.items()
    ]
    return [(EVERYBODY, _("All four hands")), *seats]
