"""The state of a competition: publishing or deleting a draft, its end with plans for the next season, reopening it."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.api.requests import IdField, KnownFields, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.competitions.services import competitions, drafts
from league.desk.api.entries import MOST_ENTRIES, directed
from league.errors import Invalid
from league.manage.queries import manage as reads
from league.manage.services import setups
from league.models import Competition, FinalPlace, Lineup
from league.seasons.queries import ending as endings
from league.seasons.services import finishing

State, Plan = Competition.State, FinalPlace.Plan
MOST_LEVELS = 99
DELETED = "deleted"


class CompetitionStateSerializer(serializers.Serializer[Any]):
    """How far a competition is."""

    id = serializers.IntegerField(source="pk")
    state = serializers.ChoiceField(choices=[*State.values, DELETED])
    newest = serializers.SerializerMethodField()

    def get_newest(self, competition: Competition) -> int:
        """The newest act on a draft: send it back as `seen`, and nothing later is published unseen."""
        return drafts.newest(competition)


class StateSerializer(KnownFields):
    """What becomes of it."""

    to = serializers.ChoiceField(
        choices=(State.RUNNING.value, DELETED),
        help_text="running: a draft is published, a finished competition reopened; deleted: a draft.",
    )
    seen = IdField(required=False, min_value=0)
    reason = serializers.CharField(
        required=False, allow_blank=True, max_length=300, help_text="Why it is reopened."
    )


class CompetitionState(APIView):
    """Publishing, deleting, reopening."""

    serializer_class = StateSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="competition_state",
        summary="How far a competition is",
        responses={200: CompetitionStateSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Its state, and the newest act on a draft. For directors."""
        return Response(CompetitionStateSerializer(directed(request, pk)).data)

    @extend_schema(
        operation_id="change_competition_state",
        summary="Publish, delete or reopen a competition",
        parameters=[IDEMPOTENCY_KEY],
        request=StateSerializer,
        responses={200: CompetitionStateSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """A draft is drawn, unless it is, and everybody sees it; or it is deleted, which its page can undo."""
        found, given = directed(request, pk), sent(request, StateSerializer)

        def write() -> dict[str, Any]:
            done = _changed(request, found, given)
            return dict(CompetitionStateSerializer(done).data)

        about = {"competition": found.pk, **given}
        return Response(once(request, action="competition.state", about=about, write=write))


class EndedEntrySerializer(serializers.Serializer[Any]):
    """An entry at the end, and what was said of it."""

    entry = serializers.IntegerField(source="entry.pk")
    place = serializers.IntegerField(allow_null=True, help_text="null: it was taken out.")
    is_shared = serializers.BooleanField()
    plan = serializers.ChoiceField(choices=Plan.choices)
    placed_in = serializers.IntegerField(allow_null=True)
    kept_by = serializers.IntegerField(
        source="kept_by.pk", allow_null=True, default=None, help_text="The pair that keeps the place."
    )
    is_ruling = serializers.BooleanField(help_text="A director ruled so; otherwise both partners agreed.")


class EndedDivisionSerializer(serializers.Serializer[Any]):
    """A division's final table."""

    division = serializers.IntegerField(source="division.pk")
    level = serializers.IntegerField(help_text="1 the highest; parallel divisions have the same.")
    size = serializers.IntegerField(help_text="How many it takes next season.")
    entries = EndedEntrySerializer(many=True)


class PlacePlayedForSerializer(serializers.Serializer[Any]):
    """A place that is played for between a level and the one below it."""

    upper = serializers.IntegerField()
    winner = serializers.IntegerField(source="winner_id", allow_null=True, help_text="null: not played yet.")
    loser = serializers.IntegerField(source="loser_id", allow_null=True)


class MoveSerializer(serializers.Serializer[Any]):
    """Somebody's way to the next season."""

    pair = serializers.IntegerField(source="lineup.pk")
    plays = serializers.IntegerField(
        source="plays.pk", help_text="Who play on: another pair where partners part."
    )
    entry = serializers.IntegerField(source="entry.pk", allow_null=True, default=None)
    place = serializers.IntegerField(allow_null=True)
    way = serializers.ChoiceField(choices=FinalPlace.Way.choices)
    rule = serializers.CharField(source="why", help_text="Why.")
    next_level = serializers.IntegerField(
        allow_null=True, help_text="The division’s number from the top; null: they do not play on."
    )
    next_number = serializers.IntegerField(allow_null=True)


class EndingSerializer(serializers.Serializer[Any]):
    """How a competition ends as it is now."""

    state = serializers.ChoiceField(choices=State.choices, source="competition.state")
    blockers = serializers.SerializerMethodField()
    levels = EndedDivisionSerializer(many=True, source="tables", help_text="The divisions, from the top.")
    playoffs = PlacePlayedForSerializer(many=True)
    moves = MoveSerializer(many=True, help_text="Empty while something is undecided.")
    seen = serializers.CharField(
        source="digest", help_text="Send it back to finish with exactly these moves."
    )

    def get_blockers(self, found: endings.Ending) -> list[str]:
        """What must be settled first."""
        return [each.text for each in found.blockers]


class PlanSerializer(KnownFields):
    """What an entry does next season."""

    entry = IdField()
    plan = serializers.ChoiceField(choices=Plan.choices)
    level = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_LEVELS,
        help_text="For “placed”: the level, 1 the highest.",
    )


class PlayOffSerializer(KnownFields):
    """A place that is played for between a level and the one below it; a knock-out has several."""

    upper = serializers.IntegerField(min_value=1, max_value=MOST_LEVELS)
    winner = IdField(required=False, allow_null=True, help_text="null: not played yet.")
    loser = IdField(required=False, allow_null=True, help_text="null: nobody goes down for it.")


class KeptSerializer(KnownFields):
    """Who keeps the place of partners who part."""

    entry = IdField()
    pair = IdField(help_text="One of the two plays in it; it isn’t entered itself.")
    is_ruling = serializers.BooleanField(
        default=False, help_text="true: you ruled so, for the `reason`; false: both agreed."
    )


class PlansSerializer(KnownFields):
    """What is known of the next season, in place of what was said before."""

    plans = PlanSerializer(many=True, help_text="Empty: everybody plays on as the tables have it.")
    newcomers = serializers.ListField(
        required=False,
        child=IdField(),
        max_length=MOST_ENTRIES,
        help_text="Pairs, or players where each plays alone.",
    )
    playoffs = PlayOffSerializer(many=True, required=False)
    kept = KeptSerializer(many=True, required=False)
    sizes = serializers.ListField(
        required=False,
        child=serializers.IntegerField(min_value=1, max_value=finishing.MOST),
        max_length=MOST_LEVELS,
        help_text="Places in each division, by level, the highest first.",
    )
    promotes = serializers.BooleanField(
        required=False, help_text="A free place goes to the best below before those relegated."
    )
    reason = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=300,
        help_text="Why you place somebody yourself, or rule who keeps a place.",
    )


class CompetitionEnding(APIView):
    """The end of a competition."""

    serializer_class = PlansSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="ending",
        summary="How a competition would end",
        responses={200: EndingSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """What is in the way, and everybody's way to the next season as it stands. For directors."""
        return _ending(_under_way(request, pk))

    @extend_schema(
        operation_id="plan_next_season",
        summary="Say what is known of the next season",
        parameters=[IDEMPOTENCY_KEY],
        request=PlansSerializer,
        responses={200: EndingSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Saved in place of what was said before. For a finished competition who moves where is written again."""
        found, given = _under_way(request, pk), sent(request, PlansSerializer)

        def write() -> dict[str, Any]:
            said = _said(found, given)
            finishing.prepare(actor=asking(request), competition=found, said=said, at=timezone.now())
            return {}

        once(request, action="season.prepare", about={"competition": found.pk, **given}, write=write)
        return _ending(_under_way(request, pk))


class FinishSerializer(KnownFields):
    """What was seen."""

    seen = serializers.CharField(max_length=64, help_text="From the ending: other moves are refused.")


class CompetitionFinish(APIView):
    """Finishing."""

    serializer_class = FinishSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="finish_competition",
        summary="Finish a competition",
        parameters=[IDEMPOTENCY_KEY],
        request=FinishSerializer,
        responses={200: EndingSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """The tables are final and everybody's way is written down. Finishing twice has the effect of once."""
        found, given = _under_way(request, pk), sent(request, FinishSerializer)

        def write() -> dict[str, Any]:
            finishing.finish(actor=asking(request), competition=found, at=timezone.now(), **given)
            return {}

        once(request, action="season.finish", about={"competition": found.pk, **given}, write=write)
        return _ending(_under_way(request, pk))


def _under_way(request: Request, pk: int) -> Competition:
    found = directed(request, pk)
    if found.state == State.DRAFT:
        raise Http404
    return found


def _ending(competition: Competition) -> Response:
    return Response(EndingSerializer(endings.of_competition(competition, at=timezone.now())).data)


def _changed(request: Request, competition: Competition, given: dict[str, Any]) -> Competition:
    actor = asking(request)
    if given["to"] == DELETED:
        competitions.discard(actor=actor, competition=competition)
        competition.state = DELETED
    elif competition.state == State.FINISHED:
        return finishing.reopen(actor=actor, competition=competition, reason=given.get("reason", ""))
    else:
        return setups.publish(actor=actor, competition=competition, seen=given.get("seen"))
    return competition


def _said(competition: Competition, given: dict[str, Any]) -> finishing.Said:
    return finishing.Said(
        plans={each["entry"]: (each["plan"], each.get("level")) for each in given["plans"]},
        newcomers={lineup.pk: None for lineup in _newcomers(competition, given.get("newcomers", []))},
        reason=given.get("reason", ""),
        playoffs=[
            (each["upper"], each.get("winner"), each.get("loser")) for each in given.get("playoffs", ())
        ],
        sizes=given.get("sizes", ()),
        promotes=given.get("promotes", False),
        kept={each["entry"]: (each["pair"], each["is_ruling"]) for each in given.get("kept", ())},
    )


def _newcomers(competition: Competition, keys: list[int]) -> list[Lineup]:
    free: QuerySet[Any] = (
        reads.free_players(competition) if competition.is_of_individuals else reads.free_pairs(competition)
    )
    chosen = list(free.filter(pk__in=keys))
    if len(chosen) < len(set(keys)):
        raise Invalid(_("Choose from the list."))
    return [setups.lineup_of(competition, each) for each in chosen]
