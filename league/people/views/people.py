"""A club's players and pairs, and claims of accounts."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league import policies
from league.errors import LeagueError
from league.models import Contact, Lineup, Player, PlayerClaim
from league.people import namesakes
from league.people.forms import PairForm, PlayerForm, PublicNameForm
from league.people.services import claims as claim_services
from league.people.services import erasing, lineups, public_names
from league.people.services import players as player_services
from league.web import lookup
from league.web.officials import acting, official, posted
from league.web.refusals import show_in, told
from league.web.rendering import render_for

PAGE = 100
ANSWERS = ("accept", "refuse")
CLAIM_ACCEPTED = gettext_lazy("%(account)s is now linked to %(player)s.")
CLAIM_REFUSED = gettext_lazy("The account of %(account)s is not linked to %(player)s.")


def _status(is_refused: object) -> int:
    return 422 if is_refused else 200


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def players(request: HttpRequest, club: str) -> HttpResponse:
    """All players of the club, and a form to add one."""
    found = official(request, club)
    form = PlayerForm(posted(request))
    if request.method == "POST" and form.is_valid():
        try:
            made = player_services.add(actor=acting(request), club=found, **form.cleaned_data)
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, _("You have added %(player)s.") % {"player": made})
            return redirect("desk_players", found.slug)
    listed = found.players.present().select_related("user")
    wanted = request.GET.get("q", "").strip()[:60]
    if wanted:
        listed = listed.filter(name__icontains=wanted)
    context = {
        "form": form,
        "wanted": wanted,
        "page": lookup.stretch(request, listed, PAGE),
        "may_edit": policies.may(request.user, "player.edit", found),
        "may_import": policies.may(request.user, "player.import", found),
        "may_export": policies.may(request.user, "player.export", found),
        "may_export_club": policies.may(request.user, "club.export", found),
    }
    return render_for(request, found, "league/desk/players.html", context, status=_status(form.errors))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def edit_player(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """One player's name, address and number; and the link to an account."""
    found = official(request, club, "player.edit")
    player = get_object_or_404(Player.objects.present().select_related("user"), pk=pk, club=found)
    if request.method == "POST" and "unlink" in request.POST:
        claim_services.unlink(actor=acting(request), player=player)
        messages.success(request, _("The account is no longer linked to %(player)s.") % {"player": player})
        return redirect("desk_player", found.slug, player.pk)
    if request.method == "POST" and "public" in request.POST:
        public = _public_form(player, request.POST)
        if public.is_valid():
            public_names.decide(actor=acting(request), player=player, **public.cleaned_data)
            messages.success(request, _("Your changes to %(player)s are saved.") % {"player": player})
        else:
            messages.error(request, _("Choose one of the ways from the list."))
        return redirect("desk_player", found.slug, player.pk)
    now = {name: getattr(player, name) for name in ("name", "email", "number")}
    form = PlayerForm(posted(request), initial=now)
    if request.method == "POST" and form.is_valid():
        try:
            player_services.edit(actor=acting(request), player=player, **form.cleaned_data)
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, _("Your changes to %(player)s are saved.") % {"player": player})
            return redirect("desk_players", found.slug)
    may_decide = policies.may(request.user, "player.decide_claim", player)
    context = {"form": form, "public": _public_form(player), "player": player, "may_decide": may_decide}
    context["contact"] = Contact.objects.filter(user=player.user_id).first() if player.user_id else None
    context["may_erase"] = policies.may(request.user, "player.erase", found)
    return render_for(request, found, "league/desk/player.html", context, status=_status(form.errors))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@reauthentication_required(allow_get=True)
@told
def erase_player(request: HttpRequest, club: str, pk: int) -> HttpResponse:
    """What the erasure of a person would replace; posting, and typing their name, erases them."""
    found = official(request, club, "player.erase")
    player = get_object_or_404(Player.objects.present().select_related("user"), pk=pk, club=found)
    actor = acting(request)
    if request.method == "POST" and request.POST.get("name", "").strip() == player.name:
        if player.user is not None:
            erasing.leave_tables(user=player.user)
        erasing.erase(actor=actor, player=player, at=timezone.now())
        messages.success(request, _("The person is erased."))
        return redirect("desk_players", found.slug)
    if request.method == "POST":
        messages.error(request, _("Type the name exactly as it is shown here. Nothing was erased."))
    context = {"player": player, "preview": erasing.preview(actor=actor, player=player)}
    return render_for(
        request, found, "league/desk/player_erase.html", context, status=_status(request.method == "POST")
    )


def _public_form(player: Player, data: QueryDict | None = None) -> PublicNameForm:
    form = PublicNameForm(data, initial={"public_name": player.public_name, "is_young": player.is_young})
    form.fields["public_name"].disabled = player.user_id is not None
    return form


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def pairs(request: HttpRequest, club: str) -> HttpResponse:
    """All pairs of the club, and a form to pair two players up."""
    found = official(request, club)
    form = PairForm(posted(request), club=found)
    if request.method == "POST" and form.is_valid():
        try:
            made = lineups.line_up(
                actor=acting(request),
                club=found,
                players=form.players(),
                name=form.cleaned_data["name"],
            )
        except LeagueError as refusal:
            show_in(form, refusal)
        else:
            messages.success(request, _("%(pair)s are now a pair.") % {"pair": made})
            return redirect("desk_pairs", found.slug)
    # By the name that is shown, which no column holds.
    listed = sorted(
        Lineup.objects.present().entering().together().with_players().filter(club=found),
        key=lambda pair: (str(pair).casefold(), pair.pk),
    )
    context = {"form": form, "page": lookup.page(request, listed, PAGE)}
    return render_for(request, found, "league/desk/pairs.html", context, status=_status(form.errors))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def claims(request: HttpRequest, club: str) -> HttpResponse:
    """Accounts that say "this player is me": accept or refuse."""
    found = official(request, club, "player.decide_claim")
    open_claims = PlayerClaim.objects.filter(player__club=found, state=PlayerClaim.State.OPEN)
    if request.method == "POST":
        key = request.POST.get("claim", "")
        claim = get_object_or_404(
            PlayerClaim, pk=int(key) if key.isdecimal() and len(key) < 12 else 0, player__club=found
        )
        answer = request.POST.get("answer")
        if answer in ANSWERS:
            accept = answer == "accept"
            claim_services.decide(actor=acting(request), claim=claim, accept=accept, at=timezone.now())
            names = {"account": claim.user, "player": claim.player}
            messages.success(request, (CLAIM_ACCEPTED if accept else CLAIM_REFUSED) % names)
        else:
            messages.error(request, _("Choose whether to accept or decline."))
        return redirect("desk_claims", found.slug)
    waiting = [
        (claim, policies.may(request.user, "player.decide_claim", claim.player))
        for claim in open_claims.select_related("player__club", "user")
    ]
    known_by = namesakes.details(found.players.present(), with_numbers=True)
    context = {"claims": waiting, "known_by": known_by}
    return render_for(request, found, "league/desk/claims.html", context)
