"""What people see of Écarté beside what every game has: its scoresheet and its rules."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from engine.ecarte.play import SEATS, TRICKS
from engine.ecarte.records import NOBODY
from games.ecarte import rules_page
from games.front import GameFront, Json, TotalsRecordSerializer
from games.records.display.sheets import SheetMaker
from games.records.parsing import options_of
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
from games.templatetags.cards import card_name, in_symbols

#: The king of trumps as it is tapped: shown, turned up, or neither.
SHOWN, TURNED = "shown-", "turned-"


class EcarteDealForm(TappedForm):
    """Tricks, king and who was vulnerable by tapping: the points follow."""

    hint = gettext_lazy("Tap the tricks, the king and who was vulnerable, or just enter the points.")

    def add_fields(self) -> None:
        _key, name = self.sides[0]
        counts = [(str(count), f"{count} : {TRICKS - count}") for count in range(TRICKS, -1, -1)]
        self.fields["tricks"] = tapped_field(_("Tricks, %(side)s first") % {"side": name}, counts)
        kings = [
            *((SHOWN + key, _("%(side)s showed it") % {"side": side}) for key, side in self.sides),
            *((TURNED + key, _("%(side)s turned it up") % {"side": side}) for key, side in self.sides),
            (NOBODY, _("no point for it")),
        ]
        self.fields["king"] = tapped_field(_("King of trumps"), kings)
        self.fields["vulnerable"] = tapped_field(_("Vulnerable"), (*self.sides, (NOBODY, _("nobody"))))
        self.fields["exchanges"] = number_field(_("Exchanges"))
        self.fields["turned"] = cards_field(_("Card turned up"), 3)
        self.fields["play"] = cards_field(
            _("The play"), 40, _("The ten cards in the order in which they were played: KhQh7s8s")
        )
        super().add_fields()

    def record(self) -> dict[str, Any]:
        data, found = self.cleaned_data, super().record()
        if data["tricks"]:
            first = int(data["tricks"])
            found["tricks"] = dict(zip(SEATS, (first, TRICKS - first), strict=True))
        king = data["king"]
        if king == NOBODY:
            found |= {"king": NOBODY, "turned_king": NOBODY}
        elif king.startswith(TURNED):
            found["turned_king"] = king.removeprefix(TURNED)
        elif king:
            found["king"] = king.removeprefix(SHOWN)
        given = {
            "vulnerable": data["vulnerable"],
            "exchanges": number_of(data["exchanges"]),
            "turned": as_cards(data["turned"]),
            "play": as_cards(data["play"]),
        }
        return {**found, **{name: value for name, value in given.items() if value != ""}}

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        found = super().texts_of(record)
        found.update(
            {name: text_of(record.get(name)) for name in ("vulnerable", "exchanges", "turned", "play")}
        )
        tricks = record.get("tricks")
        first = tricks.get(SEATS[0]) if isinstance(tricks, dict) else None
        turned, king = record.get("turned_king"), record.get("king")
        if turned is None and str(record.get("turned"))[0] == "K":
            turned = record.get("dealer")
        if turned in SEATS:
            found["king"] = f"{TURNED}{turned}"
        elif king is not None:
            found["king"] = king if king == NOBODY else f"{SHOWN}{king}"
        return {**found, "tricks": text_of(first)}


class EcarteMaker(SheetMaker):
    """The deals of a sheet with what was written down of them."""

    def total_name(self) -> str:
        """EC15: of a match of several games the totals are games."""
        return _("Games won") if int(options_of(self.fixture).get("games", 1)) > 1 else ""

    def facts(self, index: int) -> Iterable[tuple[str, str]]:
        record = self.record(index)
        named = {**{side: self.side_name(side) for side in self.sides}, NOBODY: _("nobody")}
        tricks, play = record.get("tricks", {}), record.get("play", "")
        turned = named.get(record.get("turned_king", NOBODY), "")
        return (
            (_("Card turned up"), card_name(record["turned"]) if "turned" in record else ""),
            (_("Exchanges"), str(record.get("exchanges", ""))),
            (_("Vulnerable"), named.get(record.get("vulnerable", ""), "")),
            (_("King turned up"), turned if record.get("turned_king") in SEATS else ""),
            (_("King shown"), named[record["king"]] if record.get("king") in SEATS else ""),
            (_("Tricks"), self.by_side(tricks)),
            (_("The play"), in_symbols(in_twos(play), " ")),
        )


class EcarteRecordSerializer(TotalsRecordSerializer):
    """One deal of Écarté."""

    turned = serializers.CharField(required=False, help_text="The card that was turned up.")
    exchanges = serializers.IntegerField(required=False, help_text="How many there were.")
    vulnerable = serializers.CharField(required=False, help_text="The seat, or - for nobody.")
    turned_king = serializers.CharField(
        required=False, help_text="The seat that dealt and turned up a king, or - for nobody."
    )
    king = serializers.CharField(
        required=False, help_text="The seat that showed the king of trumps, or - for nobody."
    )
    tricks = serializers.DictField(child=serializers.IntegerField(), required=False, help_text="By seat.")
    play = serializers.CharField(
        required=False,
        help_text="The ten cards as they were played: with the turned card they tell the tricks.",
    )
    running = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="Points in the game after this deal."
    )


class EcarteFront(GameFront):
    """A scoresheet by its parts, and the rules."""

    maker = EcarteMaker
    plain_form = EcarteDealForm
    record_serializer = EcarteRecordSerializer
    summary = gettext_lazy("The French game for two: five cards, and the art of knowing when to exchange.")
    length = gettext_lazy("best of five games to 5 points: about 40 minutes")
    rules_page = "ecarte/rules.html"
    scoring = "games/_worth.html"

    def rules_content(self) -> Json:
        return rules_page.content()

    def paper_how(self) -> str:
        return _(
            "Write the points of each deal. With the tricks, the king and who was vulnerable we can check them."
        )

    def paper_columns(self) -> tuple[Sequence[str], Sequence[str]]:
        return (_("Turned up"), _("Exchanges"), _("Vulnerable"), _("King")), (_("Tricks"),)

    def scoring_values(self) -> Any:
        return rules_page.worth()
