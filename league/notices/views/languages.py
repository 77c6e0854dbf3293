"""The choice of a language: a cookie for this browser, and the account's for the mails."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from league.models import User
from league.notices.services import accounts


@csrf_exempt
@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Speak the chosen language from now on; back to the page that asked.

    A visitor's choice is a cookie and no more: it needs no token, which would make each visitor's page another one.
    """
    return _choose_for_account(request) if request.user.is_authenticated else set_language(request)


@csrf_protect
def _choose_for_account(request: HttpRequest) -> HttpResponse:
    if isinstance(request.user, User):
        accounts.choose_language(actor=request.user, language=request.POST.get("language", ""))
    return set_language(request)
