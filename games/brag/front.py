"""What people see of Nine-card, Seven-card and Six-card Brag beside what every game has: their scoresheet and rules."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from engine.brag.game import NINE_CARDS, SEVEN_CARDS, SIX_CARDS, BragGame
from engine.brag.hands import SIZE
from engine.brag.play import FOUR_OF_A_KIND, FOUR_PAIRS, STAYS, WON
from games.brag import rules_page
from games.front import GameFront, Json, TotalsRecordSerializer
from games.records.display.sheets import SheetMaker
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
from games.templatetags.cards import RANKS, in_symbols
from league.models import Fixture

GAMES = {offered.key: offered for offered in (NINE_CARDS, SEVEN_CARDS, SIX_CARDS)}
SUMMARIES = {
    NINE_CARDS.key: gettext_lazy("Divide nine cards into three hands: you need the best of two of them."),
    SEVEN_CARDS.key: gettext_lazy("Make two hands of three from seven cards, and be unbeaten in both."),
    SIX_CARDS.key: gettext_lazy("Divide six cards into two hands of three, and be unbeaten in both."),
}
NOBODY = "-"


class BragDealForm(TappedForm):
    """Who takes the pot by a tap: the points follow."""

    hint = gettext_lazy("Tap who takes the pot, or that it stays. The points follow.")

    def read_labels(self, fixture: Fixture, content: dict[str, Any], deal: int) -> None:  # noqa: ARG002
        self.variant = GAMES[fixture.round.competition.game].variant

    def add_fields(self) -> None:
        ends = [(FOUR_OF_A_KIND, _("four of a kind"))]
        if self.variant.pairs:
            ends.append((FOUR_PAIRS, _("four pairs: nobody takes it")))
        self.fields["winner"] = tapped_field(
            _("Who takes the pot"), (*self.sides, (NOBODY, _("nobody: it stays")))
        )
        self.fields["at_once"] = tapped_field(_("If no hands were compared, why"), ends)
        self.fields["pot"] = number_field(_("Pot, with the antes of this deal"))
        for key, name in self.sides:
            self.fields[f"points-{key}"] = number_field(_("Hands won by %(side)s") % {"side": name})
            self.fields[f"hands-{key}"] = cards_field(_("Hands laid by %(side)s") % {"side": name}, 40)
            self.fields[f"fours-{key}"] = cards_field(
                _("Four of a kind held by %(side)s: the rank") % {"side": name}, 2
            )
        super().add_fields()

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = self.cleaned_data
        if data.get("winner") == NOBODY and data.get("at_once") == FOUR_OF_A_KIND:
            self.add_error("winner", _("With four of a kind somebody takes the pot: say who."))
        return data

    def record(self) -> dict[str, Any]:
        data, found = self.cleaned_data, super().record()
        winner, at_once = data["winner"], data["at_once"]
        if winner not in {"", NOBODY}:
            found |= {"winner": winner, "outcome": at_once or WON}
        elif winner or at_once:
            found["outcome"] = at_once or STAYS
        pot = number_of(data["pot"])
        by_side: dict[str, dict[str, Any]] = {"points": {}, "hands": {}, "fours": {}}
        for key, _side in self.sides:
            by_side["points"][key] = number_of(data[f"points-{key}"])
            by_side["hands"][key] = as_hands(data[f"hands-{key}"])
            by_side["fours"][key] = data[f"fours-{key}"].upper().replace("10", "T")
        for name, values in by_side.items():
            given = {key: value for key, value in values.items() if value != ""}
            if given:
                found[name] = given
        return found if pot == "" else {**found, "pot": pot}

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        found, outcome = super().texts_of(record), record.get("outcome")
        found["pot"] = text_of(record.get("pot"))
        found["winner"] = text_of(record.get("winner")) or (NOBODY if outcome in (STAYS, FOUR_PAIRS) else "")
        found["at_once"] = outcome if outcome in (FOUR_OF_A_KIND, FOUR_PAIRS) else ""
        for name in ("points", "hands", "fours"):
            given = record.get(name)
            by_side = given if isinstance(given, dict) else {}
            found.update({f"{name}-{key}": text_of(by_side.get(key)) for key, _side in self.sides})
        return found


def as_hands(text: str) -> str:
    """Hands as the engine reads them: "9S9h9d, as ks qs" is "9s9h9d/AsKsQs". Without marks each has three cards."""
    parts = text.replace(",", "/").replace("|", "/").split("/")
    if len(parts) == 1:
        cards = in_twos(as_cards(text))
        parts = ["".join(cards[at : at + SIZE]) for at in range(0, len(cards), SIZE)]
    return "/".join(as_cards(part) for part in parts)


class BragMaker(SheetMaker):
    """The deals of a sheet with what was written down of them."""

    def facts(self, index: int) -> Iterable[tuple[str, str]]:
        record = self.record(index)
        outcomes = {
            STAYS: _("nobody: it stays"),
            FOUR_PAIRS: _("nobody: four pairs"),
            FOUR_OF_A_KIND: _("four of a kind"),
        }
        taken = [self.side_name(record["winner"])] if "winner" in record else []
        taken += [outcomes[record["outcome"]]] if record.get("outcome") in outcomes else []
        return (
            (_("Who takes the pot"), ", ".join(taken)),
            (_("Pot"), str(record.get("pot", ""))),
            (_("Hands won"), self.by_side(record.get("points", {}))),
            (
                _("Four of a kind"),
                self.by_side({seat: RANKS[rank] for seat, rank in record.get("fours", {}).items()}),
            ),
            (
                _("Hands laid"),
                self.by_side(
                    {seat: hands_in_symbols(text) for seat, text in record.get("hands", {}).items()}
                ),
            ),
        )


def hands_in_symbols(hands: str) -> str:
    """Hands for people: 9♠ 9♥ 9♦ / A♠ K♠ Q♠."""
    return " / ".join(in_symbols(in_twos(hand)) for hand in hands.split("/"))


class BragRecordSerializer(TotalsRecordSerializer):
    """One deal of Nine-card, Seven-card or Six-card Brag."""

    outcome = serializers.CharField(
        required=False, help_text="won, stays, four-of-a-kind or, with nine cards, four-pairs."
    )
    winner = serializers.CharField(required=False, help_text="The seat that takes the pot.")
    points = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="Hands won, by seat."
    )
    hands = serializers.DictField(
        child=serializers.CharField(),
        required=False,
        help_text="The hands laid, by seat: 9s9h9d/AsKsQs/8c7c3d.",
    )
    fours = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="The rank of four of a kind, by seat."
    )
    pot = serializers.IntegerField(required=False, help_text="The pot, with the antes of this deal.")


class BragFront(GameFront):
    """A scoresheet by who takes the pot, and the rules."""

    maker = BragMaker
    plain_form = BragDealForm
    record_serializer = BragRecordSerializer
    length = gettext_lazy("twelve deals: about 30 minutes")
    rules_page = "brag/rules.html"
    scoring = "games/_worth.html"

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.summary = SUMMARIES[key]

    @property
    def offered(self) -> BragGame:
        """Which of the three games this is."""
        return GAMES[self.key]

    def rules_content(self) -> Json:
        return rules_page.content(self.offered)

    def paper_how(self) -> str:
        return _("Write who takes the pot, or a line if it stays, and the points of each player.")

    def paper_columns(self) -> tuple[Sequence[str], Sequence[str]]:
        return (_("Pot"), _("Who takes the pot")), ()

    def scoring_values(self) -> Any:
        return rules_page.worth()
