"""What the API takes and gives of matches and scoresheets."""

from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from engine import game
from engine.boards.sealing import DelayedKind
from games import front
from games.models import Scoresheet
from league.api.brackets import TieChangeSerializer
from league.api.schema import FaultSerializer
from league.api.serializers import FixtureSerializer, NamedPlayerSerializer
from league.api.standings import EntryNameSerializer

#: The keys of the seats of every game there is.
SEATS = list(
    dict.fromkeys(
        str(seat) for offered in game.all_games() for seat in offered.seats(offered.players.stop - 1)
    )
)
#: What can be mixed into sealed deals.
DELAYED_KINDS = [kind.value for kind in DelayedKind]

_FORMS = list(dict.fromkeys(front.of(offered.key).record_serializer for offered in game.all_games()))


@extend_schema_field(
    PolymorphicProxySerializer("DealRecordOfAnyGame", _FORMS, resource_type_field_name=None, many=True)
)
class DealRecordsField(serializers.ListField):
    """The deals of a sheet, each in the form of its game."""


class SheetContentSerializer(serializers.Serializer[Any]):
    """A scoresheet. The engine reads it and reports everything wrong with it at once."""

    first_dealer = serializers.ChoiceField(choices=SEATS, required=False, help_text="Without it: North.")
    seats = serializers.DictField(
        child=serializers.IntegerField(),
        required=False,
        help_text="Players' ids by seat; without it the home pair sits North-South.",
    )
    deals = DealRecordsField(help_text="In order. The dealer passes to the left.")


class SubmittedSheetSerializer(SheetContentSerializer):
    """A scoresheet that is sent; of a correction also why."""

    reason = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=300,
        help_text="Of a correction: the other side and the trail have it. Not while boards of the match are sealed.",
    )


class PairPointsSerializer(serializers.Serializer[Any]):
    """Points of the two pairs."""

    home = serializers.IntegerField()
    away = serializers.IntegerField()


class SidePointsSerializer(serializers.Serializer[Any]):
    """What one side made of the match, in the order of the match's sides."""

    entry = serializers.IntegerField()
    side = serializers.CharField(help_text="The game's key of the side that the entry sits on.")
    points = serializers.IntegerField(help_text="Over all deals, without the game bonus.")
    bonus = serializers.IntegerField()
    total = serializers.IntegerField()
    rank = serializers.IntegerField(allow_null=True, help_text="1 is the best; null while it is not over.")


class PlayedDealSerializer(serializers.Serializer[Any]):
    """A deal as the engine reads and describes it."""

    number = serializers.IntegerField()
    dealer = serializers.ChoiceField(choices=SEATS)
    record = serializers.DictField(help_text="As written down, in canonical form.")
    score = serializers.DictField(
        allow_null=True, help_text="`total` by side, and what else the game tells; null: refused."
    )
    description = serializers.DictField(
        allow_null=True,
        help_text="Hand by hand: who led, who played what, what it was worth, and how far it is known; "
        "null where the game's sheets tell totals only.",
    )


class EffectSerializer(serializers.Serializer[Any]):
    """What the result would do to one entry in the table."""

    entry = EntryNameSerializer()
    place_before = serializers.IntegerField(allow_null=True)
    place_after = serializers.IntegerField(allow_null=True)
    league_points_before = serializers.CharField(help_text="exact: an integer, or “n/d”")
    league_points_after = serializers.CharField(help_text="exact: an integer, or “n/d”")


class PreviewSerializer(serializers.Serializer[Any]):
    """A sheet as read. Nothing was written."""

    accepted = serializers.BooleanField(help_text="Whether it would be accepted if it were submitted.")
    digest = serializers.CharField(help_text="Names this very content.")
    content = serializers.DictField(help_text="The sheet in canonical form.")
    problems = FaultSerializer(many=True)
    deals = PlayedDealSerializer(many=True)
    counted = serializers.IntegerField(help_text="How many deals count.")
    is_over = serializers.BooleanField()
    points = PairPointsSerializer(
        allow_null=True, help_text="Over all deals, without the game bonus; null where not two sides meet."
    )
    bonus = PairPointsSerializer(allow_null=True, help_text="The game bonus.")
    total = PairPointsSerializer(allow_null=True)
    made = SidePointsSerializer(many=True)
    winner = serializers.ChoiceField(
        choices=["home", "away", "draw"], allow_null=True, help_text="null, too, where not two sides meet."
    )
    standings = EffectSerializer(many=True, allow_null=True, help_text="null while it is refused.")
    bracket = TieChangeSerializer(
        allow_null=True,
        help_text="What it would change in a round of a knock-out that is drawn; null for nothing.",
    )


class SheetSerializer(serializers.Serializer[Any]):
    """One version of a match's scoresheet."""

    match = serializers.IntegerField(source="match_id")
    version = serializers.IntegerField()
    verdict = serializers.ChoiceField(choices=Scoresheet.Verdict.choices)
    verdict_text = serializers.CharField(source="get_verdict_display")
    digest = serializers.CharField(help_text="Confirm exactly this.")
    origin = serializers.ChoiceField(choices=Scoresheet.Origin.choices)
    entered_by = serializers.CharField()
    entered_for = serializers.IntegerField(
        source="entered_for_id",
        allow_null=True,
        help_text="The entry whose pair entered it; null: an official.",
    )
    entered_at = serializers.DateTimeField()
    home_total = serializers.SerializerMethodField()
    away_total = serializers.SerializerMethodField()
    totals = serializers.ListField(
        child=serializers.IntegerField(), help_text="The sides' points, in the order of the match's sides."
    )
    verdict_by = serializers.CharField(allow_null=True)
    verdict_at = serializers.DateTimeField(allow_null=True)
    verdict_reason = serializers.CharField()

    @extend_schema_field(
        serializers.IntegerField(allow_null=True, help_text="null where not two sides meet.")
    )
    def get_home_total(self, sheet: Scoresheet) -> int | None:
        """The first side's points."""
        return sheet.home_total if len(sheet.totals) == 2 else None

    @extend_schema_field(
        serializers.IntegerField(allow_null=True, help_text="null where not two sides meet.")
    )
    def get_away_total(self, sheet: Scoresheet) -> int | None:
        """The second side's points."""
        return sheet.away_total if len(sheet.totals) == 2 else None


class SheetDetailSerializer(SheetSerializer):
    """One version with its content and deals, for those who may see it."""

    content = serializers.DictField()
    deals = serializers.SerializerMethodField()
    suspicious = serializers.SerializerMethodField()

    @extend_schema_field(PlayedDealSerializer(many=True))
    def get_deals(self, _sheet: Scoresheet) -> Any:
        """The deals as the engine describes them."""
        return self.context["deals"]

    @extend_schema_field(FaultSerializer(many=True))
    def get_suspicious(self, sheet: Scoresheet) -> Any:
        """What the engine found odd: for directors; empty for others."""
        return sheet.suspicious if self.context["directs"] else []


class StepsSerializer(serializers.Serializer[Any]):
    """What you may do with the match now."""

    enter = serializers.BooleanField(help_text="Submit a sheet.")
    judge = serializers.IntegerField(allow_null=True, help_text="The version that you may confirm or reject.")
    reopen = serializers.BooleanField()


class SeatedSerializer(serializers.Serializer[Any]):
    """Who sat at a seat."""

    seat = serializers.ChoiceField(choices=SEATS)
    entry = serializers.IntegerField(source="entry_id")
    player = NamedPlayerSerializer()


class PlayedBoardSerializer(serializers.Serializer[Any]):
    """A numbered board that several tables play."""

    set = serializers.IntegerField(help_text="The set of boards that it belongs to.")
    number = serializers.IntegerField()


class MatchSerializer(serializers.Serializer[Any]):
    """A match deal by deal, its sheets, and what you may do with it."""

    fixture = FixtureSerializer()
    boards = PlayedBoardSerializer(
        many=True, help_text="What the match plays as its deals, in order; empty where these have no numbers."
    )
    is_open = serializers.BooleanField(
        help_text="Whether you may read the deals. Until all tables have played its boards, or a director has "
        "released them, only the two pairs do, and officials who play nowhere in the competition."
    )
    first_dealer = serializers.ChoiceField(choices=SEATS, allow_null=True)
    seats = SeatedSerializer(many=True, help_text="As on the confirmed sheet; empty before.")
    confirmed_at = serializers.DateTimeField(allow_null=True)
    locks_at = serializers.DateTimeField(allow_null=True, help_text="The end of the time for corrections.")
    counted = serializers.IntegerField(help_text="How many deals count.")
    points = PairPointsSerializer(allow_null=True)
    bonus = PairPointsSerializer(allow_null=True)
    total = PairPointsSerializer(allow_null=True)
    made = SidePointsSerializer(many=True, help_text="As on the confirmed sheet; empty before.")
    deals = PlayedDealSerializer(many=True, help_text="Of the confirmed sheet; empty before.")
    sheets = SheetSerializer(many=True, help_text="The versions that you may see, the newest first.")
    may = StepsSerializer()


class ConfirmationSerializer(serializers.Serializer[Any]):
    """What you confirm."""

    digest = serializers.CharField(max_length=64, help_text="Of the version that you were shown.")


class RejectionSerializer(serializers.Serializer[Any]):
    """Why you disagree."""

    reason = serializers.CharField(max_length=500, allow_blank=True)
