"""A duplicate evening run by programs: seats, the clock, the end, and pairs that come late or leave."""

from collections.abc import Callable, Mapping
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.evenings import EveningSerializer, evening_of, shown
from games.models import Evening
from games.sessions import services as evenings
from games.sessions.queries.late_options import LateOptions, late_options
from games.sessions.queries.leave_options import STAND_IN, leave_options
from games.sessions.sections import REPLACED
from games.sessions.services.clock import MOST_MINUTES
from league import validation
from league.actors import Actor
from league.api.requests import Changes, IdField, KnownFields, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.competitions.services import competitions, drafts
from league.desk.api.asked import named
from league.errors import Conflict
from league.manage.queries import manage
from league.manage.services import setups
from league.models import Competition, DraftChange, Entry, Lineup
from league.storage.json_content import LARGEST_COUNT, LARGEST_NUMBER

LONGEST_REASON = 300
RUNNING = Competition.State.RUNNING
NOT_RUNNING = gettext_lazy("Pairs can join and leave only while the evening is running.")


def _start(actor: Actor, found: Competition, given: Mapping[str, Any]) -> None:
    evenings.start(actor=actor, competition=found, at=timezone.now(), seen=given["seen"])


def _next(actor: Actor, found: Competition, given: Mapping[str, Any]) -> None:
    evenings.next_round(actor=actor, competition=found, number=given["round"], at=timezone.now())


def _pause(actor: Actor, found: Competition, given: Mapping[str, Any]) -> None:
    evenings.pause(actor=actor, competition=found, number=given["round"], at=timezone.now())


def _resume(actor: Actor, found: Competition, given: Mapping[str, Any]) -> None:
    evenings.resume(actor=actor, competition=found, number=given["round"], at=timezone.now())


def _minutes(actor: Actor, found: Competition, given: Mapping[str, Any]) -> None:
    evenings.add_minutes(
        actor=actor,
        competition=found,
        number=given["round"],
        minutes=given["minutes"],
        paused_seconds=given["paused_seconds"],
    )


def _finish(actor: Actor, found: Competition, _given: Mapping[str, Any]) -> None:
    evenings.finish(actor=actor, competition=found, at=timezone.now())


def _reopen(actor: Actor, found: Competition, given: Mapping[str, Any]) -> None:
    competitions.reopen(actor=actor, competition=found, reason=given["reason"])


def _take_back(actor: Actor, found: Competition, _given: Mapping[str, Any]) -> None:
    evenings.take_back(actor=actor, competition=found)


def _house(actor: Actor, found: Competition, given: Mapping[str, Any]) -> None:
    row = _entry(found, given["entry"])
    evenings.set_house(actor=actor, entry=row, is_house=given["is_house"])


def _undo(actor: Actor, found: Competition, given: Mapping[str, Any]) -> None:
    change = get_object_or_404(DraftChange, pk=given["change"], competition_id=found.pk)
    drafts.undo(actor=actor, change=change, seen=given["seen"])


# Act: what it does, and the fields that it needs.
ACTS: dict[str, tuple[Callable[[Actor, Competition, Mapping[str, Any]], None], tuple[str, ...]]] = {
    "start": (_start, ("seen",)),
    "next": (_next, ("round",)),
    "pause": (_pause, ("round",)),
    "resume": (_resume, ("round",)),
    "minutes": (_minutes, ("round", "minutes", "paused_seconds")),
    "finish": (_finish, ()),
    "reopen": (_reopen, ("reason",)),
    "take_back": (_take_back, ()),
    "house": (_house, ("entry", "is_house")),
    "undo": (_undo, ("change", "seen")),
}
ROUND_1 = OpenApiExample("The first round begins", request_only=True, value={"act": "next", "round": 1})
FIVE_MINUTES = OpenApiExample(
    "Five more minutes",
    request_only=True,
    value={"act": "minutes", "round": 2, "minutes": 5, "paused_seconds": 0},
)
LATE = OpenApiExample(
    "A pair takes the empty place",
    request_only=True,
    value={"option": "empty-12-8-2", "typed": "Nora Nye & Ole Ost"},
)
LEAVES = OpenApiExample(
    "A pair goes home", request_only=True, value={"option": "sit-out-3", "reason": "Taken ill"}
)


class EveningActSerializer(KnownFields):
    """What is done, with the fields that it needs and no other."""

    act = serializers.ChoiceField(
        choices=list(ACTS),
        help_text="start: the pairs get their seats; next, pause, resume, minutes: the clock of `round`; finish, "
        "reopen: the evening; take_back: the seats, before the first round; house: whether an `entry` of the draft "
        "plays for the house; undo: a `change` of the draft.",
    )
    seen = IdField(required=False, min_value=0, help_text="`newest` of the evening.")
    round = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_NUMBER,
        help_text="For next the round that begins, else the one in play: sent twice it counts once.",
    )
    minutes = serializers.IntegerField(required=False, min_value=1, max_value=MOST_MINUTES)
    paused_seconds = serializers.IntegerField(
        required=False, min_value=0, max_value=LARGEST_COUNT, help_text="As the clock has it."
    )
    change = IdField(required=False)
    entry = IdField(required=False)
    is_house = serializers.BooleanField(
        required=False, help_text="For the others it counts, without a place of their own."
    )
    reason = serializers.CharField(required=False, max_length=LONGEST_REASON)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """All that the act needs, and nothing that it doesn't take."""
        _work, needs = ACTS[attrs["act"]]
        said = str(self.fields["act"].error_messages["required"])
        missing = {
            name: [serializers.ErrorDetail(said, code="required")] for name in needs if name not in attrs
        }
        unknown = {name: [_("There is no such field.")] for name in attrs.keys() - {"act", *needs}}
        if missing or unknown:
            raise serializers.ValidationError({**missing, **unknown})
        return attrs


class EveningActs(APIView):
    """Running an evening."""

    serializer_class = EveningActSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="evening_act",
        summary="Seat the pairs, run the clock, or finish the evening",
        parameters=[IDEMPOTENCY_KEY],
        request=EveningActSerializer,
        examples=[ROUND_1, FIVE_MINUTES],
        responses={200: EveningSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """What a director presses on the evening's page. It ends when every table of every round has a result."""
        found, given = evening_of(request, pk), sent(request, EveningActSerializer)
        work, _needs = ACTS[given["act"]]

        def write() -> dict[str, Any]:
            work(asking(request), found, given)
            return {}

        once(request, action="evening.act", about={"competition": found.pk, **given}, write=write)
        return shown(request, pk)


class MeetingSerializer(serializers.Serializer[Any]):
    """Where a late pair is in a round."""

    round = serializers.IntegerField(source="round_number")
    table = serializers.CharField()
    against = serializers.IntegerField(source="against.pk", allow_null=True, help_text="null: they sit out.")
    instead_of = serializers.IntegerField(source="instead_of.pk", allow_null=True)
    why = serializers.CharField(help_text="Why they sit out, or empty.")


class WaySerializer(serializers.Serializer[Any]):
    """One way to go on, and what follows."""

    option = serializers.CharField(source="key")
    what = serializers.CharField(source="title")
    number = serializers.IntegerField()
    from_round = serializers.IntegerField()
    consequences = serializers.ListField(child=serializers.CharField())


class WayInSerializer(WaySerializer):
    """A way in."""

    division = serializers.IntegerField(source="section.division.pk")
    meetings = MeetingSerializer(many=True)


class WaysInSerializer(serializers.Serializer[Any]):
    """All ways in, and why there are no others."""

    options = WayInSerializer(many=True)
    refusals = serializers.ListField(child=serializers.CharField())


class JoiningSerializer(Changes):
    """Which pair takes a place, or which player where partners change: one of the club's, or one that is typed."""

    pair = IdField(required=False, help_text="Of the club, and not taking part yet.")
    player = IdField(required=False, help_text="The same, where partners change.")
    typed = serializers.CharField(
        required=False,
        max_length=200,
        help_text="Or both names, such as “Nora Nye & Ole Ost”. New players are added.",
    )


class LatePairSerializer(JoiningSerializer):
    """Which pair joins, and how."""

    option = serializers.CharField(max_length=60, help_text="From the options.")


class EveningEntrySerializer(serializers.Serializer[Any]):
    """A pair of the evening."""

    entry = serializers.IntegerField()
    number = serializers.IntegerField()


class EveningLatePairs(APIView):
    """Pairs that come late."""

    serializer_class = LatePairSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="late_pair_options",
        summary="How a pair could join a running evening",
        responses={200: WaysInSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Each way in with its consequences, and why there is none."""
        found = evening_of(request, pk)
        ways = late_options(found) if found.state == RUNNING else LateOptions((), (str(NOT_RUNNING),))
        return Response(WaysInSerializer(ways).data)

    @extend_schema(
        operation_id="join_evening",
        summary="Let a pair join a running evening",
        parameters=[IDEMPOTENCY_KEY],
        request=LatePairSerializer,
        examples=[LATE],
        responses={201: EveningEntrySerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """They join in one of the ways in. A pair that is typed is added to the club."""
        found, given = evening_of(request, pk), sent(request, LatePairSerializer)

        def write() -> dict[str, Any]:
            _check_running(found)
            entry = evenings.late_pair(
                actor=asking(request),
                competition=found,
                lineup=_joining(request, found, given),
                option=given["option"],
                at=timezone.now(),
            )
            return _told(entry)

        about = {"competition": found.pk, **given}
        answer = once(request, action="evening.join", about=about, write=write)
        return Response(answer, status=status.HTTP_201_CREATED)


class LeavingSerializer(JoiningSerializer):
    """How a pair leaves; for a stand-in also who takes its place."""

    option = serializers.CharField(max_length=60, help_text="From the options.")
    reason = serializers.CharField(max_length=LONGEST_REASON)
    is_house = serializers.BooleanField(
        required=False, help_text="Of a player who takes over: plays for the house, without a place."
    )


class EveningLeaving(APIView):
    """A pair that leaves."""

    serializer_class = LeavingSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="leave_options",
        summary="How an evening could go on without a pair",
        responses={200: WaySerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, pk: int, entry: int) -> Response:
        """Each way with its consequences; none for a pair that has left, nor when the evening isn't running."""
        found = evening_of(request, pk)
        row = _entry(found, entry)
        ways = leave_options(row, Evening.objects.get(pk=pk)) if found.state == RUNNING else ()
        return Response(WaySerializer(ways, many=True).data)

    @extend_schema(
        operation_id="leave_evening",
        summary="Let a pair leave an evening",
        parameters=[IDEMPOTENCY_KEY],
        request=LeavingSerializer,
        examples=[LEAVES],
        responses={200: EveningEntrySerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int, entry: int) -> Response:
        """Their place stays empty, or another pair takes it over: then the answer is that pair's entry."""
        found, given = evening_of(request, pk), sent(request, LeavingSerializer)
        row = _entry(found, entry)
        unused = given.keys() & {"pair", "player", "typed", "is_house"}
        if not given["option"].startswith(STAND_IN) and unused:
            said = _("Name a pair only if they take over the place.")
            raise serializers.ValidationError({name: [said] for name in unused})

        def write() -> dict[str, Any]:
            _check_running(found)
            left = evenings.pair_leaves(
                actor=asking(request),
                entry=row,
                option=given["option"],
                reason=given["reason"],
                at=timezone.now(),
                stand_in=(_joining(request, found, given) if given["option"].startswith(STAND_IN) else None),
                is_house=given.get("is_house", False),
            )
            return _told(left)

        about = {"competition": found.pk, "entry": row.pk, **given}
        return Response(once(request, action="evening.leave", about=about, write=write))


class TakenBackSerializer(KnownFields):
    """Why it is undone."""

    reason = serializers.CharField(
        required=False, max_length=LONGEST_REASON, help_text="For a pair that had left."
    )


class EveningTakeBack(APIView):
    """Undoing that a pair joined or left."""

    serializer_class = TakenBackSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="take_pair_back",
        summary="Undo that a pair joined or left",
        parameters=[IDEMPOTENCY_KEY],
        request=TakenBackSerializer,
        responses={200: EveningSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int, entry: int) -> Response:
        """A pair that has left plays on; one that came late didn't join after all."""
        found, given = evening_of(request, pk), sent(request, TakenBackSerializer)

        def write() -> dict[str, Any]:
            _check_running(found)
            row, actor, at = _entry(found, entry), asking(request), timezone.now()
            if row.withdrawn_at:
                reason = given.get("reason") or _("undone")
                evenings.take_back_leaving(actor=actor, entry=row, reason=reason, at=at)
            else:
                evenings.take_back_late(actor=actor, entry=row, at=at)
            return {}

        about = {"competition": found.pk, "entry": entry, **given}
        once(request, action="evening.take_back", about=about, write=write)
        return shown(request, pk)


def _check_running(competition: Competition) -> None:
    if competition.state != RUNNING:
        raise Conflict(str(NOT_RUNNING))


def _entry(competition: Competition, key: int) -> Entry:
    found: Entry = get_object_or_404(Entry.objects.with_pairs(), pk=key, competition=competition)
    return found


def _joining(request: Request, competition: Competition, given: Mapping[str, Any]) -> Lineup:
    """The pair that is named; one that is typed is made. Within the transaction of the write."""
    of_players = competition.is_of_individuals
    name, other = ("player", "pair") if of_players else ("pair", "player")
    if other in given:
        raise serializers.ValidationError({other: [_("There is no such field.")]})
    if (name in given) == ("typed" in given):
        said = (
            _("Please choose a player, or type a name.")
            if of_players
            else _("Please choose a pair, or type the two players’ names.")
        )
        raise serializers.ValidationError({name: [said]})
    if name in given:
        free = manage.free_players(competition) if of_players else manage.free_pairs(competition)
        (chosen,) = named(free, [given[name]], name)
    else:
        chosen = None
    typed = validation.one_line(given.get("typed", ""))
    return setups.who_joins(actor=asking(request), competition=competition, chosen=chosen, typed=typed)


def _told(entry: Entry) -> dict[str, Any]:
    return {"entry": entry.pk, "number": entry.number % REPLACED}
