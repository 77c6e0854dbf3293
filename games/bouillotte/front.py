"""What people see of Bouillotte beside what every game has: its scoresheet and its rules."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from engine.bouillotte.hands import CARRE, NAMES
from engine.bouillotte.play import PASSED_OUT, SHOWDOWN
from games.bouillotte import rules_page
from games.front import GameFront, Json, TotalsRecordSerializer
from games.records.plain_form import as_cards, cards_field, tapped_field, text_of
from games.records.staked_form import UNSEEN, StakedForm, StakedMaker
from games.templatetags.cards import card_name

ALL_FOLDED = gettext_lazy("nobody: all folded")


class BouillotteDealForm(StakedForm):
    """With the dealer, whom a deal that all folded costs the ante, and the payments for brelans."""

    hint = gettext_lazy(
        "Tap who won and with what, and enter what each player put in. If all folded, tap the dealer: that’s enough."
    )
    nobody = ALL_FOLDED
    stays = PASSED_OUT

    def hands(self) -> Iterable[tuple[str, Any]]:
        return (*((hand, _(name)) for hand, name in NAMES.items()), (UNSEEN, _("unseen")))

    def outcome_of(self, hand: str) -> str:
        return UNSEEN if hand == UNSEEN else SHOWDOWN

    def add_own_fields(self) -> None:
        self.fields["brelans"] = forms.MultipleChoiceField(
            label=_("Who else showed a brelan"),
            choices=self.sides,
            required=False,
            widget=forms.CheckboxSelectMultiple,
        )
        self.fields["dealer"] = tapped_field(_("Dealer"), self.sides)
        self.fields["up"] = cards_field(_("Card turned up"), 3)

    def record(self) -> dict[str, Any]:
        data, found = self.cleaned_data, super().record()
        winner, hand = data["winner"], data["with"]
        side = dict.fromkeys(data["brelans"], 1)
        if winner in dict(self.sides) and found.get("with") in {CARRE, "brelan"}:
            side[winner] = 2 if hand == CARRE else 1
        given = {"side": dict(sorted(side.items())), "dealer": data["dealer"], "up": as_cards(data["up"])}
        return {**found, **{name: value for name, value in given.items() if value}}

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        found, side = super().texts_of(record), record.get("side")
        paid = side if isinstance(side, dict) else {}
        found["brelans"] = [key for key, _side in self.sides if key in paid and key != record.get("winner")]
        return {**found, **{name: text_of(record.get(name)) for name in ("dealer", "up")}}


class BouillotteMaker(StakedMaker):
    """The deals of a sheet with all that was written down of them."""

    nobody = ALL_FOLDED
    stays = PASSED_OUT
    hand_names = NAMES

    def told(self, record: Any) -> list[tuple[str, str]]:
        up = record.get("up")
        return [
            (_("Each of the others paid"), self.by_side(record.get("side", {}))),
            (_("Card turned up"), card_name(up) if up else ""),
            (_("Dealer"), self.side_name(record.get("dealer", ""))),
        ]


class BouillotteRecordSerializer(TotalsRecordSerializer):
    """One deal of Bouillotte."""

    outcome = serializers.CharField(required=False, help_text="showdown, unseen or passed-out.")
    winner = serializers.CharField(required=False, help_text="The seat that took the pot.")
    put = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="What each put in, by seat."
    )
    folded = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="yes or no, by seat."
    )
    side = serializers.DictField(
        child=serializers.IntegerField(),
        required=False,
        help_text="What each of the others paid for a brelan, by the seat that showed it: 1 or 2.",
    )
    up = serializers.CharField(required=False, help_text="The card that was turned up.")
    hands = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="Hands that were shown, by seat: 9h9dKc."
    )
    pot = serializers.IntegerField(required=False, help_text="What the winner took.")
    again = serializers.CharField(required=False, help_text="yes or no: whether the same player deals again.")

    def get_fields(self) -> dict[str, Any]:
        """With the one whose name Python keeps to itself."""
        told = "What the pot was won with: brelan-carre, brelan, best-suit or point."
        return {**super().get_fields(), "with": serializers.CharField(required=False, help_text=told)}


class BouillotteFront(GameFront):
    """A scoresheet by stakes and hands, and the rules."""

    maker = BouillotteMaker
    plain_form = BouillotteDealForm
    record_serializer = BouillotteRecordSerializer
    summary = gettext_lazy(
        "The staking game of old France: three cards each, and one that lies open for all."
    )
    length = gettext_lazy("sixteen deals: about 40 minutes")
    rules_page = "bouillotte/rules.html"
    scoring = "games/_worth.html"

    def rules_content(self) -> Json:
        return rules_page.content()

    def paper_how(self) -> str:
        return _(
            "Write what each player put in, and the score. If all folded, the same player deals again: correct the "
            "dealers below."
        )

    def paper_columns(self) -> tuple[Sequence[str], Sequence[str]]:
        return (_("Won with"),), (_("Put in"),)

    def scoring_values(self) -> Any:
        return rules_page.worth()
