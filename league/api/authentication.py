"""Who sends a request: the person whose token it carries."""

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated, PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from league.models import ApiToken, User
from league.people.services import tokens


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
