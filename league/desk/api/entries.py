"""What a director decides about one entry: withdrawing it, another player, points; and lots among those tied."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine.contest.standings.changes import consequences, sentence
from engine.contest.standings.withdrawal import Rule
from league import policies
from league.api import visibility
from league.api.requests import Changes, DecisionSerializer, IdField, KnownFields, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.api.serializers import EntrySerializer, NamedPlayerSerializer
from league.draws.services import apart, lots
from league.entries.services import adjustments, season_substitutes, withdrawals
from league.errors import Invalid
from league.manage.queries import manage as reads
from league.models import Adjustment, Competition, Division, Entry, LotDraw
from league.web import lookup
from league.web.wording import in_words

MOST_ENTRIES = 1000


class KeysField(serializers.ListField):
    """Fixtures, by their ids."""

    child = serializers.IntegerField()

    def to_representation(self, data: Any) -> Any:
        """The ids."""
        return [each.pk for each in data]


class WithdrawalPreviewSerializer(serializers.Serializer[Any]):
    """What the withdrawal of an entry would do."""

    rule = serializers.ChoiceField(
        choices=[rule.value for rule in Rule],
        help_text="removed: with less than half of its matches played none of its results counts.",
    )
    played = serializers.IntegerField()
    matches = serializers.IntegerField()
    waiting = KeysField(help_text="Fixtures whose result must be settled first.")
    own = KeysField(help_text="Unplayed fixtures of yours: they become void.")
    voided = KeysField(help_text="Fixtures that become void.")
    walkovers = KeysField(help_text="Fixtures that the opponents win by walkover.")
    gets_up_from = KeysField(
        help_text="Fixtures at which the others play on without them, or void if too few are left."
    )
    not_counting = KeysField(help_text="Fixtures whose result stays on record and counts for nobody.")
    changes = serializers.SerializerMethodField()

    def get_changes(self, seen: withdrawals.Consequences) -> list[str]:
        """What changes in the table, in words."""
        name_of = self.context["name_of"]
        return [in_words(sentence(each, name_of)) for each in consequences(seen.before, seen.after)]


class HouseSerializer(Changes):
    """Who plays instead of a bye."""

    entry = serializers.IntegerField(
        allow_null=True, required=False, help_text="An entry that was not drawn yet; null: nobody."
    )
    entries = serializers.ListField(
        child=serializers.IntegerField(),
        max_length=apart.MOST_HOUSE_PLAYERS,
        required=False,
        help_text="Instead of `entry`, where partners change: up to three players.",
    )


class EntryWithdrawal(APIView):
    """Leaving a competition."""

    serializer_class = DecisionSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="withdrawal",
        summary="What a withdrawal would do",
        responses={200: WithdrawalPreviewSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Which matches become void, walkovers or count no more, and what that does to the table. For directors."""
        entry = _entry(request, pk)
        if entry.withdrawn_at:
            raise Http404
        seen = withdrawals.preview(entry=entry, actor=asking(request))
        name_of = reads.names_of(entry.division).__getitem__
        return Response(WithdrawalPreviewSerializer(seen, context={"name_of": name_of}).data)

    @extend_schema(
        operation_id="withdraw_entry",
        summary="Withdraw an entry",
        parameters=[IDEMPOTENCY_KEY],
        request=DecisionSerializer,
        responses={200: EntrySerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """The pair leaves, and the half-played rule decides its matches. Everybody concerned is told."""
        return _decided(request, pk, "entry.withdraw", withdrawals.withdraw)


class EntryReinstatement(APIView):
    """Coming back."""

    serializer_class = DecisionSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="reinstate_entry",
        summary="Take a withdrawal back",
        parameters=[IDEMPOTENCY_KEY],
        request=DecisionSerializer,
        responses={200: EntrySerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """The pair's results count again, and the matches that the withdrawal decided are to be played."""
        return _decided(request, pk, "entry.reinstate", withdrawals.reinstate)


class SeasonSubstitutionSerializer(serializers.Serializer[Any]):
    """A change of one player, as it stands; and what appointing somebody, or taking it back, would do."""

    absent = NamedPlayerSerializer(allow_null=True, help_text="null: the pair play as they entered.")
    substitute = NamedPlayerSerializer(allow_null=True)
    waiting = KeysField(help_text="Fixtures under way: no player changes before they are over.")
    passing = KeysField(help_text="Fixtures that somebody else plays by it.")
    kept = KeysField(help_text="Fixtures that keep a substitute of their own.")
    played = KeysField(help_text="Fixtures that keep who played them.")


class SeasonSubstituteSerializer(DecisionSerializer):
    """Who plays for whom from now on."""

    absent = IdField()
    substitute = IdField()


class EntrySubstitute(APIView):
    """One player of a pair for the rest of a season."""

    serializer_class = SeasonSubstituteSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="season_substitute",
        summary="Who plays for the rest of a season",
        responses={200: SeasonSubstitutionSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Who plays in whose place, and which matches a change, or taking it back, concerns. For directors."""
        return _season_substitute(_entry(request, pk))

    @extend_schema(
        operation_id="substitute_for_season",
        summary="Change a player for the rest of a season",
        parameters=[IDEMPOTENCY_KEY],
        request=SeasonSubstituteSerializer,
        responses={200: SeasonSubstitutionSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Somebody plays for a member of the pair in each match to come. Everybody concerned is told."""
        entry, given = _entry(request, pk), sent(request, SeasonSubstituteSerializer)

        def write() -> dict[str, Any]:
            members = {player.pk: player for player in entry.lineup.players}
            absent = members.get(given["absent"])
            substitute = reads.free_players(entry.competition).filter(pk=given["substitute"]).first()
            if absent is None or substitute is None:
                raise Invalid(_("Choose from the list."))
            season_substitutes.appoint(
                actor=asking(request),
                entry=entry,
                absent=absent,
                substitute=substitute,
                reason=given["reason"],
            )
            return {"entry": entry.pk}

        once(request, action="entry.substitute", about={"entry": entry.pk, **given}, write=write)
        return _season_substitute(_entry(request, pk))


class EntrySubstituteBack(APIView):
    """Taking that back."""

    serializer_class = DecisionSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="end_season_substitute",
        summary="Take a change of player back",
        parameters=[IDEMPOTENCY_KEY],
        request=DecisionSerializer,
        responses={200: SeasonSubstitutionSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """The absent player plays again, in all matches that are still to come."""
        entry, given = _entry(request, pk), sent(request, DecisionSerializer)

        def write() -> dict[str, Any]:
            season_substitutes.end(actor=asking(request), entry=entry, **given)
            return {"entry": entry.pk}

        once(request, action="entry.substitute_back", about={"entry": entry.pk, **given}, write=write)
        return _season_substitute(_entry(request, pk))


class AdjustmentSerializer(serializers.Serializer[Any]):
    """League points that a director gave or took."""

    id = serializers.IntegerField(source="pk")
    entry = serializers.IntegerField(source="entry_id")
    points = serializers.CharField(help_text="Exact: an integer, or “n/d”.")
    reason = serializers.CharField()
    made_at = serializers.DateTimeField()
    revoked_at = serializers.DateTimeField(allow_null=True)


class AdjustSerializer(DecisionSerializer):
    """Points and why."""

    points = serializers.CharField(max_length=12, help_text="Such as “-1”, “1/2” or “0.5”.")


class EntryAdjustments(APIView):
    """Points that a director gave or took."""

    serializer_class = AdjustSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="adjustments",
        summary="Points given or taken",
        responses={200: AdjustmentSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """Those of an entry, the newest first; those taken back have their time. For directors."""
        rows = Adjustment.objects.filter(entry=_entry(request, pk)).order_by("-pk")
        return Response(AdjustmentSerializer(rows, many=True).data)

    @extend_schema(
        operation_id="adjust_points",
        summary="Give or take points",
        parameters=[IDEMPOTENCY_KEY],
        request=AdjustSerializer,
        responses={200: AdjustmentSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """League points with the reason, which is shown with the table."""
        entry, given = _entry(request, pk), sent(request, AdjustSerializer)

        def write() -> dict[str, Any]:
            made = adjustments.adjust(actor=asking(request), entry=entry, **given)
            return dict(AdjustmentSerializer(made).data)

        about = {"entry": entry.pk, **given}
        return Response(once(request, action="entry.adjust", about=about, write=write))


class AdjustmentRevocation(APIView):
    """Taking points back."""

    serializer_class = DecisionSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="revoke_adjustment",
        summary="Take points back",
        parameters=[IDEMPOTENCY_KEY],
        request=DecisionSerializer,
        responses={200: AdjustmentSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """The points no longer count. They stay on record with a mark."""
        rows = Adjustment.objects.select_related("entry__competition__club")
        found = get_object_or_404(rows, pk=pk)
        directed(request, found.entry.competition_id)
        given = sent(request, DecisionSerializer)

        def write() -> dict[str, Any]:
            done = adjustments.revoke(actor=asking(request), adjustment=found, at=timezone.now(), **given)
            return dict(AdjustmentSerializer(done).data)

        about = {"adjustment": found.pk, **given}
        return Response(once(request, action="adjustment.revoke", about=about, write=write))


class LotsSerializer(serializers.Serializer[Any]):
    """Lots that were drawn."""

    made_at = serializers.DateTimeField()
    seed = serializers.CharField(help_text="By the SHA-256 of “seed:entry”, the smallest first.")
    order = serializers.ListField(
        child=serializers.IntegerField(), help_text="Entries, in the order they fell."
    )


class DrawLotsSerializer(KnownFields):
    """Who is tied."""

    entries = serializers.ListField(
        child=IdField(),
        min_length=2,
        max_length=MOST_ENTRIES,
    )


class DivisionLots(APIView):
    """Lots among entries that nothing else separates."""

    serializer_class = DrawLotsSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="lots",
        summary="Lots that were drawn",
        responses={200: LotsSerializer(many=True), **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """The division's draws of lots, the newest first. For directors."""
        return Response(LotsSerializer(_division(request, pk).lot_draws.all(), many=True).data)

    @extend_schema(
        operation_id="draw_lots",
        summary="Draw lots",
        parameters=[IDEMPOTENCY_KEY],
        request=DrawLotsSerializer,
        responses={200: LotsSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """By a seed that nobody can foresee. The newest draw that names all those tied counts."""
        division, given = _division(request, pk), sent(request, DrawLotsSerializer)

        def write() -> dict[str, Any]:
            tied = division.entries.active().with_pairs().filter(pk__in=given["entries"])
            if len(tied) < len(given["entries"]):
                raise Invalid(_("Lots are only drawn within one division."))
            made: LotDraw = lots.draw(actor=asking(request), division=division, entries=list(tied))
            return dict(LotsSerializer(made).data)

        about = {"division": division.pk, **given}
        return Response(once(request, action="division.draw_lots", about=about, write=write))


def directed(request: Request, pk: int) -> Competition:
    """The competition, for those who direct it; a 404 where its format is run in a way of its own."""
    found = visibility.competition(user=asking(request), key=pk)
    policies.require(asking(request), "competition.set_up", found)
    if lookup.is_directed_elsewhere(found):
        raise Http404
    return found


class DivisionHouse(APIView):
    """The house pair of a Swiss."""

    serializer_class = HouseSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="choose_house_pair",
        summary="Choose the house pair",
        parameters=[IDEMPOTENCY_KEY],
        request=HouseSerializer,
        responses={200: HouseSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Plays instead of a bye from the next draw on, without standing. 409 for who has been drawn already.

        Where partners change up to three `entries` can; everywhere else one.
        """
        division, given = _division(request, pk), sent(request, HouseSerializer)

        def write() -> dict[str, Any]:
            wanted = given.get("entries") or [key for key in [given.get("entry")] if key is not None]
            entries = list(division.entries.filter(pk__in=wanted).order_by("number"))
            if len(entries) != len(set(wanted)):
                raise Invalid(_("This entry isn’t in the division."))
            apart.choose_house(actor=asking(request), division=division, entries=entries)
            return {"entry": entries[0].pk if entries else None, "entries": [each.pk for each in entries]}

        about = {"division": division.pk, **given}
        return Response(once(request, action="division.house", about=about, write=write))


def _entry(request: Request, pk: int) -> Entry:
    found = visibility.entry(user=asking(request), key=pk)
    directed(request, found.competition_id)
    return found


def _division(request: Request, pk: int) -> Division:
    found = get_object_or_404(Division.objects.select_related("stage"), pk=pk)
    directed(request, found.stage.competition_id)
    return found


def _decided(request: Request, pk: int, action: str, decide: Any) -> Response:
    entry, given = _entry(request, pk), sent(request, DecisionSerializer)

    def write() -> dict[str, Any]:
        decide(actor=asking(request), entry=entry, at=timezone.now(), **given)
        return {"entry": entry.pk}

    once(request, action=action, about={"entry": entry.pk, **given}, write=write)
    return Response(EntrySerializer(_entry(request, pk)).data)


def _season_substitute(entry: Entry) -> Response:
    standing, seen = season_substitutes.of(entry), season_substitutes.preview(entry=entry)
    told = {
        "absent": standing.absent if standing else None,
        "substitute": standing.substitute if standing else None,
        **{name: getattr(seen, name) for name in ("waiting", "passing", "kept", "played")},
    }
    return Response(SeasonSubstitutionSerializer(told).data)
