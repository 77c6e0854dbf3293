"""What people see of Burraco beside what every game has: its scoresheet and its rules."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from engine.burraco.game import in_symbols
from engine.burraco.play import SIDES
from engine.burraco.records import BOTH, LONGEST, MOST_MELDS
from engine.packs import read_cards
from games.burraco import rules_page
from games.front import GameFront, Json, TotalsRecordSerializer
from games.records.display.sheets import SheetMaker
from games.records.plain_form import TYPED, TotalsForm, as_cards, cards_field, in_twos, tapped_field
from games.templatetags.cards import NO_BREAK
from league.models import Fixture

#: What is told by side in figures, with the option without which one of them isn't there.
LINES = ("melded", "clean", "semi_clean", "dirty", "held", "total")


class BurracoDealForm(TotalsForm):
    """The lines of the score, who closed and who missed the pozzetto; melds and hands for those who wrote them down."""

    template = "burraco/_plain_deal.html"
    claims: tuple[str, ...] = (*LINES, "running")
    hint = gettext_lazy(
        "Fill in what you know: the points melded and held with the burrachi, or just the totals."
    )

    def __init__(self, *args: Any, fixture: Fixture, **kwargs: Any) -> None:
        if not fixture.round.competition.rules.get("semi_clean"):
            self.claims = tuple(claim for claim in self.claims if claim != "semi_clean")
        super().__init__(*args, fixture=fixture, **kwargs)

    def add_fields(self) -> None:
        super().add_fields()
        self.fields["closed"] = tapped_field(_("Who closed"), self.sides)
        self.fields["missed"] = tapped_field(_("Took no pozzetto"), (*self.sides, (BOTH, _("both sides"))))
        for key, side in self.sides:
            self.fields[f"melds-{key}"] = forms.CharField(
                label=_("Melds of %(side)s") % {"side": side},
                help_text=_("A line for each meld: 7s 8s 9s Jk"),
                max_length=LONGEST,
                required=False,
                strip=False,
                widget=forms.Textarea(attrs={**TYPED, "rows": 4}),
            )
            self.fields[f"cards-{key}"] = cards_field(_("Cards held by %(side)s") % {"side": side}, LONGEST)

    def titles(self) -> dict[str, str]:
        return {
            **super().titles(),
            "melded": _("Card points melded by %(side)s"),
            "clean": _("Clean burrachi of %(side)s"),
            "semi_clean": _("Semi-clean burrachi of %(side)s"),
            "dirty": _("Dirty burrachi of %(side)s"),
            "held": _("Card points held by %(side)s"),
            "running": _("Running total of %(side)s"),
        }

    def line_fields(self) -> list[list[Any]]:
        """The points by line, for the template; running totals stand apart."""
        lines = [claim for claim in self.claims if claim != "running"]
        return [[self[f"{claim}-{key}"] for key, _side in self.sides] for claim in lines]

    def ending_fields(self) -> list[Any]:
        """Who closed, and who took no pozzetto, for the template."""
        return [self["closed"], self["missed"]]

    def card_fields(self) -> list[Any]:
        """Melds and hands, for the template."""
        return [self[f"{name}-{key}"] for key, _side in self.sides for name in ("melds", "cards")]

    def running_fields(self) -> list[Any]:
        """The running totals, for the template."""
        return [self[f"running-{key}"] for key, _side in self.sides]

    def has_cards(self) -> bool:
        """Whether melds or hands are filled in."""
        return any(each.value() for each in self.card_fields())

    def has_running(self) -> bool:
        """Whether a running total is filled in."""
        return any(each.value() for each in self.running_fields())

    def record(self) -> dict[str, Any]:
        data = self.cleaned_data
        melds = {key: _rows(data[f"melds-{key}"]) for key in SIDES}
        cards = {key: as_cards(data[f"cards-{key}"]) for key in SIDES}
        more: dict[str, Any] = {name: data[name] for name in ("closed", "missed")}
        more["melds"] = {key: rows for key, rows in melds.items() if rows}
        more["cards"] = {key: row for key, row in cards.items() if row}
        return {**{name: given for name, given in more.items() if given}, **super().record()}

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        found = super().texts_of(record)
        found.update({name: str(record.get(name) or "") for name in ("closed", "missed")})
        melds, cards = (
            given if isinstance(given, dict) else {} for given in (record.get("melds"), record.get("cards"))
        )
        for key in SIDES:
            rows = melds.get(key)
            found[f"melds-{key}"] = (
                "\n".join(map(_spaced, rows[:MOST_MELDS])) if isinstance(rows, list) else ""
            )
            found[f"cards-{key}"] = _spaced(cards.get(key) or "")
        return found


def _rows(text: str) -> list[str]:
    """A meld from each line."""
    return [as_cards(line) for line in re.split(r"[\n,;]+", text) if line.strip()]


def _spaced(cards: Any) -> str:
    return " ".join(in_twos(str(cards)[:LONGEST]))


class BurracoMaker(SheetMaker):
    """The deals of a sheet with all that was written down of them."""

    def facts(self, index: int) -> Iterable[tuple[str, str]]:
        record = self.record(index)
        named = {side: self.side_name(side) for side in self.sides}
        missed = record.get("missed", "")
        return (
            (_("Card points melded"), self.by_side(record.get("melded", {}))),
            (_("Clean burrachi"), self.by_side(record.get("clean", {}))),
            (_("Semi-clean burrachi"), self.by_side(record.get("semi_clean", {}))),
            (_("Dirty burrachi"), self.by_side(record.get("dirty", {}))),
            (_("Closed"), named.get(record.get("closed", ""), "")),
            (_("Card points held"), self.by_side(record.get("held", {}))),
            (_("Took no pozzetto"), _("both sides") if missed == BOTH else named.get(missed, "")),
            *self.card_facts(record, named),
            (_("Running total"), self.by_side(record.get("running", {}))),
        )

    def card_facts(self, record: Any, named: dict[str, str]) -> Iterator[tuple[str, str]]:
        """Melds and hands, as they were written."""
        for side, melds in record.get("melds", {}).items():
            yield _("Melds of %(side)s") % {"side": named[side]}, "; ".join(map(_row, melds))
        for side, cards in record.get("cards", {}).items():
            yield _("Cards held by %(side)s") % {"side": named[side]}, _row(cards)


def _row(cards: str) -> str:
    """In the engine's symbols, which know the joker."""
    return in_symbols(read_cards(cards)).replace(" ", NO_BREAK)


class BurracoRecordSerializer(TotalsRecordSerializer):
    """One deal of Burraco, at any depth."""

    melded = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="Points of the cards in melds, by side."
    )
    clean = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="How many clean burrachi, by side."
    )
    semi_clean = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="The same, where that option is on."
    )
    dirty = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="How many dirty burrachi, by side."
    )
    closed = serializers.CharField(required=False, help_text="The side that closed.")
    held = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="Points of the cards held, by side."
    )
    missed = serializers.CharField(required=False, help_text="The side that took no pozzetto, or both.")
    melds = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        required=False,
        help_text="By side, each as its cards: 7s8s9s.",
    )
    cards = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="The cards held, by side: KsTdJk."
    )
    running = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="By side: the match so far."
    )


class BurracoFront(GameFront):
    """A scoresheet by the lines of the score, and the rules."""

    maker = BurracoMaker
    plain_form = BurracoDealForm
    record_serializer = BurracoRecordSerializer
    summary = gettext_lazy(
        "Italy’s club game: meld sets and runs with a partner, and build burrachi of seven."
    )
    length = gettext_lazy("four deals: about an hour")
    rules_page = "burraco/rules.html"
    scoring = "games/_worth.html"

    def rules_content(self) -> Json:
        return rules_page.content()

    def paper_how(self) -> str:
        return _(
            "Write the points of the cards melded and held, and how many burrachi, or just both totals. "
            "Tick who closed, and who took no pozzetto."
        )

    def paper_columns(self) -> tuple[Sequence[str], Sequence[str]]:
        return (_("Closed"),), (_("Melded"), _("Clean"), _("Dirty"), _("Held"), _("No pozzetto"))

    def scoring_values(self) -> Any:
        return rules_page.worth()
