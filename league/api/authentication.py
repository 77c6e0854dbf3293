"""Who sends a request: the person whose token it carries."""

from django.utils.translation import gettext as _
from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed, NotAuthenticated
from rest_framework.request import Request

from league.models import User
from league.services import tokens


class PersonalToken(TokenAuthentication):
    """`Authorization: Token cm_...`, as league.services.tokens made it."""

    def authenticate_credentials(self, key: str) -> tuple[User, str]:
        """The person behind the token; refuses one that is unknown, replaced or revoked."""
        user = tokens.bearer(text=key)
        if user is None:
            raise AuthenticationFailed(_("This token is not valid (any more). Make a new one on your page."))
        return user, key


def asking(request: Request) -> User:
    """The person who asks; raises NotAuthenticated for a visitor without an account."""
    if not isinstance(request.user, User):
        raise NotAuthenticated
    return request.user
