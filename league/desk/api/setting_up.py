"""Setting up a competition: what it is, its calendar and points as they would be, undoing, and publishing."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine.contest import knockout
from league import extension, formats, policies
from league.api import visibility
from league.api.requests import Changes, ClockField, IdField, KnownFields, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.api.serializers import ROUND_NAME, CompetitionSerializer
from league.competitions.services import competitions, drafts
from league.competitions.services.competitions import usual_game
from league.competitions.services.divisions import MOST as MOST_DIVISIONS
from league.competitions.services.divisions import DivisionPlan
from league.desk.api.asked import club_for
from league.desk.queries import desk
from league.extension import GamePort
from league.fixtures import arranging
from league.manage.forms.points import LEAGUE_POINTS
from league.manage.forms.setup import first_round_limits
from league.manage.queries import setup_steps
from league.manage.queries.worked_example import Example
from league.manage.services import setups
from league.manage.views import setup_parts
from league.models import Competition, DraftChange
from league.models.competitions import IMP_SCALES, LEAST_SILENCE, MOST_SILENCE
from league.storage.json_content import LARGEST_NUMBER
from league.web import lookup

LONGEST_TEXT, MOST_METRICS, MOST_OPTIONS = 300, 20, 40
#: What is set up together, and stays as it was where a part of it is left out.
TOGETHER = ("rules", "extra")


@extend_schema_field({"oneOf": [{"type": "boolean"}, {"type": "integer"}, {"type": "string"}]})
class OptionValue(serializers.Field[Any, Any, Any, Any]):
    """A whole number, true or false, or a text: what an option of a game can be."""

    default_error_messages = {"invalid": gettext_lazy("Choose one from the list.")}

    def to_internal_value(self, data: Any) -> bool | int | str:
        """The value as it is."""
        is_number = isinstance(data, int) and abs(data) <= LARGEST_NUMBER
        if not is_number and not (isinstance(data, str) and len(data) <= LONGEST_TEXT):
            self.fail("invalid")
        value: bool | int | str = data
        return value

    def to_representation(self, value: Any) -> Any:
        """The value as it is."""
        return value


class OptionsField(serializers.DictField):
    """Options by their names."""

    def __init__(self, **options: Any) -> None:
        super().__init__(child=OptionValue(), **options)


class TimeOffSerializer(KnownFields):
    """Days on which no round begins."""

    first = serializers.DateField(validators=first_round_limits())
    last = serializers.DateField(validators=first_round_limits())


class PlannedDivisionSerializer(KnownFields):
    """A division, and how many go up and down from it."""

    name = serializers.CharField(required=False, allow_blank=True, max_length=60)
    promoted = serializers.IntegerField(default=0, min_value=0, max_value=20)
    relegated = serializers.IntegerField(default=0, min_value=0, max_value=20)
    is_parallel = serializers.BooleanField(
        default=False, help_text="true: beside the division before it, not below."
    )

    def validate_name(self, name: str) -> str:
        """On the page a semicolon parts the divisions of a level."""
        if ";" in name:
            raise serializers.ValidationError(_("Leave out the semicolon."))
        return name


class LadderTermsSerializer(KnownFields):
    """What can be said of a ladder: how many places up a challenge goes, and the days of its terms."""

    reach = serializers.IntegerField(required=False, min_value=1, max_value=formats.TERMS["reach"][1])
    answer_days = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=formats.TERMS["answer_days"][1],
        help_text="Days to answer; after that the challenger takes the place.",
    )
    play_days = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=formats.TERMS["play_days"][1],
        help_text="Days to play an accepted challenge; after that it lapses.",
    )
    rematch_days = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=formats.TERMS["rematch_days"][1],
        help_text="Days before the same two can meet again.",
    )
    idle_days = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=formats.TERMS["idle_days"][1],
        help_text="Days without a challenge closed that cost a place; 0: they cost nothing.",
    )


class RoundTermsSerializer(KnownFields):
    """The terms of a Swiss or a knock-out; what you leave out is usual."""

    repeats = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=formats.MOST_ROUNDS,
        help_text="Of a Swiss: in so many of the last rounds opponents may meet again.",
    )
    one_behind = serializers.BooleanField(
        required=False,
        help_text="Of a Swiss: whether a round is drawn before the one before it has its results.",
    )
    placed = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=formats.ALL_ROUND_TERMS[formats.PLACED],
        help_text="Of a knock-out: so many seeds keep their numbers when the others are drawn by lot.",
    )
    legs = serializers.ChoiceField(
        choices=knockout.LEGS, required=False, help_text="Of a knock-out: how many matches a tie has."
    )
    aggregate = serializers.BooleanField(
        required=False,
        help_text="Of a knock-out: whether the points of all legs are added up; with 2 legs they always are.",
    )
    third_place = serializers.BooleanField(
        required=False, help_text="Of a knock-out: whether the losers of the semi-finals play for place 3."
    )


class SetupSerializer(KnownFields):
    """What a competition is set up as; what you leave out stays as it is."""

    name = serializers.CharField(required=False, max_length=120)
    season = serializers.CharField(
        required=False, allow_blank=True, max_length=60, help_text="Empty: that of the first round."
    )
    game = serializers.CharField(
        required=False, max_length=30, help_text="Its key. Another game comes with its usual rules."
    )
    format = serializers.ChoiceField(choices=formats.LEAGUE_CHOICES, required=False)
    planned_rounds = serializers.IntegerField(
        required=False, min_value=0, max_value=formats.MOST_ROUNDS, help_text="Of a Swiss; 0: as advised."
    )
    terms = RoundTermsSerializer(required=False, help_text="Of a Swiss or a knock-out.")
    ladder = LadderTermsSerializer(required=False, help_text="Of a ladder; what you leave out is usual.")
    team_method = serializers.ChoiceField(
        choices=[("", ""), *Competition.TeamMethod.choices],
        required=False,
        help_text="How two teams of four are scored; empty: they are no teams.",
    )
    imp_scale = serializers.ChoiceField(
        choices=IMP_SCALES, required=False, help_text="Of teams: what a point counts on the IMP scale."
    )
    visibility = serializers.ChoiceField(choices=Competition.Visibility.choices, required=False)
    correction_hours = serializers.IntegerField(required=False, min_value=0, max_value=24 * 60)
    typed_sheets = serializers.ChoiceField(choices=Competition.TypedSheets.choices, required=False)
    silence_days = serializers.IntegerField(required=False, min_value=LEAST_SILENCE, max_value=MOST_SILENCE)
    rules = OptionsField(required=False, help_text="The game’s options; those that you leave out stay.")
    extra = serializers.DictField(
        child=OptionsField(), required=False, help_text="The options of further parts, such as boards."
    )
    divisions = serializers.ListField(
        child=PlannedDivisionSerializer(),
        required=False,
        max_length=MOST_DIVISIONS,
        help_text="The highest first, those at one level one after the other.",
    )
    starts_on = serializers.DateField(required=False, validators=first_round_limits())
    days_between_rounds = serializers.IntegerField(required=False, min_value=1, max_value=90)
    weekdays = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=6),
        required=False,
        max_length=7,
        help_text="Monday is 0; none: that of the first round.",
    )
    days_off = serializers.ListField(child=TimeOffSerializer(), required=False, max_length=60)
    due_days = serializers.IntegerField(
        required=False, min_value=0, max_value=90, help_text="0: until the day before the next round."
    )
    play_time = ClockField(required=False)
    place = serializers.CharField(required=False, allow_blank=True, max_length=200)
    points = serializers.DictField(required=False, help_text="The scheme; points are integers or “n/d”.")
    tie_breaks = serializers.ListField(
        child=serializers.CharField(max_length=60), required=False, max_length=MOST_METRICS
    )


class ChangedSetupSerializer(Changes, SetupSerializer):
    """What is to be different; what you leave out stays as it is."""


class NewCompetitionSerializer(SetupSerializer):
    """The same for a new competition, which needs a name; what you leave out is as usual in the club."""

    name = serializers.CharField(max_length=120)


class SetupStepSerializer(serializers.Serializer[Any]):
    """One step of the set-up."""

    step = serializers.CharField(source="key")
    summary = serializers.CharField(help_text="What it holds so far.")
    missing = serializers.CharField(help_text="What is still to be done there, or empty.")


class DraftChangeSerializer(serializers.Serializer[Any]):
    """Something that was done to the draft."""

    id = serializers.IntegerField(source="key")
    what = serializers.CharField()
    who = serializers.CharField()
    at = serializers.DateTimeField(source="when.at")
    later = serializers.IntegerField(source="after", help_text="Later changes that are undone with it.")
    is_undone = serializers.BooleanField()


class SetupDetailSerializer(serializers.Serializer[Any]):
    """A competition as it is set up."""

    competition = CompetitionSerializer()
    setup = SetupSerializer(
        allow_null=True, help_text="null: a restored evening, which is set up at its own address."
    )
    steps = SetupStepSerializer(many=True)
    history = DraftChangeSerializer(many=True, help_text="The last changes, the newest first.")
    newest = serializers.IntegerField(help_text="The newest change. Send it back to publish or to undo.")


class ClubCompetitions(APIView):
    """A new competition."""

    serializer_class = NewCompetitionSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="set_up_competition",
        summary="Set up a competition",
        parameters=[IDEMPOTENCY_KEY],
        request=NewCompetitionSerializer,
        responses={201: SetupDetailSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, slug: str) -> Response:
        """A draft, which only directors see. Evening, time and place are the club's where you don't say."""
        club, given = club_for(request, slug, "competition.set_up"), sent(request, NewCompetitionSerializer)
        port = _port(given.get("game") or usual_game(club))
        changes = {**_usual(port), **_changes(given, port, _usual(port))}
        plain = {name: changes.pop(name) for name in ("starts_on", "place") if name in changes}
        wanted = replace(setup_parts.usual(club, {**changes, "game": port.key}), **plain)

        def write() -> dict[str, Any]:
            return {"id": competitions.set_up(actor=asking(request), club=club, data=wanted).pk}

        answer = once(request, action="competition.set_up", about={"club": club.pk, **given}, write=write)
        return Response(_shown(request, answer["id"]), status=status.HTTP_201_CREATED)


class CompetitionSetup(APIView):
    """What a competition is set up as."""

    serializer_class = ChangedSetupSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="competition_setup",
        summary="How a competition is set up",
        responses={200: SetupDetailSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Everything that directors have set up, what is still missing, and what was done."""
        return Response(_shown(request, set_up_by(request, pk).pk))

    @extend_schema(
        operation_id="change_competition_setup",
        summary="Change how a competition is set up",
        request=ChangedSetupSerializer,
        responses={200: SetupDetailSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """A draft's draw that no longer fits is taken back.

        Once published only name, place, who can see it and the times for corrections can change.
        """
        found = set_up_by(request, pk)
        changes = _changes_of(found, sent(request, ChangedSetupSerializer))
        setups.save(actor=asking(request), competition=found, changes=changes)
        return Response(_shown(request, pk))


class AwaySerializer(serializers.Serializer[Any]):
    """Who can't play."""

    day = serializers.DateField()
    names = serializers.ListField(child=serializers.CharField())


class PlannedRoundSerializer(serializers.Serializer[Any]):
    """A round of the calendar."""

    number = serializers.IntegerField(source="dates.number")
    name = serializers.CharField(help_text=ROUND_NAME)
    starts_on = serializers.DateField(source="dates.starts_on")
    closes_at = serializers.DateTimeField(source="dates.closes_at")
    matches = serializers.IntegerField()
    byes = serializers.IntegerField()


class ExampleRowSerializer(serializers.Serializer[Any]):
    """A line of the example's table."""

    place = serializers.CharField()
    pair = serializers.CharField()
    record = serializers.CharField()
    points = serializers.CharField()
    parted = serializers.CharField(help_text="What puts it below the one above, where these are level.")


class ExampleSerializer(serializers.Serializer[Any]):
    """What points and tie-breaks make of a few results."""

    results = serializers.ListField(child=serializers.CharField())
    rows = ExampleRowSerializer(many=True)


class SetupPreviewSerializer(serializers.Serializer[Any]):
    """What would follow."""

    rounds = PlannedRoundSerializer(many=True)
    is_guess = serializers.BooleanField(help_text="While there are too few entries: for as many as usual.")
    away = AwaySerializer(
        many=True, help_text="Who of those entered said that they can’t play on a round’s day."
    )
    example = ExampleSerializer()


class CompetitionSetupPreview(APIView):
    """What a change of the set-up would come to."""

    serializer_class = SetupSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="preview_competition_setup",
        summary="Preview the calendar and the points",
        request=SetupSerializer,
        responses={200: SetupPreviewSerializer, **write_errors(404, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """The calendar and an example of the points as they would be with these changes. Nothing is written."""
        found = set_up_by(request, pk)
        changes = _changes_of(found, sent(request, SetupSerializer))
        wanted = replace(competitions.setup_of(found), **changes)
        built = competitions.build(found.club, wanted, existing=found)
        calendar, is_guess = setup_steps.calendar(built, setup_steps.sizes(found))
        worth = {"points": built.points, "tie_breaks": built.tie_breaks}
        example = setup_parts.example_of(extension.game(built.game), worth)
        shown = {
            "rounds": calendar.rounds,
            "is_guess": is_guess,
            "away": away_of(found, [each.dates.starts_on for each in calendar.rounds]),
            "example": example or Example((), ()),
        }
        return Response(SetupPreviewSerializer(shown).data)


class NewestSerializer(KnownFields):
    """The newest change that you know of."""

    seen = IdField(min_value=0, help_text="`newest`; what came later refuses it.")


class UndoSerializer(NewestSerializer):
    """Which change is undone."""

    change = IdField()


class CompetitionUndo(APIView):
    """Undoing what was done to a draft."""

    serializer_class = UndoSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="undo_draft_change",
        summary="Undo changes of a draft",
        parameters=[IDEMPOTENCY_KEY],
        request=UndoSerializer,
        responses={200: SetupDetailSerializer, **write_errors(404, 409)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """This change is undone, and with it what was done since."""
        found, given = set_up_by(request, pk), sent(request, UndoSerializer)
        change = get_object_or_404(DraftChange, pk=given["change"], competition_id=found.pk)

        def write() -> dict[str, Any]:
            drafts.undo(actor=asking(request), change=change, seen=given["seen"])
            return {}

        once(request, action="draft.undo", about={"competition": found.pk, **given}, write=write)
        return Response(_shown(request, pk))


class CompetitionPublishing(APIView):
    """Opening a competition to everybody."""

    serializer_class = NewestSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="publish_competition",
        summary="Publish a competition",
        parameters=[IDEMPOTENCY_KEY],
        request=NewestSerializer,
        responses={200: CompetitionSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """The rounds are drawn as proposed, unless they are drawn already; everybody sees them and is told."""
        found, given = set_up_by(request, pk), sent(request, NewestSerializer)

        def write() -> dict[str, Any]:
            setups.publish(actor=asking(request), competition=found, **given)
            return {}

        once(request, action="competition.publish", about={"competition": found.pk, **given}, write=write)
        return Response(CompetitionSerializer(set_up_by(request, pk)).data)


class DeletedDraftSerializer(serializers.Serializer[Any]):
    """A draft that was deleted."""

    id = serializers.IntegerField(source="pk")
    what = serializers.CharField(source="__str__")
    made_at = serializers.DateTimeField()


class ClubDeletedDrafts(APIView):
    """Drafts that can be restored."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="deleted_drafts",
        summary="Deleted drafts",
        responses={200: DeletedDraftSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The drafts that were deleted last and can be restored."""
        club = club_for(request, slug, "competition.set_up")
        found = desk.deleted_drafts(club, at=timezone.now())
        return Response(DeletedDraftSerializer(found, many=True).data)


class ClubDeletedDraft(APIView):
    """One of them."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="restore_draft",
        summary="Restore a deleted draft",
        parameters=[IDEMPOTENCY_KEY],
        request=None,
        responses={201: SetupDetailSerializer, **write_errors(404, 409)},
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """The draft is there again with its settings and entries."""
        club = club_for(request, slug, "competition.set_up")
        change = get_object_or_404(DraftChange, pk=pk, club=club)

        def write() -> dict[str, Any]:
            return {"id": drafts.bring_back(actor=asking(request), change=change).pk}

        answer = once(request, action="draft.restore", about={"change": change.pk}, write=write)
        return Response(_shown(request, answer["id"]), status=status.HTTP_201_CREATED)


def directed_by(request: Request, pk: int) -> Competition:
    """The competition, for those who direct it, whatever its format."""
    found = visibility.competition(user=asking(request), key=pk)
    policies.require(asking(request), "competition.set_up", found)
    return found


def set_up_by(request: Request, pk: int) -> Competition:
    """The same; not there where its format has addresses of its own to be set up at."""
    found = directed_by(request, pk)
    if lookup.is_directed_elsewhere(found):
        raise Http404
    return found


def away_of(competition: Competition, days: list[Any]) -> list[dict[str, Any]]:
    """Who can't play on which of these days, the earliest first."""
    found = arranging.away(competition, days)
    return [{"day": day, "names": names} for day, names in sorted(found.items())]


def _shown(request: Request, pk: int) -> dict[str, Any]:
    found = visibility.competition(user=asking(request), key=pk)
    shown: dict[str, Any] = {
        "competition": found,
        "setup": None,
        "steps": (),
        "history": setup_steps.history(found),
        "newest": drafts.newest(found),
    }
    if not lookup.is_directed_elsewhere(found):
        setup = asdict(competitions.setup_of(found))
        off = [{"first": first, "last": last} for first, last in setup["days_off"]]
        shown["setup"] = {**setup, "days_off": off}
        shown["steps"] = setup_steps.steps(found, "", setup_steps.foreseen(found))
    return dict(SetupDetailSerializer(shown).data)


def _port(key: str) -> GamePort:
    """The game of that key; refused with 400 where there is none."""
    found = extension.layer().games.get(key)
    if found is None:
        raise serializers.ValidationError({"game": [_("Choose one from the list.")]})
    return found


def _usual(port: GamePort) -> dict[str, Any]:
    """The game's options and parts where nothing else is said, as the page has them for a new competition."""
    preset = port.preset
    return {
        "rules": {
            option.name: preset.get(f"rules_{option.name}", option.default)
            for option in port.options
            if not option.is_set_elsewhere
        },
        "extra": {
            part.key: {
                name: preset.get(f"{part.key}_{name}", value) for name, value in part.read(None).items()
            }
            for part in extension.layer().setup_parts
            if part.suits(port)
        },
    }


def _changes_of(competition: Competition, given: Mapping[str, Any]) -> dict[str, Any]:
    """As fields of Setup. The rules and parts of another game are its usual ones where nothing is said of them."""
    port = _port(given.get("game") or competition.game)
    usual = _usual(port)
    if port.key == competition.game:
        now = competitions.setup_of(competition)
        rules = {name: now.rules.get(name, value) for name, value in usual["rules"].items()}
        extra = {key: {**values, **now.extra.get(key, {})} for key, values in usual["extra"].items()}
        return _changes(given, port, {"rules": rules, "extra": extra})
    return {**usual, **_changes(given, port, usual)}


def _changes(given: Mapping[str, Any], port: GamePort, now: Mapping[str, Any]) -> dict[str, Any]:
    """What was sent, as fields of Setup: what is set up together is filled up with what holds now."""
    changes = {name: value for name, value in given.items() if name not in TOGETHER}
    if "game" in changes:
        changes["game"] = port.key
    if "rules" in given:
        changes["rules"] = {**now["rules"], **_known(given["rules"], now["rules"], "rules")}
    if "extra" in given:
        parts = _known(given["extra"], now["extra"], "extra")
        of_parts = {key: _known(values, now["extra"][key], "extra", key) for key, values in parts.items()}
        changes["extra"] = {key: {**values, **of_parts.get(key, {})} for key, values in now["extra"].items()}
    if "divisions" in given:
        changes["divisions"] = tuple(DivisionPlan(**each) for each in given["divisions"])
    if "days_off" in given:
        changes["days_off"] = tuple((each["first"], each["last"]) for each in given["days_off"])
    if "weekdays" in given:
        changes["weekdays"] = tuple(given["weekdays"])
    if "tie_breaks" in given:
        others = [key for key in given["tie_breaks"] if key != LEAGUE_POINTS]
        changes["tie_breaks"] = (LEAGUE_POINTS, *others)
    return changes


def _known(given: Mapping[str, Any], now: Mapping[str, Any], *place: str) -> Mapping[str, Any]:
    """What was sent, if each name of it is one; a mistyped one would change nothing, and say nothing."""
    faults: Any = {name: [_("There is no such field.")] for name in sorted(given.keys() - now.keys())}
    if faults:
        for step in reversed(place):
            faults = {step: faults}
        raise serializers.ValidationError(faults)
    return given
