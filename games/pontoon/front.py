"""What people see of Pontoon beside what every game has: its scoresheet and its rules."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from engine.pontoon.game import BY_BOARD, PONTOON
from engine.pontoon.play import BEST, BUST, FIVE, PLAIN
from engine.pontoon.play import PONTOON as NATURAL
from games.front import GameFront, Json, TotalsRecordSerializer
from games.pontoon import rules_page
from games.records.display.sheets import SheetMaker
from games.records.parsing import options_of
from games.records.plain_form import (
    TappedForm,
    as_cards,
    cards_field,
    number_field,
    number_of,
    tapped_field,
    text_of,
)
from league.models import Fixture

KINDS = (
    (NATURAL, gettext_lazy("pontoon")),
    (FIVE, gettext_lazy("five-card trick")),
    (PLAIN, gettext_lazy("total")),
    (BUST, gettext_lazy("bust")),
)
#: Hands after a split are written beside each other: "19 / bust", and their cards likewise.
BETWEEN = "/"
LONGEST_ROW = 120


class PontoonDealForm(TappedForm):
    """Each player's hand by a tap, or its total, and the stake at the end: the points follow."""

    template = "pontoon/_plain_deal.html"
    hint = gettext_lazy(
        "Tap what each hand was, or type its total, with the stake at the end: the points follow. "
        "The banker stakes nothing."
    )

    def read_labels(self, fixture: Fixture, content: dict[str, Any], deal: int) -> None:
        keys = [key for key, _side in self.sides]
        first = content.get("first_dealer")
        self.asks_banker = options_of(fixture)["bank"] != BY_BOARD
        self.banker = (
            "" if self.asks_banker or first not in keys else PONTOON.dealer_after(first, deal, len(keys))
        )

    def add_fields(self) -> None:
        self.fields["banker"] = tapped_field(_("Banker"), self.sides)
        for key, _side in self.sides:
            self.fields[f"kind-{key}"] = tapped_field(_("Hand"), KINDS)
            self.fields[f"count-{key}"] = number_field(_("Total"))
            self.fields[f"stake-{key}"] = number_field(_("Stake at the end"))
            self.fields[f"first-{key}"] = number_field(_("First stake"))
            self.fields[f"more-{key}"] = cards_field(
                _("Further hands after a split (19 / bust)"), LONGEST_ROW
            )
            self.fields[f"cards-{key}"] = cards_field(_("Cards"), LONGEST_ROW)
        super().add_fields()

    def rows(self) -> list[dict[str, Any]]:
        """The fields of each player, for the template."""
        found = []
        for key, side in self.sides:
            is_banker = key == self.banker
            numbers = [self[f"count-{key}"], *(() if is_banker else (self[f"stake-{key}"],))]
            more = ("cards",) if is_banker else ("first", "more", "cards")
            found.append(
                {
                    "name": _("%(side)s (banker)") % {"side": side} if is_banker else side,
                    "kind": self[f"kind-{key}"],
                    "numbers": numbers,
                    "more": [self[f"{name}-{key}"] for name in more],
                }
            )
        return found

    def has_more(self) -> bool:
        """Whether anything is filled in that few people write down."""
        names = ("first", "more", "cards", "total")
        has_banker = self.asks_banker and self["banker"].value()
        return bool(has_banker) or any(
            self[f"{name}-{key}"].value() for key, _side in self.sides for name in names
        )

    def record(self) -> dict[str, Any]:
        data, found = self.cleaned_data, super().record()
        hands = {key: self._hands(key) for key, _side in self.sides}
        hands = {key: own for key, own in hands.items() if own}
        first = {key: number_of(data[f"first-{key}"]) for key, _side in self.sides if data[f"first-{key}"]}
        given = {"banker": data["banker"], "first": first, "hands": hands}
        return {**found, **{name: value for name, value in given.items() if value}}

    def _hands(self, key: str) -> list[dict[str, Any]]:
        """The hands of a player; all that come from a split have the same stake."""
        data = self.cleaned_data
        first = _hand(data[f"kind-{key}"] or data[f"count-{key}"], data[f"count-{key}"])
        hands = [first, *(_hand(text) for text in _parts(data[f"more-{key}"]))]
        cards = _parts(data[f"cards-{key}"])
        hands += [{} for _hand_of_cards in cards[len(hands) :]]
        for hand, held in zip(hands, cards, strict=False):
            hand["cards"] = as_cards(held)
        stake = number_of(data[f"stake-{key}"])
        if stake != "":
            hands = [{**hand, "stake": stake} for hand in hands]
        return hands if any(hands) else []

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        found = super().texts_of(record)
        found["banker"] = text_of(record.get("banker"))
        hands, first = record.get("hands"), record.get("first")
        for key, _side in self.sides:
            found[f"first-{key}"] = text_of(first.get(key)) if isinstance(first, dict) else ""
            own = hands.get(key) if isinstance(hands, dict) else None
            given = [hand for hand in own if isinstance(hand, dict)] if isinstance(own, list) else []
            main, *others = given or [{}]
            found[f"kind-{key}"] = text_of(main.get("kind"))
            found[f"count-{key}"] = text_of(main.get("total"))
            found[f"stake-{key}"] = text_of(main.get("stake"))
            found[f"more-{key}"] = f" {BETWEEN} ".join(map(_text, others))
            cards = [text_of(hand.get("cards")) for hand in given]
            found[f"cards-{key}"] = f" {BETWEEN} ".join(cards) if any(cards) else ""
        return found


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(BETWEEN)] if text.strip() else []


def _hand(text: str, total: str = "") -> dict[str, Any]:
    """A hand by its kind or its total: a total above 21 is bust."""
    words = {str(name).casefold(): kind for kind, name in KINDS} | {kind: kind for kind, _name in KINDS}
    kind = words.get(text.casefold(), "")
    count = number_of(total if kind else text)
    if not kind and isinstance(count, int):
        kind = BUST if count > BEST else PLAIN
    given = {"kind": kind or text, "total": count}
    return {name: value for name, value in given.items() if value != ""}


def _text(hand: dict[str, Any]) -> str:
    """A further hand as it is typed: the total where that says it all."""
    kind, total = hand.get("kind"), hand.get("total")
    return text_of(total if kind in (PLAIN, None) and total is not None else kind)


class PontoonMaker(SheetMaker):
    """The deals of a sheet with what was written down of them."""

    def facts(self, index: int) -> Iterable[tuple[str, str]]:
        record = self.record(index)
        banker = record.get("banker", "")
        if not banker and "hands" in record and options_of(self.fixture)["bank"] == BY_BOARD:
            banker = self.dealer(index)
        yield _("Banker"), self.side_name(banker)
        for seat, own in record.get("hands", {}).items():
            yield self.side_name(seat), "; ".join(_told(hand, has_stake=seat != banker) for hand in own)


def _told(hand: dict[str, Any], *, has_stake: bool) -> str:
    kind = hand.get("kind", PLAIN)
    words = str(hand.get("total", "")) if kind == PLAIN else str(dict(KINDS)[kind])
    stake = _("stake %(points)s") % {"points": hand["stake"]} if has_stake and "stake" in hand else ""
    return ", ".join(filter(None, (words, stake)))


class PontoonRecordSerializer(TotalsRecordSerializer):
    """One deal of Pontoon."""

    banker = serializers.CharField(required=False, help_text="The seat; follows from the order of the deals.")
    first = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="First stakes, by seat."
    )
    hands = serializers.DictField(
        child=serializers.ListField(child=serializers.DictField()),
        required=False,
        help_text=(
            "By seat, each with kind (pontoon, five, plain, bust), total, stake at the end and cards, "
            "as far as you know them."
        ),
    )


class PontoonFront(GameFront):
    """A scoresheet by hands and stakes, and the rules."""

    maker = PontoonMaker
    plain_form = PontoonDealForm
    record_serializer = PontoonRecordSerializer
    summary = gettext_lazy(
        "The British way to 21: stake on a card, then buy, twist or stick against the bank."
    )
    length = gettext_lazy("everybody banks twice: about 30 minutes with four")
    rules_page = "pontoon/rules.html"
    scoring = "games/_worth.html"

    def rules_content(self) -> Json:
        return rules_page.content()

    def paper_how(self) -> str:
        return _(
            "Write each hand (P for pontoon, 5C for five cards, B for bust, else its total) and the stake at the end."
        )

    def paper_columns(self) -> tuple[Sequence[str], Sequence[str]]:
        return (_("Banker"),), (_("Hand"), _("Stake"))

    def scoring_values(self) -> Any:
        return rules_page.worth()
