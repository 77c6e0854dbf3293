"""The token by which a program acts for a person."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from allauth.account.models import EmailAddress
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import AuthenticationFailed, NotFound, Throttled
from rest_framework.permissions import AllowAny, BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle, ScopedRateThrottle
from rest_framework.views import APIView

from league.api.requests import REAUTHENTICATE, SmallJSON, asking
from league.api.schema import errors, write_errors
from league.errors import NotAllowed
from league.models import ApiToken, User
from league.people.services import tokens

MANDATORY = "mandatory"


class WantedTokenSerializer(serializers.Serializer[Any]):
    """Who you are, where no session says so, and what the token is for."""

    email = serializers.EmailField(required=False, max_length=254)
    password = serializers.CharField(required=False, max_length=1000, trim_whitespace=False, write_only=True)
    scope = serializers.ChoiceField(
        choices=ApiToken.Scope.choices,
        default=ApiToken.Scope.WRITE,
        help_text="Whether it may only read (GET and HEAD), or everything that you may.",
    )
    days = serializers.IntegerField(
        min_value=1,
        max_value=tokens.LONGEST_DAYS,
        default=tokens.USUAL_DAYS,
        help_text="How long it works.",
    )


class TokenSerializer(serializers.Serializer[Any]):
    """Which token you have."""

    hint = serializers.CharField(help_text="Its first characters.")
    scope = serializers.ChoiceField(choices=ApiToken.Scope.choices, help_text="Whether it may write.")
    made_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(help_text="It ends then, or with your next change of password.")
    last_used_at = serializers.DateTimeField(allow_null=True, help_text="To within ten minutes.")


class NewTokenSerializer(TokenSerializer):
    """A token; it is shown this once."""

    token = serializers.CharField(help_text="Send it as `Authorization: Token ...`.")


class TokenEndpoint(APIView):
    """One token a person: make or replace it, look at its first characters, revoke it."""

    serializer_class = WantedTokenSerializer
    parser_classes = [SmallJSON]
    throttle_scope = "token"

    def get_permissions(self) -> list[BasePermission]:
        """You get a token by proving who you are; for the rest you have to be logged in."""
        return [AllowAny()] if self.request.method == "POST" else [IsAuthenticated()]

    def get_throttles(self) -> list[BaseThrottle]:
        """Making tokens is throttled hard, for it takes passwords."""
        if self.request.method == "POST":
            # By address; the login counts guesses at one account.
            return [ScopedRateThrottle()]
        return super().get_throttles()

    @extend_schema(
        operation_id="token", summary="Your token", responses={200: TokenSerializer, **errors(403, 404)}
    )
    def get(self, request: Request) -> Response:
        """Which token you have: its first characters and when it was made. Never the token itself."""
        token = tokens.current(user=asking(request), at=timezone.now())
        if token is None:
            raise NotFound
        return Response(TokenSerializer(token).data)

    @extend_schema(
        operation_id="make_token",
        summary="Make or replace your token",
        auth=[{}, {"cookieAuth": []}],  # type: ignore[list-item]  # as spectacular reads it
        request=WantedTokenSerializer,
        responses={201: NewTokenSerializer, **write_errors()},
        examples=[
            OpenApiExample(
                "by e-mail",
                value={"email": "ann@example.org", "password": "…", "scope": "read", "days": 30},
                request_only=True,
            ),
            OpenApiExample("by session", value={"scope": "write"}, request_only=True),
        ],
    )
    def post(self, request: Request) -> Response:
        """A new token; the older one no longer works, and you get a mail.

        Send e-mail and password, or use a session that has just asked for your password again. A token makes no tokens.
        """
        given = WantedTokenSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        wanted = given.validated_data
        person = _person(request, wanted)
        token, text = tokens.make(actor=person, at=timezone.now(), scope=wanted["scope"], days=wanted["days"])
        token.__dict__["token"] = text
        headers = {"Cache-Control": "no-store"}
        return Response(NewTokenSerializer(token).data, status=status.HTTP_201_CREATED, headers=headers)

    @extend_schema(
        operation_id="revoke_token",
        summary="Revoke your token",
        responses={204: OpenApiResponse(description="It no longer works."), **errors(403, 404)},
    )
    def delete(self, request: Request) -> Response:
        """Your token no longer works."""
        if not tokens.revoke(actor=asking(request)):
            raise NotFound
        return Response(status=status.HTTP_204_NO_CONTENT)


def _person(request: Request, given: dict[str, Any]) -> User:
    """Who asks: by e-mail and password where they are sent, else by a session that has just been confirmed."""
    if "email" in given or "password" in given:
        found = _authenticated(request, given.get("email", ""), given.get("password", ""))
        _check_needs_no_more(found)
        return found
    person = asking(request)
    if request.auth is not None:
        raise NotAllowed(
            _(
                "You can’t create a token with a token. Send your e-mail address and password, or "
                "use your page."
            )
        )
    if not did_recently_reauthenticate(request):
        raise NotAllowed(
            _("Please create the token on your page: it asks for your password."),
            code=REAUTHENTICATE,
        )
    return person


def _authenticated(request: Request, email: str, password: str) -> User:
    """Whose e-mail address and password these are; guesses count like those on the login page."""
    try:
        found = get_adapter().authenticate(request, email=email, password=password)
    except ValidationError as refusal:
        raise Throttled(detail=refusal.messages[0]) from refusal
    if not isinstance(found, User) or not found.is_active:
        raise AuthenticationFailed(_("The e-mail address or the password is wrong."))
    return found


def _check_needs_no_more(person: User) -> None:
    """A password alone is no way round what the login page asks for."""
    if is_mfa_enabled(person):
        raise NotAllowed(
            _("You use two-step login. Please log in on the site and create the token on your page.")
        )
    is_verified = EmailAddress.objects.filter(user=person, verified=True).exists()
    if settings.ACCOUNT_EMAIL_VERIFICATION == MANDATORY and not is_verified:
        raise NotAllowed(
            _("Please confirm your e-mail address first. Log in on the site and we’ll send you a mail.")
        )
