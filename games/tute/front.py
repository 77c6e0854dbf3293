"""What people see of Tute beside what every game has: its scoresheet and its rules."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from engine.tute.play import CUARENTA, SEATS, TRICKS, VEINTE
from engine.tute.written_tricks import LONGEST, parts_of, tricks_of
from games.front import GameFront, Json, TotalsRecordSerializer
from games.records.display.sheets import SheetMaker
from games.records.plain_form import TYPED, TotalsForm, as_cards, cards_field, in_twos, tapped_field
from games.templatetags.cards import NO_BREAK, SUITS, card_name, in_symbols, suit_choices, suit_name
from games.tute import rules_page


class TuteDealForm(TotalsForm):
    """Points in cards, declarations, who took the last trick, a tute: all but the points by tapping."""

    template = "tute/_plain_deal.html"
    claims = ("cards", "total")
    hint = gettext_lazy(
        "Fill in what you know: the cards of one side and the last trick, or just the totals."
    )

    def add_fields(self) -> None:
        super().add_fields()
        suits = suit_choices()
        self.fields["trump"] = tapped_field(_("Trumps"), suits)
        self.fields["last"] = tapped_field(_("Who took the last trick"), self.sides)
        self.fields["tute"] = tapped_field(_("Tute (all four kings)"), self.sides)
        said = [(token, declaration(token)) for token in (CUARENTA, *(VEINTE + suit for suit in SUITS))]
        for key, side in self.sides:
            self.fields[f"declared-{key}"] = forms.MultipleChoiceField(
                label=_("Declared by %(side)s") % {"side": side},
                choices=said,
                required=False,
                widget=forms.CheckboxSelectMultiple,
            )
        self.fields["up"] = cards_field(_("Card shown"), LONGEST)
        for number in range(TRICKS):
            label = _("Trick %(number)d") % {"number": number + 1}
            self.fields[f"trick-{number}"] = tapped_field(label, self.sides)
        self.fields["tricks"] = forms.CharField(
            label=_("The cards of the tricks"),
            help_text=_("A line for each trick, its cards in the order of play: 7c Kc Ac 3h"),
            max_length=(TRICKS + 1) * LONGEST,
            required=False,
            strip=False,
            widget=forms.Textarea(attrs={**TYPED, "rows": TRICKS}),
        )

    def titles(self) -> dict[str, str]:
        return {**super().titles(), "cards": _("Points in cards of %(side)s")}

    def play_fields(self) -> list[Any]:
        """The fields of the whole deal, for the template."""
        return [self["trump"], self["up"], self["last"], self["tute"]]

    def declaration_fields(self) -> list[Any]:
        """The declarations of each side, for the template."""
        return [self[f"declared-{key}"] for key, _side in self.sides]

    def trick_fields(self) -> list[Any]:
        """Who took each trick, and the lines of their cards, for the template."""
        return [*(self[f"trick-{number}"] for number in range(TRICKS)), self["tricks"]]

    def has_tricks(self) -> bool:
        """Whether any of these is filled in."""
        return any(each.value() for each in self.trick_fields())

    def record(self) -> dict[str, Any]:
        data = self.cleaned_data
        tapped = [data[f"trick-{number}"] for number in range(TRICKS)]
        lines = data["tricks"].splitlines()
        tricks = [side + as_trick(line) for side, line in zip_longest(tapped, lines, fillvalue="")]
        while tricks and not tricks[-1]:
            tricks.pop()
        record = {name: data[name] for name in ("trump", "last", "tute") if data[name]}
        declared = {key: data[f"declared-{key}"] for key, _side in self.sides if data[f"declared-{key}"]}
        more = {"declared": declared, "up": as_cards(data["up"]), "tricks": tricks}
        return {**record, **{name: given for name, given in more.items() if given}, **super().record()}

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        found = super().texts_of(record)
        found.update({name: str(record.get(name) or "") for name in ("trump", "up", "last", "tute")})
        declared = record.get("declared")
        by_side = declared if isinstance(declared, dict) else {}
        found.update({f"declared-{key}": by_side.get(key) or [] for key, _side in self.sides})
        given = record.get("tricks")
        tricks = [str(each or "")[:LONGEST] for each in given[:TRICKS]] if isinstance(given, list) else []
        lines = []
        for number, text in enumerate(tricks):
            by, cards = parts_of(text)
            found[f"trick-{number}"] = by if by in dict(self.sides) else ""
            lines.append(" ".join([by] * (by in SEATS) + in_twos(cards)))
        found["tricks"] = "\n".join(lines).rstrip("\n")
        return found


class TuteMaker(SheetMaker):
    """The deals of a sheet with all that was written down of them."""

    def trick_facts(self, index: int, trump: str) -> Iterator[tuple[str, str]]:
        """How many tricks each side took, and the cards of those whose cards were written down."""
        record = self.record(index)
        taken = tricks_of(record, trump, self.dealer(index)).sides
        yield _("Tricks"), self.by_side({key: taken.count(key) for key in self.sides}) if any(taken) else ""
        played = [(number, parts_of(text)[1]) for number, text in enumerate(record.get("tricks", ()), 1)]
        rows = [f"{number}.{NO_BREAK}{in_symbols(in_twos(cards))}" for number, cards in played if cards]
        yield _("Cards played"), "; ".join(rows)

    def facts(self, index: int) -> Iterable[tuple[str, str]]:
        record = self.record(index)
        if not set(record) - {"total"}:
            return ()
        trump = record.get("trump") or record.get("up", " ")[1:]
        side = {key: _(str(self.offered.title(key))) for key in self.sides}
        cards = record.get("cards", {})
        return (
            (_("Trumps"), suit_name(trump)),
            (_("Card shown"), card_name(record["up"]) if "up" in record else ""),
            (_("Points in cards"), self.by_side(cards)),
            *(
                (_("Declared by %(side)s") % {"side": side[key]}, ", ".join(map(declaration, tokens)))
                for key, tokens in record.get("declared", {}).items()
            ),
            *self.trick_facts(index, trump.strip()),
            (_("Last trick"), side.get(record.get("last", ""), "")),
            (_("Tute (all four kings)"), side.get(record.get("tute", ""), "")),
        )


def declaration(token: str) -> str:
    """A declaration in words."""
    if token == CUARENTA:
        return _("Las cuarenta, 40")
    return _("20 in %(suit)s") % {"suit": suit_name(token[-1])}


def as_trick(text: str) -> str:
    """A trick as the engine reads it, in whatever case it was typed; who took it may stand before its cards."""
    by, cards = parts_of("".join(text.split()).upper())
    return by + as_cards(cards)


class TuteRecordSerializer(TotalsRecordSerializer):
    """One deal of Tute, at any depth."""

    cards = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="Points in cards, by side."
    )
    declared = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        required=False,
        help_text="By side: 40, or 20 and the suit (20c).",
    )
    last = serializers.CharField(required=False, help_text="The side that took the last trick.")
    tute = serializers.CharField(required=False, help_text="The side that declared four kings.")
    trump = serializers.CharField(required=False, help_text="s, h, d or c.")
    up = serializers.CharField(required=False, help_text="The card that was shown.")
    tricks = serializers.ListField(
        child=serializers.CharField(allow_blank=True),
        required=False,
        help_text="In order: who took each (NS, or N), its cards in the order of play (7cKcAc3h), or both.",
    )


class TuteFront(GameFront):
    """A scoresheet by its parts, and the rules."""

    maker = TuteMaker
    plain_form = TuteDealForm
    record_serializer = TuteRecordSerializer
    summary = gettext_lazy("Spain’s great trick game: follow, beat, trump, and declare kings and queens.")
    length = gettext_lazy("eight deals: about an hour")
    rules_page = "tute/rules.html"
    scoring = "tute/_scoring.html"

    def rules_content(self) -> Json:
        return rules_page.content()

    def paper_how(self) -> str:
        return _(
            "Write what you know: the cards of one side and the last trick are enough, or just both totals. "
            "Tricks go on the back: a line each, the cards in the order of play."
        )

    def paper_columns(self) -> tuple[Sequence[str], Sequence[str]]:
        return (_("Trumps"), _("Last trick")), (_("Cards"), _("Declared"))

    def scoring_values(self) -> Any:
        return rules_page.worth()
