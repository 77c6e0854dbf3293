"""What people see of Kowah beside what every game has: its scoresheet and its rules."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from engine.kowah.play import CLAIM, DRAW, OUT_OF_STOCK, STALEMATE, WON
from games.front import GameFront, Json, TotalsRecordSerializer
from games.kowah import rules_page
from games.records.display.sheets import SheetMaker
from games.records.plain_form import (
    TappedForm,
    as_cards,
    cards_field,
    number_field,
    number_of,
    tapped_field,
    text_of,
)
from games.templatetags.cards import card_name

#: The winner of a deal that nobody won; a card that was claimed from a seat.
NOBODY, FROM = "-", "from-"
#: A card, and something to be wrong with.
LONGEST = 3
ENDS = {
    OUT_OF_STOCK: gettext_lazy("nobody: the stock was used up"),
    STALEMATE: gettext_lazy("nobody: everybody only took from the pile"),
}


class KowahDealForm(TappedForm):
    """Who won, by a tap; how, and the pairs that were shown, for those who write them down."""

    claims = ()
    hint = gettext_lazy("Tap who won the deal. The rest is only for checking.")

    def add_fields(self) -> None:
        self.fields["winner"] = tapped_field(_("Winner"), (*self.sides, (NOBODY, _("nobody"))))
        claims = [(FROM + key, _("claimed from %(side)s") % {"side": side}) for key, side in self.sides]
        hows = ((DRAW, _("by a draw of their own")), *claims, *ENDS.items())
        self.fields["how"] = tapped_field(_("How it ended"), hows)
        for key, side in self.sides:
            self.fields[f"shown-{key}"] = cards_field(
                _("Pair that %(side)s showed (one card)") % {"side": side}, LONGEST
            )
        self.fields["stock"] = number_field(_("Cards left in the stock"))
        self.fields["turns"] = number_field(_("Turns"))

    def record(self) -> dict[str, Any]:
        data = self.cleaned_data
        winner, how = data["winner"], data["how"]
        found: dict[str, Any] = {}
        if how in ENDS:
            found["ended"] = how
        elif winner == NOBODY:
            found["total"] = {key: 0 for key, _side in self.sides}
        if winner not in {"", NOBODY}:
            found |= {"ended": how if how in ENDS else WON, "winner": winner}
        if how == DRAW:
            found["by"] = DRAW
        elif how.startswith(FROM):
            found |= {"by": CLAIM, "from": how.removeprefix(FROM)}
        shown = {key: as_cards(data[f"shown-{key}"]) for key, _side in self.sides}
        given = {
            "shown": {key: card for key, card in shown.items() if card},
            "stock": number_of(data["stock"]),
            "turns": number_of(data["turns"]),
        }
        return {**found, **{name: value for name, value in given.items() if value not in ("", {})}}

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        shown = record.get("shown")
        shown = dict(shown) if isinstance(shown, dict) else {}
        if record.get("winner") and record.get("pair"):
            shown.setdefault(text_of(record["winner"]), record["pair"])
        found = {f"shown-{key}": text_of(shown.get(key)) for key, _side in self.sides}
        found |= {name: text_of(record.get(name)) for name in ("stock", "turns")}
        return {**found, "winner": self._winner_of(record), "how": _how(record)}

    def _winner_of(self, record: dict[str, Any]) -> str:
        """As it stands there, or as the points say it."""
        if record.get("winner") is not None:
            return text_of(record["winner"])
        total = record.get("total")
        points = total if isinstance(total, dict) else {}
        won = [key for key, _side in self.sides if points.get(key) == 1]
        is_nobody = text_of(record.get("ended")) in ENDS or [*points.values()] == [0] * len(self.sides)
        return won[0] if won else NOBODY if is_nobody else ""


def _how(record: dict[str, Any]) -> str:
    ended = text_of(record.get("ended"))
    if ended in ENDS:
        return ended
    return FROM + text_of(record.get("from")) if record.get("from") else text_of(record.get("by"))


class KowahMaker(SheetMaker):
    """The deals of a sheet with what was written down of them."""

    def facts(self, index: int) -> Iterable[tuple[str, str]]:
        record = self.record(index)
        if not set(record) - {"total"}:
            return ()
        shown = record.get("shown", {})
        return (
            (_("Winner"), self.side_name(record.get("winner", ""))),
            (_("How it ended"), str(ENDS.get(record.get("ended", ""), ""))),
            (_("Claimed from"), self.side_name(record.get("from", ""))),
            (_("Winning pair"), card_name(record["pair"]) if "pair" in record else ""),
            (
                _("Pairs shown"),
                ", ".join(f"{self.side_name(side)}: {card_name(card)}" for side, card in shown.items()),
            ),
            (_("Cards left in the stock"), str(record.get("stock", ""))),
            (_("Turns"), str(record.get("turns", ""))),
        )


class KowahRecordSerializer(TotalsRecordSerializer):
    """One deal of Kowah."""

    ended = serializers.CharField(required=False, help_text="won, stock or stalemate.")
    winner = serializers.CharField(required=False, help_text="The seat that won.")
    pair = serializers.CharField(required=False, help_text="The kind of the winner’s pair: 7h.")
    by = serializers.CharField(required=False, help_text="draw or claim.")
    shown = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="By seat: the kind of the pair shown."
    )
    stock = serializers.IntegerField(required=False, help_text="How many cards the stock had left.")
    turns = serializers.IntegerField(required=False, help_text="How many turns were finished.")

    def get_fields(self) -> dict[str, Any]:
        """With the one whose name Python has for itself."""
        giver = serializers.CharField(required=False, help_text="The seat whose card was claimed.")
        return {**super().get_fields(), "from": giver}


class KowahFront(GameFront):
    """A scoresheet by who won, and the rules."""

    maker = KowahMaker
    plain_form = KowahDealForm
    record_serializer = KowahRecordSerializer
    summary = gettext_lazy(
        "From Java: build two threes and a pair, show the pair, and wait for its third card."
    )
    length = gettext_lazy("twelve deals: about an hour")
    rules_page = "kowah/rules.html"
    scoring = "games/_worth.html"

    def rules_content(self) -> Json:
        return rules_page.content()

    def paper_how(self) -> str:
        return _("Write 1 for who won the deal, and the pairs that were shown.")

    def paper_columns(self) -> tuple[Sequence[str], Sequence[str]]:
        return (_("Claimed from"),), (_("Pair"),)

    def scoring_values(self) -> Any:
        return rules_page.worth()
