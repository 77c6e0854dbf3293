"""What people see of Tien Len beside what every game has: its scoresheet and its rules."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from engine.tien_len.play import HAND
from games.front import GameFront, Json, TotalsRecordSerializer
from games.records.display.sheets import SheetMaker
from games.records.plain_form import TappedForm, as_cards, cards_field, in_twos, tapped_field, text_of
from games.templatetags.cards import in_symbols
from games.tien_len import rules_page

PLACES = (gettext_lazy("First out"), gettext_lazy("Second out"), gettext_lazy("Third out"))


class TienLenDealForm(TappedForm):
    """In which order players went out, a tap for each; or only who lost."""

    hint = gettext_lazy("Tap who went out first, second and so on. Who was last follows.")

    def add_fields(self) -> None:
        for place, name in enumerate(PLACES[: len(self.sides) - 1]):
            self.fields[f"out-{place}"] = tapped_field(name, self.sides)
        self.fields["loser"] = tapped_field(_("Last, with cards left"), self.sides)
        self.fields["left"] = cards_field(_("Cards that the last player had left"), 3 * HAND)
        super().add_fields()

    def record(self) -> dict[str, Any]:
        data, found = self.cleaned_data, super().record()
        seats = [key for key, _side in self.sides]
        out = [data[f"out-{place}"] for place in range(len(seats) - 1)]
        if any(out):
            # Whoever is left was last; anything else the engine complains of.
            rest = [seat for seat in seats if seat not in out]
            found["order"] = [*(seat for seat in out if seat), *(rest if all(out) else [])]
        given = {"loser": data["loser"], "left": as_cards(data["left"])}
        return {**found, **{name: value for name, value in given.items() if value}}

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        found, order = super().texts_of(record), record.get("order")
        out = order if isinstance(order, list) else []
        found |= {f"out-{place}": text_of(seat) for place, seat in enumerate(out[: len(self.sides) - 1])}
        return {**found, **{name: text_of(record.get(name)) for name in ("loser", "left")}}


class TienLenMaker(SheetMaker):
    """The deals of a sheet with what was written down of them."""

    def facts(self, index: int) -> Iterable[tuple[str, str]]:
        record = self.record(index)
        loser = record.get("loser", "") if "order" not in record else ""
        cards = in_symbols(in_twos(record.get("left", "")))
        return (
            (_("Order of going out"), ", ".join(map(self.side_name, record.get("order", ())))),
            (_("Last, with cards left"), self.side_name(loser)),
            (_("Cards left"), cards),
        )


class TienLenRecordSerializer(TotalsRecordSerializer):
    """One deal of Tien Len."""

    order = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="The seats as they went out, the loser last."
    )
    loser = serializers.CharField(
        required=False, help_text="The seat that was last, if that is all you know."
    )
    leader = serializers.CharField(required=False, help_text="The seat that began.")
    left = serializers.CharField(required=False, help_text="The cards that the last player had left: 3c5h9d.")


class TienLenFront(GameFront):
    """A scoresheet by the order of going out, and the rules."""

    maker = TienLenMaker
    plain_form = TienLenDealForm
    record_serializer = TienLenRecordSerializer
    summary = gettext_lazy("Vietnam’s favourite: get rid of your cards, keep your twos, and beware of bombs.")
    length = gettext_lazy("twelve deals: about an hour")
    rules_page = "tien_len/rules.html"
    scoring = "games/_worth.html"

    def rules_content(self) -> Json:
        return rules_page.content()

    def paper_how(self) -> str:
        return _(
            "Write the place of each player: 1 for who went out first. The points follow from the places."
        )

    def paper_columns(self) -> tuple[Sequence[str], Sequence[str]]:
        return (_("Cards left"),), (_("Place"),)

    def scoring_values(self) -> Any:
        return rules_page.worth()
