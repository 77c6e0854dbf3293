"""The token by which a program acts for a person: made, shown once, revoked."""

from allauth.account.decorators import reauthentication_required
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
from league.people.forms import TokenForm
from league.people.services import tokens


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@reauthentication_required(allow_get=True)
@sensitive_variables("text")
def show(request: HttpRequest) -> HttpResponse:
    """Which token the person has. Posting makes a new one, whose text stands on this one answer and nowhere else."""
    form = TokenForm(request.POST if request.method == "POST" else None)
    text, at = "", timezone.now()
    if request.method == "POST" and form.is_valid():
        _token, text = tokens.make(actor=_person(request), at=at, **form.cleaned_data)
    context = {"token": tokens.current(user=_person(request), at=at), "text": text, "form": form}
    return render(request, "league/token.html", context, status=422 if form.is_bound and form.errors else 200)


@require_POST
@login_required
def revoke(request: HttpRequest) -> HttpResponse:
    """Ends the token."""
    if tokens.revoke(actor=_person(request)):
        messages.success(request, _("You have revoked the token. Programs can no longer use it."))
    return redirect("my_token")


def _person(request: HttpRequest) -> User:
    if isinstance(request.user, User):
        return request.user
    raise Http404
