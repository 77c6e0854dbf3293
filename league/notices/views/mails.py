"""Mails that could not be handed over in three days: seen, and tried once more.

On your own computer, without a mail server, all mails can be read, too.
"""

from collections.abc import Callable
from functools import wraps
from ipaddress import ip_address
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Max, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.shortcuts import get_object_or_404, redirect, render
from django.template import TemplateDoesNotExist
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from league import policies
from league.actors import person
from league.errors import LeagueError, NotAllowed
from league.models import Club, OutboxMessage
from league.notices.forms import MailAccountForm
from league.notices.services import mail_account, outbox
from league.web import lookup
from league.web.officials import acting, official
from league.web.refusals import show_in, told
from league.web.rendering import render_for

PAGE = 50
#: Any of these says that somebody else asks than the one who is connected.
OF_A_PROXY = (
    "HTTP_X_FORWARDED",
    "HTTP_FORWARDED",
    "HTTP_VIA",
    "HTTP_X_REAL_IP",
    "HTTP_CF_",
    "HTTP_TAILSCALE_",
)
View = Callable[..., HttpResponse]


def _for_owner_at_this_computer(view: View) -> View:
    """A page with mails in the clear, or what opens a mail account: for who runs the site, at the computer it runs on,
    after the password once more.

    In production there is no such page.
    """
    guarded = reauthentication_required(view)

    @login_required
    @told
    def asking(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        policies.require(acting(request), "site.mails")
        if not _is_at_this_computer(request):
            raise NotAllowed(_("You can do this only on the computer that runs the site."))
        try:
            answer: HttpResponse = guarded(request, *args, **kwargs)
        except ReauthenticationRequired:
            if request.method != "POST":
                raise
            # What was posted would be kept in the session meanwhile, a password among it: it is typed again.
            messages.info(request, _("Nothing was saved: it took too long. Please enter it again."))
            return redirect(request.path)
        return answer

    @wraps(view)
    def found(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.MAILS_ON_SITE:
            raise Http404
        return asking(request, *args, **kwargs)

    return found


def _is_at_this_computer(request: HttpRequest) -> bool:
    """Whether the browser runs here: connected from here, by a name of this computer, with nobody in between."""
    host, _port = split_domain_port(request.get_host())
    return (
        _is_loopback(request.META.get("REMOTE_ADDR", ""))
        and (host == "localhost" or host.endswith(".localhost") or _is_loopback(host.strip("[]")))
        and not any(key.startswith(OF_A_PROXY) for key in request.META)
    )


def _is_loopback(address: str) -> bool:
    try:
        found = ip_address(address)
    except ValueError:
        return False
    return (getattr(found, "ipv4_mapped", None) or found).is_loopback


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@told
def of_club(request: HttpRequest, club: str) -> HttpResponse:
    """The mails about a club, for its owners."""
    found = official(request, club, "club.mails")
    if request.method == "POST":
        _retry(request, found)
        return redirect("desk_mails", found.slug)
    context = {
        **_context(request, OutboxMessage.objects.filter(club=found)),
        "go_into_files": mail_account.goes_into_files(),
    }
    return render_for(request, found, "league/desk/mails.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@told
def of_site(request: HttpRequest) -> HttpResponse:
    """All mails, those about accounts among them, for the people who run the site."""
    policies.require(acting(request), "site.mails")
    if request.method == "POST":
        _retry(request, None)
        return redirect("site_mails")
    context = {
        **_context(request, OutboxMessage.objects.all()),
        "are_read_here": settings.MAILS_ON_SITE,
        "go_into_files": mail_account.goes_into_files(),
    }
    return render(request, "league/mails.html", context)


@require_safe
@never_cache
@_for_owner_at_this_computer
def written(request: HttpRequest) -> HttpResponse:
    """All mails, the newest first."""
    page = lookup.stretch(request, OutboxMessage.objects.order_by("-pk"), PAGE)
    return render(request, "league/mails_written.html", {"page": page})


@require_safe
@never_cache
@_for_owner_at_this_computer
def one(request: HttpRequest, pk: int) -> HttpResponse:
    """A mail as it goes out; without its links where they would open the account of somebody with a role."""
    mail = get_object_or_404(OutboxMessage, pk=pk)
    context: dict[str, Any] = {"mail": mail, "hides_links": outbox.hides_links(mail)}
    try:
        text = outbox.written(mail) if mail.contents else None
    except (TemplateDoesNotExist, ValueError):
        text = None
    if text is not None:
        hide = outbox.hide_links if context["hides_links"] else str
        context |= {"subject": hide(str(text.subject)), "body": hide(str(text.body))}
    return render(request, "league/mail.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_post_parameters("password")
@_for_owner_at_this_computer
def account(request: HttpRequest) -> HttpResponse:
    """The account at a mail server: entered, tried with a mail to oneself, removed."""
    found = mail_account.found()
    form = MailAccountForm(instance=found)
    if request.method == "POST":
        act = request.POST.get("act")
        if act == "remove":
            mail_account.remove(actor=acting(request))
            messages.success(request, _("You have removed the mail account. Mails become files again."))
            return redirect("site_mail_account")
        if act == "test":
            _send_test(request)
            return redirect("site_mail_account")
        # A row of its own: the form writes what was typed into it, and what is stored is still compared with it.
        form = MailAccountForm(request.POST, instance=mail_account.found())
        if form.is_valid() and _save(request, form):
            return redirect("site_mail_account")
    context = {"form": form, "account": found, "is_used": mail_account.may_be_used(), **_last_test()}
    return render(request, "league/mail_account.html", context, status=422 if form.errors else 200)


@require_safe
@never_cache
@_for_owner_at_this_computer
def account_test(request: HttpRequest) -> HttpResponse:
    """What became of the test, for a page that waits for it."""
    return render(request, "league/mail_account_test.html", _last_test())


def _save(request: HttpRequest, form: MailAccountForm) -> bool:
    """And tries it straight away."""
    try:
        mail_account.save(actor=acting(request), **form.cleaned_data)
    except LeagueError as refusal:
        show_in(form, refusal)
        return False
    _send_test(request)
    return True


def _send_test(request: HttpRequest) -> None:
    user = person(acting(request))
    if user is not None:
        outbox.test(actor=user)


def _last_test() -> dict[str, Any]:
    test = OutboxMessage.objects.filter(template=mail_account.TEST).order_by("-pk").first()
    is_over = test is not None and bool(test.sent_at or test.given_up_at or test.next_try_at)
    return {"test": test, "is_waiting": test is not None and not is_over}


def _retry(request: HttpRequest, club: Club | None) -> None:
    """The mails that were ticked, or all."""
    keys = [int(key) for key in request.POST.getlist("mail") if key.isdecimal() and len(key) < 19]
    wanted = None if "all" in request.POST else keys
    count = outbox.retry(actor=acting(request), club=club, messages=wanted)
    if count:
        said = ngettext("%(count)d mail will be sent again.", "%(count)d mails will be sent again.", count)
        messages.success(request, said % {"count": count})
    else:
        messages.info(request, _("Choose the mails to send again."))


def _context(request: HttpRequest, mails: QuerySet[OutboxMessage]) -> dict[str, object]:
    given_up = mails.filter(pk__in=OutboxMessage.objects.given_up()).order_by("-given_up_at", "-pk")
    waiting = mails.filter(pk__in=OutboxMessage.objects.waiting())
    return {
        "page": lookup.stretch(request, given_up.select_related("club"), PAGE),
        "last_sent": mails.aggregate(last=Max("sent_at"))["last"],
        "waiting": waiting.count(),
        "oldest": waiting.order_by("made_at").values_list("made_at", flat=True).first(),
    }
