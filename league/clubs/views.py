"""Founding a club, its description, and who has which role in it."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from league.clubs import queries
from league.clubs.forms import (
    ClubForm,
    EditClubForm,
    MemberForm,
    RoleForm,
)
from league.clubs.services import admissions, clubs, invitations
from league.errors import LeagueError
from league.models import Invitation, JoinRequest, Membership, Role, User
from league.web import lookup
from league.web.officials import acting, official, posted
from league.web.refusals import show_in, told
from league.web.rendering import render_for

PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def found(request: HttpRequest) -> HttpResponse:
    """A form for a new club; the person who creates it owns it."""
    form = ClubForm(posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            made = clubs.found(actor=acting(request), **form.cleaned_data)
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, _("You have created %(club)s. You are its owner.") % {"club": made})
            return redirect("desk", made.slug)
    return render(request, "league/desk/found.html", {"form": form}, status=_status(form))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def edit_club(request: HttpRequest, club: str) -> HttpResponse:
    """What the club says of itself."""
    edited = official(request, club, "club.edit")
    now = {name: getattr(edited, name) for name in EditClubForm.base_fields}
    form = EditClubForm(posted(request), initial=now)
    if request.method == "POST" and form.is_valid():
        try:
            clubs.edit(actor=acting(request), club=edited, **form.cleaned_data)
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, _("The club’s details are saved."))
            return redirect("desk", edited.slug)
    return render_for(request, edited, "league/desk/club.html", {"form": form}, status=_status(form))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def show(request: HttpRequest, club: str) -> HttpResponse:
    """Everybody with a role, who is invited, and a form to invite somebody."""
    found_club = official(request, club, "club.members")
    form, at = MemberForm(posted(request)), timezone.now()
    if request.method == "POST" and form.is_valid():
        try:
            made = invitations.invite(actor=acting(request), club=found_club, at=at, **form.cleaned_data)
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            said = _("You have invited %(email)s. We’ve sent them a mail with a link to accept or decline.")
            messages.success(request, said % {"email": made.email})
            return redirect("desk_members", found_club.slug)
    members = queries.by_rank(found_club)
    page = lookup.stretch(request, members, PAGE)
    context = {
        "form": form,
        "page": page,
        "count": members.count(),
        "members": [_with_form(row) for row in page.object_list],
        "invitations": found_club.invitations.to_roles().filter(expires_at__gt=at),
    }
    return render_for(request, found_club, "league/desk/members.html", context, status=_status(form))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def asking(request: HttpRequest, club: str) -> HttpResponse:
    """Who asks to become a member: accept, or decline with the reason."""
    found_club = official(request, club, "club.admit")
    waiting = found_club.join_requests.filter(state=JoinRequest.State.OPEN, user__is_active=True)
    if request.method != "POST":
        everybody = found_club.join_requests.all()
        page = lookup.stretch(request, waiting.select_related("user"), PAGE, among=everybody)
        return render_for(request, found_club, "league/desk/admissions.html", {"page": page})
    key, answer = request.POST.get("request", ""), request.POST.get("answer")
    asked = get_object_or_404(
        JoinRequest.objects.select_related("user"),
        pk=int(key) if key.isdecimal() and len(key) < 12 else 0,
        club=found_club,
    )
    if answer in {"accept", "decline"}:
        reason, accept = request.POST.get("reason", ""), answer == "accept"
        admissions.decide(
            actor=acting(request), request=asked, accept=accept, at=timezone.now(), reason=reason
        )
        said = _("%(name)s is now a member.") if accept else _("You have declined %(name)s’s request.")
        messages.success(request, said % {"name": asked.user})
    else:
        messages.error(request, _("Choose whether to accept or decline."))
    return redirect("desk_admissions", found_club.slug)


@require_POST
@login_required
@told
def uninvite(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """Takes an invitation back."""
    found_club = official(request, club, "club.members")
    invitation = get_object_or_404(
        Invitation.objects.to_roles().select_related("club"), pk=pk, club=found_club
    )
    invitations.drop(actor=acting(request), invitation=invitation)
    messages.success(request, _("You have cancelled the invitation."))
    return redirect("desk_members", found_club.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@told
def invitation(request: HttpRequest, pk: int) -> HttpResponse:
    """An invitation, for the person whom it is for: accept or decline. Nobody else learns that there is one."""
    user, at = acting(request), timezone.now()
    found = (
        invitations.waiting_for(user=user, at=at).filter(pk=pk).first() if isinstance(user, User) else None
    )
    if found is None:
        return render(request, "league/invitation.html", {"invitation": None}, status=404)
    answer = request.POST.get("answer")
    if answer == "accept":
        invitations.accept(actor=user, invitation=found, at=at)
        messages.success(request, _("You are now a member of %(club)s.") % {"club": found.club})
        return redirect(found.club)
    if answer == "decline":
        invitations.drop(actor=user, invitation=found)
        messages.success(request, _("You have declined the invitation."))
        return redirect("my")
    status = 422 if request.method == "POST" else 200
    return render(request, "league/invitation.html", {"invitation": found}, status=status)


@require_POST
@login_required
@told
def change(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """Another role for a member."""
    found_club = official(request, club, "club.members")
    membership = get_object_or_404(Membership, pk=pk, club=found_club)
    form = RoleForm(request.POST)
    if form.is_valid():
        clubs.set_role(actor=acting(request), membership=membership, role=form.cleaned_data["role"])
        role = Role(form.cleaned_data["role"]).label
        messages.success(request, _("%(name)s is now %(role)s.") % {"name": membership.user, "role": role})
    else:
        messages.error(request, _("Choose one of the roles: owner, director, scorer or member."))
    return redirect("desk_members", found_club.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def remove(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """What the end of a membership means, and the button that ends it."""
    found_club = official(request, club, "club.members")
    membership = get_object_or_404(Membership.objects.select_related("user", "club"), pk=pk, club=found_club)
    if request.method == "POST":
        clubs.remove_member(actor=acting(request), membership=membership)
        said = _("%(name)s is no longer a member. If they want to come back, invite them again.")
        messages.success(request, said % {"name": membership.user})
        return redirect("desk_members", found_club.slug)
    ending = queries.ending(membership)
    context = {
        "membership": membership,
        "player": ending.player,
        "open_matches": ending.open_matches,
        "is_self": membership.user == request.user,
    }
    return render_for(request, found_club, "league/desk/member_remove.html", context)


def _with_form(row: Membership) -> dict[str, Any]:
    return {"membership": row, "form": RoleForm(initial={"role": row.role}, auto_id=f"m{row.pk}_%s")}


def _status(form: Any) -> int:
    return 422 if form.is_bound and form.errors else 200
