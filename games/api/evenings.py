"""A duplicate evening set up by programs: what and when, how each section moves, and the evening as it stands.

Its pairs are entered and numbered at the addresses of every draft (league.desk.api.entering).
"""

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine.contest.movements import sections as offers
from engine.contest.movements.sections import Choice
from games.embargo import FEWEST_BOARDS
from games.models import Duplicate
from games.sessions import services as evenings
from games.sessions.forms import (
    MOST_LENGTH,
    MOST_ROUNDS,
    RELAY,
    USUAL_BOARDS,
    USUAL_MINUTES,
    USUAL_ROUNDS,
    MovementForm,
    key_of,
    rounds_wanted,
)
from games.sessions.queries import rooms, steps
from games.sessions.queries.late_options import joined_late
from games.sessions.queries.leave_options import left_pairs
from games.sessions.queries.movement_words import Terms, consequences, name_of, ways
from games.sessions.sections import REPLACED, Section, of_draft, of_running
from games.sessions.services import EveningPlan
from games.sessions.services.setting_up import LETTERS, MOST_BOARDS_A_ROUND
from league import policies, validation
from league.api import visibility
from league.api.requests import Changes, ClockField, IdField, KnownFields, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.api.serializers import CompetitionSerializer, NamedPairSerializer
from league.competitions.services import competitions, drafts
from league.desk.api.asked import club_for, named
from league.desk.api.setting_up import DraftChangeSerializer, SetupStepSerializer
from league.errors import Conflict
from league.manage.forms.setup import first_round_limits
from league.manage.queries import setup_steps
from league.models import Competition
from league.storage.json_content import LARGEST_NUMBER

DRAFT = Competition.State.DRAFT
KINDS = ("howell", "mitchell", RELAY, "three-quarter", "hesitation", "web", "appendix", "rover", "individual")
MOST_MINUTES = 600
THURSDAY = OpenApiExample(
    "An evening",
    request_only=True,
    value={"name": "Thursday", "starts_on": "2026-11-05", "boards_a_round": 4, "minutes_a_round": 28},
)
HOWELL = OpenApiExample(
    "A short Howell for seven pairs",
    request_only=True,
    value={"division": 12, "kind": "howell", "rounds": 5, "phantom": 8},
)


class EveningSetupSerializer(Changes):
    """What an evening is set up as; what you leave out stays as it is."""

    name = serializers.CharField(required=False, max_length=120)
    game = serializers.CharField(
        required=False, max_length=30, help_text="The key of one whose deals can be played at several tables."
    )
    partners_change = serializers.BooleanField(
        required=False,
        help_text="Players enter, 8, 12 or 16 in a section, and have another partner in every round.",
    )
    starts_on = serializers.DateField(required=False, validators=first_round_limits())
    play_time = ClockField(required=False, help_text="When the first round begins, in the club’s time zone.")
    place = serializers.CharField(required=False, allow_blank=True, max_length=200)
    sections = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=len(LETTERS),
        help_text="Each section has its own movement: A, B and so on.",
    )
    boards_a_round = serializers.IntegerField(
        required=False, min_value=FEWEST_BOARDS, max_value=MOST_BOARDS_A_ROUND
    )
    minutes_a_round = serializers.IntegerField(required=False, min_value=1, max_value=MOST_MINUTES)
    method = serializers.ChoiceField(choices=Duplicate.Way.choices, required=False)
    measure = serializers.ChoiceField(choices=Duplicate.Measure.choices, required=False)
    tops = serializers.ChoiceField(choices=Duplicate.Tops.choices, required=False)
    least_share = serializers.IntegerField(
        required=False, min_value=0, max_value=100, help_text="Boards needed to be ranked, in percent."
    )
    handicap = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=100,
        help_text="Percent of what the grades promise; 0: without.",
    )
    visibility = serializers.ChoiceField(choices=Competition.Visibility.choices, required=False)


class NewEveningSerializer(EveningSetupSerializer):
    """The same for a new evening, which needs a name and a day; what you leave out is as usual."""

    name = serializers.CharField(max_length=120)
    starts_on = serializers.DateField(validators=first_round_limits())


class SectionPairSerializer(serializers.Serializer[Any]):
    """A pair of a section."""

    entry = serializers.IntegerField(source="pk")
    number = serializers.IntegerField(
        source="seat_number", allow_null=True, help_text="In the movement; null: there is none yet."
    )
    pair = NamedPairSerializer(source="lineup", help_text="Where partners change, a player alone.")
    is_house = serializers.BooleanField(help_text="Plays for the house, without a place in the ranking.")


class MovementSerializer(serializers.Serializer[Any]):
    """How a section moves, or could."""

    kind = serializers.ChoiceField(choices=KINDS)
    name = serializers.CharField()
    rounds = serializers.IntegerField()
    length = serializers.IntegerField(
        allow_null=True, help_text="Rounds of the whole movement, where there are several of that kind."
    )
    arrow_switched = serializers.IntegerField()
    barometer = serializers.BooleanField(help_text="All tables play the same boards in each round.")
    phantom = serializers.IntegerField(allow_null=True, help_text="The number of the missing pair, if any.")
    says = serializers.ListField(child=serializers.CharField(), help_text="What it means.")


class SectionSerializer(serializers.Serializer[Any]):
    """A section."""

    division = serializers.IntegerField()
    name = serializers.CharField()
    entries = SectionPairSerializer(many=True)
    movement = MovementSerializer(allow_null=True, help_text="The usual one where nobody has chosen.")
    is_chosen = serializers.BooleanField()
    offered = MovementSerializer(many=True, help_text="Every movement for so many pairs; of a draft.")
    missing = serializers.CharField(help_text="Why there is no movement, or empty.")


class NeededBoardsSerializer(serializers.Serializer[Any]):
    """The boards of a draft."""

    set = serializers.IntegerField(source="set.pk", allow_null=True, help_text="null: made with the seats.")
    needed = serializers.IntegerField()
    why_not = serializers.CharField(help_text="Why those there cannot be played, or empty.")


class ClockSerializer(serializers.Serializer[Any]):
    """The clock of the room."""

    state = serializers.ChoiceField(choices=("waiting", "running", "paused", "finished"))
    round = serializers.IntegerField(source="number", help_text="0: none has begun.")
    rounds = serializers.IntegerField()
    left = serializers.IntegerField(help_text="Seconds; below 0 the time is over.")
    ends_at = serializers.DateTimeField(source="ends.at", allow_null=True)
    paused_seconds = serializers.IntegerField(help_text="Send it back to add minutes.")


class RoomTableSerializer(serializers.Serializer[Any]):
    """A table of a round; its sides are those of the match."""

    match = serializers.IntegerField(source="key")
    table = serializers.CharField(source="name")
    section = serializers.CharField()
    round = serializers.IntegerField(source="round_number")
    boards = serializers.CharField(help_text="Their numbers.")
    status = serializers.CharField(help_text="That of the match.")


class LeftPairSerializer(serializers.Serializer[Any]):
    """A pair that has left."""

    entry = serializers.IntegerField(source="entry.pk")
    number = serializers.SerializerMethodField()
    reason = serializers.CharField(help_text="Empty: not for you while boards are sealed.")

    def get_number(self, left: Any) -> int:
        """The number of its place."""
        return int(left.entry.number) % REPLACED


class EveningSerializer(serializers.Serializer[Any]):
    """An evening as its directors have it. A draft has `steps` and `boards`, a seated evening `clock` and tables."""

    competition = CompetitionSerializer()
    setup = EveningSetupSerializer()
    sections = SectionSerializer(many=True)
    steps = SetupStepSerializer(many=True)
    boards = NeededBoardsSerializer(allow_null=True)
    clock = ClockSerializer(allow_null=True)
    tables = RoomTableSerializer(many=True, help_text="Of the round in play.")
    late = RoomTableSerializer(many=True, help_text="Of earlier rounds, still without a result.")
    sitting_out = serializers.ListField(
        child=serializers.IntegerField(), help_text="Entries without a table in the round in play."
    )
    joined = serializers.ListField(child=serializers.IntegerField(), help_text="Entries that came late.")
    left = LeftPairSerializer(many=True)
    history = DraftChangeSerializer(many=True, help_text="The last changes of the draft, the newest first.")
    newest = serializers.IntegerField(
        help_text="The newest change. Send it back to seat the pairs or to undo."
    )


class ClubEvenings(APIView):
    """A new evening."""

    serializer_class = NewEveningSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="set_up_evening",
        summary="Set up a duplicate evening",
        parameters=[IDEMPOTENCY_KEY],
        request=NewEveningSerializer,
        examples=[THURSDAY],
        responses={201: EveningSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """A draft, which only directors see. The place is the club's where you don't say."""
        club, given = club_for(request, slug, "competition.set_up"), sent(request, NewEveningSerializer)
        plan = EveningPlan(**{"place": club.place, **given})

        def write() -> dict[str, Any]:
            return {"id": evenings.make(actor=asking(request), club=club, data=plan).pk}

        answer = once(request, action="evening.set_up", about={"club": club.pk, **given}, write=write)
        return shown(request, answer["id"], status.HTTP_201_CREATED)


class EveningDetail(APIView):
    """An evening."""

    serializer_class = EveningSetupSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="evening",
        summary="A duplicate evening, for directors",
        responses={200: EveningSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """How it is set up, each section's pairs and movement; once seated, the clock and what is missing."""
        return shown(request, pk)

    @extend_schema(
        operation_id="change_evening",
        summary="Change a duplicate evening",
        request=EveningSetupSerializer,
        responses={200: EveningSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Once the pairs are seated only name, place, minutes and who can see it can change."""
        found, given = evening_of(request, pk), sent(request, EveningSetupSerializer)
        plan = replace(evenings.plan_of(found), **given)
        evenings.edit(actor=asking(request), competition=found, data=plan)
        return shown(request, pk)

    @extend_schema(
        operation_id="delete_evening",
        summary="Delete the draft of an evening",
        responses={204: OpenApiResponse(description="It is deleted."), **errors(403, 404, 409)},
    )
    def delete(self, request: Request, pk: int) -> Response:
        """A draft only. It can be restored among the club's deleted drafts."""
        competitions.discard(actor=asking(request), competition=evening_of(request, pk))
        return Response(status=status.HTTP_204_NO_CONTENT)


class ChosenMovementSerializer(KnownFields):
    """How a section moves."""

    division = IdField(required=False, help_text="Needed where there are several.")
    kind = serializers.ChoiceField(choices=KINDS, help_text="One of `offered`; relay: with share and relay.")
    length = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_NUMBER,
        help_text="As `offered` has it: needed of a three-quarter Howell, a Web and an Appendix Mitchell.",
    )
    rounds = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_NUMBER, help_text="All, unless you say so."
    )
    arrow_switched = serializers.IntegerField(
        required=False, min_value=0, max_value=LARGEST_NUMBER, help_text="Rounds; of a Mitchell."
    )
    phantom = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_NUMBER, help_text="Of an odd number of pairs."
    )
    barometer = serializers.BooleanField(required=False, help_text="Of a Howell or a Mitchell.")


class EveningMovement(APIView):
    """The movement of a section."""

    serializer_class = ChosenMovementSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="choose_movement",
        summary="Choose how a section moves",
        parameters=[IDEMPOTENCY_KEY],
        request=ChosenMovementSerializer,
        examples=[HOWELL],
        responses={200: EveningSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Of a draft. The evening's `sections` say what is offered for so many pairs, and what it means."""
        found, given = evening_of(request, pk), sent(request, ChosenMovementSerializer)

        def write() -> dict[str, Any]:
            if found.state != DRAFT:
                raise Conflict(_("The pairs are already seated."))
            section = _section(found, given.get("division"))
            choice = _chosen(found, section, given)
            evenings.choose_movement(actor=asking(request), division=section.division, choice=choice)
            return {}

        once(request, action="evening.movement", about={"competition": found.pk, **given}, write=write)
        return shown(request, pk)


class WayWantedSerializer(serializers.Serializer[Any]):
    """How many pairs, or players, and how long: rounds, boards or minutes, of which the shortest counts."""

    pairs = serializers.IntegerField(min_value=offers.FEWEST_PAIRS, max_value=offers.MOST_PAIRS)
    partners_change = serializers.BooleanField(
        default=False, help_text="`pairs` is the number of players, who change partners every round."
    )
    rounds = serializers.IntegerField(required=False, min_value=1, max_value=MOST_ROUNDS)
    boards = serializers.IntegerField(
        required=False, min_value=1, max_value=MOST_LENGTH, help_text="That a pair plays."
    )
    minutes = serializers.IntegerField(
        required=False, min_value=1, max_value=MOST_LENGTH, help_text="For all rounds together."
    )
    boards_a_round = serializers.IntegerField(
        default=USUAL_BOARDS, min_value=FEWEST_BOARDS, max_value=MOST_BOARDS_A_ROUND
    )
    minutes_a_round = serializers.IntegerField(default=USUAL_MINUTES, min_value=1, max_value=MOST_MINUTES)


class PlayableMovementSerializer(serializers.Serializer[Any]):
    """A way to play for so long, with one winner."""

    kind = serializers.SerializerMethodField()
    length = serializers.IntegerField(source="choice.length", allow_null=True)
    name = serializers.CharField()
    rounds = serializers.IntegerField(source="choice.rounds")
    boards = serializers.IntegerField(help_text="That a pair plays.")
    boards_in_play = serializers.IntegerField(source="in_play")
    copies = serializers.IntegerField(help_text="Tables that play the same boards at once, at most.")
    minutes = serializers.IntegerField()
    balance = serializers.CharField(
        help_text="How unevenly pairs are compared, as a fraction: 0 is perfect, less is better."
    )

    @extend_schema_field(serializers.ChoiceField(choices=KINDS))
    def get_kind(self, way: Any) -> str:
        """Its family."""
        return kind_of(way.choice)


class Movements(APIView):
    """The movements that there are."""

    serializer_class = PlayableMovementSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="movements",
        summary="Every way to play for so many pairs and so long",
        parameters=[WayWantedSerializer],
        responses={200: PlayableMovementSerializer(many=True), **errors(422)},
    )
    def get(self, request: Request) -> Response:
        """The most even comparison first. Without rounds, boards or minutes it is for seven rounds."""
        wanted = WayWantedSerializer(data=request.query_params)
        wanted.is_valid(raise_exception=True)
        given = wanted.validated_data
        unit = {name: given[name] for name in ("boards_a_round", "minutes_a_round")}
        rounds = rounds_wanted(given, **unit) or USUAL_ROUNDS
        found = ways(given["pairs"], rounds, of_players=given["partners_change"], **unit)
        return Response(PlayableMovementSerializer(found, many=True).data)


def evening_of(request: Request, pk: int) -> Competition:
    """The evening, for those who run it."""
    found = visibility.competition(user=asking(request), key=pk)
    policies.require(asking(request), "evening.run", found)
    if not found.stage.is_evening:
        raise Http404
    return found


def shown(request: Request, pk: int, code: int = status.HTTP_200_OK) -> Response:
    """The evening as it is now."""
    found = evening_of(request, pk)
    is_draft = found.state == DRAFT
    plans = steps.plans(found) if is_draft else ()
    told = {
        "competition": found,
        "setup": asdict(evenings.plan_of(found)),
        "sections": list(_sections(found)),
        "steps": steps.steps(found, "", plans) if is_draft else (),
        "boards": steps.boards_of(found, plans) if is_draft else None,
        **(_NO_ROOM if is_draft else _room(request, found)),
        "joined": [each.pk for each in joined_late(found)],
        "left": left_pairs(found, asking(request)),
        "history": setup_steps.history(found),
        "newest": drafts.newest(found),
    }
    return Response(EveningSerializer(told).data, status=code)


_NO_ROOM: dict[str, Any] = {"clock": None, "tables": (), "late": (), "sitting_out": ()}


def _room(request: Request, competition: Competition) -> dict[str, Any]:
    room = rooms.room(competition, asking(request), at=timezone.now())
    return {
        "clock": room.clock,
        "tables": room.tables,
        "late": room.late,
        "sitting_out": [pair.entry for pair in room.waiting],
    }


def _sections(competition: Competition) -> Iterator[dict[str, Any]]:
    terms = steps.terms(competition)
    is_draft = competition.state == DRAFT
    for section in of_draft(competition) if is_draft else of_running(competition):
        offered = MovementForm(section=section, terms=terms).offered.values() if is_draft else ()
        numbers = {entry.pk: number % REPLACED for number, entry in section.by_number.items()}
        yield {
            "division": section.division.pk,
            "name": section.division.name,
            "entries": [
                {
                    "pk": each.pk,
                    "lineup": each.lineup,
                    "seat_number": numbers.get(each.pk),
                    "is_house": each.is_house,
                }
                for each in section.entries
            ],
            "movement": _movement(section.choice, terms) if section.choice else None,
            "is_chosen": section.is_chosen,
            "offered": [_movement(each, terms) for each in offered],
            "missing": section.refusal,
        }


def _movement(choice: Any, terms: Terms) -> dict[str, Any]:
    return {
        "kind": kind_of(choice),
        "length": choice.length,
        "barometer": choice.barometer,
        "name": name_of(choice),
        "rounds": choice.rounds,
        "arrow_switched": choice.arrow_switched,
        "phantom": choice.phantom,
        "says": consequences(choice, terms),
    }


def kind_of(choice: Choice) -> str:
    """What the API calls the family of a movement."""
    return key_of(replace(choice, length=None))


def _section(competition: Competition, key: int | None) -> Section:
    found = of_draft(competition)
    if key is None and len(found) > 1:
        raise serializers.ValidationError({"division": [_("Say in which division.")]})
    if key is not None:
        named(competition.stage.divisions.all(), [key], "division")
    return next(each for each in found if key in {None, each.division.pk})


def _chosen(competition: Competition, section: Section, given: dict[str, Any]) -> Any:
    """The choice as the page's form makes it of the same fields; refused with every fault at its field."""
    if section.refusal:
        validation.refuse([validation.fault(section.refusal, "division")])
    prefix = f"section{section.division.pk}"
    length = given.get("length")
    kind = f"{given['kind']}-{length}" if length else given["kind"]
    data = {f"{prefix}-{name}": value for name, value in {**given, "kind": kind}.items()}
    form = MovementForm(data, section=section, terms=steps.terms(competition))
    unused = [
        name
        for name in ("arrow_switched", "phantom", "barometer")
        if name in given and name not in form.fields
    ]
    faults = [
        validation.fault(_("This movement doesn’t need this. Please leave it out."), name) for name in unused
    ]
    faults += [
        validation.fault(str(message), name) for name, found in form.errors.items() for message in found
    ]
    validation.refuse(faults)
    return form.choice()
