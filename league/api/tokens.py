"""The token by which a program acts for a person."""

from typing import Any, ClassVar

from allauth.account.models import EmailAddress
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.auth import authenticate
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import AuthenticationFailed, NotFound
from rest_framework.permissions import AllowAny, BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from league.api.authentication import asking
from league.api.schema import errors, write_errors
from league.api.throttles import TokensByAddress, TokensByEmail
from league.errors import NotAllowed
from league.models import User
from league.services import tokens

MANDATORY = "mandatory"


class CredentialsSerializer(serializers.Serializer[Any]):
    """Who you are, where no session and no token says so."""

    email = serializers.EmailField(required=False, max_length=254)
    password = serializers.CharField(required=False, max_length=1000, trim_whitespace=False, write_only=True)


class NewTokenSerializer(serializers.Serializer[Any]):
    """A token; it is shown this once."""

    token = serializers.CharField(help_text="Send it as `Authorization: Token ...`.")
    hint = serializers.CharField(help_text="The first characters, to recognise it by later.")
    made_at = serializers.DateTimeField()


class TokenSerializer(serializers.Serializer[Any]):
    """Which token you have."""

    hint = serializers.CharField(help_text="Its first characters.")
    made_at = serializers.DateTimeField()


class TokenEndpoint(APIView):
    """One token a person: make or replace it, look at its first characters, revoke it."""

    serializer_class = CredentialsSerializer
    hardly_throttled: ClassVar[list[type[BaseThrottle]]] = [TokensByAddress, TokensByEmail]

    def get_permissions(self) -> list[BasePermission]:
        """A token is made by whoever proves who they are; the rest is for those who are logged in."""
        return [AllowAny()] if self.request.method == "POST" else [IsAuthenticated()]

    def get_throttles(self) -> list[BaseThrottle]:
        """Making tokens is throttled hard, for it takes passwords."""
        if self.request.method == "POST":
            return [throttle() for throttle in self.hardly_throttled]
        return super().get_throttles()

    @extend_schema(
        operation_id="token", summary="Your token", responses={200: TokenSerializer, **errors(403, 404)}
    )
    def get(self, request: Request) -> Response:
        """Which token you have: its first characters and when it was made. Never the token itself."""
        token = tokens.current(user=asking(request))
        if token is None:
            raise NotFound
        return Response(TokenSerializer(token).data)

    @extend_schema(
        operation_id="make_token",
        summary="Make or replace your token",
        auth=[{}, {"tokenAuth": []}, {"cookieAuth": []}],  # type: ignore[list-item]  # as spectacular reads it
        request=CredentialsSerializer,
        responses={201: NewTokenSerializer, **write_errors()},
        examples=[
            OpenApiExample(
                "by e-mail", value={"email": "ann@example.org", "password": "…"}, request_only=True
            ),
            OpenApiExample("by session or older token", value={}, request_only=True),
        ],
    )
    def post(self, request: Request) -> Response:
        """A new token. The older one no longer works. Without a session or a token, send e-mail and password."""
        given = CredentialsSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        person = _person(request, given.validated_data)
        token, text = tokens.make(actor=person, at=timezone.now())
        shown = {"token": text, "hint": token.hint, "made_at": token.made_at}
        headers = {"Cache-Control": "no-store"}
        return Response(NewTokenSerializer(shown).data, status=status.HTTP_201_CREATED, headers=headers)

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
    """Who asks: by e-mail and password where they are sent, else by the session or the token."""
    if "email" not in given and "password" not in given:
        return asking(request)
    found = authenticate(request, email=given.get("email", ""), password=given.get("password", ""))
    if not isinstance(found, User):
        raise AuthenticationFailed(_("The e-mail address or the password is not right."))
    _check_needs_no_more(found)
    return found


def _check_needs_no_more(person: User) -> None:
    """A password alone is no way round what the login page asks for."""
    if is_mfa_enabled(person):
        raise NotAllowed(
            _("You log in with a second step: make the token on your page, after you logged in.")
        )
    is_verified = EmailAddress.objects.filter(user=person, verified=True).exists()
    if settings.ACCOUNT_EMAIL_VERIFICATION == MANDATORY and not is_verified:
        raise NotAllowed(_("Please confirm your e-mail address first: log in on the site to get a mail."))
