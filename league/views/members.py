"""Founding a club, its description, and who has which role in it."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from league.errors import LeagueError
from league.forms.desk import ClubForm, MemberForm, RoleForm
from league.models import Club, Membership
from league.services import clubs
from league.views.desk import acting, official
from league.views.refusals import show_in, told
from league.views.rendering import render_for


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def found(request: HttpRequest) -> HttpResponse:
    """A form for a new club; whoever founds it is its owner."""
    form = ClubForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = clubs.found(actor=acting(request), **form.cleaned_data)
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, _("%(club)s is founded. You are its owner.") % {"club": made})
            return redirect("desk", made.slug)
    return render(request, "league/desk/found.html", {"form": form}, status=_status(form))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def edit_club(request: HttpRequest, club: str) -> HttpResponse:
    """What the club says of itself."""
    edited = official(request, club, "club.edit")
    now = {name: getattr(edited, name) for name in ("name", "time_zone", "place", "about")}
    form = ClubForm(request.POST or None, initial=now)
    if request.method == "POST" and form.is_valid():
        try:
            clubs.edit(actor=acting(request), club=edited, **form.cleaned_data)
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, _("Saved."))
            return redirect("desk", edited.slug)
    return render_for(request, edited, "league/desk/club.html", {"form": form}, status=_status(form))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def show(request: HttpRequest, club: str) -> HttpResponse:
    """Everybody with a role, and a form to add somebody."""
    found_club = official(request, club, "club.members")
    form = MemberForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            member = clubs.add_member(actor=acting(request), club=found_club, **form.cleaned_data)
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, _("%(member)s.") % {"member": member})
            return redirect("desk_members", found_club.slug)
    context = {"form": form, "members": _members(found_club)}
    return render_for(request, found_club, "league/desk/members.html", context, status=_status(form))


@require_POST
@login_required
@told
def change(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """Another role for a member, or the end of the membership."""
    found_club = official(request, club, "club.members")
    membership = get_object_or_404(Membership, pk=pk, club=found_club)
    form = RoleForm(request.POST)
    if "remove" in request.POST:
        clubs.remove_member(actor=acting(request), membership=membership)
        messages.success(request, _("%(name)s is no longer a member.") % {"name": membership.user})
    elif form.is_valid():
        clubs.set_role(actor=acting(request), membership=membership, role=form.cleaned_data["role"])
        messages.success(request, _("Saved."))
    else:
        messages.error(request, _("Choose one of the roles: owner, director, scorer or member."))
    return redirect("desk_members", found_club.slug)


def _members(club: Club) -> list[dict[str, Any]]:
    rows = Membership.objects.filter(club=club).select_related("user").order_by("role", "user__name")
    return [
        {"membership": row, "form": RoleForm(initial={"role": row.role}, auto_id=f"m{row.pk}_%s")}
        for row in rows
    ]


def _status(form: Any) -> int:
    return 422 if form.is_bound and form.errors else 200
