"""What is decided about a played match: reopening it, a board's score, boards that are shut; and reported chat."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.boards.queries import shut
from games.boards.services import neutrals, releases
from games.comparisons.reckoning import effects
from games.comparisons.reckoning.effects import Effects
from games.comparisons.services import awards
from games.events.queries import awards as given_awards
from games.models import AdjustedScore, ChatLine, FixtureBoard, Scoresheet
from games.proof import participations
from games.records.parsing import match_of
from games.scoresheets.queries.matches import sheets_of
from games.scoresheets.queries.outlook import of_reopening
from games.scoresheets.services import matches
from games.tables.services import chat
from league import policies
from league.api import visibility
from league.api.requests import DecisionSerializer, KnownFields, NothingSerializer, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.api.serializers import FixtureSerializer
from league.errors import Conflict, Invalid, NotAllowed
from league.models import Club, Fixture

MOST_REPORTS = 200


class FigureChangeSerializer(serializers.Serializer[Any]):
    """A pair's figure on a board, rounded; “–” for none."""

    pair = serializers.CharField()
    board = serializers.IntegerField()
    before = serializers.CharField()
    after = serializers.CharField()


class PlaceChangeSerializer(serializers.Serializer[Any]):
    """A pair's place in a ranking."""

    pair = serializers.CharField()
    ranking = serializers.CharField()
    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)


class EffectsSerializer(serializers.Serializer[Any]):
    """What a decision changes in the comparison; places of boards that are not released follow when they are."""

    boards = serializers.ListField(child=serializers.IntegerField())
    figures = FigureChangeSerializer(many=True)
    places = PlaceChangeSerializer(many=True)


class TableLineSerializer(serializers.Serializer[Any]):
    """A pair in the table of league points."""

    pair = serializers.CharField()
    before = serializers.IntegerField(allow_null=True, help_text="Its place.")
    after = serializers.IntegerField(allow_null=True)
    points_before = serializers.CharField()
    points_after = serializers.CharField()


class ReopeningSerializer(serializers.Serializer[Any]):
    """What reopening a match would do."""

    version = serializers.IntegerField(
        allow_null=True, help_text="Of the confirmed scoresheet; null: there is none."
    )
    table = TableLineSerializer(many=True, help_text="Those in the match and those whose line changes.")
    comparison = EffectsSerializer(allow_null=True, help_text="null: no boards, or not for you to know.")


class MatchReopening(APIView):
    """Taking a confirmed result back."""

    serializer_class = DecisionSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="reopening",
        summary="What reopening a match would do",
        responses={200: ReopeningSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """The table and the comparison before and after. For directors who do not play in the match."""
        fixture = _match(request, pk, "match.reopen")
        sheets = sheets_of(match_of(fixture))
        confirmed = next((each for each in sheets if each.verdict == Scoresheet.Verdict.CONFIRMED), None)
        changed = effects.shown_reopening(asking(request), fixture) if confirmed else None
        if changed is not None:
            participations.judged(actor=asking(request), fixture=fixture, at=timezone.now())
        outlook = of_reopening(fixture) if confirmed else None
        told = {
            "version": confirmed.version if confirmed else None,
            "table": outlook.lines if outlook else (),
            "comparison": changed,
        }
        return Response(ReopeningSerializer(told).data)

    @extend_schema(
        operation_id="reopen_match",
        summary="Reopen a match",
        parameters=[IDEMPOTENCY_KEY],
        request=DecisionSerializer,
        responses={200: FixtureSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """The match has no result until a scoresheet is confirmed again. The players are told."""
        fixture, given = _match(request, pk, "match.reopen"), sent(request, DecisionSerializer)

        def write() -> dict[str, Any]:
            matches.reopen(actor=asking(request), fixture=fixture, **given)
            return {"match": fixture.pk}

        once(request, action="match.reopen", about={"match": fixture.pk, **given}, write=write)
        return Response(FixtureSerializer(visibility.fixture(user=asking(request), key=pk)).data)


class AwardLineSerializer(serializers.Serializer[Any]):
    """A score that a director gave."""

    words = serializers.ListField(child=serializers.CharField())
    reason = serializers.CharField()
    by = serializers.CharField()
    at = serializers.DateTimeField()
    is_by_player = serializers.BooleanField(help_text="Whether the director plays in the event.")


class BoardAwardSerializer(serializers.Serializer[Any]):
    """What counts on a board of a match."""

    standing = AwardLineSerializer(allow_null=True, help_text="null: none, or not for you to know.")
    earlier = AwardLineSerializer(many=True, help_text="Those that were taken back.")
    may_give = serializers.BooleanField()
    may_take_back = serializers.BooleanField()


class GivenScoreSerializer(KnownFields):
    """What a board is worth."""

    content = serializers.JSONField(
        help_text="{“percent”: {“home”: “60”, “away”: “40”}} or {“scores”: [{“home”: “40”, “away”: “16”, “weight”: "
        "“1/2”}, …]}; exact figures, weights add up to 1."
    )
    every_board = serializers.BooleanField(
        default=False, help_text="Percentages on all boards of a match that was not played."
    )


class AwardSerializer(GivenScoreSerializer):
    """The same with the reason."""

    reason = serializers.CharField(
        max_length=awards.LONGEST_REASON, help_text="It is shown with the results."
    )


class ForeseenSerializer(serializers.Serializer[Any]):
    """What a score would change."""

    changes = EffectsSerializer(allow_null=True, help_text="null: not for you to know.")


class BoardAward(APIView):
    """The score of a board of a match."""

    serializer_class = AwardSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="award",
        summary="What counts on a board of a match",
        responses={200: BoardAwardSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, pk: int, number: int) -> Response:
        """The score that a director gave, if any. For directors, and for a side that may have it taken back."""
        return _awarded(request, _play(request, pk, number))

    @extend_schema(
        operation_id="award_score",
        summary="Award a score",
        parameters=[IDEMPOTENCY_KEY],
        request=AwardSerializer,
        responses={200: BoardAwardSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int, number: int) -> Response:
        """A board gets another score or percentages. One that counted before is taken back with it."""
        play = _play(request, pk, number, "award.make")
        given = sent(request, AwardSerializer)
        content, reason = given["content"], given["reason"]

        def write() -> dict[str, Any]:
            if given["every_board"]:
                awards.award_all(actor=asking(request), fixture=play.fixture, content=content, reason=reason)
            else:
                awards.award(actor=asking(request), play=play, content=content, reason=reason)
            return {"board": number}

        once(request, action="award.make", about={"play": play.pk, **given}, write=write)
        return _awarded(request, play)


class BoardAwardPreview(APIView):
    """A score as it would count."""

    serializer_class = GivenScoreSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="preview_award",
        summary="What an awarded score would change",
        request=GivenScoreSerializer,
        responses={200: ForeseenSerializer, **write_errors(404, 422)},
    )
    def post(self, request: Request, pk: int, number: int) -> Response:
        """Figures and places before and after. Nothing is awarded."""
        play = _play(request, pk, number, "award.make")
        given = sent(request, GivenScoreSerializer)
        content, plays = awards.read(given["content"]), [play]
        if given["every_board"]:
            if "percent" not in content:
                raise Invalid(_("If a match wasn’t played at all, please award percentages."))
            plays = list(given_awards.plays_of(play.fixture))
        changes: Effects | None = None
        if effects.may_see(request.user, play.fixture):
            changes = effects.of_award(plays, content)
            _note(request, play.fixture, {each.board_id for each in plays})
        return Response(ForeseenSerializer({"changes": changes}).data)


class BoardAwardBack(APIView):
    """Taking a score back."""

    serializer_class = DecisionSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="take_award_back",
        summary="Take an awarded score back",
        parameters=[IDEMPOTENCY_KEY],
        request=DecisionSerializer,
        responses={200: BoardAwardSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int, number: int) -> Response:
        """What was made at the table counts again."""
        play, given = _play(request, pk, number), sent(request, DecisionSerializer)

        def write() -> dict[str, Any]:
            standing = AdjustedScore.objects.filter(play=play, revoked_at__isnull=True).first()
            if standing is None:
                raise Conflict(_("There’s no score left to undo."))
            standing.play = play
            awards.revoke(actor=asking(request), award=standing, at=timezone.now(), **given)
            return {"board": number}

        once(request, action="award.take_back", about={"play": play.pk, **given}, write=write)
        return _awarded(request, play)


class ShutBoardsSerializer(serializers.Serializer[Any]):
    """Boards of a decided match that are still shut, and what you may do about it."""

    is_shut = serializers.BooleanField()
    why = serializers.SerializerMethodField(help_text="Empty unless they are shut.")
    agreed = serializers.ListField(child=serializers.CharField(), help_text="The sides that have agreed.")
    days = serializers.IntegerField(
        help_text="Shut boards open at the latest so many days after the round ends."
    )
    may_vouch = serializers.BooleanField()
    may_consent = serializers.BooleanField()
    may_name = serializers.BooleanField()
    may_let_early = serializers.BooleanField()

    def get_why(self, found: shut.ShutBoards) -> str:
        """Why they are shut."""
        return shut.why_shut(self.context["fixture"]) if found.is_shut else ""


class DecidedBoardsSerializer(ShutBoardsSerializer):
    """The same after a step."""

    link = serializers.SerializerMethodField(
        help_text="Of the step `name`: for the person you named, works once within a week, and is shown only now; "
        "else empty, as it is when the request is sent again."
    )

    def get_link(self, _found: shut.ShutBoards) -> str:
        """The link, if one has just been made."""
        return str(self.context["link"])


class OpenSerializer(KnownFields):
    """What you do about shut boards."""

    step = serializers.ChoiceField(
        choices=("consent", "vouch", "early", "name"),
        help_text="consent: your side agrees; vouch: as a neutral official; early: sealed boards may be played now; "
        "name: an owner names somebody who decides, as every director plays.",
    )
    reason = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=300,
        help_text="Everybody can read it; for vouch and early.",
    )
    name = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=neutrals.LONGEST_NAME,
        help_text="Of somebody who does not play in the event; everybody can read it; for name.",
    )


class MatchBoards(APIView):
    """The boards of a match that are still shut."""

    serializer_class = OpenSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="shut_boards",
        summary="Why the boards of a match are shut",
        responses={200: ShutBoardsSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Why, and what you may do about it; for those alone who may do something."""
        fixture = visibility.fixture(user=asking(request), key=pk)
        found = _shut(request, fixture)
        if not found.has_something:
            raise NotAllowed(_("Only people who can decide about these boards can see this page."))
        return Response(ShutBoardsSerializer(found, context={"fixture": fixture}).data)

    @extend_schema(
        operation_id="open_boards",
        summary="Let the boards of a match open, or be played early",
        parameters=[IDEMPOTENCY_KEY],
        request=OpenSerializer,
        responses={200: DecidedBoardsSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """A side agrees, a director who does not play in the event decides, or an owner names who does."""
        fixture = visibility.fixture(user=asking(request), key=pk)
        _shut(request, fixture)
        given = sent(request, OpenSerializer)
        actor, reason, link = asking(request), given.get("reason", ""), ""

        def write() -> dict[str, Any]:
            nonlocal link
            match given["step"]:
                case "consent":
                    releases.consent(actor=actor, fixture=fixture)
                case "vouch":
                    releases.vouch(actor=actor, fixture=fixture, reason=reason)
                case "early":
                    neutrals.let_play_early(actor=actor, fixture=fixture, reason=reason, at=timezone.now())
                case "name":
                    named = given.get("name", "")
                    token = neutrals.invite(actor=actor, fixture=fixture, name=named, at=timezone.now())
                    link = request.build_absolute_uri(reverse("neutral_decision", args=[token]))
            # Nothing that is kept has the link in it.
            return {"match": fixture.pk}

        once(request, action="boards.open", about={"match": fixture.pk, **given}, write=write)
        fixture = visibility.fixture(user=actor, key=pk)
        told = DecidedBoardsSerializer(_shut(request, fixture), context={"fixture": fixture, "link": link})
        return Response(told.data, headers={"Cache-Control": "no-store"})


class ReportedLineSerializer(serializers.Serializer[Any]):
    """A message at a casual table that a player reported."""

    id = serializers.IntegerField(source="pk")
    table = serializers.IntegerField(source="table_id")
    speaker = serializers.CharField()
    text = serializers.CharField()
    said_at = serializers.DateTimeField()
    reported_at = serializers.DateTimeField()
    settled_at = serializers.DateTimeField(allow_null=True)


class ChatReports(APIView):
    """Reported messages."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="chat_reports",
        summary="Messages that players reported",
        responses={200: ReportedLineSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Those of the last thirty days, those that nobody has seen to first. For directors."""
        lines = _reported(request, slug)[:MOST_REPORTS]
        return Response(ReportedLineSerializer(lines, many=True).data)


class ChatReport(APIView):
    """One of them."""

    serializer_class = NothingSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="settle_chat_report",
        summary="Say that you have seen to a reported message",
        request=NothingSerializer,
        responses={200: ReportedLineSerializer, **write_errors(404)},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Another director sees to your own messages."""
        line = get_object_or_404(_reported(request, slug), pk=pk)
        sent(request, NothingSerializer)
        chat.settle(actor=asking(request), line=line, at=timezone.now())
        line.refresh_from_db()
        return Response(ReportedLineSerializer(line).data)


def _match(request: Request, pk: int, action: str) -> Fixture:
    fixture = visibility.fixture(user=asking(request), key=pk)
    policies.require(asking(request), action, fixture)
    return fixture


def _play(request: Request, pk: int, number: int, action: str = "") -> FixtureBoard:
    """The board of the match, for those who may award a score there or take one back."""
    fixture = visibility.fixture(user=asking(request), key=pk)
    plays = FixtureBoard.objects.filter(fixture=fixture, board__number=number)
    play = plays.select_related("board__board_set").first()
    if play is None:
        raise Http404
    play.fixture = fixture
    standing = AdjustedScore.objects.filter(play=play, revoked_at__isnull=True).first()
    if action or not _may_take_back(request, play, standing):
        policies.require(asking(request), "award.make", fixture)
    return play


def _may_take_back(request: Request, play: FixtureBoard, standing: AdjustedScore | None) -> bool:
    if standing is None:
        return False
    standing.play = play
    return policies.may(request.user, "award.take_back", standing)


def _awarded(request: Request, play: FixtureBoard) -> Response:
    fixture = play.fixture
    standing = AdjustedScore.objects.filter(play=play, revoked_at__isnull=True).first()
    may_see = effects.may_see(request.user, fixture)
    earlier = given_awards.earlier(play) if may_see else ()
    if may_see and (standing or earlier):
        _note(request, fixture, {play.board_id})
    is_shown = standing is not None and given_awards.may_see_standing(request.user, fixture)
    told = {
        "standing": given_awards.line(standing) if standing and is_shown else None,
        "earlier": earlier,
        "may_give": policies.may(request.user, "award.make", fixture),
        "may_take_back": _may_take_back(request, play, standing),
    }
    return Response(BoardAwardSerializer(told).data)


def _note(request: Request, fixture: Fixture, boards: set[int]) -> None:
    participations.judged(actor=asking(request), fixture=fixture, at=timezone.now(), boards=boards)


def _shut(request: Request, fixture: Fixture) -> shut.ShutBoards:
    found = shut.shut_boards(fixture=fixture, visitor=request.user)
    if found is None:
        raise Http404
    return found


def _reported(request: Request, slug: str) -> Any:
    club = get_object_or_404(Club, slug=slug)
    policies.require(asking(request), "chat.review", club)
    return ChatLine.objects.reported(club).select_related("table__club", "user")
