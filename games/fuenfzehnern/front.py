"""What people see of Fünfzehnern beside what every game has: its scoresheet and its rules."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from games.front import GameFront, Json, TotalsRecordSerializer
from games.fuenfzehnern import rules_page
from games.records.display.sheets import SheetMaker
from games.records.plain_form import TotalsForm, cards_field, text_of
from games.templatetags.cards import in_symbols

# The play with its spaces, and something to be wrong with.
LONGEST = 150


class FuenfzehnernDealForm(TotalsForm):
    """The points that each player took: the scores follow."""

    template = "fuenfzehnern/_plain_deal.html"
    claims = ("taken", "tricks", "total")
    hint = gettext_lazy("Enter what each player took in points. The last one follows.")

    def add_fields(self) -> None:
        super().add_fields()
        self.fields["play"] = cards_field(
            _("The play"),
            LONGEST,
            _("All cards in the order in which they were played, a queen with Zwang as Qd!"),
        )

    def record(self) -> dict[str, Any]:
        play = _as_tokens(self.cleaned_data["play"])
        return {**super().record(), **({"play": play} if play else {})}

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        return {**super().texts_of(record), "play": text_of(record.get("play"))}

    def titles(self) -> dict[str, str]:
        return {"taken": "%(side)s", "tricks": _("Tricks of %(side)s"), "total": _("Score of %(side)s")}

    def taken_fields(self) -> list[Any]:
        """What each took, for the template."""
        return [self[f"taken-{key}"] for key, _side in self.sides]

    def more_fields(self) -> list[Any]:
        """The other fields, for the template."""
        return [
            *(self[f"{claim}-{key}"] for claim in self.claims[1:] for key, _side in self.sides),
            self["play"],
        ]

    def has_more(self) -> bool:
        """Whether any of these is filled in."""
        return any(each.value() for each in self.more_fields())


def _as_tokens(text: str) -> str:
    """Cards as the engine reads them, in whatever case they were typed: "qd! AD 10s" is "Qd!AdTs"."""
    plain = "".join(text.split()).upper().replace("10", "T")
    return re.sub("[SHDC]", lambda suit: suit.group().lower(), plain)


class FuenfzehnernMaker(SheetMaker):
    """The deals of a sheet with what was written down of them."""

    def facts(self, index: int) -> Iterable[tuple[str, str]]:
        record = self.record(index)
        # A queen played with Zwang is written Qd!.
        cards = re.findall(r"(.[shdc])(!?)", record.get("play", ""))
        return (
            (_("Points taken"), self.by_side(record.get("taken", {}))),
            (_("Tricks"), self.by_side(record.get("tricks", {}))),
            (_("The play"), " ".join(in_symbols((card,)) + zwang for card, zwang in cards)),
        )


class FuenfzehnernRecordSerializer(TotalsRecordSerializer):
    """One deal of Fünfzehnern."""

    taken = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="Points taken, by seat."
    )
    tricks = serializers.DictField(child=serializers.IntegerField(), required=False, help_text="By seat.")
    play = serializers.CharField(
        required=False,
        help_text="All cards as they were played, a queen with Zwang as Qd!: the rest follows.",
    )


class FuenfzehnernFront(GameFront):
    """A scoresheet by what was taken, and the rules."""

    maker = FuenfzehnernMaker
    plain_form = FuenfzehnernDealForm
    record_serializer = FuenfzehnernRecordSerializer
    summary = gettext_lazy(
        "An old German trick game without trumps: win the lead, and you’re bound to its suit."
    )
    length = gettext_lazy("eight deals, six with three players: about 45 minutes")
    rules_page = "fuenfzehnern/rules.html"
    scoring = "games/_worth.html"

    def rules_content(self) -> Json:
        return rules_page.content()

    def paper_how(self) -> str:
        return _("Write the points that each player took. The score is what was taken, less 15.")

    def paper_columns(self) -> tuple[Sequence[str], Sequence[str]]:
        return (), (_("Points taken"),)

    def scoring_values(self) -> Any:
        return rules_page.worth()
