"""The token by which a program acts for a person: made, shown once, revoked."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from league.models import User
from league.services import tokens


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@sensitive_variables("text")
def show(request: HttpRequest) -> HttpResponse:
    """Which token the person has. Posting makes a new one, whose text stands on this one answer and nowhere else."""
    text = ""
    if request.method == "POST":
        _token, text = tokens.make(actor=_person(request), at=timezone.now())
    context = {"token": tokens.current(user=_person(request)), "text": text}
    return render(request, "league/token.html", context)


@require_POST
@login_required
def revoke(request: HttpRequest) -> HttpResponse:
    """Ends the token."""
    if tokens.revoke(actor=_person(request)):
        messages.success(request, _("The token is revoked: programs that used it are locked out."))
    return redirect("my_token")


def _person(request: HttpRequest) -> User:
    if isinstance(request.user, User):
        return request.user
    raise Http404
