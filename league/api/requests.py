"""Who sends a request to the API, by the token it carries, and what a body may be."""

from collections.abc import Callable, Mapping
from typing import IO, Any, ClassVar

from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from django.core.exceptions import RequestDataTooBig
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, ParseError, PermissionDenied
from rest_framework.parsers import JSONParser
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.settings import api_settings

from league import idempotency
from league.errors import NotAllowed
from league.models import ApiToken, User
from league.people.services import tokens
from league.storage.json_content import LARGEST_KEY, TooLongError, UnstorableError, parse_json

REAUTHENTICATE = "reauthentication_required"


class PersonalToken(TokenAuthentication):
    """`Authorization: Token cm_...`, as league.people.services.tokens made it."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The person and the token; refuses what goes beyond the token's scope."""
        found: tuple[User, ApiToken] | None = super().authenticate(request)
        if found and found[1].scope == ApiToken.Scope.READ and request.method not in SAFE_METHODS:
            raise PermissionDenied(_("This token can only read. Create another one on your page."))
        return found

    def authenticate_credentials(self, key: str) -> tuple[User, ApiToken]:
        """The person behind the token; refuses one that is unknown, over, replaced or revoked."""
        token = tokens.bearer(text=key, at=timezone.now())
        if token is None:
            raise AuthenticationFailed(
                _("This token isn’t valid, or no longer valid. Create a new one on your page.")
            )
        return token.user, token


def asking(request: Request) -> User:
    """The person who asks; raises NotAuthenticated for a visitor without an account."""
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user


def confirmed(request: Request) -> User:
    """The person who asks for what a session alone may not do: a token may, a session that has just been confirmed."""
    person = asking(request)
    if request.auth is None and not did_recently_reauthenticate(request):
        raise NotAllowed(_("Please do this on its page: it asks for your password."), code=REAUTHENTICATE)
    return person


def once(
    request: Request, *, action: str, about: Any, write: Callable[[], idempotency.Answer]
) -> idempotency.Answer:
    """What `write` answers; the same again for the same `about` under the request's Idempotency-Key."""
    key = request.headers.get("Idempotency-Key", "")
    return idempotency.once(actor=asking(request), key=key, action=action, request=about, write=write)


class KnownFields(serializers.Serializer[Any]):
    """What is sent has these fields and no other: a mistyped name would else change nothing, and say nothing."""

    says_something: ClassVar[bool] = False
    """Whether at least one field has to be there: see `Changes`."""

    def to_internal_value(self, data: Any) -> Any:
        """The values; refuses a name that is none of the fields', and a form, which nothing was read of."""
        if isinstance(data, Mapping):
            known = {name for name, field in self.fields.items() if not field.read_only}
            if isinstance(data, QueryDict) and not data and known:
                # Of a form each tick box that is not there would count as taken off.
                raise ParseError(_("Please send this as JSON."))
            if self.says_something and not data and not any(each.required for each in self.fields.values()):
                said = _("Say what is to be different.")
                raise serializers.ValidationError({api_settings.NON_FIELD_ERRORS_KEY: [said]})
            unknown = sorted(set(data) - known)
            if unknown:
                raise serializers.ValidationError({name: [_("There is no such field.")] for name in unknown})
        return super().to_internal_value(data)


class Changes(KnownFields):
    """What is to be different: a body that says nothing is refused, and writes nothing."""

    says_something = True


class IdField(serializers.IntegerField):
    """The id of a row: whatever a database can hold."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 1, "max_value": LARGEST_KEY, **options})


@extend_schema_field({"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"})
class ClockField(serializers.TimeField):
    """Hours and minutes."""

    def __init__(self, **options: Any) -> None:
        super().__init__(format="%H:%M", input_formats=["%H:%M"], **options)


class NothingSerializer(KnownFields):
    """Nothing needs saying."""


class DecisionSerializer(KnownFields):
    """Why it is decided so."""

    reason = serializers.CharField(max_length=300, help_text="It is kept, and the players can read it.")


def sent(request: Request, form: type[KnownFields]) -> dict[str, Any]:
    """What was sent, as `form` has it; raises ValidationError for anything else."""
    given = form(data=request.data)
    given.is_valid(raise_exception=True)
    return dict(given.validated_data)


# A scoresheet with every card lies six deep and has some 20 KB.
DEEPEST = 50


class StorableJSON(JSONParser):
    """JSON that the database can hold."""

    longest = 256 * 1024

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,  # noqa: ARG002 (DRF's signature)
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> Any:
        """The value; what is no such JSON is refused with 400, what is too long with 413, unparsed."""
        try:
            return parse_json(stream.read(self.longest + 1), longest=self.longest, deepest=DEEPEST)
        except TooLongError:
            raise RequestDataTooBig from None
        except UnstorableError:
            raise ParseError(_("We couldn’t save part of this JSON."), code="unreadable") from None
        except ValueError:
            raise ParseError(_("We couldn’t read this as JSON.")) from None


class SmallJSON(StorableJSON):
    """For those who are nobody yet: an address and a password are short."""

    longest = 4 * 1024
