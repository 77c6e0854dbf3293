"""A system of signals as a sheet for people: every row, with an example that is what the row says."""

import json
import random

import pytest

from engine.cards import PACK, Card, CardSet
from engine.concerto.game import CONCERTO
from engine.concerto.signals.convention_cards import read_system
from engine.concerto.signals.holdings import Holding, Step
from engine.concerto.signals.sheet import (
    NOTES,
    played,
    rows,
    sheet,
)
from engine.concerto.signals.signalling import reading, to_signal
from engine.concerto.signals.systems import PARLETT
from engine.concerto.signals.ways import Phase

ALL = [(phase, row) for phase in Phase for row in rows(PARLETT, phase)]


def filled(phrase: dict[str, object]) -> str:
    return str(phrase["template"]) % phrase["params"]


def test_every_row_of_the_system_is_on_the_sheet_once() -> None:
    assert sorted(map(repr, (row.way for _phase, row in ALL))) == sorted(map(repr, PARLETT.ways))


@pytest.mark.parametrize(("phase", "row"), ALL, ids=str)
def test_an_example_is_read_as_its_row_says(phase: Phase, row: object) -> None:
    found = reading(row.first, row.second, phase)  # type: ignore[attr-defined]
    told = {each.holding: each.message for each in found}
    assert told.pop(row.way.holding) == row.meaning.message  # type: ignore[attr-defined]
    assert list(told.values()) == [each.message for each in row.others]  # type: ignore[attr-defined]


def test_the_lines_stand_in_the_order_of_the_checklist() -> None:
    for phase in Phase:
        steps = list(dict.fromkeys(row.way.holding.step for row in rows(PARLETT, phase)))
        assert steps == [step for step in Step if step.is_weak == (phase is Phase.WEAK)]


def test_the_authors_own_examples_are_told_in_his_words() -> None:
    """../shared/rules/signals.md, "Strong: toward a straight flush": A-5, 2-5, 3-5, 4-5, 5-4, 5-3, 5-2, 5-A."""
    said = {
        row.way.holding: [template % params for template, params in played(row.way)]
        for _phase, row in reversed(ALL)
    }
    assert said[Holding.RUN] == ["in range", "the same suit", "low, then high", "three ranks between"]
    assert said[Holding.FOUR_IN_SEQUENCE][2:] == ["low, then high", "two ranks between"]
    assert said[Holding.THREE_AND_ONE][2:4] == ["low, then high", "one rank between"]
    assert said[Holding.THREE_ONE_HIGHER][2:] == ["low, then high", "neighbours"]
    assert said[Holding.THREE_ONE_LOWER][2:] == ["high, then low", "neighbours"]
    assert said[Holding.THREE_IN_SEQUENCE][2:] == ["high, then low", "one rank between"]
    assert said[Holding.TWO_AND_TWO][2:] == ["high, then low", "two ranks between"]
    assert said[Holding.THREE_APART][2:] == ["high, then low", "three ranks between"]
    assert said[Holding.FOURS] == ["the same rank", "the heart, then the diamond"]
    assert said[Holding.THREES] == ["one card (♥), then a pass", "else ♦"]
    assert said[Holding.PAIR] == ["one card (♣ / ♠), then a pass", "else ♦"]
    assert said[Holding.FULL_HOUSE] == ["two ranks", "a red and a black card", "the rank of the threes first"]


def test_what_somebody_would_signal_stands_on_the_sheet() -> None:
    rng = random.Random(20261122)
    shown = {row.way.holding for _phase, row in ALL}
    for _each in range(60):
        cards = CardSet.of(rng.sample(list(PACK), 13))
        for phase in Phase:
            signal = to_signal(cards, phase)
            assert signal is not None
            assert signal.meaning.holding in shown


def test_the_games_card_is_plain_json_with_every_sentence_filled() -> None:
    card = CONCERTO.signals.convention_card()
    assert json.loads(json.dumps(card)) == card
    assert card["is_one_checklist"]
    assert len(card["checklists"][0]["steps"]) == len(Step)
    assert card["notes"] == list(NOTES)
    for section in card["sections"]:
        for row in section["rows"]:
            texts = [filled(each) for each in (*row["played"], row["meaning"], *row["others"])]
            assert all(texts)
            assert not any("%(" in text for text in texts)
            assert Card.parse(row["first"])


def test_a_partnerships_own_system_is_told_as_it_is() -> None:
    own = read_system({
        "name": "Ours",
        "checklist": {"strong": ["fours", "pair"], "weak": ["pair"]},
        "ways": [
            {"holding": "fours", "then": "pass", "preferred": ["h", "cs"], "phases": ["strong"]},
            {"holding": "pair", "suits": "any", "ranks": "same"},
        ],
    })  # fmt: skip
    told = sheet(own)
    assert told["name"] == "Ours"
    assert not told["is_one_checklist"]
    strong, weak = told["sections"]
    assert [row["holding"] for row in strong["rows"]] == ["fours", "pair"]
    assert not weak["rows"]
    assert [filled(each) for each in strong["rows"][0]["played"]] == [
        "one card (♥), then a pass", "else ♣ / ♠", "only in a side’s first two hands",
    ]  # fmt: skip
