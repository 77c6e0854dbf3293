"""What a hand can be: the values that the entry offers as buttons, their names, codes and points, which are left."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

from engine import game
from engine.concerto.options import CARDS_IN_HAND
from games.concerto.deals import empty_deal, value_in_words, value_key
from games.fixture_boards import numbers_of
from games.records import match_parts as parts
from games.records.match_parts import deal_count, sides
from games.records.parsing import Reading
from games.seating import players_of
from games.templatetags.cards import RANKS, SUITS
from league.models import Fixture

Json = dict[str, Any]
DEPTHS = ("cards", "combinations", "totals")

# On a button there is room for a word; the full name is read out.
SHORT: dict[str, str | Promise] = {
    "nothing": gettext_lazy("nothing"),
    "pair": gettext_lazy("pair"),
    "two-pair": gettext_lazy("two pair"),
    "threes": gettext_lazy("threes"),
    "straight": gettext_lazy("straight"),
    "flush": gettext_lazy("flush"),
    "full-house": gettext_lazy("full house"),
    "fours": gettext_lazy("fours"),
    "straight-flush": gettext_lazy("str. flush"),
    "three-pairs": gettext_lazy("three pairs"),
}
# What a scorer types: the points where one figure says it, two figures where the split counts.
CODES = {
    "nothing": "0",
    "pair": "1",
    "two-pair": "2",
    "threes": "3",
    "fours": "4",
    "straight": "5",
    "flush": "6",
    "three-pairs": "7",
    "full-house": "8",
    "straight-flush": "9",
}
# Or a letter, for those who think in words; each language chooses its own, all different.
LETTERS: dict[str, Promise] = {
    "nothing": pgettext_lazy("key for nothing", "n"),
    "pair": pgettext_lazy("key for a pair", "p"),
    "two-pair": pgettext_lazy("key for two pair (double)", "d"),
    "threes": pgettext_lazy("key for threes", "t"),
    "fours": pgettext_lazy("key for fours (quads)", "q"),
    "straight": pgettext_lazy("key for a straight", "s"),
    "flush": pgettext_lazy("key for a flush", "f"),
    "three-pairs": pgettext_lazy("key for three pairs", "r"),
    "full-house": pgettext_lazy("key for a full house", "h"),
    "straight-flush": pgettext_lazy("key for a straight flush", "x"),
}


@dataclass(frozen=True, slots=True)
class Value:
    """A value that a hand (or what is left) can have."""

    combination: Any
    split: Any
    points: int

    @property
    def key(self) -> str:
        return value_key(self.combination, self.split)

    @property
    def code(self) -> str:
        return self._typed(CODES.get(self.combination.key, ""))

    @property
    def letters(self) -> str:
        return self._typed(str(LETTERS.get(self.combination.key, "")))

    def _typed(self, first: str) -> str:
        return f"{first}{str(self.split)[0]}" if self.split else first

    def as_json(self) -> Json:
        short = str(SHORT.get(self.combination.key, self.combination.title))
        return {
            "key": self.key,
            "combination": self.combination.key,
            "split": str(self.split) if self.split else None,
            "label": value_in_words(self.combination, self.split),
            "short": f"{short} {self.split}" if self.split else short,
            "points_shown": str(self.points),
            "code": self.code,
            "letters": self.letters,
        }


@cache
def offered_values(key: str, *, left: bool) -> tuple[Value, ...]:
    """Every value that a hand of that game can have, or what is left; a game's values never change."""
    offered = game.get(key)
    if offered.records is None:
        return ()
    empty = offered.records.read_record({}, offered.seats()[0])
    choices: Any = offered.records.choices(empty, None if left else 0)
    return tuple(Value(c.value.combination, c.value.split, c.points) for c in choices.values)


def page_data(fixture: Fixture, content: Mapping[str, Any]) -> Json:
    """What the entry page knows from the beginning; what can change comes with every reading."""
    offered = game.get(fixture.round.competition.game)
    hand_values = [value.as_json() for value in offered_values(offered.key, left=False)]
    left_values = [value.as_json() for value in offered_values(offered.key, left=True)]
    return {
        "match": fixture.pk,
        "deals": max(deal_count(fixture), len(content.get("deals") or ())),
        "boards": list(numbers_of(fixture)),
        "hands": hand_count(fixture),
        "cards": CARDS_IN_HAND,
        "depth": depth_of(content),
        "depths": depths_of(content),
        "hand_values": hand_values,
        "left_values": left_values,
        "combinations": _combinations(hand_values, left_values),
        "seats": seats(fixture),
        "sides": sides(fixture),
        "players": {
            player.pk: {"name": player.name, "pair": str(entry)}
            for entry in fixture.entries
            for player in players_of(fixture, entry)
        },
    }


def _combinations(hand_values: list[Json], left_values: list[Json]) -> list[Json]:
    """One entry a combination; `is_whole` where no split decides the points."""
    in_hands = {value["combination"] for value in hand_values}
    found: dict[str, Json] = {}
    for value in left_values:
        key = value["combination"]
        found[key] = {
            "key": key,
            "short": str(SHORT.get(key, key)),
            "points_shown": "" if value["split"] else value["points_shown"],
            "is_whole": not value["split"],
            "left_only": key not in in_hands,
            "letter": str(LETTERS.get(key, "")),
        }
    return list(found.values())


def hand_count(fixture: Fixture) -> int:
    """How many hands a deal has."""
    offered = game.get(fixture.round.competition.game)
    return len(empty_deal(offered, offered.seats()[0]).hands)


def depth_of(content: Mapping[str, Any]) -> str:
    """How much of a deal is entered where the person has not said: combinations, the way most clubs keep score."""
    page = content.get("page")
    depths = page.get("depths") if isinstance(page, Mapping) else None
    known = (
        [depth for depth in depths if isinstance(depth, str) and depth in DEPTHS]
        if isinstance(depths, list)
        else []
    )
    if known:
        return str(known[-1])
    deals = content.get("deals") or ()
    hands = [hand for deal in deals for hand in _list(deal.get("hands")) if hand]
    if hands:
        by_cards = [isinstance(hand, str) or (isinstance(hand, dict) and "cards" in hand) for hand in hands]
        return "cards" if all(by_cards) else "combinations"
    return "totals" if any(deal.get("total") for deal in deals) else "combinations"


def depths_of(content: Mapping[str, Any]) -> list[str | None]:
    """By deal how it was entered, where that is plain: with its totals alone."""
    return [
        "totals" if deal.get("total") and not any(_list(deal.get("hands"))) and not deal.get("left") else None
        for deal in content.get("deals") or ()
    ]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def pad() -> list[dict[str, str]]:
    """The 52 keys of the pad, suit by suit, high cards first."""
    return [
        {"text": rank + suit, "suit": css, "symbol": symbol, "code": (rank + suit).lower()}
        for suit, (css, symbol, _word) in SUITS.items()
        for rank in RANKS
    ]


def seats(fixture: Fixture) -> list[dict[str, str]]:
    """The seats, each with its partner's."""
    offered = game.get(fixture.round.competition.game)
    partners = {seat: pair[1 - at] for pair in offered.sides().values() for at, seat in enumerate(pair)}
    return [{**each, "partner": partners[each["seat"]]} for each in parts.seats(fixture)]


def possible(fixture: Fixture, reading: Reading, deal: int, spot: int | str) -> Json | None:
    """Which values are still possible where the person is; None where there are none to choose from."""
    if spot != "left" and not isinstance(spot, int):
        return None
    offered = game.get(fixture.round.competition.game)
    if offered.records is None:
        return None
    record = _without(reading.records[deal] if deal < len(reading.records) else {}, spot)
    read = offered.records.read_record(record, offered.dealer_after(reading.seating.first_dealer, deal))
    choices: Any = offered.records.choices(read, spot if isinstance(spot, int) else None)
    found: dict[str, bool] = {}
    for choice in choices.values:
        found[value_key(choice.value.combination, choice.value.split)] = choice.is_possible
        if choice.value.split:
            name = choice.value.combination.key
            found[name] = found.get(name, False) or choice.is_possible
    return {"deal": deal, "spot": spot, "values": found}


def _without(record: Mapping[str, Any], spot: int | str) -> Json:
    """The record without what is entered at this spot as a combination: that can be chosen again."""
    changed = dict(record)
    if spot == "left":
        changed.pop("left_over", None)
    elif isinstance(hands := record.get("hands"), list) and isinstance(spot, int) and spot < len(hands):
        hand = hands[spot]
        if isinstance(hand, dict) and "cards" not in hand and "line" not in hand:
            changed["hands"] = [*hands[:spot], None, *hands[spot + 1 :]]
    return changed


@dataclass(frozen=True, slots=True)
class PaperValue:
    """A box to ring: what it is, and the points for it in a hand and among what is left; None where it cannot be."""

    name: str
    begins_group: bool
    in_hand: int | None
    left: int | None


def paper_values(key: str) -> tuple[PaperValue, ...]:
    """The boxes of a paper sheet, those of one combination side by side."""
    of_hands = {value.key: value for value in offered_values(key, left=False)}
    of_left = {value.key: value for value in offered_values(key, left=True)}
    columns = []
    before = ""
    for name, value in {**of_left, **of_hands}.items():
        combination = str(value.combination.key)
        columns.append(
            PaperValue(
                name=value.as_json()["short"],
                begins_group=combination != before,
                in_hand=_points(of_hands, name),
                left=_points(of_left, name),
            )
        )
        before = combination
    return tuple(columns)


def _points(values: Mapping[str, Value], name: str) -> int | None:
    return values[name].points if name in values else None
