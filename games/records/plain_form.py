"""One deal of a scoresheet in plain fields, for browsers without scripts and for people who like to type."""

import re
from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from games.records import match_parts
from league.models import Fixture
from league.web.number_format import MINUS

LONGEST = 12
TYPED = {"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}
_NUMBER = re.compile(r"-?[0-9]+")


class TotalsForm(forms.Form):
    """The totals of a deal by side: what every game has. A game that reads more of a deal extends it."""

    template = "games/_plain_totals.html"
    claims: tuple[str, ...] = ("total",)
    hint: Any = ""
    """What to fill in, in a sentence."""

    def __init__(
        self, *args: Any, fixture: Fixture, content: dict[str, Any], deal: int, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.sides = match_parts.named_sides(fixture, content)
        self.read_labels(fixture, content, deal)
        self.add_fields()
        deals = content["deals"]
        record = deals[deal] if deal < len(deals) and isinstance(deals[deal], dict) else {}
        self.initial = self.texts_of(record)

    def read_labels(self, fixture: Fixture, content: dict[str, Any], deal: int) -> None:
        """What the fields are called, where that hangs on the deal."""

    def add_fields(self) -> None:
        """The fields, in the order of the page."""
        titles = self.titles()
        for claim in self.claims:
            for key, side in self.sides:
                self.fields[f"{claim}-{key}"] = number_field(titles[claim] % {"side": side})

    def titles(self) -> dict[str, str]:
        """What each of the claims is called; the side stands for %(side)s."""
        return {"total": _("Total of %(side)s")}

    def spots(self) -> list[dict[str, Any]]:
        """The rows of fields at which faults are told, each for one place of the record; for the template."""
        return []

    def claim_fields(self) -> list[Any]:
        """The fields of each side, for the template."""
        return [self[f"{claim}-{key}"] for key, _side in self.sides for claim in self.claims]

    def record(self) -> dict[str, Any]:
        """The deal as it was typed, in the form that the engine reads; what is odd in it the engine will say."""
        record: dict[str, Any] = {}
        for claim in self.claims:
            typed = {key: number_of(self.cleaned_data[f"{claim}-{key}"]) for key, _side in self.sides}
            given = {key: number for key, number in typed.items() if number != ""}
            if given:
                record[claim] = given
        return record

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        """What the fields show of a record; what there is no field for is left out."""
        found = {}
        for claim in self.claims:
            given = record.get(claim)
            by_side = given if isinstance(given, dict) else {}
            found.update({f"{claim}-{key}": text_of(by_side.get(key)) for key, _side in self.sides})
        return found


class TappedForm(TotalsForm):
    """A deal of which more is told than the points, most of it by tapping."""

    template = "games/_plain_tapped.html"

    def tapped_fields(self) -> list[Any]:
        """What is tapped, for the template."""
        return [each for each in self if isinstance(each.field.widget, forms.RadioSelect)]

    def typed_fields(self) -> list[Any]:
        """What is typed besides the points, for the template: few people write it down."""
        points = {f"{claim}-{key}" for key, _side in self.sides for claim in self.claims}
        tapped = {each.name for each in self.tapped_fields()}
        return [self[name] for name in self.fields if name not in points | tapped]

    def has_typed(self) -> bool:
        """Whether any of these is filled in."""
        return any(each.value() for each in self.typed_fields())


def tapped_field(label: Any, choices: Iterable[tuple[str, Any]]) -> forms.ChoiceField:
    """One of a few, or nothing: a tap each."""
    return forms.ChoiceField(
        label=label,
        choices=(("", _("not given")), *choices),
        required=False,
        widget=forms.RadioSelect,
    )


def cards_field(label: Any, longest: int, help_text: Any = "") -> forms.CharField:
    """Cards, typed in whatever case."""
    return forms.CharField(
        label=label,
        help_text=help_text,
        max_length=longest,
        required=False,
        widget=forms.TextInput(attrs={**TYPED, "class": "number"}),
    )


def as_cards(text: str) -> str:
    """Cards as the engine reads them, in whatever case they were typed: "7C kc AC 3h" is "7cKcAc3h"."""
    cards = "".join(text.split()).upper().replace("10", "T")
    return "".join(card[0] + card[1:].lower() for card in in_twos(cards))


def in_twos(cards: str) -> list[str]:
    """The cards of a row."""
    return [cards[at : at + 2] for at in range(0, len(cards), 2)]


def number_field(label: Any) -> forms.CharField:
    """A field for points; what is no number the engine will complain of."""
    attrs = {"autocomplete": "off", "inputmode": "numeric", "class": "number"}
    return forms.CharField(
        label=label, max_length=LONGEST, required=False, widget=forms.TextInput(attrs=attrs)
    )


def number_of(text: str) -> int | str:
    """The number, with either minus, or the text as it stands for the engine to complain of."""
    plain = text.replace(MINUS, "-")
    return int(plain) if _NUMBER.fullmatch(plain) else text


def text_of(value: Any) -> str:
    """A value of a record as it is typed."""
    if isinstance(value, list):
        return " ".join(str(each)[:8] for each in value[:60])
    return "" if value is None else str(value)[:200]
