"""What people see of Auction Pinochle beside what every game has: its scoresheet and its rules."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from engine.pinochle.auction.play import BETE, DOUBLE_BETE, KITTY, MADE, PASSED_OUT, THROWN_IN
from games.front import GameFront, Json, TotalsRecordSerializer
from games.pinochle import auction_rules
from games.records.display.sheets import SheetMaker
from games.records.plain_form import TappedForm, number_field, number_of, tapped_field, text_of
from games.templatetags.cards import suit_choices, suit_name

#: AP23: how a deal can end.
OUTCOMES = {
    MADE: gettext_lazy("contract made"),
    DOUBLE_BETE: gettext_lazy("contract lost (double bete)"),
    BETE: gettext_lazy("given up after the widow (bete)"),
    THROWN_IN: gettext_lazy("thrown in before the widow"),
    PASSED_OUT: gettext_lazy("passed out"),
}
TAPPED = ("bidder", "trump", "outcome")
TYPED = ("contract", "meld", "cards", KITTY)


class AuctionDealForm(TappedForm):
    """Bidder, trumps and how it ended by tapping, the contract typed: the points follow."""

    template = "pinochle/_auction_deal.html"
    hint = gettext_lazy(
        "Tap who played alone, trumps and how it ended, and enter the contract. The points follow from that."
    )

    def add_fields(self) -> None:
        suits = suit_choices()
        self.fields["bidder"] = tapped_field(_("Bidder"), self.sides)
        self.fields["contract"] = number_field(_("Contract"))
        self.fields["trump"] = tapped_field(_("Trumps"), suits)
        self.fields["outcome"] = tapped_field(_("How it ended"), OUTCOMES.items())
        self.fields["meld"] = number_field(_("Melds"))
        self.fields["cards"] = number_field(_("Points in cards"))
        super().add_fields()
        self.fields[KITTY] = number_field(_("Kitty"))

    def deal_fields(self) -> list[Any]:
        """The fields that tell the points, for the template."""
        return [self[name] for name in ("bidder", "contract", "trump", "outcome")]

    def bidder_fields(self) -> list[Any]:
        """What the bidder made, for the template."""
        return [self["meld"], self["cards"]]

    def points_fields(self) -> list[Any]:
        """The points, for the template."""
        return [*self.claim_fields(), self[KITTY]]

    def has_more(self) -> bool:
        """Whether any of these is filled in."""
        return any(each.value() for each in (*self.bidder_fields(), *self.points_fields()))

    def record(self) -> dict[str, Any]:
        data, found = self.cleaned_data, super().record()
        given = {
            **{name: data[name] for name in TAPPED},
            **{name: number_of(data[name]) for name in TYPED},
        }
        return {**found, **{name: value for name, value in given.items() if value != ""}}

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        found = super().texts_of(record)
        return {**found, **{name: text_of(record.get(name)) for name in (*TAPPED, *TYPED)}}


class AuctionMaker(SheetMaker):
    """The deals of a sheet with what was written down of them."""

    def facts(self, index: int) -> Iterable[tuple[str, str]]:
        record = self.record(index)
        return (
            (_("Bidder"), self.side_name(record.get("bidder", ""))),
            (_("Contract"), str(record.get("contract", ""))),
            (_("Trumps"), suit_name(record.get("trump", ""))),
            (_("How it ended"), str(OUTCOMES.get(record.get("outcome", ""), ""))),
            (_("Melds"), str(record.get("meld", ""))),
            (_("Points in cards"), str(record.get("cards", ""))),
            (_("Kitty"), str(record.get(KITTY, ""))),
        )


class AuctionRecordSerializer(TotalsRecordSerializer):
    """One deal of Auction Pinochle."""

    bidder = serializers.CharField(required=False, help_text="The seat that played alone.")
    contract = serializers.IntegerField(required=False, help_text="The last bid: 300 to 700.")
    trump = serializers.CharField(required=False, help_text="s, h, d or c.")
    outcome = serializers.CharField(
        required=False, help_text="made, bete, double-bete, thrown-in or passed-out."
    )
    meld = serializers.IntegerField(required=False, help_text="What the bidder's melds are worth.")
    cards = serializers.IntegerField(
        required=False, help_text="The bidder's points in cards, buried ones and last trick included."
    )
    kitty = serializers.IntegerField(required=False, help_text="What the kitty got or, below 0, paid.")


class AuctionFront(GameFront):
    """A scoresheet by contract and outcome, and the rules."""

    maker = AuctionMaker
    plain_form = AuctionDealForm
    record_serializer = AuctionRecordSerializer
    summary = gettext_lazy("Bid for three hidden cards, then play alone against two.")
    length = gettext_lazy("four deals each: one to two hours")
    rules_page = "pinochle/auction_rules.html"
    scoring = "pinochle/_auction_scoring.html"

    def rules_content(self) -> Json:
        return auction_rules.content()

    def paper_how(self) -> str:
        return _(
            "Write bidder, contract, trumps and how it ended: the points follow. Melds and cards are welcome."
        )

    def paper_columns(self) -> tuple[Sequence[str], Sequence[str]]:
        return (_("Bidder"), _("Contract"), _("Trumps"), _("Melds"), _("Cards"), _("Kitty")), ()

    def scoring_values(self) -> Any:
        return auction_rules.worth()
