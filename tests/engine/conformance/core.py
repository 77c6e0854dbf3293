"""The core: seats, options, deals, play, what is hidden, totals and matches."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import pytest
from hypothesis import strategies as st

from engine.errors import ActionError, DealError, OptionError, RuleError
from engine.game import Kind, Problem, Severity
from engine.game.core import LONGEST_TOKEN
from engine.game.zones import Zones
from engine.packs import is_card
from engine.text import Message
from tests.engine.conformance.adapters import Adapter

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=20,
)


def check_identity(adapter: Adapter) -> None:
    game = adapter.game
    assert game.key == game.key.lower()
    assert game.key.replace("-", "_").isidentifier()
    assert game.name
    assert len(game.players) > 0
    for players in game.players:
        seats, sides = game.seats(players), game.sides(players)
        assert len(set(seats)) == len(seats) == players > 1
        assert sorted(seat for of_side in sides.values() for seat in of_side) == sorted(seats)
        assert len({len(of_side) for of_side in sides.values()}) == 1
        assert len(sides) > 1
        for seat in seats:
            assert seat in sides[game.side_of(seat, players)]
            assert game.dealer_after(seat, len(seats), players) == seat
            assert game.dealer_after(seat, 1, players) != seat
        assert all(game.title(key) for key in (*seats, *sides))
        assert game.dealer_of_board(1, players) == seats[0]
        with pytest.raises(RuleError):
            game.dealer_of_board(0, players)


def check_options(adapter: Adapter) -> None:
    game = adapter.game
    defaults = {option.name: option.default for option in game.options()}
    assert game.read_options({}) == game.read_options(defaults)
    assert json.loads(json.dumps(game.read_options({}))) == game.read_options({})
    assert game.read_options(game.read_options({})) == game.read_options({})
    assert set(game.carried).isdisjoint(defaults)
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
    game, players = adapter.game, adapter.players
    deal, dealer, options = adapter.begin(seed)
    again = game.deal(random.Random(seed), dealer, options, players)
    assert again == game.deal(random.Random(seed), dealer, options, players)
    assert again != game.deal(random.Random(seed + 1), dealer, options, players)
    assert game.read_deal(deal, players) == deal
    for broken in ("", deal[:-1], deal + "A", "?" + deal):
        with pytest.raises(DealError):
            game.read_deal(broken, players)
        with pytest.raises(DealError):
            game.start(broken, dealer, options, players)


def check_play(adapter: Adapter, seed: int) -> None:
    """Legal is what verify accepts, apply verifies, and a state is the replay of its tokens."""
    deal, dealer, options = adapter.begin(seed)
    for state in adapter.walk(seed):
        _check_actions(adapter, state)
        again = adapter.replay(deal, dealer, options, state.history)
        assert again == state
        assert hash(again) == hash(state)
        if state.is_over:
            assert state.turn is None
            assert state.legal() == ()
            assert set(state.score().total) >= set(adapter.game.sides(adapter.players))
            assert json.loads(json.dumps(state.score().as_json()))["total"] == dict(state.score().total)
            if not adapter.game.goes_below_zero:
                assert min(state.score().total.values()) >= 0
        else:
            assert state.turn in adapter.seats
            assert state.legal()
            with pytest.raises(ActionError):
                state.score()


def _check_actions(adapter: Adapter, state: Any) -> None:
    legal, before = state.legal(), state.history
    assert len(set(legal)) == len(legal)
    assert all(0 < len(token) <= LONGEST_TOKEN for token in legal)
    for token in legal:
        state.verify(token)
    for at in sorted({0, len(legal) // 3, len(legal) // 2, len(legal) - 1} if legal else ()):
        assert adapter.game.drawn(state, (at + 0.5) / len(legal)) == legal[at]
    for token in {*legal[:5], *legal[-5:]}:
        assert state.apply(token).history == (*before, token)
    for token in (*adapter.tokens, *adapter.game.calls(), "", "no such action", "A" * LONGEST_TOKEN):
        if token not in legal:
            with pytest.raises(ActionError) as refused:
                state.verify(token)
            assert str(refused.value.message)
            assert refused.value.code
            with pytest.raises(ActionError):
                state.apply(token)
    assert state.history == before


def check_offers(adapter: Adapter, seed: int) -> None:
    """What a table offers is allowed, what it bars is not, and any other card is refused with its reason."""
    for state in adapter.walk(seed):
        for seat in adapter.seats:
            view = adapter.game.view(state, seat)
            if not isinstance(view, Zones):
                return
            offered = {*view.cards, *(call.token for call in view.calls)}
            if seat != state.turn:
                assert (offered, view.barred, view.compositions) == (set(), (), ())
                continue
            legal = set(state.legal())
            assert offered <= legal
            assert offered == legal or view.compositions
            mine = next(zone.cards for zone in view.seats if zone.seat == seat)
            for token in {*mine, *(call.token for call in view.barred)} - offered:
                with pytest.raises(ActionError) as refused:
                    state.verify(token)
                assert "isn’t an action" not in refused.value.message.template
                assert "isn’t possible now" not in refused.value.message.template


def check_replay_tells_where(adapter: Adapter, seed: int) -> None:
    deal, dealer, options = adapter.begin(seed)
    *_, last = adapter.walk(seed)
    tokens = list(last.history)
    at = min(5, len(tokens) - 1)
    with pytest.raises(ActionError) as refused:
        adapter.replay(deal, dealer, options, [*tokens[:at], "no such action", *tokens[at:]])
    assert refused.value.place == (at,)
    with pytest.raises(ActionError) as refused:
        adapter.replay(deal, dealer, options, [*tokens, tokens[0]])
    assert refused.value.place == (len(tokens),)


def check_views_hide(adapter: Adapter, seed: int) -> None:
    """Two deals that differ only in what a seat cannot see give it, byte for byte, the same view."""
    rng = random.Random(seed)
    deal, dealer, options = adapter.begin(seed)
    differed = 0
    for state in adapter.walk(seed):
        for seat in (None, *adapter.seats):
            other, history = adapter.shuffle_hidden(deal, state, seat, rng)
            differed += other != deal
            twin = adapter.replay(other, dealer, options, history)
            assert seen(adapter, state, seat) == seen(adapter, twin, seat)
    # The check would be empty if the other deals were the same.
    assert differed


def seen(adapter: Adapter, state: Any, seat: str | None) -> bytes:
    """A view as bytes: all of it, not only what its JSON tells."""
    view = adapter.game.view(state, seat)
    return (repr(view) + json.dumps(view.as_json(), sort_keys=True)).encode()


def check_views_are_built_from_nothing(adapter: Adapter, seed: int) -> None:
    """A view holds neither a state nor a deal, however deep one looks; nor its text."""
    deal, *_ = adapter.begin(seed)
    for state in adapter.walk(seed):
        for seat in (None, *adapter.seats):
            inside = list(contents(adapter.game.view(state, seat)))
            assert not any(isinstance(value, type(state)) for value in inside)
            assert not any(type(value).__name__.endswith("Deal") for value in inside)
            assert deal not in [str(value) for value in inside if isinstance(value, str)]


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


def check_secret_tokens(adapter: Adapter, seed: int) -> None:
    """A view tells of an action no more than ``token_seen_by``; who acted sees it whole; what is seen has words."""
    before, (deal, *_) = None, adapter.begin(seed)
    for state in adapter.walk(seed):
        if before is not None:
            token = state.history[-1]
            assert adapter.game.token_seen_by(before, token, before.turn) == token
            for seat in (None, *adapter.seats):
                told = adapter.game.token_seen_by(before, token, seat)
                assert 0 < len(told) <= LONGEST_TOKEN
                in_words = adapter.game.call_in_words(told)
                assert is_card(told) if in_words is None else str(in_words)
                # Of a secret card the seat may see an equal one.
                if told != token and deal.count(token) < 2:
                    inside = contents(adapter.game.view(state, seat))
                    assert token not in [str(value) for value in inside if isinstance(value, str)]
        before = state


def assert_problems(problems: Sequence[Problem]) -> None:
    for problem in problems:
        assert isinstance(problem.severity, Severity)
        assert problem.code
        assert str(problem.message)
        for message in (problem.message, problem.proposal):
            # What somebody wrote may look like a gap, too.
            told = {name: "" if isinstance(value, str) else value for name, value in message.params.items()}
            assert "%(" not in str(Message(message.template, told))
        assert len(str(problem.message)) < 500
        assert all(isinstance(step, str | int) for step in problem.place)
        json.dumps(problem.as_json())


def played_match(adapter: Adapter, seed: int) -> tuple[list[Any], list[Any]]:
    """The records and the scores of the deals of one match, what lay on the table carried along."""
    game, players = adapter.game, adapter.players
    options = game.read_options({})
    dealer = adapter.seats[0]
    records: list[Any] = []
    scores: list[Any] = []
    result = game.match(scores, options, players)
    while not result.is_over:
        rng = random.Random(seed + len(records))
        with_pot = game.read_options({**options, **result.next_options})
        deal = game.deal(rng, dealer, with_pot, players)
        *_, state = adapter.play_out(game.start(deal, dealer, with_pot, players), rng)
        records.append(adapter.written(deal, state) if adapter.written else game.record_of(state))
        scores.append(state.score())
        dealer = result.next_dealer or game.dealer_after(dealer, 1, players)
        result = game.match(scores, options, players)
        most = game.deals_of(adapter.players, options)
        assert len(records) <= (200 if most is None else most)
    return records, scores


def check_matches(adapter: Adapter, seed: int) -> None:
    """A match ends, says who won, counts no deal after its end, and its sheet is accepted."""
    game, players = adapter.game, adapter.players
    options = game.read_options({})
    records, scores = played_match(adapter, seed)
    result = game.match(scores, options, players)
    sides = set(game.sides(players))
    assert result.is_over
    assert not game.match(scores[:-1], options, players).is_over
    assert game.match([*scores, scores[0]], options, players) == result
    assert set(result.total) >= sides
    assert set(result.ranks) == sides
    assert set(result.winners) < sides
    assert not result.next_options
    assert {1} <= set(result.ranks.values()) <= set(range(1, len(sides) + 1))
    leaders = {side for side, rank in result.ranks.items() if rank == 1}
    assert set(result.winners) == (leaders if leaders < sides else set())
    if adapter.is_by_total:
        best = min if game.lower_is_better else max
        first = best(result.total[side] for side in sides)
        assert leaders == {side for side in sides if result.total[side] == first}
    json.dumps(result.as_json())
    checked = game.check_sheet({"deals": records}, adapter.seats[0], options, players)
    assert [str(problem.message) for problem in checked.problems if problem.refuses] == []
    assert checked.result == result
    short = game.check_sheet({"deals": records[:-1]}, adapter.seats[0], options, players)
    assert any(problem.is_missing for problem in short.problems)
    canonical = [record.as_json() for record in checked.records if record is not None]
    again = game.check_sheet({"deals": canonical}, adapter.seats[0], options, players)
    assert [record.as_json() for record in again.records if record is not None] == canonical


def check_totals(adapter: Adapter, seed: int) -> None:
    """Only totals are always enough; what is no total is refused."""
    *_, last = adapter.walk(seed)
    total = {str(side): points for side, points in last.score().total.items()}
    read = adapter.game.read_result({"total": total}, adapter.players)
    assert read.problems == ()
    assert read.score is not None
    assert dict(read.score.total) == {side: total[side] for side in adapter.game.sides(adapter.players)}
    assert adapter.game.read_result(read.as_json(), adapter.players) == read
    faulty: tuple[Any, ...] = (
        {},
        {"total": {}},
        {"total": {**total, next(iter(total)): "many"}},
        [],
        {"total": 3},
    )
    for wrong in faulty:
        refused = adapter.game.read_result(wrong, adapter.players)
        assert_problems(refused.problems)
        assert refused.problems
        assert refused.score is None


def check_reads_any_sheet(adapter: Adapter, content: Any) -> None:
    game = adapter.game
    checked = game.check_sheet(content, adapter.seats[0], game.read_options({}), adapter.players)
    assert_problems(checked.problems)
    assert checked.problems
    assert len(checked.records) == len(checked.scores)
    json.dumps(checked.result.as_json())
