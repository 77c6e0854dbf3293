"""One deal of Concerto in plain fields: each hand by its combination or its cards, and what was left."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine import game
from games.concerto.deals import empty_deal, value_in_words
from games.concerto.values import offered_values
from games.records import match_parts
from games.records.plain_form import TotalsForm, number_field, number_of, text_of
from league.models import Fixture


class PlainDealForm(TotalsForm):
    """The eight hands, the left-overs and the points of a deal."""

    template = "concerto/_plain_deal.html"
    claims = ("total", "made")
    hint = gettext_lazy(
        "Fill in what you know: for each hand the combination or its cards, or just the totals."
    )

    def read_labels(self, fixture: Fixture, content: dict[str, Any], deal: int) -> None:
        offered = game.get(fixture.round.competition.game)
        described = empty_deal(offered, offered.dealer_after(content["first_dealer"], deal))
        self.hands = tuple(
            _("Hand %(number)d, %(seat)s leads") % {"number": hand.number + 1, "seat": _(hand.leader.title)}
            for hand in described.hands
        )
        self.hand_values = _values(offered.key, left=False)
        self.left_values = _values(offered.key, left=True)
        self.seats = tuple((seat["seat"], seat["label"]) for seat in match_parts.seats(fixture))

    def add_fields(self) -> None:
        for number, label in enumerate(self.hands):
            self._add_hand(number, label)
        self.fields["left-value"] = _choice(_("Left-overs: best combination"), self.left_values)
        for key, seat in self.seats:
            self.fields[f"left-{key}"] = _text(_("Cards left to %(seat)s") % {"seat": seat})
        super().add_fields()

    def titles(self) -> dict[str, str]:
        return {**super().titles(), "made": _("Hands of %(side)s")}

    def _add_hand(self, number: int, label: str) -> None:
        self.fields[f"hand-{number}-value"] = _choice(label, self.hand_values)
        self.fields[f"hand-{number}-cards"] = _text(_("%(hand)s: cards") % {"hand": label})
        self.fields[f"hand-{number}-points"] = number_field(_("%(hand)s: points") % {"hand": label})

    def spots(self) -> list[dict[str, Any]]:
        """The fields of each hand, for the template."""
        return [
            {
                "label": label,
                "value": self[f"hand-{number}-value"],
                "cards": self[f"hand-{number}-cards"],
                "points": self[f"hand-{number}-points"],
            }
            for number, label in enumerate(self.hands)
        ]

    def left_value(self) -> Any:
        """The field of the best combination left, for the template."""
        return self["left-value"]

    def left_fields(self) -> list[Any]:
        """The fields of the cards left, for the template."""
        return [self[f"left-{key}"] for key, _seat in self.seats]

    def record(self) -> dict[str, Any]:
        data = self.cleaned_data
        hands = [
            self._hand(data[f"hand-{n}-value"], data[f"hand-{n}-cards"], data[f"hand-{n}-points"])
            for n in range(len(self.hands))
        ]
        record: dict[str, Any] = {"hands": hands} if any(hands) else {}
        left = {key: data[f"left-{key}"].split() for key, _seat in self.seats if data[f"left-{key}"]}
        if left:
            record["left"] = left
        if data["left-value"]:
            record["left_over"] = value_of(data["left-value"])
        return {**record, **super().record()}

    def _hand(self, value: str, cards: str, points: str) -> dict[str, Any] | str | None:
        """A hand as typed: cards with seats before them say who played which, others are a line of play."""
        entry: dict[str, Any] = value_of(value) if value else {}
        if cards:
            by_seat = cards_by_seat(cards.split(), {key for key, _seat in self.seats})
            entry.update({"cards": by_seat} if by_seat else {"line": " ".join(cards.split())})
        if points:
            entry["points"] = number_of(points)
        if set(entry) == {"line"}:
            return str(entry["line"])
        return entry or None

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        found = super().texts_of(record)
        hands = record.get("hands")
        for number, hand in enumerate(hands[: len(self.hands)] if isinstance(hands, list) else ()):
            found.update({f"hand-{number}-{name}": text for name, text in _hand_texts(hand).items()})
        left = record.get("left")
        held = left if isinstance(left, dict) else {}
        found.update({f"left-{key}": text_of(held.get(key)) for key, _seat in self.seats})
        found["left-value"] = key_of(record.get("left_over"))
        return found


def _values(key: str, *, left: bool) -> tuple[tuple[str, str], ...]:
    return tuple(
        (value.key, f"{value_in_words(value.combination, value.split)} – {value.points}")
        for value in offered_values(key, left=left)
    )


def _choice(label: Any, values: tuple[tuple[str, str], ...]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=(("", "–"), *values), required=False)


def _text(label: Any) -> forms.CharField:
    attrs = {"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}
    return forms.CharField(label=label, max_length=200, required=False, widget=forms.TextInput(attrs=attrs))


def value_of(key: str) -> dict[str, str]:
    """A combination with its split, from a value's key such as "fours/2+2"."""
    combination, _slash, split = key.partition("/")
    return {"combination": combination, "split": split} if split else {"combination": combination}


def cards_by_seat(words: list[str], seats: set[str]) -> dict[str, list[str]]:
    """Who played which, from words such as "N 7h 6h S Ah 5h Th"; empty when no seat stands before the cards."""
    found: dict[str, list[str]] = {}
    seat = ""
    for word in words:
        name = word.rstrip(":").upper()
        if name in seats:
            seat = name
        elif not seat:
            return {}
        else:
            found.setdefault(seat, []).append(word)
    return found


def _hand_texts(hand: Any) -> dict[str, str]:
    if isinstance(hand, str):
        return {"cards": hand[:200]}
    if not isinstance(hand, dict):
        return {}
    cards = hand.get("cards", hand.get("line"))
    if isinstance(cards, dict):
        cards = " ".join(f"{seat} {text_of(held)}" for seat, held in cards.items())
    return {"value": key_of(hand), "cards": text_of(cards), "points": text_of(hand.get("points"))}


def key_of(value: Any) -> str:
    """The key of a combination with its split; empty when there is none."""
    if not isinstance(value, dict) or not isinstance(value.get("combination"), str):
        return ""
    split = value.get("split")
    return f"{value['combination']}/{split}" if isinstance(split, str) else str(value["combination"])
