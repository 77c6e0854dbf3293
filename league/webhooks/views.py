"""A club's webhooks, for its owners: whom they tell, and how each attempt went."""

from typing import Any

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_safe

from league.errors import LeagueError
from league.models import Club, Webhook
from league.web.officials import acting, official, posted
from league.web.refusals import show_in, told
from league.web.rendering import render_for
from league.webhooks.forms import EventsForm, WebhookForm
from league.webhooks.services import webhooks

SHOWN = 30


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@told
@reauthentication_required(allow_get=True)
@sensitive_variables("secret")
def show(request: HttpRequest, club: str) -> HttpResponse:
    """The club's webhooks. Posting adds one, whose secret stands on this one answer and nowhere else."""
    found = official(request, club, "club.webhooks")
    form, secret, made = WebhookForm(posted(request)), "", None
    if request.method == "POST" and form.is_valid():
        try:
            made, secret = webhooks.add(
                actor=acting(request), club=found, at=timezone.now(), **form.cleaned_data
            )
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            form = WebhookForm()
    context = {"form": form, "secret": secret, "made": made, "webhooks": found.webhooks.all()}
    status = 422 if form.is_bound and form.errors else 200
    return render_for(request, found, "league/desk/webhooks.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@told
@reauthentication_required(allow_get=True)
@sensitive_variables("secret")
def one(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """What one was told and how that went; a test, other events, another secret, on again, away with it."""
    found = official(request, club, "club.webhooks")
    webhook = get_object_or_404(Webhook, pk=pk, club=found)
    form, secret = EventsForm(initial={"events": webhook.events}), ""
    if request.method == "POST":
        act = request.POST.get("act", "")
        if act == "secret":
            secret = webhooks.renew_secret(actor=acting(request), webhook=webhook)
        elif act == "events":
            form = EventsForm(request.POST)
            if form.is_valid():
                webhooks.choose(actor=acting(request), webhook=webhook, **form.cleaned_data)
                messages.success(request, _("Saved."))
                return redirect("desk_webhook", found.slug, pk)
        else:
            return _act(request, found, webhook, act)
    context = {"form": form, "secret": secret, "webhook": webhook, **_tries(webhook)}
    status = 422 if form.is_bound and form.errors else 200
    return render_for(request, found, "league/desk/webhook.html", context, status=status)


@require_safe
@never_cache
@login_required
@told
def tries(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """The list of what was sent, for a page that waits for the result of a test."""
    found = official(request, club, "club.webhooks")
    webhook = get_object_or_404(Webhook, pk=pk, club=found)
    context = {"club": found, "webhook": webhook, **_tries(webhook)}
    return render(request, "league/desk/webhook_tries.html", context)


def _act(request: HttpRequest, club: Club, webhook: Webhook, act: str) -> HttpResponse:
    actor = acting(request)
    if act == "remove":
        webhooks.remove(actor=actor, webhook=webhook)
        messages.success(request, _("You have removed the webhook."))
        return redirect("desk_webhooks", club.slug)
    if act == "resume":
        webhooks.resume(actor=actor, webhook=webhook)
        messages.success(request, _("The webhook is on again."))
    elif act == "test":
        webhooks.test(actor=actor, webhook=webhook)
    return redirect("desk_webhook", club.slug, webhook.pk)


def _tries(webhook: Webhook) -> dict[str, Any]:
    deliveries = list(webhook.deliveries.prefetch_related("tries")[:SHOWN])
    is_waiting = any(
        each.event == Webhook.TEST and not each.sent_at and not each.given_up_at and not each.tries.all()
        for each in deliveries
    )
    return {"deliveries": deliveries, "is_waiting": is_waiting}
