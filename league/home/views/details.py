"""What a person tells those whom they play with: telephone and address, and days on which they cannot play."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.errors import LeagueError
from league.home.forms.players import ContactForm, DaysAwayForm
from league.models import Contact, User
from league.notices.services import accounts
from league.web.refusals import show_in


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def show(request: HttpRequest) -> HttpResponse:
    """Both, each with its form; `part` says which was sent."""
    user = request.user
    if not isinstance(user, User):
        raise Http404
    part = request.POST.get("part", "")
    now = Contact.objects.filter(user=user).first()
    contact = ContactForm(
        request.POST if part == "contact" else None,
        initial={
            "telephone": now.telephone if now else "",
            "address": now.address if now else "",
            "is_shared": now is not None and now.is_shared,
        },
    )
    days = DaysAwayForm(request.POST if part in {"away", "back"} else None)
    if _saved(user, part, contact, days):
        messages.success(request, _("Saved."))
        return redirect("my_details")
    context = {
        "contact": contact,
        "days": days,
        "away": user.days_away.filter(day__gte=timezone.localdate()),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "league/my_details.html", context, status=status)


def _saved(user: User, part: str, contact: ContactForm, days: DaysAwayForm) -> bool:
    if part == "contact" and contact.is_valid():
        accounts.keep_contact(actor=user, **contact.cleaned_data)
        return True
    if part not in {"away", "back"} or not days.is_valid():
        return False
    try:
        change = accounts.mark_days_away if part == "away" else accounts.clear_days_away
        change(actor=user, **days.cleaned_data)
    except LeagueError as refusal:
        show_in(days, refusal)
        return False
    return True
