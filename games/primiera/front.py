"""What people see of Primiera and Primero beside what every game has: their scoresheets and their rules."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from engine.primiera import play, vying
from engine.primiera.hands import NAMES, POINT
from engine.primiera.records import COUNTS, OLD_COUNTS
from games.front import GameFront, Json, TotalsRecordSerializer
from games.primiera import rules_page
from games.records.plain_form import number_field, number_of, tapped_field, text_of
from games.records.staked_form import UNSEEN, StakedForm, StakedMaker
from league.models import Fixture

LEVEL = gettext_lazy("nobody: equal hands")


class _FourCardsForm(StakedForm):
    """What the two sheets have in common: what the winner's hand counts."""

    nobody = LEVEL
    stays = play.ANNULLED

    def add_own_fields(self) -> None:
        self.fields["count"] = number_field(_("What the hand counts"))

    def record(self) -> dict[str, Any]:
        found, count = super().record(), number_of(self.cleaned_data["count"])
        return found if count == "" else {**found, "count": count}

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        found = {**super().texts_of(record), "count": text_of(record.get("count"))}
        winner = record.get("winner")
        if "hand" in record and not found.get(f"hand-{winner}"):
            found[f"hand-{winner}"] = text_of(record["hand"])
        return found


class PrimieraDealForm(_FourCardsForm):
    """Winner, hand and draws by tapping: everybody has paid the same, so the scores follow."""

    claims = ("total",)
    hint = gettext_lazy("Tap who won, with what, and how many exchanges there were: the scores follow.")
    has_folding = False

    def read_labels(self, fixture: Fixture, content: dict[str, Any], deal: int) -> None:
        super().read_labels(fixture, content, deal)
        self.draws = int(fixture.round.competition.rules.get("draws", 1))

    def hands(self) -> Iterable[tuple[str, Any]]:
        return [(hand, _(NAMES[hand])) for hand in COUNTS]

    def outcome_of(self, hand: str) -> str:
        return play.BY_POINT if hand == POINT else play.CLAIMED

    def add_own_fields(self) -> None:
        counts = [(str(count), str(count)) for count in range(self.draws + 1)]
        self.fields["draws"] = tapped_field(_("Exchanges"), counts)
        super().add_own_fields()

    def record(self) -> dict[str, Any]:
        found, draws = super().record(), self.cleaned_data["draws"]
        return {**found, "draws": int(draws)} if draws else found

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        return {**super().texts_of(record), "draws": text_of(record.get("draws"))}


class PrimeroDealForm(_FourCardsForm):
    """Winner and hand by tapping, and what each put in."""

    hint = gettext_lazy("Tap who won and with what, and enter what each player put in, the ante included.")

    def hands(self) -> Iterable[tuple[str, Any]]:
        return (*((hand, _(NAMES[hand])) for hand in OLD_COUNTS), (UNSEEN, _("unseen")))

    def outcome_of(self, hand: str) -> str:
        return UNSEEN if hand == UNSEEN else vying.SHOWDOWN


class FourCardsMaker(StakedMaker):
    """The deals of a sheet with all that was written down of them."""

    nobody = LEVEL
    stays = play.ANNULLED
    hand_names = NAMES

    def told(self, record: Any) -> list[tuple[str, str]]:
        return [
            (_("What the hand counts"), str(record.get("count", ""))),
            (_("Exchanges"), str(record.get("draws", ""))),
        ]


class _FourCardsRecordSerializer(TotalsRecordSerializer):
    winner = serializers.CharField(required=False, help_text="The seat that took the pot.")
    count = serializers.IntegerField(required=False, help_text="What the winner’s hand counts.")
    hand = serializers.CharField(required=False, help_text="The winner’s cards: 7s6sAsAh.")
    hands = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="Hands that were shown, by seat."
    )
    pot = serializers.IntegerField(required=False, help_text="What the winner took.")

    def get_fields(self) -> dict[str, Any]:
        """With the one whose name Python keeps to itself."""
        told = "What the pot was won with, by its name."
        return {**super().get_fields(), "with": serializers.CharField(required=False, help_text=told)}


class PrimieraRecordSerializer(_FourCardsRecordSerializer):
    """One deal of Primiera."""

    outcome = serializers.CharField(required=False, help_text="claim, point or annulled.")
    draws = serializers.IntegerField(required=False, help_text="How often cards were exchanged.")


class PrimeroRecordSerializer(_FourCardsRecordSerializer):
    """One deal of Primero."""

    outcome = serializers.CharField(required=False, help_text="showdown, unseen or annulled.")
    put = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="What each put in, by seat."
    )
    folded = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="yes or no, by seat."
    )


class PrimieraFront(GameFront):
    """A scoresheet by winner, hand and exchanges, and the rules."""

    maker = FourCardsMaker
    plain_form = PrimieraDealForm
    record_serializer = PrimieraRecordSerializer
    summary = gettext_lazy(
        "Four cards, one exchange, and a claim: collect a suit, or one card of each. Mostly luck, and quick."
    )
    length = gettext_lazy("twelve deals: about 20 minutes")
    rules_page = "primiera/rules.html"
    scoring = "games/_worth.html"

    def rules_content(self) -> Json:
        return rules_page.primiera()

    def paper_how(self) -> str:
        return _("Write the winning hand, the number of exchanges, and the scores.")

    def paper_columns(self) -> tuple[Sequence[str], Sequence[str]]:
        return (_("Won with"), _("Exchanges")), ()

    def scoring_values(self) -> Any:
        return rules_page.worth()


class PrimeroFront(GameFront):
    """A scoresheet by stakes and hands, and the rules."""

    maker = FourCardsMaker
    plain_form = PrimeroDealForm
    record_serializer = PrimeroRecordSerializer
    summary = gettext_lazy(
        "Cardano’s game of the Renaissance, reconstructed: four cards, one exchange, and raise if you dare."
    )
    length = gettext_lazy("twelve deals: about 25 minutes")
    rules_page = "primero/rules.html"
    scoring = "games/_worth.html"

    def rules_content(self) -> Json:
        return rules_page.primero()

    def paper_how(self) -> str:
        return _("Write the winning hand, each player’s stake, and the scores.")

    def paper_columns(self) -> tuple[Sequence[str], Sequence[str]]:
        return (_("Won with"),), (_("Put in"),)

    def scoring_values(self) -> Any:
        return rules_page.worth()
