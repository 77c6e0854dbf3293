"""What people see of Play or Pay beside what every game has: its scoresheet and its rules."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from games.front import GameFront, Json, TotalsRecordSerializer
from games.play_or_pay import rules_page
from games.records.display.sheets import SheetMaker
from games.records.plain_form import TappedForm, number_field, number_of, tapped_field, text_of


class PlayOrPayDealForm(TappedForm):
    """Who was out, by a tap, and what the others paid and held: the scores follow."""

    template = "play_or_pay/_plain_deal.html"
    claims = ("paid", "left")
    hint = gettext_lazy(
        "Tap who was out first, and enter what the others paid and how many cards they had left. The scores follow."
    )

    def add_fields(self) -> None:
        self.fields["winner"] = tapped_field(_("Out first"), self.sides)
        super().add_fields()
        for key, side in self.sides:
            self.fields[f"total-{key}"] = number_field(_("Score of %(side)s") % {"side": side})

    def titles(self) -> dict[str, str]:
        return {"paid": _("Paid by %(side)s"), "left": _("Cards left of %(side)s")}

    def record(self) -> dict[str, Any]:
        found, data = super().record(), self.cleaned_data
        typed = {key: number_of(data[f"total-{key}"]) for key, _side in self.sides}
        total = {key: number for key, number in typed.items() if number != ""}
        given = {"winner": data["winner"], "total": total}
        return {**found, **{name: value for name, value in given.items() if value}}

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        total = record.get("total")
        by_side = total if isinstance(total, dict) else {}
        totals = {f"total-{key}": text_of(by_side.get(key)) for key, _side in self.sides}
        return {**super().texts_of(record), **totals, "winner": text_of(record.get("winner"))}


class PlayOrPayMaker(SheetMaker):
    """The deals of a sheet with what was written down of them."""

    def facts(self, index: int) -> Iterable[tuple[str, str]]:
        record = self.record(index)
        return (
            (_("Out first"), self.side_name(record.get("winner", ""))),
            (_("Paid"), self.by_side(record.get("paid", {}))),
            (_("Cards left"), self.by_side(record.get("left", {}))),
        )


class PlayOrPayRecordSerializer(TotalsRecordSerializer):
    """One deal of Play or Pay."""

    winner = serializers.CharField(required=False, help_text="The seat that was out first.")
    paid = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="What each seat paid into the pot."
    )
    left = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="How many cards each seat had left."
    )


class PlayOrPayFront(GameFront):
    """A scoresheet by who was out and what the others paid, and the rules."""

    maker = PlayOrPayMaker
    plain_form = PlayOrPayDealForm
    record_serializer = PlayOrPayRecordSerializer
    summary = gettext_lazy("Play the next card of the suit, or pay a point. A game for the whole family.")
    length = gettext_lazy("six deals: about 30 minutes")
    rules_page = "play_or_pay/rules.html"
    scoring = "games/_worth.html"

    def rules_content(self) -> Json:
        return rules_page.content()

    def paper_how(self) -> str:
        return _("Write what each player paid and how many cards they had left. The winner gets the sum.")

    def paper_columns(self) -> tuple[Sequence[str], Sequence[str]]:
        return (_("Out first"),), (_("Paid"), _("Cards left"))

    def scoring_values(self) -> Any:
        return rules_page.worth()
