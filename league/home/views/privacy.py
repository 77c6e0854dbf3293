"""What the site keeps of people, and what each of them can do about it."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.errors import LeagueError
from league.home.forms.players import PublicNameForm
from league.home.queries import my_data
from league.models import User
from league.people.services import erasing, public_names

FILE = "concertmaster-my-data.json"


@require_safe
def what_is_kept(request: HttpRequest) -> HttpResponse:
    """What is kept, why, for how long, and who sees it."""
    return render(request, "league/privacy.html")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def mine(request: HttpRequest) -> HttpResponse:
    """What the person can do about their own data; posting says how their name is shown."""
    user = _person(request)
    form = PublicNameForm(
        request.POST if request.method == "POST" else None, initial={"public_name": user.public_name}
    )
    if request.method == "POST" and form.is_valid():
        public_names.choose(actor=user, public_name=form.cleaned_data["public_name"])
        messages.success(request, _("Saved."))
        return redirect("my_privacy")
    return render(request, "league/my_privacy.html", {"form": form}, status=422 if form.errors else 200)


@require_POST
@never_cache
@login_required
@reauthentication_required
def download(request: HttpRequest) -> HttpResponse:
    """All of it as one file."""
    found = my_data.everything(user=_person(request), at=timezone.now())
    answer = JsonResponse(found, json_dumps_params={"ensure_ascii": False, "indent": 1})
    answer["Content-Disposition"] = f'attachment; filename="{FILE}"'
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@reauthentication_required(allow_get=True)
def close(request: HttpRequest) -> HttpResponse:
    """What the end of the account means; posting ends it, or says why it cannot end now."""
    user, reasons = _person(request), erasing.why_not_close(user=_person(request))
    if request.method == "POST" and not reasons:
        try:
            erasing.leave_tables(user=user)
            erasing.close_account(actor=user, at=timezone.now())
        except LeagueError as refusal:
            reasons = [refusal.message]
        else:
            logout(request)
            messages.success(request, _("Your account is closed."))
            return redirect("home")
    return render(
        request, "league/my_close.html", {"reasons": reasons}, status=409 if request.method == "POST" else 200
    )


def _person(request: HttpRequest) -> User:
    if isinstance(request.user, User):
        return request.user
    raise Http404
