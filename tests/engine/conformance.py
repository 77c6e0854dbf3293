"""What every card game has to hold to. A new game adds an Adapter to test_conformance.py and passes all of this.

Each check is a function of an adapter, so that it can also be tried on a game that is broken on purpose.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import pytest
from hypothesis import strategies as st

from engine.errors import ActionError, DealError, OptionError, RecordError, RuleError
from engine.game import AnyGame, CheckedSheet, Kind, Problem, Severity

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=20,
)


@dataclass(frozen=True)
class Adapter:
    """A game, and what the checks need to know of it that the seam does not tell."""

    game: AnyGame
    tokens: tuple[str, ...]
    """Every action's token."""
    shuffle_hidden: Callable[[Any, Any, Any, random.Random], Any]
    """(deal, state, seat or None, rng): another deal that looks the same from that seat, in that state."""
    written: Callable[[Any, Any], Any]
    """(deal, finished state): the deal as people would write it down, as JSON without mistakes."""
    field_names: tuple[str, ...]
    """Names that appear in records, for fuzzing."""


def walk(adapter: Adapter, seed: int, options: Any = None) -> Iterator[Any]:
    """The states of one deal played out with random legal actions."""
    game, rng = adapter.game, random.Random(seed)
    chosen = game.read_options({}) if options is None else options
    state = game.start(game.random_deal(rng), rng.choice(game.seats), chosen)
    yield state
    while not state.is_over:
        state = state.apply(rng.choice(state.legal_actions()))
        yield state


def begin(adapter: Adapter, seed: int) -> tuple[Any, Any, Any]:
    """The deal, dealer and options that ``walk`` with this seed begins with."""
    game, rng = adapter.game, random.Random(seed)
    return game.random_deal(rng), rng.choice(game.seats), game.read_options({})


def check_identity(adapter: Adapter) -> None:
    game = adapter.game
    assert game.key == game.key.lower()
    assert game.key.isidentifier()
    assert game.name
    assert len(set(game.seats)) == len(game.seats) > 1
    assert {game.side_of(seat) for seat in game.seats} == set(game.sides)
    assert len(set(game.pack)) == len(game.pack)
    for seat in game.seats:
        assert game.dealer_after(seat, len(game.seats)) is seat
        assert game.dealer_after(seat) is not seat
    assert game.dealer_of_board(1) is game.seats[0]
    with pytest.raises(RuleError):
        game.dealer_of_board(0)


def check_options(adapter: Adapter) -> None:
    game = adapter.game
    defaults = {option.name: option.default for option in game.options()}
    assert game.read_options({}) == game.read_options(defaults)
    assert game.deals_in_match(game.read_options({})) >= 1
    hash(game.read_options({}))
    wrong = {option.name: ["not", "this"] for option in game.options()}
    with pytest.raises(OptionError) as refused:
        game.read_options({**wrong, "no such option": 1})
    assert len(refused.value.causes) == len(wrong) + 1
    assert {cause.place for cause in refused.value.causes} >= {(name,) for name in wrong}
    for option in game.options():
        assert option.label
        assert option.help
        if option.kind is Kind.NUMBER:
            with pytest.raises(OptionError):
                game.read_options({option.name: option.maximum + 1})
            with pytest.raises(OptionError):
                game.read_options({option.name: True})


def check_deals(adapter: Adapter, seed: int) -> None:
    game = adapter.game
    deal = game.random_deal(random.Random(seed))
    assert deal == game.random_deal(random.Random(seed))
    assert deal != game.random_deal(random.Random(seed + 1))
    assert game.read_deal(str(deal)) == deal
    assert hash(game.read_deal(str(deal))) == hash(deal)
    for broken in ("", str(deal)[:-1], str(deal) + "A", "?" + str(deal)):
        with pytest.raises(DealError):
            game.read_deal(broken)


def check_play(adapter: Adapter, seed: int) -> None:
    """Legal is what verify accepts, apply verifies, and a state is the replay of its tokens."""
    game = adapter.game
    deal, dealer, options = begin(adapter, seed)
    for state in walk(adapter, seed):
        _check_actions(adapter, state)
        again = game.replay(deal, dealer, options, state.history)
        assert again == state
        assert hash(again) == hash(state)
        if state.is_over:
            assert state.turn is None
            assert state.legal_actions() == ()
            assert set(state.score().total) == set(game.sides)
            json.dumps(state.score().as_json())
        else:
            assert state.turn in game.seats
            assert state.legal_actions()
            with pytest.raises(ActionError):
                state.score()


def _check_actions(adapter: Adapter, state: Any) -> None:
    game = adapter.game
    legal = [action.token for action in state.legal_actions()]
    assert len(set(legal)) == len(legal)
    before = state.history
    for token in adapter.tokens:
        action = game.read_action(token)
        assert action.token == token
        if token in legal:
            state.verify(action)
            assert state.apply(action).history == (*before, token)
        else:
            with pytest.raises(ActionError) as refused:
                state.verify(action)
            assert refused.value.message
            with pytest.raises(ActionError):
                state.apply(action)
    assert state.history == before


def check_replay_tells_where(adapter: Adapter, seed: int) -> None:
    game = adapter.game
    deal, dealer, options = begin(adapter, seed)
    *_, last = walk(adapter, seed)
    tokens = list(last.history)
    with pytest.raises(ActionError) as refused:
        game.replay(deal, dealer, options, [*tokens[:5], "no such action", *tokens[5:]])
    assert refused.value.place == (5,)
    with pytest.raises(ActionError) as refused:
        game.replay(deal, dealer, options, [*tokens, tokens[0]])
    assert refused.value.place == (len(tokens),)


def check_views_hide(adapter: Adapter, seed: int) -> None:
    """Two deals that differ only in what a seat cannot see give it, byte for byte, the same view."""
    game, rng = adapter.game, random.Random(seed)
    deal, dealer, options = begin(adapter, seed)
    differed = 0
    for state in walk(adapter, seed):
        for seat in (None, *game.seats):
            other = adapter.shuffle_hidden(deal, state, seat, rng)
            differed += other != deal
            twin = game.replay(other, dealer, options, state.history)
            assert seen(game, state, seat) == seen(game, twin, seat)
    # The check would be empty if the other deals were the same.
    assert differed


def seen(game: AnyGame, state: Any, seat: Any) -> bytes:
    """A view as bytes: all of it, not only what its JSON tells."""
    view = game.view(state, seat)
    return (repr(view) + json.dumps(view.as_json(), sort_keys=True)).encode()


def check_views_are_built_from_nothing(adapter: Adapter, seed: int) -> None:
    """A view holds neither a state nor a deal, however deep one looks."""
    game = adapter.game
    deal, *_ = begin(adapter, seed)
    for state in walk(adapter, seed):
        for seat in (None, *game.seats):
            inside = list(contents(game.view(state, seat)))
            assert not any(isinstance(value, type(deal) | type(state)) for value in inside)


def contents(value: Any) -> Iterator[Any]:
    """A value and everything in it."""
    yield value
    if is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from contents(getattr(value, field.name))
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from contents(item)
    elif isinstance(value, dict):
        for item in (*value, *value.values()):
            yield from contents(item)


def check_written_deals(adapter: Adapter, seed: int) -> None:
    """What was played, written down without mistakes, is accepted and scores what play scored."""
    game = adapter.game
    deal, *_ = begin(adapter, seed)
    *_, last = walk(adapter, seed)
    record = game.read_record(adapter.written(deal, last))
    checked = game.check(record)
    assert [problem.message for problem in checked.problems if problem.refuses] == []
    assert checked.is_accepted
    assert game.score(record).as_json() == last.score().as_json()
    assert game.check(record, deal) == checked
    assert game.read_record(record.as_json()).as_json() == record.as_json()
    json.dumps(game.describe(record).as_json())
    game.known_deal(record)
    json.dumps(game.choices(record, 0).as_json())
    json.dumps(game.choices(record, None).as_json())


def check_analysis(adapter: Adapter, seed: int) -> None:
    """A game without analyses has none of anything; another analyses what was played, and says the same each time."""
    game = adapter.game
    deal, *_ = begin(adapter, seed)
    *_, last = walk(adapter, seed)
    record = game.read_record(adapter.written(deal, last))
    found, known = game.analyse(record), game.known_deal(record)
    if game.analysis_version == 0:
        assert found is known is None
        return
    assert known == deal == game.known_deal(record, deal)
    assert found is not None
    told = json.loads(json.dumps(found.as_json()))
    assert game.analyse(record, deal).as_json() == told  # type: ignore[union-attr]
    sides = {side.value for side in game.sides}
    assert set(told["best"]) == set(told["par"]["total"]) == set(told["committing"]) == sides
    for ways in told["best"].values():
        points = [way["points"] for way in ways]
        assert points == sorted(set(points), reverse=True)
        assert [way["is_par"] for way in ways].count(True) == 1
        assert all(sum(hand["points"] for hand in way["hands"]) == way["points"] for way in ways)
    played = game.describe(record).hands
    assert [hand["points"] for hand in told["costs"]] == [hand.points for hand in played]
    assert all(hand["cost"] == hand["best_before"] - hand["best_after"] >= 0 for hand in told["costs"])
    nothing = game.read_record({})
    assert game.known_deal(nothing) is None
    assert game.analyse(nothing) is None


def check_reads_anything(adapter: Adapter, data: Any) -> None:
    """No JSON makes reading or checking fail, and a record is scored exactly if nothing refuses it."""
    game = adapter.game
    record = game.read_record(data)
    checked = game.check(record)
    assert_problems(checked.problems)
    assert checked.is_accepted == (checked.score is not None)
    assert game.problems(record) == checked.problems
    json.dumps(game.describe(record).as_json())
    game.known_deal(record)
    json.dumps(game.choices(record, 0).as_json())
    json.dumps(record.as_json())
    if checked.score is None:
        with pytest.raises(RecordError) as refused:
            game.score(record)
        assert len(refused.value.causes) == sum(problem.refuses for problem in checked.problems)
    else:
        assert set(checked.score.total) == set(game.sides)
        assert game.score(record) == checked.score


def assert_problems(problems: Sequence[Problem]) -> None:
    for problem in problems:
        assert isinstance(problem.severity, Severity)
        assert problem.code
        assert problem.message
        assert "%(" not in problem.message + problem.proposal
        assert len(problem.message) < 500
        assert all(isinstance(step, str | int) for step in problem.place)
        json.dumps(problem.as_json())


def check_sheets(adapter: Adapter, seed: int) -> None:
    """A match of played deals, written down, is accepted and has a result."""
    game = adapter.game
    options = game.read_options({})
    first = game.seats[0]
    records: list[Any] = []
    scores: list[Any] = []
    while not records or not game.match_result(scores, options).is_over:
        rng = random.Random(seed + len(records))
        dealer = game.dealer_after(first, len(records))
        deal = game.random_deal(rng)
        state = game.start(deal, dealer, options)
        while not state.is_over:
            state = state.apply(rng.choice(state.legal_actions()))
        records.append(adapter.written(deal, state))
        scores.append(state.score())
        assert len(records) <= game.deals_in_match(options)
    content = {"deals": records}
    sheet = game.read_sheet(content, first, options)
    checked = game.check_sheet(sheet, options)
    assert [problem.message for problem in checked.problems if problem.refuses] == []
    assert checked.result == game.match_result(scores, options)
    assert checked.result.is_over
    short = game.sheet_problems({"deals": records[:-1]}, first, options)
    assert any(problem.is_missing for problem in short)
    json.dumps(checked.result.as_json())
    json.dumps(sheet.as_json())


def check_reads_any_sheet(adapter: Adapter, content: Any) -> None:
    game = adapter.game
    options = game.read_options({})
    checked: CheckedSheet[Any, Any] = game.check_sheet(
        game.read_sheet(content, game.seats[0], options), options
    )
    assert_problems(checked.problems)
    assert checked.problems
    json.dumps(checked.result.as_json())
