"""Invitations to be a player: the page that a link opens, and the director's table of them."""

from collections.abc import Collection

from allauth.account.utils import perform_login
from allauth.core import ratelimit
from allauth.mfa.base.internal.flows import post_authentication
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from league.models import Club, ImportBatch, Invitation, Player, User
from league.notices.services import mail_account
from league.people import queries
from league.people.forms import FirstPasswordForm
from league.people.services import joining, passkeys
from league.web import lookup
from league.web.officials import acting, official, posted
from league.web.refusals import told
from league.web.rendering import render_for
from league.words import public_names

PAGE = 100
MOST_NAMED = 5


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@told
@public_names.in_full()
def invited(request: HttpRequest, token: str) -> HttpResponse:
    """What a link opens: the way in for its person. Only the form uses the link up."""
    at, user = timezone.now(), request.user
    found = joining.behind(token, at=at)
    if found is None:
        if isinstance(user, User) and joining.was_used_by(token, user=user):
            return redirect("my")
        return render(request, "league/joining_over.html", status=404)
    if isinstance(user, User):
        return _for_account(request, found, user, token)
    if request.method == "GET":
        joining.note_opened(invitation=found, at=at)
    if not found.email:
        return _at_the_slip(request, found, token)
    if joining.has_account(found):
        return _page(request, found, token, "login")
    player = joining.player_of(found)
    form = FirstPasswordForm(User(email=found.email, name=player.name), posted(request))
    if request.method == "POST" and form.is_valid():
        passkey = form.cleaned_data["credential"]
        made = joining.join_anew(
            token=token,
            password="" if passkey else form.cleaned_data["new_password1"],
            passkey=passkey,
            language=get_language() or "",
            at=at,
        )
        _welcome(request, player)
        if key := passkeys.first_step(made):
            # The key opened the account just now: nothing asks for it again.
            post_authentication(request, key, passwordless=True)
        answer: HttpResponse = perform_login(request, made, redirect_url=reverse("my"))
        return answer
    return _page(request, found, token, "new", form=form, status=422 if form.errors else 200)


@require_POST
@never_cache
def passkey(request: HttpRequest) -> HttpResponse:
    """What a browser needs to make a passkey for an account that is being made, as JSON; the session remembers it."""
    if refused := ratelimit.consume_or_429(request, action="signup"):
        return refused
    email, name = (request.POST.get(key, "")[:254] for key in ("email", "name"))
    return JsonResponse(passkeys.begin(request, email=email, name=name))


def _for_account(request: HttpRequest, found: Invitation, user: User, token: str) -> HttpResponse:
    if not joining.is_for(found, user):
        return _page(request, found, token, "other", status=403 if request.method == "POST" else 200)
    if request.method == "POST":
        player = joining.join(actor=user, token=token, at=timezone.now())
        _welcome(request, player)
        return redirect("my")
    return _page(request, found, token, "accept")


def _at_the_slip(request: HttpRequest, found: Invitation, token: str) -> HttpResponse:
    """A slip needs an account; this browser remembers it until there is one."""
    if request.method == "POST":
        request.session[joining.SESSION_KEY] = token
        return redirect("account_signup" if "new" in request.POST else "account_login")
    return _page(request, found, token, "slip")


def _welcome(request: HttpRequest, player: Player) -> None:
    said = _("Welcome! You are %(player)s of %(club)s.")
    messages.success(request, said % {"player": player, "club": player.club})


def _page(
    request: HttpRequest, found: Invitation, token: str, way: str, *, form: object = None, status: int = 200
) -> HttpResponse:
    context = {"invitation": found, "way": way, "form": form, "here": joining.path_of(token)}
    return render(request, "league/joining.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@told
def invitations(request: HttpRequest, club: str) -> HttpResponse:
    """Who was invited, and what became of it; posted to, it invites, sends again or withdraws."""
    found = official(request, club, "player.invite")
    if request.method == "POST":
        _act(request, found)
        return redirect("desk_invitations", found.slug)
    at = timezone.now()
    free = joining.waiting(found, at=at)
    # A player who is invited again has a newer one.
    page = lookup.stretch(request, queries.invitations(found), PAGE, among=found.invitations.to_players())
    context = {
        "page": page,
        "rows": [(each, each.stage(at)) for each in page.object_list],
        "to_mail": free.exclude(email="").count(),
        "to_print": free.filter(email="").count(),
        "go_into_files": mail_account.goes_into_files(),
    }
    return render_for(request, found, "league/desk/invitations.html", context)


def _act(request: HttpRequest, club: Club) -> None:
    actor, at, what = acting(request), timezone.now(), request.POST.get("what")
    if what in {"all", "import"}:
        wanted = joining.waiting(club, at=at).exclude(email="")
        if what == "import":
            batch = get_object_or_404(ImportBatch, pk=_key(request), club=club)
            wanted = wanted.filter(pk__in=batch.created.get("players", ()))
        _invite(request, club, list(wanted.values_list("pk", flat=True)))
        return
    player = get_object_or_404(Player.objects.present(), pk=_key(request), club=club)
    if what == "withdraw":
        joining.withdraw(actor=actor, player=player, at=at)
        messages.success(request, _("You have withdrawn %(player)s’s invitation.") % {"player": player})
    elif what == "send":
        _invite(request, club, [player.pk])


def _invite(request: HttpRequest, club: Club, players: Collection[int]) -> None:
    sent = joining.invite(actor=acting(request), club=club, players=players, at=timezone.now())
    count = len(sent.invited)
    if count:
        said = ngettext(
            "%(count)d invitation is on its way.", "%(count)d invitations are on their way.", count
        )
        messages.success(request, said % {"count": count})
    elif not sent.left_out:
        messages.info(request, _("There is nobody left to invite by mail."))
    for player, reason in sent.left_out[:MOST_NAMED]:
        messages.warning(
            request, _("Not invited: %(player)s (%(reason)s).") % {"player": player, "reason": reason}
        )


def _key(request: HttpRequest) -> int:
    key = request.POST.get("key", "")
    return int(key) if key.isascii() and key.isdecimal() and len(key) < 12 else 0
