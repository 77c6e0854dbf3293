"""What people see of Twenty Down beside what every game has: its scoresheet and its rules."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from engine.twenty_down.play import TRICKS
from games.front import GameFront, Json, TotalsRecordSerializer
from games.records.display.sheets import SheetMaker
from games.records.plain_form import TappedForm, number_field, number_of, tapped_field, text_of
from games.templatetags.cards import suit_choices, suit_name
from games.twenty_down import rules_page

#: How a player who was out, or whose tricks are not known, is tapped.
OUT, IN = "out", "in"
YES, NO = "yes", "no"


class TwentyDownDealForm(TappedForm):
    """Trumps, and of each player the tricks or that they were out, a tap each: the points follow."""

    hint = gettext_lazy("Tap trumps, and of each player the tricks or “out”. The points follow.")

    def add_fields(self) -> None:
        suits = suit_choices()
        self.fields["trump"] = tapped_field(_("Trumps"), suits)
        counts = [(str(count), str(count)) for count in range(TRICKS + 1)]
        for key, side in self.sides:
            played = [(OUT, _("out")), *counts, (IN, _("in, tricks unknown"))]
            self.fields[f"tricks-{key}"] = tapped_field(_("Tricks of %(side)s") % {"side": side}, played)
        for key, side in self.sides:
            self.fields[f"running-{key}"] = number_field(_("Running total of %(side)s") % {"side": side})
        super().add_fields()

    def record(self) -> dict[str, Any]:
        data, found = self.cleaned_data, super().record()
        tapped = {key: data[f"tricks-{key}"] for key, _side in self.sides if data[f"tricks-{key}"]}
        running = {key: number_of(data[f"running-{key}"]) for key, _side in self.sides}
        given = {
            "trump": data["trump"],
            "in": {key: NO if text == OUT else YES for key, text in tapped.items()},
            "tricks": {key: 0 if text == OUT else int(text) for key, text in tapped.items() if text != IN},
            "running": {key: points for key, points in running.items() if points != ""},
        }
        return {**found, **{name: value for name, value in given.items() if value}}

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        found = super().texts_of(record)
        playing, tricks, running = (
            given if isinstance(given, dict) else {}
            for given in (record.get("in"), record.get("tricks"), record.get("running"))
        )
        for key, _side in self.sides:
            known = text_of(tricks.get(key)) or (IN if playing.get(key) == YES else "")
            found[f"tricks-{key}"] = OUT if playing.get(key) == NO else known
            found[f"running-{key}"] = text_of(running.get(key))
        return {**found, "trump": text_of(record.get("trump"))}


class TwentyDownMaker(SheetMaker):
    """The deals of a sheet with what was written down of them."""

    def facts(self, index: int) -> Iterable[tuple[str, str]]:
        record = self.record(index)
        playing = record.get("in", {})
        tricks = {side: won for side, won in record.get("tricks", {}).items() if playing.get(side) != NO}
        out = [self.side_name(side) for side, answer in playing.items() if answer == NO]
        return (
            (_("Trumps"), suit_name(record.get("trump", ""))),
            (_("Tricks"), self.by_side(tricks)),
            (_("Out"), ", ".join(out)),
            (_("Running total"), self.by_side(record.get("running", {}))),
        )


class TwentyDownRecordSerializer(TotalsRecordSerializer):
    """One deal of Twenty Down."""

    trump = serializers.CharField(required=False, help_text="s, h, d or c.")
    tricks = serializers.DictField(child=serializers.IntegerField(), required=False, help_text="By seat.")
    running = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="By seat: what is left after this deal."
    )

    def get_fields(self) -> dict[str, Any]:
        """With the one whose name Python has for itself."""
        playing = serializers.DictField(
            child=serializers.CharField(), required=False, help_text="By seat: yes for who was in, no."
        )
        return {**super().get_fields(), "in": playing}


class TwentyDownFront(GameFront):
    """A scoresheet by tricks, and the rules."""

    maker = TwentyDownMaker
    plain_form = TwentyDownDealForm
    record_serializer = TwentyDownRecordSerializer
    summary = gettext_lazy(
        "Take a trick and your twenty points melt; take none and they grow. Get out if you doubt."
    )
    length = gettext_lazy("from 20 down to 0: about 30 minutes")
    rules_page = "twenty_down/rules.html"
    scoring = "games/_worth.html"

    def rules_content(self) -> Json:
        return rules_page.content()

    def paper_how(self) -> str:
        return _("Write trumps, the tricks of each player (a dash means out), and each running total.")

    def paper_columns(self) -> tuple[Sequence[str], Sequence[str]]:
        return (_("Trumps"),), (_("Tricks"),)

    def scoring_values(self) -> Any:
        return rules_page.worth()
