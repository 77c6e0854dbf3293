"""Guests of a casual table: the page of its host, and the one that the link opens."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from engine import game
from games.models import GuestLink, Table, TableGuest
from games.tables.forms import GuestForm
from games.tables.guest_keys import COOKIE_SECONDS, cookie_of, visitor_at
from games.tables.queries.lists import title_of
from games.tables.services import guests, rows
from games.tables.socket import rates
from games.tables.views.play import address_of, person_of, table_of, too_many
from league import policies
from league.actors import Guest
from league.errors import LeagueError, NotAllowed
from league.storage.json_content import LARGEST_KEY
from league.web.refusals import show_in, told
from league.web.rendering import render_for

#: Behind one address a whole club comes in; nobody there tries links by the hundred.
COST_OF_A_DOOR = 2.0


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@told
def table_guests(request: HttpRequest, pk: int) -> HttpResponse:
    """Whom the host lets in: the link and its QR code, another one, none; and the guests who are there."""
    table, _standing = table_of(request, pk)
    if table.kind != Table.Kind.CASUAL:
        raise Http404
    policies.require(person_of(request), "table.host", table)
    if request.method == "POST":
        _answer(request, table)
        return redirect("table_guests", pk)
    link = GuestLink.objects.filter(table=table).first() if table.state in rows.OPEN else None
    there = TableGuest.objects.filter(table=table, removed_at=None).exclude(key=None)
    context: dict[str, Any] = {
        "table": table,
        "title": title_of(table),
        "is_open": table.state in rows.OPEN,
        "address": settings.SITE_URL + reverse("guest_link", args=[link.token]) if link else "",
        "guests": [(each, _seat_of(each)) for each in there.prefetch_related("seats")],
        "club_section": "tables",
    }
    return render_for(request, table.club, "games/table_guests.html", context)


def _seat_of(guest: TableGuest) -> str:
    """Where the guest sits, in words; empty for one who has stood up."""
    held = next((each.seat for each in guest.seats.all() if each.left_at is None), "")
    return str(_(str(game.get(guest.table.game).title(held)))) if held else ""


def _answer(request: HttpRequest, table: Table) -> None:
    """What the host has pressed."""
    actor, key = person_of(request), request.POST.get("remove", "")
    if key.isascii() and key.isdecimal() and int(key[:20]) <= LARGEST_KEY:
        guests.remove(actor=actor, table_id=table.pk, guest_id=int(key))
        messages.success(request, _("Removed. The link is a new one: the old one no longer works."))
    elif "close" in request.POST:
        guests.close_link(actor=actor, table_id=table.pk)
        messages.success(request, _("Nobody else can come in by the link. Guests who are here can stay."))
    elif "link" in request.POST:
        guests.renew_link(actor=actor, table_id=table.pk)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@told
def guest_link(request: HttpRequest, token: str) -> HttpResponse:
    """Where the link leads: a name, a seat, and the table. Who may sit there anyhow goes straight to it."""
    if not rates.may_send(f"door:{address_of(request)}", cost=COST_OF_A_DOOR):
        return too_many()
    table = guests.table_behind(token)
    if table is None:
        return _dead(request)
    visitor = visitor_at(table.pk, request.user, request.COOKIES)
    if isinstance(visitor, Guest) or policies.may(visitor, "table.sit", table):
        return redirect(table)
    taken = rows.seats_taken(table)
    form = GuestForm(request.POST or None, table=table, taken=taken)
    if request.method == "POST" and form.is_valid():
        try:
            guest, key = guests.admit(token=token, **form.cleaned_data)
        except NotAllowed:
            return _dead(request)
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            return _with_key(redirect(table), guest, key)
    people = table.seats.filter(left_at=None, robot="").select_related("user", "player", "guest")
    context = {
        "table": table,
        "title": title_of(table),
        "game_name": _(str(game.get(table.game).name)),
        "people": [each.name for each in people],
        "is_full": not form.seats,
        "form": form,
        "club_section": "tables",
    }
    status = 422 if form.errors else 200
    return render_for(request, table.club, "games/guest_link.html", context, status=status)


@require_POST
@login_required
@told
def keep(request: HttpRequest, pk: int) -> HttpResponse:
    """Keeps with the account what this browser's guest played at the table; or asks no more (`forget`)."""
    get_object_or_404(Table, pk=pk)
    key = request.COOKIES.get(cookie_of(pk), "")
    answer = redirect("week")
    if "forget" in request.POST:
        answer = redirect("my")
    else:
        guests.keep(actor=person_of(request), table_id=pk, key=key)
        messages.success(request, _("Saved. Only you can see this, and it doesn’t count for anything."))
    answer.delete_cookie(cookie_of(pk))
    return answer


def _dead(request: HttpRequest) -> HttpResponse:
    return render(request, "games/guest_link_over.html", status=404)


def _with_key(answer: HttpResponse, guest: TableGuest, key: str) -> HttpResponse:
    answer.set_cookie(
        cookie_of(guest.table_id),
        key,
        max_age=COOKIE_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return answer
