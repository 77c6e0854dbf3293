"""What people see of Poch beside what every game has: its scoresheet and its rules."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from engine.poch.board import MARRIAGE, NAMES, PLACES
from engine.poch.play import SHOWN, UNSEEN
from games.front import GameFront, Json, TotalsRecordSerializer
from games.poch import rules_page
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
from games.templatetags.cards import card_name, suit_choices, suit_name

#: The marriage follows from king and queen.
TAPPED = tuple(place for place in PLACES if place != MARRIAGE)


class PochDealForm(TappedForm):
    """Who got which place of the board and who was out, by tapping; stakes and cards left: the points follow."""

    template = "poch/_plain_deal.html"
    claims = ("stakes", "left", "total")
    hint = gettext_lazy(
        "Tap who got which place of the board and who was out. With the stakes and the cards left the points follow."
    )

    def add_fields(self) -> None:
        nobody = [("", _("nobody")), *self.sides]
        for place in TAPPED:
            self.fields[f"best-{place}"] = _tapped(capfirst(_(NAMES[place])), nobody)
        self.fields["out"] = tapped_field(_("Out first"), self.sides)
        self.fields["vying"] = tapped_field(
            _("How the poch was won"), ((SHOWN, _("shown")), (UNSEEN, _("unseen")))
        )
        suits = suit_choices()
        self.fields["trump"] = tapped_field(_("Trumps"), suits)
        self.fields["up"] = cards_field(_("Card turned up"), 3)
        for place in PLACES:
            self.fields[f"board-{place}"] = number_field(capfirst(_(NAMES[place])))
        super().add_fields()

    def titles(self) -> dict[str, str]:
        return {"stakes": "%(side)s", "left": "%(side)s", "total": _("Score of %(side)s")}

    def _fields_of(self, name: str) -> list[Any]:
        return [each for each in self if each.name.split("-")[0] == name]

    def best_fields(self) -> list[Any]:
        """Who got which place, for the template."""
        return self._fields_of("best")

    def stakes_fields(self) -> list[Any]:
        """What each staked, for the template."""
        return self._fields_of("stakes")

    def left_fields(self) -> list[Any]:
        """The cards that each had left, for the template."""
        return self._fields_of("left")

    def total_fields(self) -> list[Any]:
        """The scores, for the template."""
        return self._fields_of("total")

    def board_fields(self) -> list[Any]:
        """What lay on the board afterwards, for the template."""
        return self._fields_of("board")

    def has_more(self) -> bool:
        """Whether anything is filled in that few people write down."""
        more = [self["vying"], self["trump"], self["up"], *self.total_fields(), *self.board_fields()]
        return any(each.value() for each in more)

    def record(self) -> dict[str, Any]:
        data, found = self.cleaned_data, super().record()
        best = {place: data[f"best-{place}"] for place in TAPPED if data[f"best-{place}"]}
        if best.get("K") and best["K"] == best.get("Q"):
            best[MARRIAGE] = best["K"]
        board = {place: number_of(data[f"board-{place}"]) for place in PLACES if data[f"board-{place}"]}
        given = {"best": best, "board": board, "up": as_cards(data["up"])}
        given |= {name: data[name] for name in ("out", "vying", "trump")}
        return {**found, **{name: value for name, value in given.items() if value}}

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        found = super().texts_of(record)
        for name, places in (("best", TAPPED), ("board", PLACES)):
            given = record.get(name)
            by_place = given if isinstance(given, dict) else {}
            found |= {f"{name}-{place}": text_of(by_place.get(place)) for place in places}
        return {**found, **{name: text_of(record.get(name)) for name in ("out", "vying", "trump", "up")}}


def _tapped(label: str, choices: Sequence[tuple[str, Any]]) -> Any:
    """Somebody or nobody: nobody unless it is tapped."""
    field = tapped_field(label, ())
    field.choices = choices
    return field


class PochMaker(SheetMaker):
    """The deals of a sheet with what was written down of them."""

    def facts(self, index: int) -> Iterable[tuple[str, str]]:
        record = self.record(index)
        suit = record.get("trump") or record.get("up", "")[1:]
        best, board = record.get("best", {}), record.get("board", {})
        left = {seat: count for seat, count in record.get("left", {}).items() if count}
        return (
            (_("Card turned up"), card_name(record["up"]) if "up" in record else ""),
            (_("Trumps"), suit_name(suit) if "up" not in record else ""),
            (
                _("From the board"),
                ", ".join(f"{_(NAMES[place])} {self.side_name(by)}" for place, by in best.items()),
            ),
            (_("Stakes on the poch"), self.by_side(record.get("stakes", {}))),
            (_("Out first"), self.side_name(record.get("out", ""))),
            (_("Cards left"), self.by_side(left)),
            (
                _("Board afterwards"),
                ", ".join(f"{_(NAMES[place])} {points}" for place, points in board.items() if points),
            ),
        )


class PochRecordSerializer(TotalsRecordSerializer):
    """One deal of Poch."""

    trump = serializers.CharField(required=False, help_text="The suit: s, h, d or c.")
    up = serializers.CharField(required=False, help_text="The card that was turned up: Js.")
    best = serializers.DictField(
        child=serializers.CharField(),
        required=False,
        help_text="Who got which place (A, K, Q, J, T, marriage, sequence, poch); others stay.",
    )
    stakes = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="What each staked on the poch."
    )
    vying = serializers.CharField(required=False, help_text="How the poch was won: shown or unseen.")
    out = serializers.CharField(required=False, help_text="The seat that played its last card.")
    left = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="Cards left, by seat."
    )
    board = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="What lies on each place afterwards."
    )


class PochFront(GameFront):
    """A scoresheet by the board, and the rules."""

    maker = PochMaker
    plain_form = PochDealForm
    record_serializer = PochRecordSerializer
    summary = gettext_lazy(
        "Three games in one round a painted board: the best cards, a bluff, and a race to be out."
    )
    length = gettext_lazy("two deals for each player: about 40 minutes with four")
    rules_page = "poch/rules.html"
    scoring = "games/_worth.html"

    def rules_content(self) -> Json:
        return rules_page.content()

    def paper_how(self) -> str:
        return _(
            "Write who got which place of the board, what each staked, and the cards left. The score follows from them."
        )

    def paper_columns(self) -> tuple[Sequence[str], Sequence[str]]:
        return (_("Turned up"),), (_("Places"), _("Stake"), _("Cards left"))

    def scoring_values(self) -> Any:
        return rules_page.worth()
