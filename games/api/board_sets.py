"""Sets of boards for programs: the seal at once, key and deals from the release on; and what directors do with them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine.boards.sealing import DelayedInformation, DelayedKind
from engine.errors import RuleError
from games.api.serializers import DELAYED_KINDS, SEATS
from games.boards.forms import LONGEST_REASON, LONGEST_SET, LONGEST_TEXT
from games.boards.queries import sets as queries
from games.boards.queries.sets import TableLine
from games.boards.services import boards, imports, versions
from games.models import Board, BoardDraw, BoardSet, FixtureBoard
from league import policies
from league.api import visibility
from league.api.requests import IdField, KnownFields, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, SEVERITIES, errors, write_errors
from league.api.serializers import OfRoundSerializer
from league.desk.api.asked import named
from league.errors import Invalid
from league.models import Competition, Round
from league.standings import round_names
from league.storage.json_content import LARGEST_KEY
from league.web.wording import in_words

MOST_TABLES = 1000


class SetBoardSerializer(serializers.Serializer[Any]):
    """A board of a set."""

    id = serializers.IntegerField(source="pk")
    number = serializers.IntegerField(help_text="As it stands on the board.")
    purpose = serializers.ChoiceField(choices=Board.Purpose.choices)
    place = serializers.IntegerField(help_text="Which deal of the key for its purpose, from 1.")
    dealer = serializers.ChoiceField(choices=SEATS)
    stands_for = serializers.IntegerField(
        source="stands_for_id", allow_null=True, help_text="The mis-dealt board that this one replaces."
    )
    released_at = serializers.DateTimeField(allow_null=True)
    deal = serializers.SerializerMethodField(help_text="The cards in PBN; null until the release.")

    def get_deal(self, board: Board) -> str | None:
        """The cards, once they are public."""
        return board.deal if board.released_at is not None and board.deal else None


class DelayedSerializer(serializers.Serializer[Any]):
    """What was mixed into the deals, fixed before play."""

    kind = serializers.ChoiceField(choices=DELAYED_KINDS)
    source = serializers.CharField()  # type: ignore[assignment] # a field of that name, as the seal calls it
    on = serializers.DateField(allow_null=True)
    value = serializers.CharField(allow_null=True, help_text="null until it is known.")


class DrawSerializer(serializers.Serializer[Any]):
    """Somebody took the cards out of the site to deal them."""

    kind = serializers.ChoiceField(choices=BoardDraw.Kind.choices)
    by = serializers.CharField(source="drawn_name")
    at = serializers.DateTimeField(source="drawn_at")
    reason = serializers.CharField()


class BoardSetSerializer(OfRoundSerializer):
    """Numbered deals that several tables play."""

    id = serializers.IntegerField(source="pk")
    competition = serializers.IntegerField(source="competition_id")
    round = serializers.SerializerMethodField(help_text="The round's number; null for a whole evening.")
    round_name = serializers.SerializerMethodField()
    origin = serializers.ChoiceField(choices=BoardSet.Origin.choices)
    commitment = serializers.CharField(help_text="SHA-256 of what is in `opened` after the release.")
    delayed = serializers.SerializerMethodField(help_text="null where the deals were read from a file.")
    made_at = serializers.DateTimeField()
    discarded_at = serializers.DateTimeField(allow_null=True)
    released_at = serializers.DateTimeField(allow_null=True)
    opened = serializers.SerializerMethodField(
        help_text="The session key, or the text of the imported deals with its salt; null until the release."
    )
    boards = SetBoardSerializer(many=True)
    draws = DrawSerializer(many=True, help_text="Public marks, kept for good.")

    @staticmethod
    def names_of(rows: Sequence[Any]) -> Mapping[int, str]:
        """Empty for a whole evening."""
        names = round_names.of_rounds([each.round for each in rows if each.round])
        return {each.pk: names.get(each.round_id, "") for each in rows}

    def get_round_name(self, board_set: BoardSet) -> str:
        """What people call the round: in a knock-out “Semi-finals”, else “Round 3”; empty for a whole evening."""
        return self.name_of_round(board_set)

    def get_round(self, board_set: BoardSet) -> int | None:
        """The round's number."""
        return board_set.round.number if board_set.round else None

    @extend_schema_field(DelayedSerializer(allow_null=True))
    def get_delayed(self, board_set: BoardSet) -> Any:
        """What was mixed in."""
        return DelayedSerializer(board_set.delayed).data if board_set.delayed else None

    def get_opened(self, board_set: BoardSet) -> str | None:
        """The secret, once the whole set is released."""
        return board_set.opened if board_set.released_at is not None else None


class OfARoundSerializer(KnownFields):
    """What boards are for."""

    round = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_KEY,
        help_text="Its number; else the next one without boards. An evening has none.",
    )


class GivenDelayedSerializer(KnownFields):
    """What is mixed in, so that nobody can choose the deals."""

    kind = serializers.ChoiceField(choices=DELAYED_KINDS)
    source = serializers.CharField(  # type: ignore[assignment] # a field of that name, as the seal calls it
        max_length=LONGEST_TEXT, help_text="What exactly, and how it is written."
    )
    on = serializers.DateField(
        required=False, allow_null=True, help_text="When it is known; not of an agreed text."
    )
    value = serializers.CharField(
        required=False,
        allow_null=True,
        max_length=LONGEST_TEXT,
        help_text="Only of an agreed text; anything else is filled in later.",
    )


class NewBoardSetSerializer(OfARoundSerializer):
    """A set to be dealt and sealed."""

    count = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=boards.MOST_BOARDS,
        help_text="For an evening; a round has as many as its matches have deals.",
    )
    first_number = serializers.IntegerField(default=1, min_value=1, max_value=999)
    reserve = serializers.IntegerField(
        default=1, min_value=0, max_value=boards.MOST_RESERVES, help_text="They replace misdealt boards."
    )
    delayed = GivenDelayedSerializer()


class BoardFileSerializer(OfARoundSerializer):
    """A file of boards."""

    file = serializers.FileField(help_text="PBN, DUP, BRI, DGE, DLM, BER or LIN.")
    format = serializers.ChoiceField(choices=imports.READABLE, required=False, help_text="Else by its name.")
    first_number = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=999,
        help_text="Of a dealing machine’s file that should not begin at 1.",
    )


class FileFaultSerializer(serializers.Serializer[Any]):
    """Something in a file."""

    place = serializers.ListField(help_text="[“line”, 7], [“board”, 3], or empty: the whole file.")
    severity = serializers.ChoiceField(choices=SEVERITIES, help_text="All but suspicious refuse the file.")
    code = serializers.CharField(help_text="For programs.")
    message = serializers.SerializerMethodField(help_text="For people, in their language.")

    def get_message(self, fault: Any) -> str:
        """What is wrong, in words."""
        return in_words(fault.message)


class BoardFilePreviewSerializer(serializers.Serializer[Any]):
    """What was understood of a file. Nothing was written."""

    format = serializers.CharField(help_text="In words.")
    numbers = serializers.ListField(child=serializers.IntegerField(), help_text="Of the boards, in order.")
    accepted = serializers.BooleanField(source="is_accepted", help_text="Whether they can be sealed.")
    faults = FileFaultSerializer(many=True)
    more_faults = serializers.IntegerField(help_text="How many there are besides.")
    token = serializers.CharField(
        help_text="The boards, encrypted: you can seal them with it within an hour. Empty if not accepted."
    )


class ImportedBoardsSerializer(OfARoundSerializer):
    """What was previewed."""

    token = serializers.CharField(max_length=4 * LONGEST_SET, help_text="Of the preview for the same round.")


#: Step: what it needs, what it may have besides.
STEPS: dict[str, tuple[set[str], set[str]]] = {
    "fill": ({"value"}, set()),
    "release": ({"reason"}, {"board"}),
    "discard": ({"reason"}, set()),
    "reserve": ({"board", "reason"}, set()),
}


class BoardSetStepSerializer(KnownFields):
    """What is done with a set."""

    step = serializers.ChoiceField(
        choices=list(STEPS),
        help_text="fill: the delayed value is known; release: make the cards public before all have played, of one "
        "board or of all; discard: take a set that nobody has played out of use; reserve: a reserve board is played in "
        "place of a misdealt one.",
    )
    value = serializers.CharField(
        required=False,
        trim_whitespace=False,
        max_length=LONGEST_TEXT,
        help_text="For fill: exactly as agreed. It cannot be changed.",
    )
    board = IdField(
        required=False, help_text="The id of a board of the set; for reserve, and for release of one board."
    )
    reason = serializers.CharField(
        required=False, max_length=LONGEST_REASON, help_text="Everyone can read it; for all but fill."
    )

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        """Refuses what the step does not need: a board sent with discard would else discard them all."""
        needed, allowed = STEPS[given["step"]]
        names = given.keys() - {"step"}
        faults = {name: [_("This step needs it.")] for name in needed - names}
        faults |= {name: [_("This step doesn’t use it.")] for name in names - needed - allowed}
        if faults:
            raise serializers.ValidationError(faults)
        return given


class BoardTableSerializer(serializers.Serializer[Any]):
    """A table that plays or played a board."""

    play = serializers.IntegerField(source="play.pk", help_text="As in the comparison of the board.")
    match = serializers.IntegerField(source="play.fixture_id")
    where = serializers.CharField(help_text="Its round and table, in words.")
    version = serializers.CharField(
        source="play.version", help_text="Empty: the board as dealt; else a letter."
    )


class MarkedTablesSerializer(KnownFields):
    """Which tables played which version of a board."""

    plays = serializers.ListField(
        child=IdField(),
        allow_empty=False,
        max_length=MOST_TABLES,
    )
    version = serializers.ChoiceField(
        choices=list("BCDE"), allow_blank=True, help_text="Empty: the board as dealt."
    )
    reason = serializers.CharField(
        max_length=LONGEST_REASON,
        help_text="Name no card: people can read this before everyone has played.",
    )


AGREED_TEXT = OpenApiExample(
    "an agreed text",
    value={
        "round": 2,
        "reserve": 1,
        "delayed": {
            "kind": DelayedKind.AGREED_TEXT.value,
            "source": "The name of the competition and the round",
            "value": "Winter League, round 2",
        },
    },
    request_only=True,
)
RESERVE = OpenApiExample(
    "a misdealt board",
    value={"step": "reserve", "board": 17, "reason": "Two hands of 12 and 14 cards"},
    request_only=True,
)
FOULED = OpenApiExample(
    "two cards exchanged",
    value={"plays": [31, 32], "version": "B", "reason": "Two cards were exchanged"},
    request_only=True,
)


class BoardSetDetail(APIView):
    """One set."""

    serializer_class = BoardSetStepSerializer

    @extend_schema(
        operation_id="board_set",
        summary="A set of boards",
        responses={200: BoardSetSerializer, **errors(404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """The seal of the set and how far its boards are; key and deals when all tables have played."""
        return Response(_told(request, pk))

    @extend_schema(
        operation_id="change_board_set",
        summary="Fill in, release, discard or replace boards",
        parameters=[IDEMPOTENCY_KEY],
        request=BoardSetStepSerializer,
        examples=[RESERVE],
        responses={200: BoardSetSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """For directors; only one who plays nowhere in the competition releases cards. The trail has the reason."""
        director, found = asking(request), _seen(request, pk)
        policies.require(director, "boards.make", found.competition)
        given = sent(request, BoardSetStepSerializer)

        def write() -> dict[str, Any]:
            _do(request, found, **given)
            return {"set": found.pk}

        once(request, action="boards.step", about={"set": found.pk, **given}, write=write)
        return Response(_told(request, pk))


class BoardSetList(ListAPIView[BoardSet]):
    """The sets of a competition."""

    serializer_class = BoardSetSerializer
    filter_backends = ()

    def get_queryset(self) -> QuerySet[BoardSet]:
        """Those that are played and those that were discarded, by round."""
        if getattr(self, "swagger_fake_view", False):
            return BoardSet.objects.none()
        competition = visibility.competition(user=self.request.user, key=self.kwargs["pk"])
        return _sets().filter(competition=competition).order_by("round__number", "pk")

    @extend_schema(
        operation_id="board_sets",
        summary="The sets of boards of a competition",
        responses={200: BoardSetSerializer, **errors(404)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """All sets of a competition by round, also those that were discarded."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="make_board_set",
        summary="Make a set of boards",
        parameters=[IDEMPOTENCY_KEY],
        request=NewBoardSetSerializer,
        examples=[AGREED_TEXT],
        responses={201: BoardSetSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """The boards of a round or an evening are sealed, and everyone sees the commitment. Nobody sees a card."""
        director, competition = asking(request), _directed(request, pk)
        given = sent(request, NewBoardSetSerializer)

        def write() -> dict[str, Any]:
            played = _round(competition, given.get("round"))
            count = given.get("count") or (boards.deals_of(competition) if played else None)
            if count is None:
                raise serializers.ValidationError(
                    {"count": [_("Please say how many boards the evening has.")]}
                )
            wanted = {"first_number": given["first_number"], "reserve": given["reserve"]}
            delayed = _delayed(**given["delayed"])
            made = boards.make(
                actor=director, competition=competition, round=played, count=count, delayed=delayed, **wanted
            )
            return {"id": made.pk}

        about = {"competition": competition.pk, **given}
        answer = once(request, action="boards.make", about=about, write=write)
        return Response(_told(request, answer["id"]), status=status.HTTP_201_CREATED)


class BoardFilePreview(APIView):
    """A file of boards as it is read."""

    parser_classes = (MultiPartParser,)
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="preview_board_file",
        summary="Read a file of boards",
        request={"multipart/form-data": BoardFileSerializer},
        responses={200: BoardFilePreviewSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """What was understood, without a card. Nothing is written: send the `token` to `…/import/` to seal the boards.

        Only for directors who may know the cards.
        """
        competition, given = _directed(request, pk), sent(request, BoardFileSerializer)
        upload = given["file"]
        preview = imports.read_file(
            actor=asking(request),
            competition=competition,
            round=_round(competition, given.get("round")),
            data=upload.read(imports.LARGEST_FILE + 1),
            name=upload.name or "",
            format_key=given.get("format", ""),
            first_number=given.get("first_number"),
        )
        return Response(BoardFilePreviewSerializer(preview).data, headers={"Cache-Control": "no-store"})


class BoardFileImport(APIView):
    """Boards of a file."""

    serializer_class = ImportedBoardsSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="import_boards",
        summary="Seal the boards of a file",
        parameters=[IDEMPOTENCY_KEY],
        request=ImportedBoardsSerializer,
        responses={201: BoardSetSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """What you previewed is sealed like any other set. Everyone sees who brought the file."""
        director, competition = asking(request), _directed(request, pk)
        given = sent(request, ImportedBoardsSerializer)

        def write() -> dict[str, Any]:
            played = _round(competition, given.get("round"))
            made = imports.take_in(
                actor=director, competition=competition, round=played, token=given["token"]
            )
            return {"id": made.pk}

        about = {"competition": competition.pk, **given}
        answer = once(request, action="boards.import", about=about, write=write)
        return Response(_told(request, answer["id"]), status=status.HTTP_201_CREATED)


class BoardTables(APIView):
    """The tables of a board."""

    serializer_class = MarkedTablesSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="board_tables",
        summary="Which version of a board each table has played",
        responses={200: BoardTableSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """The tables that play a board, for directors."""
        return _tables(_board(request, pk))

    @extend_schema(
        operation_id="mark_board_tables",
        summary="Mark a fouled board",
        parameters=[IDEMPOTENCY_KEY],
        request=MarkedTablesSerializer,
        examples=[FOULED],
        responses={200: BoardTableSerializer(many=True), **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """These tables played other cards than the rest. They are compared with each other only."""
        board, given = _board(request, pk), sent(request, MarkedTablesSerializer)
        rows = FixtureBoard.objects.filter(board=board).select_related(
            "fixture__round__stage__competition__club"
        )

        def write() -> dict[str, Any]:
            plays = named(rows, given["plays"], "plays")
            mark = {"version": given["version"], "reason": given["reason"]}
            versions.mark_versions(actor=asking(request), plays=plays, **mark)
            return {"board": board.pk}

        once(request, action="boards.mark", about={"board": board.pk, **given}, write=write)
        return _tables(board)


def _do(
    request: Request,
    found: BoardSet,
    *,
    step: str,
    value: str = "",
    board: int | None = None,
    reason: str = "",
) -> None:
    """One of STEPS."""
    director = asking(request)
    chosen: Board | None = None
    if board is not None:
        rows = queries.in_play(found).select_related("board_set__competition__club")
        (chosen,) = named(rows, [board], "board")
    match step:
        case "fill":
            boards.fill_delayed(actor=director, board_set=found, value=value)
        case "release":
            boards.release(actor=director, board_set=found, board=chosen, reason=reason)
        case "discard":
            boards.discard(actor=director, board_set=found, reason=reason)
        case "reserve" if chosen is not None:
            boards.substitute_reserve(actor=director, board=chosen, reason=reason)


def _delayed(kind: str, source: str, on: Any = None, value: str | None = None) -> DelayedInformation:
    try:
        return DelayedInformation(DelayedKind(kind), source, on, value)
    except RuleError as error:
        raise Invalid(in_words(error.message), code=error.code) from error


def _directed(request: Request, pk: int) -> Competition:
    """The competition, for those who make its boards."""
    asking(request)
    competition = visibility.competition(user=request.user, key=pk)
    policies.require(asking(request), "boards.make", competition)
    return competition


def _board(request: Request, pk: int) -> Board:
    """The board, for directors of its competition."""
    found = Board.objects.select_related("board_set").filter(pk=pk).first()
    if found is None:
        raise Http404
    _directed(request, found.board_set.competition_id)
    return found


def _round(competition: Competition, number: int | None) -> Round | None:
    """The round with this number, else the next one without boards; None for an evening."""
    is_evening = competition.stage.is_evening
    if number is None:
        return None if is_evening else queries.next_round(competition)
    rounds = Round.objects.select_related("stage__competition").filter(stage__competition=competition)
    found = None if is_evening else rounds.filter(number=number).first()
    if found is None:
        said = _("%(number)d isn’t among those that can be chosen here.") % {"number": number}
        raise serializers.ValidationError({"round": [said]})
    return found


def _tables(board: Board) -> Response:
    lines: tuple[TableLine, ...] = queries.tables_of(board)
    return Response(BoardTableSerializer(lines, many=True).data)


def _seen(request: Request, pk: int) -> BoardSet:
    found = _sets().filter(pk=pk).first()
    if found is None or not policies.may(request.user, "competition.see", found.competition):
        raise Http404
    return found


def _told(request: Request, pk: int) -> Any:
    """The set as everybody sees it: no card before its release."""
    return BoardSetSerializer(_seen(request, pk)).data


def _sets() -> QuerySet[BoardSet]:
    boards = Board.objects.order_by("purpose", "place")
    return BoardSet.objects.select_related("competition__club", "round__stage").prefetch_related(
        Prefetch("boards", boards), "draws"
    )
