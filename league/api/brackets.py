"""A knock-out: its bracket as it stands, and who goes on from a match of it."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league import idempotency, policies
from league.api import visibility
from league.api.requests import KnownFields, asking
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.draws.services import ties
from league.errors import Invalid
from league.fixtures.services import advancement
from league.models import Competition, Division, Entry, Fixture
from league.standings import brackets, round_names
from league.standings.brackets import Bracket, How, NextExtra, Tie


class NextExtraSerializer(serializers.Serializer[Any]):
    """The extra boards of a level tie that come next."""

    boards = serializers.IntegerField(help_text="How many.")
    reserve = serializers.SerializerMethodField()

    def get_reserve(self, extra: NextExtra) -> list[int]:
        """The numbers of the round's reserve boards that it plays; empty where they are dealt at the table."""
        return [each.number for each in extra.reserve]


class TieSerializer(serializers.Serializer[Any]):
    """One place of the bracket."""

    number = serializers.IntegerField(help_text="From the top, 1 is the highest of its round.")
    top = serializers.IntegerField(
        source="top.pk", default=None, help_text="An entry; null while it is not known, and for a bye."
    )
    bottom = serializers.IntegerField(source="bottom.pk", default=None, help_text="The same.")
    fixture = serializers.IntegerField(
        source="fixture.pk", default=None, help_text="The leg drawn last; null without a match."
    )
    legs = serializers.SerializerMethodField()
    is_third_place = serializers.BooleanField(help_text="Whether the losers of the semi-finals meet in it.")
    winner = serializers.IntegerField(source="winner.pk", default=None, help_text="The entry that goes on.")
    how = serializers.ChoiceField(choices=[(each.value, each.name) for each in How])
    extra = serializers.SerializerMethodField()
    next_extra = serializers.SerializerMethodField()

    @extend_schema_field(NextExtraSerializer(allow_null=True))
    def get_next_extra(self, tie: Tie) -> dict[str, Any] | None:
        """What a level tie plays now; null for others."""
        found = self.context["extra"].get(tie.fixture.pk) if tie.fixture else None
        return NextExtraSerializer(found).data if found else None

    def get_legs(self, tie: Tie) -> list[int]:
        """The fixtures of all legs that are drawn, in order."""
        return [leg.pk for leg in tie.legs]

    def get_extra(self, tie: Tie) -> list[list[int]]:
        """The points of both sides of the match in each set of extra boards, home first."""
        return list(tie.decision.extra) if tie.decision else []


class BracketSerializer(serializers.Serializer[Any]):
    """The bracket of a division; without rounds before it is drawn."""

    division = serializers.IntegerField(source="division.pk")
    size = serializers.IntegerField(help_text="How many places the first round has: 2, 4, 8 ...")
    drawn = serializers.IntegerField(help_text="The last round of the bracket of which a leg is drawn.")
    legs = serializers.IntegerField(help_text="How many legs a tie has: each is a round of the competition.")
    champion = serializers.IntegerField(source="champion.pk", default=None, help_text="Who has won it.")
    seeds = serializers.SerializerMethodField()
    rounds = serializers.SerializerMethodField()
    round_names = serializers.SerializerMethodField()
    places = serializers.SerializerMethodField()

    def get_seeds(self, bracket: Bracket) -> dict[str, int]:
        """The seed of each entry."""
        return {str(key): seed for key, seed in bracket.seeds.items()}

    def get_rounds(self, bracket: Bracket) -> list[list[dict[str, Any]]]:
        """The ties of each round, from the top."""
        extra = brackets.next_extra(tie for ties_ in bracket.rounds for tie in ties_)
        return [
            list(TieSerializer(ties_, many=True, context={"extra": extra}).data) for ties_ in bracket.rounds
        ]

    def get_round_names(self, bracket: Bracket) -> list[str]:
        """What people call each round, such as “Semi-finals”."""
        rounds = len(bracket.rounds)
        return [str(round_names.of_bracket(number, rounds)) for number in range(1, rounds + 1)]

    def get_places(self, bracket: Bracket) -> dict[str, int]:
        """The place of each entry once the final is decided; who lose in one round share one."""
        return {str(key): place for key, place in bracket.places.items()}


class WhoGoesOnSerializer(KnownFields):
    """Extra boards after a level match, or a director's decision, or undoing both. One of the three."""

    extra = serializers.ListField(
        child=serializers.IntegerField(min_value=-ties.MOST_POINTS, max_value=ties.MOST_POINTS),
        min_length=2,
        max_length=2,
        required=False,
        help_text="What both sides made of a set of extra boards, home first.",
    )
    winner = serializers.IntegerField(required=False, help_text="The entry that goes on; with a `reason`.")
    undo = serializers.BooleanField(
        default=False, help_text="The result alone says it again; with a `reason`."
    )
    void_later = serializers.BooleanField(
        default=False,
        help_text="With `winner`: a match of the next round that has begun, and would have others, becomes void.",
    )
    reason = serializers.CharField(
        required=False, allow_blank=True, max_length=ties.LONGEST_REASON, default=""
    )


class NextMeetingSerializer(serializers.Serializer[Any]):
    """A match of the next round that would come."""

    number = serializers.IntegerField(help_text="Its place in the bracket, from the top.")
    entries = serializers.ListField(
        child=serializers.IntegerField(), help_text="The upper side first; one alone goes on without a match."
    )


class TieChangeSerializer(serializers.Serializer[Any]):
    """What would change in the next round if this side went on. Nothing is written."""

    winner = serializers.IntegerField(help_text="The entry that would go on.")
    too_late = serializers.BooleanField(help_text="The round after it is drawn, too: everything stands.")
    gone = serializers.ListField(
        child=serializers.IntegerField(), help_text="Fixtures of the next round that go, because others meet."
    )
    begun = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="Those of them that have begun: they stand, or become void with `void_later`.",
    )
    played = serializers.ListField(
        child=serializers.IntegerField(), help_text="Those that have a result, which is taken back first."
    )
    meetings = NextMeetingSerializer(many=True)


def change_as_json(winner: Entry, change: advancement.Change) -> dict[str, Any]:
    """What `TieChangeSerializer` tells."""
    return {
        "winner": winner.pk,
        "too_late": change.is_too_late,
        **{name: [each.pk for each in getattr(change, name)] for name in ("gone", "begun", "played")},
        "meetings": [
            {"number": tie.number, "entries": [entry.pk for entry in here]} for tie, here in change.meetings
        ],
    }


class DivisionBracket(APIView):
    """The bracket of a knock-out."""

    serializer_class = BracketSerializer
    permission_classes = (IsAuthenticatedOrReadOnly,)

    @extend_schema(
        operation_id="bracket",
        summary="The bracket of a knock-out",
        responses={200: BracketSerializer, **errors(404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """All ties by round, with who has won each and how. 404 for other formats."""
        division = get_object_or_404(Division.objects.select_related("stage__competition__club"), pk=pk)
        competition = visibility.competition(user=request.user, key=division.competition.pk)
        if not division.stage.is_bracket or competition.state == Competition.State.DRAFT:
            raise Http404
        return Response(BracketSerializer(brackets.of_division(division)).data)


class WhoGoesOn(APIView):
    """Who goes on from a match of a knock-out."""

    serializer_class = WhoGoesOnSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="foresee_who_goes_on",
        summary="What changes if a side goes on",
        parameters=[
            OpenApiParameter("winner", int, required=True, description="The entry that would go on.")
        ],
        responses={200: TieChangeSerializer, **errors(403, 404, 422)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """The matches of the next round that would go and come, for directors, before they decide."""
        fixture = visibility.fixture(user=asking(request), key=pk)
        policies.require(asking(request), "fixture.rule", fixture)
        if not fixture.round.stage.is_bracket:
            raise Http404
        wanted = request.query_params.get("winner", "")
        winner = next((each for each in fixture.entries if str(each.pk) == wanted), None)
        if winner is None:
            raise Invalid(_("Choose one of the two sides."))
        change = advancement.foreseen(fixture=fixture, winner=winner)
        return Response(TieChangeSerializer(change_as_json(winner, change)).data)

    @extend_schema(
        operation_id="decide_who_goes_on",
        summary="Say who goes on from a match",
        parameters=[IDEMPOTENCY_KEY],
        request=WhoGoesOnSerializer,
        responses={200: BracketSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Gives the bracket as it then stands. Refused with 409 when a later match that it would change has begun."""
        fixture = visibility.fixture(user=asking(request), key=pk)
        policies.require(asking(request), "fixture.rule", fixture)
        given = WhoGoesOnSerializer(data=request.data)
        given.is_valid(raise_exception=True)

        def write() -> dict[str, Any]:
            _decide(request, fixture, given.validated_data)
            return dict(BracketSerializer(brackets.of_division(fixture.division)).data)

        about = {"fixture": pk, **given.validated_data}
        key = request.headers.get("Idempotency-Key", "")
        answer = idempotency.once(
            actor=asking(request), key=key, action="fixture.who_goes_on", request=about, write=write
        )
        return Response(answer)


def _decide(request: Request, fixture: Fixture, given: dict[str, Any]) -> None:
    actor, at, reason = asking(request), timezone.now(), given["reason"]
    if ("extra" in given) + ("winner" in given) + given["undo"] != 1:
        raise Invalid(_("Send extra boards, or who goes on, or that it is undone."))
    if "extra" in given:
        ties.play_extra(actor=actor, fixture=fixture, scores=given["extra"], at=at)
    elif "winner" in given:
        winner = next((each for each in fixture.entries if each.pk == given["winner"]), None)
        if winner is None:
            raise Invalid(_("Choose one of the two sides."))
        ties.rule(
            actor=actor,
            fixture=fixture,
            winner=winner,
            reason=reason,
            at=at,
            void_later=given["void_later"],
        )
    else:
        ties.take_back(actor=actor, fixture=fixture, reason=reason, at=at)
