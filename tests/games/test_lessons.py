"""The lessons of Concerto: each position is legal, and what is said of every action is true."""

import json
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from engine.concerto.game import CONCERTO
from engine.concerto.play import PASS_TOKEN, PLAY_TOKEN
from games import front
from games.concerto import lessons
from games.concerto.lessons import POSITIONS, Position

PAGE = "/games/concerto/try/"
#: What each asks for, in the words of the rules; the verdicts must say the same.
RIGHT = {
    "full-house": {"Ks"},
    "flush": {"Kh"},
    "shared": {"Jc"},
    "split": {"9s"},
    "pass": {"-"},
    "play": {">"},
    "fours": {"6d"},
    "threes": {"4d", "4h"},
    "read": {"9c"},
    "left-overs": {"Js"},
}


def by_key() -> dict[str, Any]:
    return {each.key: each for each in front.of("concerto").lessons()}


def test_there_are_ten_from_the_same_seat() -> None:
    found = by_key()
    assert list(found) == list(RIGHT)
    assert len({each.seat for each in found.values()}) == 1


@pytest.mark.parametrize("position", POSITIONS, ids=lambda each: each.key)
def test_every_action_has_its_verdict(position: Position) -> None:
    lesson = by_key()[position.key]
    state: Any = CONCERTO.replay(lesson.deal, lesson.dealer, {}, lesson.tokens)
    assert set(lesson.answers) == set(state.legal())
    assert {token for token, answer in lesson.answers.items() if answer.is_right} == RIGHT[position.key]
    assert all(answer.text for answer in lesson.answers.values())


@pytest.mark.parametrize(
    "position", [each for each in POSITIONS if each.judge is not lessons.call], ids=lambda each: each.key
)
def test_points_that_are_named_are_those_of_the_engine(position: Position) -> None:
    """Where a completed hand is spoken of, its points are what the engine gives after that very card."""
    lesson = by_key()[position.key]
    state: Any = CONCERTO.replay(lesson.deal, lesson.dealer, {}, lesson.tokens)
    for token, answer in lesson.answers.items():
        after = state.apply(token)
        if len(after.hands) > len(state.hands):
            points = after.hands[-1].value.points
            assert re.search(rf"\b{points} points?\b", answer.text), (token, answer.text)


def test_right_keeps_the_most_within_reach() -> None:
    for key in ("full-house", "flush", "shared", "split", "play", "read"):
        position = next(each for each in POSITIONS if each.key == key)
        state = lessons.state_of(position)
        cards = {
            token: lessons.most(state, token).points for token in state.legal() if token not in {"-", ">"}
        }
        best = max(lessons.most(state, token).points for token in state.legal())
        assert all(lessons.most(state, token).points == best for token in RIGHT[key])
        assert all(points < best for token, points in cards.items() if token not in RIGHT[key])


def test_words_that_are_not_worked_out_are_true() -> None:
    """What the texts claim of the rules and of partner's cards."""
    states: dict[str, Any] = {each.key: lessons.state_of(each) for each in POSITIONS}
    # "After two passes in a row for one card the next player must play a card."
    twice = states["play"].apply(PASS_TOKEN).apply(PASS_TOKEN)
    assert not {PASS_TOKEN, PLAY_TOKEN} & set(twice.legal())
    # The partner of who says “Play” makes the straight flush of the praise alone.
    done = states["play"].apply(PLAY_TOKEN)
    for token in ("2h", "3h", "4h"):
        done = done.apply(token)
    assert done.hands[-1].value.points == 10
    # "Your partner adds the other two nines: fours, 3+1, for 12 points"; alone "a full house, for 8".
    both = states["read"].apply("9c")
    for token in ("9d", "-", "9s"):
        both = both.apply(token)
    assert str(both.hands[-1].value.split) == "3+1"
    assert both.hands[-1].value.points == 12
    alone = states["read"].apply(PLAY_TOKEN)
    for token in ("9d", "9s", "4h"):
        alone = alone.apply(token)
    assert alone.hands[-1].value.points == 8
    # "Which signals fours, two threes": what was led is what the system asks for.
    assert {card.text for card in states["fours"].cards_held(states["fours"].turn)} >= {"6d", "6s", "6c"}
    assert {card.text for card in states["threes"].cards_held(states["threes"].turn)} >= {
        "9d",
        "9s",
        "4h",
        "4d",
        "4c",
    }
    # "With the jack gone, nothing you have left is worth a point"; "your partner none".
    assert not states["left-overs"].held[0]
    assert states["left-overs"].apply("Js").score().left_over_bonus == 0


def test_the_page_brings_all_and_is_the_same_for_everybody() -> None:
    one, other = Client().get(PAGE), Client().get(PAGE)
    assert one.status_code == 200
    assert one.content == other.content
    assert not one.cookies
    found = re.search(rb'<script id="table-lessons"[^>]*>(.*?)</script>', one.content, re.DOTALL)
    assert found is not None
    sent = json.loads(found[1])
    assert [each["key"] for each in sent] == list(RIGHT)
    for each in sent:
        view = each["deal"]["view"]
        assert set(each["answers"]) == set(view["legal"])
        right = [token for token, answer in each["answers"].items() if answer["deal"]]
        assert set(right) == RIGHT[each["key"]]


def test_the_answers_are_in_the_readers_language() -> None:
    with translation.override("de"):
        german = by_key()
    english = by_key()
    assert all(german[key].text != english[key].text for key in english)
    assert all(
        german[key].answers[token].text != answer.text
        for key, each in english.items()
        for token, answer in each.answers.items()
    )
