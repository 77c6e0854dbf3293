"""What people see of Stealing Bundles beside what every game has: its scoresheet and its rules."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from engine.stealing_bundles.play import PACK
from engine.stealing_bundles.records import LEVEL
from games.front import GameFront, Json, TotalsRecordSerializer
from games.records.display.sheets import SheetMaker
from games.records.plain_form import (
    TappedForm,
    as_cards,
    cards_field,
    in_twos,
    number_field,
    number_of,
    tapped_field,
    text_of,
)
from games.stealing_bundles import rules_page
from games.templatetags.cards import in_symbols

NUMBERS = ("steals", "left_over")
# The play with its spaces, and something to be wrong with.
LONGEST = 4 * len(PACK)


class StealingBundlesDealForm(TappedForm):
    """How many cards each has; the rest for those who wrote it down, or all cards as they were played."""

    hint = gettext_lazy("Enter one player’s cards, and the other’s follow. The rest is only for checking.")

    def titles(self) -> dict[str, str]:
        return {"total": _("Cards of %(side)s")}

    def add_fields(self) -> None:
        self.fields["winner"] = tapped_field(_("Winner"), (*self.sides, (LEVEL, _("a draw"))))
        self.fields["last"] = tapped_field(_("Captured last"), self.sides)
        self.fields["steals"] = number_field(_("Bundles stolen"))
        self.fields["left_over"] = number_field(_("Cards left on the table"))
        self.fields["play"] = cards_field(
            _("The play"), LONGEST, _("All 48 cards in the order in which they were played: 7h7c2cKd")
        )
        super().add_fields()

    def record(self) -> dict[str, Any]:
        data = self.cleaned_data
        given = {
            **{name: data[name] for name in ("winner", "last")},
            **{name: number_of(data[name]) for name in NUMBERS},
            "play": as_cards(data["play"]),
        }
        return {**super().record(), **{name: value for name, value in given.items() if value != ""}}

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        shown = {name: text_of(record.get(name)) for name in ("winner", "last", *NUMBERS, "play")}
        return {**super().texts_of(record), **shown}


class StealingBundlesMaker(SheetMaker):
    """The deals of a sheet with what was written down of them."""

    def facts(self, index: int) -> Iterable[tuple[str, str]]:
        record = self.record(index)
        play = in_symbols(in_twos(record.get("play", "")), " ")
        return (
            (_("Captured last"), self.side_name(record.get("last", ""))),
            (_("Bundles stolen"), str(record.get("steals", ""))),
            (_("Cards left on the table"), str(record.get("left_over", ""))),
            (_("The play"), play),
        )


class StealingBundlesRecordSerializer(TotalsRecordSerializer):
    """One deal of Stealing Bundles."""

    winner = serializers.CharField(required=False, help_text="The seat with more cards, or level.")
    last = serializers.CharField(required=False, help_text="The seat that captured last.")
    steals = serializers.IntegerField(required=False, help_text="How many bundles were stolen.")
    left_over = serializers.IntegerField(
        required=False, help_text="Cards on the table at the end, which went to who captured last."
    )
    board = serializers.CharField(
        required=False, help_text="The four cards that lay open at first: 7s2h7dKc."
    )
    play = serializers.CharField(
        required=False, help_text="The 48 cards as they were played: everything else follows from them."
    )


class StealingBundlesFront(GameFront):
    """A scoresheet by cards, and the rules."""

    maker = StealingBundlesMaker
    plain_form = StealingBundlesDealForm
    record_serializer = StealingBundlesRecordSerializer
    summary = gettext_lazy("A children’s game for two: match a card to capture it, or steal a whole bundle.")
    length = gettext_lazy("six deals: about half an hour")
    rules_page = "stealing_bundles/rules.html"
    scoring = "games/_worth.html"

    def rules_content(self) -> Json:
        return rules_page.content()

    def paper_how(self) -> str:
        return _("Write how many cards each player has: 52 together.")

    def paper_columns(self) -> tuple[Sequence[str], Sequence[str]]:
        return (_("Captured last"), _("Bundles stolen")), ()

    def scoring_values(self) -> Any:
        return rules_page.worth()
