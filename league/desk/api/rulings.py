"""What a director decides about one match: when and where it is played, or how it ends without play."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league import policies
from league.api import visibility
from league.api.dates import TimeField
from league.api.requests import Changes, DecisionSerializer, asking, once, sent
from league.api.schema import IDEMPOTENCY_KEY, errors, write_errors
from league.api.serializers import FixtureSerializer
from league.errors import Conflict
from league.fixtures.forms import rulings_for
from league.fixtures.services import fixtures
from league.models import Fixture

ARRANGED = ("starts_at", "place", "table", "note")


class OfferedRulingSerializer(serializers.Serializer[Any]):
    """A decision that is possible now."""

    ruling = serializers.CharField()
    words = serializers.CharField()


class FixtureRulingsSerializer(serializers.Serializer[Any]):
    """A match, and what can be decided about it."""

    fixture = FixtureSerializer()
    rulings = OfferedRulingSerializer(many=True)
    may_rule = serializers.BooleanField(help_text="Whether it is for you to decide.")


class RulingSerializer(DecisionSerializer):
    """A decision."""

    ruling = serializers.RegexField(
        r"^(home|away|both|without-[1-9]|postpone|void|restore)$",
        help_text="home, away: this side wins by walkover; both: everybody loses; without-2: that side loses, "
        "where more than two meet; postpone; void; restore: the decision is undone.",
    )


class ArrangeSerializer(Changes):
    """Date and place; what you leave out stays as it is."""

    starts_at = TimeField(required=False, allow_null=True, help_text="null: there is no date yet.")
    place = serializers.CharField(required=False, allow_blank=True, max_length=200)
    table = serializers.CharField(required=False, allow_blank=True, max_length=20)
    note = serializers.CharField(
        required=False, allow_blank=True, max_length=300, help_text="For both sides."
    )


class FixtureRuling(APIView):
    """A match decided without play."""

    serializer_class = RulingSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="fixture_rulings",
        summary="What can be decided about a match",
        responses={200: FixtureRulingsSerializer, **errors(403, 404)},
    )
    def get(self, request: Request, pk: int) -> Response:
        """The decisions that are possible as the match is now. For directors."""
        return _rulings(request, _fixture(request, pk, "fixture.arrange"))

    @extend_schema(
        operation_id="rule_on_fixture",
        summary="Decide a match without play",
        parameters=[IDEMPOTENCY_KEY],
        request=RulingSerializer,
        responses={200: FixtureRulingsSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """A walkover, a postponement, a void match, or such a decision undone. The players are told why."""
        fixture, given = _fixture(request, pk, "fixture.rule"), sent(request, RulingSerializer)

        def write() -> dict[str, Any]:
            if given["ruling"] not in dict(rulings_for(fixture)):
                now = fixture.get_status_display()
                raise Conflict(_("This match is already “%(now)s”.") % {"now": now})
            fixtures.rule(actor=asking(request), fixture=fixture, **given)
            return {"fixture": fixture.pk}

        once(request, action="fixture.rule", about={"fixture": fixture.pk, **given}, write=write)
        return _rulings(request, visibility.fixture(user=asking(request), key=pk))


class FixtureArrangement(APIView):
    """Date and place of a match."""

    serializer_class = ArrangeSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="arrange_fixture",
        summary="Set date and place of a match",
        request=ArrangeSerializer,
        responses={200: FixtureSerializer, **write_errors(404, 409, 422)},
    )
    def post(self, request: Request, pk: int) -> Response:
        """A director sets date, place, table and a note. An open proposal of either side ends with it."""
        fixture = _fixture(request, pk, "fixture.arrange")
        wanted = {name: getattr(fixture, name) for name in ARRANGED} | sent(request, ArrangeSerializer)
        fixtures.arrange(actor=asking(request), fixture=fixture, **wanted)
        return Response(FixtureSerializer(visibility.fixture(user=asking(request), key=pk)).data)


def _fixture(request: Request, pk: int, action: str) -> Fixture:
    found = visibility.fixture(user=asking(request), key=pk)
    policies.require(asking(request), action, found)
    return found


def _rulings(request: Request, fixture: Fixture) -> Response:
    told = {
        "fixture": fixture,
        "rulings": [{"ruling": key, "words": words} for key, words in rulings_for(fixture)],
        "may_rule": policies.may(request.user, "fixture.rule", fixture),
    }
    return Response(FixtureRulingsSerializer(told).data)
