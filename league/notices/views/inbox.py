"""A person's inbox, and how they want to be told."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.errors import Invalid
from league.models import Notice, NoticeSettings, User
from league.notices import queries, unsubscribing
from league.notices.forms import ChoicesForm, DeviceForm, DirectedForm, QuietForm
from league.notices.services import notices, pushes
from league.outgoing import push_messages
from league.web import lookup

PAGE = 20


@require_safe
@login_required
def show(request: HttpRequest) -> HttpResponse:
    """What the person was told, the newest first."""
    own = Notice.objects.of(request.user).select_related("club")
    page = lookup.stretch(request, own, PAGE)
    context = {"page": page, "lines": queries.lines(page.object_list), "unread": own.unread().count()}
    return render(request, "league/notices.html", context)


@require_POST
@login_required
def read(request: HttpRequest, pk: int) -> HttpResponse:
    """The person has seen a notice; on to the page that it is about."""
    found = get_object_or_404(Notice.objects.of(request.user), pk=pk)
    notices.mark_read(actor=_person(request), keys=[found.pk], at=timezone.now())
    return redirect(found.context["path"])


@require_POST
@login_required
def read_all(request: HttpRequest) -> HttpResponse:
    """The person has seen all."""
    notices.mark_read(actor=_person(request), at=timezone.now())
    return redirect("my_notices")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def choices(request: HttpRequest) -> HttpResponse:
    """Which events the person wants to be told of, and how."""
    user = _person(request)
    if "again" in request.POST:
        notices.mail_again(actor=user)
        messages.success(request, _("We write to you again."))
        return redirect("my_notice_choices")
    if "off" in request.POST:
        return _turn_off(request, user)
    sent = request.POST if request.method == "POST" else None
    form, quiet = ChoicesForm(sent, user=user), QuietForm(sent, user=user)
    directed = DirectedForm(sent, user=user)
    # All, so that all faults stand on the page at once.
    if sent is not None and form.is_valid() & quiet.is_valid() & directed.is_valid():
        notices.choose(actor=user, channels=form.cleaned_data)
        notices.be_quiet(actor=user, **quiet.cleaned_data)
        if directed.is_needed:
            notices.direct(actor=user, competitions=directed.chosen)
        messages.success(request, _("Saved."))
        return redirect("my_notice_choices")
    status = 422 if form.errors or quiet.errors or directed.errors else 200
    came_back = NoticeSettings.objects.filter(user=user, bounced=user.email).first()
    context = {
        "form": form,
        "quiet": quiet,
        "directed": directed,
        "came_back": came_back,
        "device": DeviceForm(auto_id="device_%s"),
        "devices": user.push_subscriptions.all(),
        "push_key": push_messages.public_key(),
    }
    return render(request, "league/notice_choices.html", context, status=status)


@require_POST
@login_required
def device(request: HttpRequest) -> HttpResponse:
    """This device wants to be told: the browser has asked its push service for an address."""
    form = DeviceForm(request.POST)
    try:
        if not form.is_valid():
            raise Invalid(_("Your browser couldn’t set up notifications. Please try again."))
        pushes.turn_on(
            actor=_person(request),
            session_key=request.session.session_key or "",
            at=timezone.now(),
            **form.cleaned_data,
        )
    except Invalid as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("Notifications are on for this device."))
    return redirect("my_notice_choices")


def _turn_off(request: HttpRequest, user: User) -> HttpResponse:
    key = request.POST.get("off", "")
    if key.isdecimal() and len(key) < 19:
        pushes.turn_off(actor=user, key=int(key))
        messages.success(request, _("Notifications are off for that device."))
    return redirect("my_notice_choices")


def _person(request: HttpRequest) -> User:
    if isinstance(request.user, User):
        return request.user
    raise Http404


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """No more mails of one event to the person who got the link: by its button, or in one step by a mail program.

    Looking at it changes nothing: programs that check links look at all of them.
    """
    found = unsubscribing.behind(token)
    if found is None:
        raise Http404
    user, event = found
    if request.method == "POST":
        notices.unsubscribe(user=user, event=event)
    context = {"event": event, "is_done": request.method == "POST"}
    return render(request, "league/unsubscribe.html", context)
