"""A deal of a game with stakes and a pot: who won with what, what each put in, who folded; most of it by tapping."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from games.records.display.sheets import SheetMaker
from games.records.plain_form import (
    TotalsForm,
    as_cards,
    cards_field,
    in_twos,
    number_field,
    number_of,
    tapped_field,
    text_of,
)
from games.templatetags.cards import in_symbols

#: Tapped for the winner of a pot that stays, and for a hand that nobody saw.
NOBODY, UNSEEN = "-", "unseen"


class StakedForm(TotalsForm):
    """The scores follow from the winner and what each put in; the rest is there to be checked."""

    template = "games/_plain_staked.html"
    claims: tuple[str, ...] = ("put", "total")
    nobody: Any
    """What it is called when nobody wins the pot."""
    stays: str
    """The outcome then."""
    has_folding = True

    def hands(self) -> Iterable[tuple[str, Any]]:
        """What somebody can win with, and what it is called."""
        raise NotImplementedError

    def outcome_of(self, hand: str) -> str:
        """How a deal ends that is won with this hand."""
        raise NotImplementedError

    def add_fields(self) -> None:
        self.fields["winner"] = tapped_field(_("Who won the pot"), (*self.sides, (NOBODY, self.nobody)))
        self.fields["with"] = tapped_field(_("With what"), self.hands())
        if self.has_folding:
            self.fields["folded"] = forms.MultipleChoiceField(
                label=_("Who folded"),
                choices=self.sides,
                required=False,
                widget=forms.CheckboxSelectMultiple,
            )
        self.add_own_fields()
        super().add_fields()
        self.fields["pot"] = number_field(_("The pot"))
        for key, side in self.sides:
            self.fields[f"hand-{key}"] = cards_field(_("Cards of %(side)s") % {"side": side}, 16)

    def add_own_fields(self) -> None:
        """What is tapped besides, or typed."""

    def titles(self) -> dict[str, str]:
        return {"put": _("%(side)s put in"), "total": _("Score of %(side)s")}

    def put_fields(self) -> list[Any]:
        """What each put in, for the template."""
        return [self[f"put-{key}"] for key, _side in self.sides] if "put" in self.claims else []

    def tapped_fields(self) -> list[Any]:
        """What is tapped, for the template."""
        return [each for each in self if isinstance(each.field.widget, forms.RadioSelect)]

    def more_fields(self) -> list[Any]:
        """The other fields, for the template."""
        shown = {each.name for each in (*self.put_fields(), *self.tapped_fields())}
        return [each for each in self if each.name not in shown]

    def has_more(self) -> bool:
        """Whether any of these is filled in."""
        return any(each.value() for each in self.more_fields())

    def record(self) -> dict[str, Any]:
        data, found = self.cleaned_data, super().record()
        hand = data["with"]
        if data["winner"] == NOBODY:
            found["outcome"] = self.stays
        elif data["winner"]:
            found["winner"] = data["winner"]
        if hand:
            found.setdefault("outcome", self.outcome_of(hand))
        if hand and hand != UNSEEN:
            found["with"] = hand
        if folded := data.get("folded"):
            found["folded"] = {key: "yes" if key in folded else "no" for key, _side in self.sides}
        hands = {key: as_cards(data[f"hand-{key}"]) for key, _side in self.sides}
        given = {
            "pot": number_of(data["pot"]),
            "hands": {key: cards for key, cards in hands.items() if cards} or "",
        }
        return {**found, **{name: value for name, value in given.items() if value != ""}}

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        found, outcome = super().texts_of(record), record.get("outcome")
        found["winner"] = NOBODY if outcome == self.stays else text_of(record.get("winner"))
        found["with"] = UNSEEN if outcome == UNSEEN else text_of(record.get("with"))
        folded, hands = (
            given if isinstance(given, dict) else {} for given in (record.get("folded"), record.get("hands"))
        )
        found["folded"] = [key for key, _side in self.sides if folded.get(key) == "yes"]
        found.update({f"hand-{key}": text_of(hands.get(key)) for key, _side in self.sides})
        return {**found, "pot": text_of(record.get("pot"))}


class StakedMaker(SheetMaker):
    """The deals of a sheet with what was written down of them."""

    nobody: Any
    stays: str
    hand_names: Any

    def told(self, record: Any) -> list[tuple[str, str]]:
        """What only this game tells."""
        raise NotImplementedError

    def facts(self, index: int) -> Iterable[tuple[str, str]]:
        record = self.record(index)
        outcome, hand = record.get("outcome"), record.get("with")
        won = self.nobody if outcome == self.stays else self.side_name(record.get("winner", ""))
        shown = _("unseen") if outcome == UNSEEN else _(self.hand_names[hand]) if hand else ""
        folded = [side for side, answer in record.get("folded", {}).items() if answer == "yes"]
        return (
            (_("Pot won by"), str(won)),
            (_("With what"), shown),
            (_("Put in"), self.by_side(record.get("put", {}))),
            (_("Folded"), ", ".join(map(self.side_name, folded))),
            *self.told(record),
            (_("The pot"), str(record.get("pot", ""))),
            (
                _("Cards"),
                self.by_side(
                    {side: in_symbols(in_twos(row)) for side, row in record.get("hands", {}).items()}
                ),
            ),
        )
