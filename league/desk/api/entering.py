"""Who takes part in a competition and in which order, late entries, and the draw of all rounds."""

from typing import Any

from django.db import transaction
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.api.requests import Changes, IdField, KnownFields, NothingSerializer, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.api.serializers import ROUND_NAME, CompetitionSerializer, NamedPairSerializer
from league.competitions.services.divisions import MOST as MOST_DIVISIONS
from league.desk.api.asked import named
from league.desk.api.setting_up import AwaySerializer, away_of, directed_by, set_up_by
from league.draws.services import draws
from league.draws.services.draws import BY_LOT, GIVEN, Draw
from league.entries.services import entries
from league.entries.services.late_entries import Way, takes_late
from league.errors import Conflict
from league.manage.forms.entries import LONGEST_TYPED
from league.manage.queries import late_ways, manage, setup_steps
from league.manage.queries.setup_steps import Foreseen
from league.manage.services import setups
from league.models import Competition, Division, Entry, Lineup, Player

MOST_CHOSEN = 1000
LOT, GRADES, SHARE = "lot", "grades", "share"


class Keys(serializers.ListField):
    """Ids of rows, each once."""

    def __init__(self, **options: Any) -> None:
        super().__init__(child=IdField(), max_length=MOST_CHOSEN, **options)

    def to_internal_value(self, data: Any) -> list[int]:
        """The ids in their order."""
        return list(dict.fromkeys(super().to_internal_value(data)))


class PlacedSerializer(serializers.Serializer[Any]):
    """Who takes part."""

    entry = serializers.IntegerField(source="pk")
    pair = NamedPairSerializer(source="lineup")


class FieldSerializer(serializers.Serializer[Any]):
    """A division with its entries, in the order in which they would be drawn."""

    division = serializers.IntegerField()
    name = serializers.CharField()
    entries = PlacedSerializer(many=True)


class EnterSerializer(Changes):
    """Who is to take part."""

    division = IdField(required=False, help_text="Needed where there are several.")
    pairs = Keys(required=False, help_text="Pairs of the club.")
    players = Keys(required=False, help_text="Players, where each plays alone.")
    typed = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=LONGEST_TYPED,
        trim_whitespace=False,
        help_text="One pair, or player, in a line, such as “Nora Nye & Ole Ost”. New players are added.",
    )
    are_different = serializers.BooleanField(
        default=False,
        help_text="Whether names that are nearly those of others (`same_person`) are other people.",
    )


class OrderSerializer(KnownFields):
    """The entries of a division in their order."""

    division = IdField()
    entries = Keys()


class NumbersSerializer(KnownFields):
    """Who gets which number in which division."""

    by = serializers.ChoiceField(
        choices=[GIVEN, LOT, GRADES, SHARE],
        help_text="given: as in `divisions`; lot: by lot; grades: the strongest first; share: shared out evenly over "
        "the divisions.",
    )
    divisions = serializers.ListField(child=OrderSerializer(), required=False, max_length=MOST_DIVISIONS)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """With `given` the order is needed, and nobody is in it twice."""
        if (attrs["by"] == GIVEN) != bool(attrs.get("divisions")):
            said = _("Give the order together with “given”, and only then.")
            raise serializers.ValidationError({"divisions": [said]})
        keys = [key for each in attrs.get("divisions", ()) for key in each["entries"]]
        if len(set(keys)) < len(keys):
            raise serializers.ValidationError({"divisions": [_("Name each entry only once.")]})
        return attrs


class CompetitionEntries(APIView):
    """Who takes part in a draft."""

    serializer_class = EnterSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="entries",
        summary="Who takes part, for directors",
        responses={200: FieldSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Each division with its entries in the order in which they are drawn."""
        return _entered(directed_by(request, pk))

    @extend_schema(
        operation_id="enter",
        summary="Enter pairs or players in a draft",
        parameters=[IDEMPOTENCY_KEY],
        request=EnterSerializer,
        responses={201: FieldSerializer(many=True), **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """All of them or none. Typed lines make players and pairs where the club has none of that name."""
        found, given = directed_by(request, pk), sent(request, EnterSerializer)
        division = _division(found, given.get("division"))

        def write() -> dict[str, Any]:
            if found.state != Competition.State.DRAFT:
                raise Conflict(_("This competition is already published."))
            chosen = [
                *named(_free(found, Lineup), given.get("pairs", ()), "pairs"),
                *named(_free(found, Player), given.get("players", ()), "players"),
            ]
            setups.enter(
                actor=asking(request),
                division=division,
                chosen=chosen,
                typed=given.get("typed", ""),
                at=timezone.now(),
                are_different=given["are_different"],
            )
            return {}

        once(request, action="entry.enter", about={"competition": found.pk, **given}, write=write)
        return _entered(found, status.HTTP_201_CREATED)


class CompetitionEntry(APIView):
    """One of them."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="remove_entry",
        summary="Take an entry out of a draft",
        responses={204: OpenApiResponse(description="It takes no part."), **errors(403, 404, 409)},
    )
    def delete(self, request: Request, pk: int, entry: int) -> Response:
        """Before the draw only; later an entry withdraws."""
        found = directed_by(request, pk)
        row = get_object_or_404(Entry.objects.with_pairs(), pk=entry, competition=found)
        setups.remove(actor=asking(request), entry=row)
        return Response(status=status.HTTP_204_NO_CONTENT)


class CompetitionNumbers(APIView):
    """Divisions and numbers of a draft's entries."""

    serializer_class = NumbersSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="set_numbers",
        summary="Set divisions and numbers",
        parameters=[IDEMPOTENCY_KEY],
        request=NumbersSerializer,
        responses={200: FieldSerializer(many=True), **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Before the draw: who is in which division, and in which order. Who isn't named stands behind."""
        found, given = directed_by(request, pk), sent(request, NumbersSerializer)

        def write() -> dict[str, Any]:
            if given["by"] == LOT:
                setups.draw_numbers(actor=asking(request), competition=found)
            elif given["by"] == GRADES:
                setups.seed_by_grades(actor=asking(request), competition=found, at=timezone.now())
            elif given["by"] == SHARE:
                setups.share_out(actor=asking(request), competition=found)
            else:
                setups.arrange(actor=asking(request), competition=found, places=_places(found, given))
            return {}

        once(request, action="entry.arrange", about={"competition": found.pk, **given}, write=write)
        return _entered(found)


def _places(competition: Competition, given: dict[str, Any]) -> dict[int, tuple[int, int]]:
    """Each entry's division and rank, as `entries.arrange` takes them."""
    wanted = [(each["division"], key) for each in given["divisions"] for key in each["entries"]]
    named(competition.entries.all(), [key for _division, key in wanted], "divisions")
    return {key: (division, rank) for rank, (division, key) in enumerate(wanted)}


def _entered(competition: Competition, code: int = status.HTTP_200_OK) -> Response:
    fresh = Competition.objects.with_stage().get(pk=competition.pk)
    shown = [
        {"division": division.pk, "name": division.name, "entries": entered}
        for division, entered in draws.fields(fresh)
    ]
    return Response(FieldSerializer(shown, many=True).data, status=code)


def _division(competition: Competition, key: int | None) -> Division:
    """The division of that key; the only one where none is named."""
    there = competition.stage.divisions.order_by("level")
    if key is None and len(there) == 1:
        return there[0]
    if key is None:
        raise serializers.ValidationError({"division": [_("Say in which division.")]})
    (found,) = named(there, [key], "division")
    division: Division = found
    return division


def _free(competition: Competition, kind: type[Lineup | Player]) -> Any:
    """Who could enter: pairs, or players where each plays alone; nobody of the other kind."""
    if (kind is Player) != competition.is_of_individuals:
        return kind.objects.none()
    return manage.free_players(competition) if kind is Player else manage.free_pairs(competition)


class LateSerializer(KnownFields):
    """Who joins after the draw."""

    division = IdField(required=False, help_text="Needed where there are several.")
    pair = IdField(required=False, help_text="Of the club.")
    player = IdField(required=False, help_text="Where each plays alone.")
    catch_up = serializers.BooleanField(default=False, help_text="They also play the matches of past rounds.")


class LateWaySerializer(LateSerializer):
    """The same, and in which way."""

    way = serializers.CharField(required=False, max_length=40, help_text="From the preview; else free dates.")


class LateMatchSerializer(serializers.Serializer[Any]):
    """A match of who joins."""

    round = serializers.IntegerField(source="round_number")
    round_name = serializers.CharField(help_text=ROUND_NAME)
    opponent = serializers.IntegerField(source="opponent.pk", help_text="An entry.")
    is_home = serializers.BooleanField()
    is_past = serializers.BooleanField(help_text="The round is over already.")
    is_extra = serializers.BooleanField(help_text="The round is made for it.")


class LatePlanSerializer(serializers.Serializer[Any]):
    """One way to join, and what it would do."""

    way = serializers.CharField(source="key")
    name = serializers.CharField()
    explanation = serializers.CharField()
    first_round = serializers.IntegerField(source="plan.first_round")
    matches = LateMatchSerializer(many=True, source="plan.meetings")
    missed = LateMatchSerializer(many=True, source="plan.missed", help_text="Their round is over.")
    for_missed = serializers.CharField(
        source="plan.for_missed", help_text="In a Swiss: the points for each round before, such as 1/2."
    )
    rounds_before = serializers.IntegerField(source="plan.rounds_before")
    rounds_after = serializers.IntegerField(source="plan.rounds_after")
    ends_before = serializers.DateField(source="plan.ends_before", allow_null=True)
    ends_after = serializers.DateField(source="plan.ends_after", allow_null=True)


class EnteredSerializer(serializers.Serializer[Any]):
    """A new entry."""

    entry = serializers.IntegerField()


class LateEntryPreview(APIView):
    """What a late entry would do."""

    serializer_class = LateSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="preview_late_entry",
        summary="Preview a late entry",
        request=LateSerializer,
        responses={200: LatePlanSerializer(many=True), **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """The ways in which they can join, each with its matches and rounds. Nothing is written."""
        found, given = _drawn(request, pk), sent(request, LateSerializer)
        division = _division(found, given.get("division"))
        with transaction.atomic():
            pair, at = _late_pair(found, given), timezone.now()
            foreseen = {
                key: (way, entries.preview(division=division, lineup=pair, at=at, way=way))
                for key, way in late_ways.ways(division, catch_up=given["catch_up"]).items()
            }
            # Somebody who plays alone becomes a lineup only when they enter.
            transaction.set_rollback(True)
        return Response(LatePlanSerializer(late_ways.shown(foreseen), many=True).data)


class LateEntries(APIView):
    """Joining after the draw."""

    serializer_class = LateWaySerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="enter_late",
        summary="Enter a pair or a player after the draw",
        parameters=[IDEMPOTENCY_KEY],
        request=LateWaySerializer,
        responses={201: EnteredSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """They join in one of the ways of the preview, and everybody concerned is told."""
        found, given = _drawn(request, pk), sent(request, LateWaySerializer)
        division = _division(found, given.get("division"))

        def write() -> dict[str, Any]:
            pair, way = _late_pair(found, given), _way(division, given)
            actor, at = asking(request), timezone.now()
            return {"entry": entries.enter(actor=actor, division=division, lineup=pair, at=at, way=way).pk}

        about = {"competition": found.pk, **given}
        answer = once(request, action="entry.enter_late", about=about, write=write)
        return Response(answer, status=status.HTTP_201_CREATED)


def _drawn(request: Request, pk: int) -> Competition:
    found = set_up_by(request, pk)
    if not takes_late(found):
        raise Conflict(_("The rounds aren’t drawn yet: enter them as the others."))
    return found


def _late_pair(competition: Competition, given: dict[str, Any]) -> Lineup:
    place, kind = ("player", Player) if competition.is_of_individuals else ("pair", Lineup)
    if place not in given:
        raise serializers.ValidationError({place: [_("Say who joins.")]})
    (chosen,) = named(_free(competition, kind), [given[place]], place)
    return setups.lineup_of(competition, chosen)


def _way(division: Division, given: dict[str, Any]) -> Way:
    ways = late_ways.ways(division, catch_up=given["catch_up"])
    found = ways.get(given.get("way", late_ways.FREE))
    if found is None:
        raise serializers.ValidationError({"way": [_("Choose one from the list.")]})
    return found


class DrawnDivisionSerializer(serializers.Serializer[Any]):
    """What a division plays in a round."""

    division = serializers.IntegerField(source="division.pk")
    matches = serializers.SerializerMethodField()
    byes = serializers.SerializerMethodField()

    def get_matches(self, drawn: draws.DivisionRound) -> list[list[int]]:
        """The entries of each match; of two the first is at home."""
        return [[entry.pk for entry in match.entries] for match in drawn.matches]

    def get_byes(self, drawn: draws.DivisionRound) -> list[int]:
        """The entries that sit out."""
        return [entry.pk for entry in drawn.byes]


class DrawnRoundSerializer(serializers.Serializer[Any]):
    """A round as it would be drawn."""

    number = serializers.IntegerField(source="dates.number")
    name = serializers.CharField(help_text=ROUND_NAME)
    starts_on = serializers.DateField(source="dates.starts_on")
    plays_at = serializers.DateTimeField(source="dates.plays_at")
    closes_at = serializers.DateTimeField(source="dates.closes_at")
    divisions = DrawnDivisionSerializer(many=True)


class RoundsDrawSerializer(serializers.Serializer[Any]):
    """All rounds as they would be drawn."""

    is_drawn = serializers.BooleanField(help_text="They are drawn; another draw would stand in their place.")
    refusal = serializers.CharField(help_text="Why there can be no draw, or empty.")
    matches = serializers.IntegerField()
    byes = serializers.IntegerField()
    rounds = DrawnRoundSerializer(many=True)
    away = AwaySerializer(many=True, help_text="Who said that they can’t play on a round’s day.")


class MakeDrawSerializer(KnownFields):
    """In which order the entries get their numbers."""

    order = serializers.ChoiceField(
        choices=[BY_LOT, GIVEN], help_text="lot: by lot, with a seed that is kept; given: as GET shows it."
    )
    again = serializers.BooleanField(default=False, help_text="true: the rounds are drawn already.")


class CompetitionDraw(APIView):
    """The draw of all rounds."""

    serializer_class = MakeDrawSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="draw_proposed",
        summary="The draw as it would be",
        responses={200: RoundsDrawSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Who would meet whom when, by the numbers as they are. Nothing is written."""
        found = set_up_by(request, pk)
        if draws.may_be_redrawn(found):
            return _draw(found, setup_steps.foreseen(found))
        said = _("You can no longer draw again: some matches have begun or have a result.")
        return _draw(found, Foreseen(None, said))

    @extend_schema(
        operation_id="draw_rounds",
        summary="Draw all rounds",
        parameters=[IDEMPOTENCY_KEY],
        request=MakeDrawSerializer,
        responses={200: CompetitionSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """The rounds are drawn; of a published competition everybody is told. Once drawn, only with `again`."""
        found, given = set_up_by(request, pk), sent(request, MakeDrawSerializer)

        def write() -> dict[str, Any]:
            if found.stage.rounds.exists() and not given["again"]:
                raise Conflict(_("The rounds have already been drawn. Nothing was changed."))
            draws.draw(actor=asking(request), competition=found, order=given["order"])
            return {}

        once(request, action="competition.draw", about={"competition": found.pk, **given}, write=write)
        return Response(CompetitionSerializer(set_up_by(request, pk)).data)


class CompetitionDrawBack(APIView):
    """Taking a draft's draw back."""

    serializer_class = NothingSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="take_draw_back",
        summary="Take a draft’s draw back",
        request=NothingSerializer,
        responses={200: CompetitionSerializer, **write_errors(404, 409)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """The rounds are gone, and dates, format and entries can change."""
        found = set_up_by(request, pk)
        sent(request, NothingSerializer)
        draws.take_back(actor=asking(request), competition=found)
        return Response(CompetitionSerializer(set_up_by(request, pk)).data)


def _draw(competition: Competition, foreseen: Foreseen) -> Response:
    draw = foreseen.draw or Draw(())
    shown = {
        "is_drawn": competition.stage.rounds.exists(),
        "refusal": foreseen.refusal,
        "matches": draw.matches,
        "byes": draw.byes,
        "rounds": draw.rounds,
        "away": away_of(competition, [each.dates.starts_on for each in draw.rounds]),
    }
    return Response(RoundsDrawSerializer(shown).data)
