"""What people see of Conquian beside what every game has: its scoresheet and its rules."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from engine.conquian.melds import CARDS
from engine.conquian.play import SEATS
from engine.conquian.records import NOBODY
from games.conquian import rules_page
from games.front import GameFront, Json, TotalsRecordSerializer
from games.records.display.sheets import SheetMaker
from games.records.plain_form import (
    TYPED,
    TappedForm,
    as_cards,
    in_twos,
    number_field,
    number_of,
    tapped_field,
    text_of,
)
from games.templatetags.cards import in_symbols

#: Eleven cards with their spaces, and something to be wrong with.
LONGEST = 60


class ConquianDealForm(TappedForm):
    """Who won, by a tap; melds, cards left and cards turned for those who wrote them down."""

    claims = ()
    hint = gettext_lazy("Tap who won. The rest is only for checking.")

    def add_fields(self) -> None:
        self.fields["winner"] = tapped_field(_("Winner"), (*self.sides, (NOBODY, _("a draw"))))
        for key, side in self.sides:
            self.fields[f"melds-{key}"] = forms.CharField(
                label=_("Melds of %(side)s") % {"side": side},
                help_text=_("Each meld in a row, spaces between them: 4c5c6c 7s7h7d"),
                max_length=LONGEST,
                required=False,
                widget=forms.TextInput(attrs=TYPED),
            )
        for key, side in self.sides:
            self.fields[f"left-{key}"] = number_field(_("Cards left of %(side)s") % {"side": side})
        self.fields["turned"] = number_field(_("Stock cards turned"))

    def record(self) -> dict[str, Any]:
        data = self.cleaned_data
        melds = {key: re.split(r"[\s,;]+", data[f"melds-{key}"].strip()) for key in SEATS}
        given = {
            "winner": data["winner"],
            "melds": {key: [*map(as_cards, rows)] for key, rows in melds.items() if rows[0]},
            "left": {key: number_of(data[f"left-{key}"]) for key in SEATS if data[f"left-{key}"]},
            "turned": number_of(data["turned"]),
        }
        return {name: value for name, value in given.items() if value not in ("", {})}

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        melds, left = (
            given if isinstance(given, dict) else {} for given in (record.get("melds"), record.get("left"))
        )
        found = {f"melds-{key}": _melds_text(melds.get(key)) for key in SEATS}
        found |= {f"left-{key}": text_of(left.get(key)) for key in SEATS}
        return {**found, "winner": _winner_of(record), "turned": text_of(record.get("turned"))}


def _winner_of(record: dict[str, Any]) -> str:
    """As it stands there, or as the points say it."""
    total = record.get("total")
    if record.get("winner") is not None or not isinstance(total, dict):
        return text_of(record.get("winner"))
    won = [seat for seat in SEATS if total.get(seat) == 1]
    return won[0] if won else NOBODY if [*total.values()] == [0] * len(SEATS) else ""


class ConquianMaker(SheetMaker):
    """The deals of a sheet with what was written down of them."""

    def facts(self, index: int) -> Iterable[tuple[str, str]]:
        record = self.record(index)
        named = {side: self.side_name(side) for side in self.sides}
        left = record.get("left", {})
        return (
            *(
                (_("Melds of %(side)s") % {"side": named[side]}, "; ".join(map(_meld, melds)))
                for side, melds in record.get("melds", {}).items()
            ),
            (_("Cards left"), self.by_side(left)),
            (_("Stock cards turned"), str(record.get("turned", ""))),
        )


def _melds_text(melds: Any) -> str:
    """As they are typed."""
    return " ".join(map(str, melds))[:LONGEST] if isinstance(melds, list) else ""


def _meld(cards: str) -> str:
    """A meld as hands are sorted."""
    row = CARDS.cards_in(CARDS.bits_of(in_twos(cards)))
    return in_symbols(row)


class ConquianRecordSerializer(TotalsRecordSerializer):
    """One deal of Conquian."""

    winner = serializers.CharField(required=False, help_text="The seat, or - for a draw.")
    melds = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        required=False,
        help_text="By seat, each as its cards: 4c5c6c.",
    )
    left = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="Cards left in the hand, by seat."
    )
    turned = serializers.IntegerField(required=False, help_text="How many cards of the stock were turned.")


class ConquianFront(GameFront):
    """A scoresheet by who won, and the rules."""

    maker = ConquianMaker
    plain_form = ConquianDealForm
    record_serializer = ConquianRecordSerializer
    summary = gettext_lazy(
        "The oldest rummy of all: take the open card, and be the first with eleven cards down."
    )
    length = gettext_lazy("seven deals: about 40 minutes")
    rules_page = "conquian/rules.html"
    scoring = "games/_worth.html"

    def rules_content(self) -> Json:
        return rules_page.content()

    def paper_how(self) -> str:
        return _("Write 1 for who won the deal, and 0 for both after a draw.")

    def paper_columns(self) -> tuple[Sequence[str], Sequence[str]]:
        return (_("Cards turned"),), (_("Cards left"),)

    def scoring_values(self) -> Any:
        return rules_page.worth()
