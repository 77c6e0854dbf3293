"""The choice of a language: a cookie for this browser, and the account's for the mails."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from league.models import User
from league.notices.services import accounts


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Speak the chosen language from now on, and write mails in it; back to the page that asked."""
    if isinstance(request.user, User):
        accounts.choose_language(actor=request.user, language=request.POST.get("language", ""))
    return set_language(request)
