"""What a person says of themselves: days away, the name in public, the calendar's secret addresses."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.api.requests import Changes, KnownFields, asking
from league.api.schema import errors, write_errors
from league.errors import NotAllowed
from league.fixtures import feeds
from league.models import ApiToken, Contact, User
from league.notices.services import accounts
from league.people.services import public_names, tokens
from league.words.public_names import CHOICES, Shown


class DaysAwaySerializer(serializers.Serializer[Any]):
    """Days on which you cannot play."""

    days = serializers.ListField(
        child=serializers.DateField(), help_text="From today on, the earliest first."
    )


class DaysSerializer(KnownFields):
    """From one day to another; without `last` one day."""

    first = serializers.DateField()
    last = serializers.DateField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """One day, where no last one is given."""
        attrs.setdefault("last", attrs["first"])
        return attrs


class DaysAway(APIView):
    """Days on which the person cannot play."""

    serializer_class = DaysSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="days_away",
        summary="Your days away",
        responses={200: DaysAwaySerializer, **errors(403, 404)},
    )
    def get(self, request: Request) -> Response:
        """The days on which you cannot play; “find a time” proposes none of them."""
        return _days_of(asking(request))

    @extend_schema(
        operation_id="mark_days_away",
        summary="Mark days away",
        request=DaysSerializer,
        responses={200: DaysAwaySerializer, **write_errors(409, 422)},
    )
    def post(self, request: Request) -> Response:
        """You cannot play from `first` to `last`. Days that are marked already stay so."""
        accounts.mark_days_away(actor=asking(request), **_days_given(request))
        return _days_of(asking(request))


class DaysBack(APIView):
    """Days on which the person can play after all."""

    serializer_class = DaysSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="clear_days_away",
        summary="Clear days away",
        request=DaysSerializer,
        responses={200: DaysAwaySerializer, **write_errors()},
    )
    def post(self, request: Request) -> Response:
        """You can play from `first` to `last` after all."""
        accounts.clear_days_away(actor=asking(request), **_days_given(request))
        return _days_of(asking(request))


def _days_given(request: Request) -> dict[str, Any]:
    given = DaysSerializer(data=request.data)
    given.is_valid(raise_exception=True)
    days: dict[str, Any] = given.validated_data
    return days


def _days_of(person: User) -> Response:
    marked = person.days_away.filter(day__gte=timezone.localdate()).order_by("day")
    return Response(DaysAwaySerializer({"days": marked.values_list("day", flat=True)}).data)


class NameSerializer(KnownFields):
    """What you are called."""

    name = serializers.CharField(max_length=120)

    def validate_name(self, name: str) -> str:
        """A name as people may have one."""
        return accounts.checked_name(name)


class Name(APIView):
    """What the person is called."""

    serializer_class = NameSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="own_name", summary="Your name", responses={200: NameSerializer, **errors(403, 404)}
    )
    def get(self, request: Request) -> Response:
        """What you are called."""
        return Response(NameSerializer(asking(request)).data)

    @extend_schema(
        operation_id="choose_name",
        summary="Change your name",
        request=NameSerializer,
        responses={200: NameSerializer, **write_errors()},
    )
    def post(self, request: Request) -> Response:
        """You are called so from now on: in the header, in mails, and in what the trail says of you later."""
        given = NameSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        accounts.rename(actor=asking(request), **given.validated_data)
        return Response(NameSerializer(asking(request)).data)


class ContactSerializer(Changes):
    """How you can be reached. Both empty: nobody sees anything."""

    telephone = serializers.RegexField(accounts.TELEPHONE, max_length=40, required=False, allow_blank=True)
    address = serializers.CharField(
        max_length=300, required=False, allow_blank=True, help_text="Your postal address, in lines."
    )
    is_shared = serializers.BooleanField(
        default=False, help_text="Whether partners and opponents of an open match see it, too; directors do."
    )


class ContactDetails(APIView):
    """How the person can be reached."""

    serializer_class = ContactSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="contact",
        summary="Your telephone and postal address",
        responses={200: ContactSerializer, **errors(403, 404)},
    )
    def get(self, request: Request) -> Response:
        """What the directors of your clubs see, and your partners and opponents if you agree."""
        return _contact_of(asking(request))

    @extend_schema(
        operation_id="keep_contact",
        summary="Change your telephone and postal address",
        request=ContactSerializer,
        responses={200: ContactSerializer, **write_errors()},
    )
    def post(self, request: Request) -> Response:
        """What you leave out is taken out."""
        given = ContactSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        accounts.keep_contact(actor=asking(request), **given.validated_data)
        return _contact_of(asking(request))


def _contact_of(person: User) -> Response:
    found = Contact.objects.filter(user=person).first() or Contact(user=person)
    return Response(ContactSerializer(found).data)


class PublicNameSerializer(KnownFields):
    """How your name is shown outside your clubs."""

    public_name = serializers.ChoiceField(
        choices=CHOICES, help_text="Empty: as usual, which is in full unless you are a young member."
    )
    shown_as = serializers.ChoiceField(
        choices=Shown.choices, read_only=True, help_text="What your choice means today."
    )


class PublicName(APIView):
    """How the person's name is shown outside their clubs."""

    serializer_class = PublicNameSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="public_name",
        summary="Your name in public",
        responses={200: PublicNameSerializer, **errors(403, 404)},
    )
    def get(self, request: Request) -> Response:
        """How your name is shown to people outside your clubs."""
        return Response(PublicNameSerializer(asking(request)).data)

    @extend_schema(
        operation_id="choose_public_name",
        summary="Choose your name in public",
        request=PublicNameSerializer,
        responses={200: PublicNameSerializer, **write_errors(422)},
    )
    def post(self, request: Request) -> Response:
        """Your name is shown so from now on, for your account and as a player of each club."""
        given = PublicNameSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        public_names.choose(actor=asking(request), **given.validated_data)
        return Response(PublicNameSerializer(asking(request)).data)


class FeedSerializer(serializers.Serializer[Any]):
    """A calendar to subscribe to."""

    kind = serializers.ChoiceField(choices=("my", "pairs", "competitions", "clubs"))
    name = serializers.CharField(help_text="Whose matches; empty for your own.")
    url = serializers.CharField(help_text="Secret: who has it reads what you may read there.")


class CalendarSerializer(serializers.Serializer[Any]):
    """Your calendars."""

    feeds = FeedSerializer(many=True)


class RenewalSerializer(KnownFields):
    """Said in so many words, as every program that reads the old addresses stops."""

    renew = serializers.BooleanField(help_text="true")

    def validate_renew(self, renew: bool) -> bool:
        """True; else there is nothing to do."""
        if not renew:
            self.fields["renew"].fail("required")
        return renew


class Calendar(APIView):
    """The person's secret calendar addresses."""

    serializer_class = RenewalSerializer
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="calendar",
        summary="Your calendar addresses",
        responses={200: CalendarSerializer, **errors(403, 404)},
    )
    def get(self, request: Request) -> Response:
        """Where calendar programs read your matches. They work until you renew them, so a token must be for writing."""
        if isinstance(request.auth, ApiToken) and request.auth.scope == ApiToken.Scope.READ:
            raise NotAllowed(
                _("A calendar address works for longer than this token, which can only read. Use your page.")
            )
        return _addresses_of(asking(request))

    @extend_schema(
        operation_id="renew_calendar",
        summary="Renew your calendar addresses",
        request=RenewalSerializer,
        responses={200: CalendarSerializer, **write_errors()},
    )
    def post(self, request: Request) -> Response:
        """You have new addresses, and the old ones no longer work."""
        RenewalSerializer(data=request.data).is_valid(raise_exception=True)
        tokens.renew_calendar_address(actor=asking(request), at=timezone.now())
        return _addresses_of(User.objects.get(pk=asking(request).pk))


def _addresses_of(person: User) -> Response:
    answer = {
        "feeds": [
            {"kind": kind, "name": str(about or ""), "url": url}
            for kind, about, url in feeds.addresses(person)
        ]
    }
    return Response(CalendarSerializer(answer).data, headers={"Cache-Control": "no-store"})
