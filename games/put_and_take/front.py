"""What people see of Put and Take beside what every game has: its scoresheet and its rules."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from engine.put_and_take.play import HAND, TURNED
from games.front import GameFront, Json, TotalsRecordSerializer
from games.put_and_take import rules_page
from games.records.display.sheets import SheetMaker
from games.records.plain_form import TappedForm, as_cards, cards_field, in_twos, tapped_field, text_of
from games.templatetags.cards import in_symbols


class PutAndTakeDealForm(TappedForm):
    """The points, or the hands and the ten cards that were turned, from which they follow."""

    template = "put_and_take/_plain_deal.html"
    hint = gettext_lazy(
        "Enter the points. Or enter the hands and the ten cards that were turned: the points follow."
    )

    def add_fields(self) -> None:
        super().add_fields()
        self.fields["dealer"] = tapped_field(_("Dealer"), self.sides)
        self.fields["put"] = cards_field(_("Put cards"), 3 * TURNED)
        self.fields["take"] = cards_field(_("Take cards"), 3 * TURNED)
        for key, side in self.sides:
            self.fields[f"hand-{key}"] = cards_field(side, 3 * HAND)

    def turned_fields(self) -> list[Any]:
        """The cards that were turned, for the template."""
        return [self["put"], self["take"]]

    def hand_fields(self) -> list[Any]:
        """The hands, for the template."""
        return [self[f"hand-{key}"] for key, _side in self.sides]

    def has_more(self) -> bool:
        """Whether any card is filled in."""
        return any(each.value() for each in (*self.turned_fields(), *self.hand_fields(), self["dealer"]))

    def record(self) -> dict[str, Any]:
        data, found = self.cleaned_data, super().record()
        hands = {key: as_cards(data[f"hand-{key}"]) for key, _side in self.sides}
        given = {
            "dealer": data["dealer"],
            "put": as_cards(data["put"]),
            "take": as_cards(data["take"]),
            "hands": {key: hand for key, hand in hands.items() if hand},
        }
        return {**found, **{name: value for name, value in given.items() if value}}

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        found, hands = super().texts_of(record), record.get("hands")
        held = hands if isinstance(hands, dict) else {}
        found |= {f"hand-{key}": text_of(held.get(key)) for key, _side in self.sides}
        return {**found, **{name: text_of(record.get(name)) for name in ("dealer", "put", "take")}}


class PutAndTakeMaker(SheetMaker):
    """The deals of a sheet with what was written down of them."""

    def facts(self, index: int) -> Iterable[tuple[str, str]]:
        record = self.record(index)
        hands = record.get("hands", {})
        return (
            (_("Dealer"), self.side_name(record.get("dealer", ""))),
            (_("Hands"), self.by_side({seat: _cards(hand) for seat, hand in hands.items()})),
            (_("Put cards"), _cards(record.get("put", ""))),
            (_("Take cards"), _cards(record.get("take", ""))),
        )


def _cards(cards: str) -> str:
    return in_symbols(in_twos(cards))


class PutAndTakeRecordSerializer(TotalsRecordSerializer):
    """One deal of Put and Take."""

    hands = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="Five cards of each seat but the dealer’s."
    )
    put = serializers.CharField(required=False, help_text="The put cards in their order: 9c4dKs9h2s.")
    take = serializers.CharField(required=False, help_text="The take cards in their order.")


class PutAndTakeFront(GameFront):
    """A scoresheet by points or by cards, and the rules."""

    maker = PutAndTakeMaker
    plain_form = PutAndTakeDealForm
    record_serializer = PutAndTakeRecordSerializer
    summary = gettext_lazy(
        "Pure luck for up to nine: five cards tell you to pay, five to take. Nothing to decide."
    )
    length = gettext_lazy("six deals: about 15 minutes")
    rules_page = "put_and_take/rules.html"
    scoring = "games/_worth.html"

    def rules_content(self) -> Json:
        return rules_page.content()

    def paper_how(self) -> str:
        return _("Write what each player won or lost. With the cards that were turned we can check it.")

    def paper_columns(self) -> tuple[Sequence[str], Sequence[str]]:
        return (_("Dealer"), _("Put cards"), _("Take cards")), ()

    def scoring_values(self) -> Any:
        return rules_page.worth()
