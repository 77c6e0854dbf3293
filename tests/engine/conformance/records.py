"""Records and analysis: a deal as written down, at any depth, and what best play makes of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from engine.game import State
from tests.engine.conformance.adapters import Adapter
from tests.engine.conformance.core import assert_problems


def check_written_deals(adapter: Adapter, seed: int) -> None:
    """What was played, written down without mistakes, is accepted and scores what play scored."""
    records = adapter.game.records
    assert records is not None
    assert adapter.written is not None
    deal, *_ = adapter.begin(seed)
    *_, last = adapter.walk(seed)
    record = records.read_record(adapter.written(deal, last))
    checked = records.check(record)
    assert [str(problem.message) for problem in checked.problems if problem.refuses] == []
    assert checked.is_accepted
    assert checked.score is not None
    assert checked.score.as_json() == last.score().as_json()
    assert records.check(record, deal) == checked
    assert records.read_record(record.as_json()).as_json() == record.as_json()
    assert records.known_deal(record, deal) == deal
    assert records.tokens_of(record) in {None, last.history}
    json.dumps(records.describe(record).as_json())
    json.dumps(records.choices(record, 0).as_json())
    json.dumps(records.choices(record, None).as_json())


def check_reads_anything(adapter: Adapter, data: Any) -> None:
    """No JSON makes reading or checking fail, and a record is scored exactly if nothing refuses it."""
    records = adapter.game.records
    assert records is not None
    record = records.read_record(data)
    checked = records.check(record)
    assert_problems(checked.problems)
    assert checked.is_accepted == (checked.score is not None)
    json.dumps(records.describe(record).as_json())
    records.known_deal(record)
    records.tokens_of(record)
    json.dumps(records.choices(record, 0).as_json())
    json.dumps(record.as_json())
    if checked.score is not None:
        assert set(checked.score.total) == set(adapter.game.sides(adapter.players))


def check_analysis(adapter: Adapter, seed: int) -> None:
    """It analyses what was played, and says the same each time; of unknown cards it says nothing."""
    game = adapter.game
    records, analysis = game.records, game.analysis
    assert records is not None
    assert analysis is not None
    assert analysis.version > 0
    assert adapter.written is not None
    deal, *_ = adapter.begin(seed)
    *_, last = adapter.walk(seed)
    record = records.read_record(adapter.written(deal, last))
    found: Any = analysis.analyse(record)
    assert records.known_deal(record) == deal == records.known_deal(record, deal)
    told = json.loads(json.dumps(found.as_json()))
    again: Any = analysis.analyse(record, deal)
    assert again.as_json() == told
    sides = set(game.sides())
    assert set(told["best"]) == set(told["par"]["total"]) == set(told["committing"]) == sides
    for ways in told["best"].values():
        points = [way["points"] for way in ways]
        assert points == sorted(set(points), reverse=True)
        assert [way["is_par"] for way in ways].count(True) == 1
        assert all(sum(hand["points"] for hand in way["hands"]) == way["points"] for way in ways)
    played: Any = records.describe(record)
    assert [hand["points"] for hand in told["costs"]] == [hand.points for hand in played.hands]
    assert all(hand["cost"] == hand["best_before"] - hand["best_after"] >= 0 for hand in told["costs"])
    check_actions(adapter, told, last, records.tokens_of(record))
    nothing = records.read_record({})
    assert records.known_deal(nothing) is None
    assert analysis.analyse(nothing) is None


def check_actions(adapter: Adapter, told: Any, last: State, tokens: Sequence[str] | None) -> None:
    """What each action gave up adds up to the way from the par to the result, where all that was done is written."""
    lead = adapter.game.sides()
    first = next(iter(lead))

    def of(total: Mapping[str, int]) -> int:
        return total[first] - sum(points for side, points in total.items() if side != first)

    assert len(told["actions"]) == len(tokens or ())
    way = of(told["par"]["total"])
    for action in told["actions"]:
        assert action["cost"] >= 0
        way += action["cost"] if adapter.game.side_of(action["seat"]) != first else -action["cost"]
        assert of(action["par"]) == way
    if told["actions"]:
        assert told["actions"][-1]["par"] == last.score().as_json()["total"]
