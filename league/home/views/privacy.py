"""What the site keeps of people, and what each of them can do about it."""

from allauth.account.decorators import reauthentication_required
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from league.home.queries import my_data
from league.models import User

FILE = "concertmaster-my-data.json"


@require_safe
def what_is_kept(request: HttpRequest) -> HttpResponse:
    """What is kept, why, for how long, and who sees it."""
    return render(request, "league/privacy.html")


@require_safe
@login_required
def mine(request: HttpRequest) -> HttpResponse:
    """What the person can do about their own data."""
    return render(request, "league/my_privacy.html")


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


def _person(request: HttpRequest) -> User:
    if isinstance(request.user, User):
        return request.user
    raise Http404
