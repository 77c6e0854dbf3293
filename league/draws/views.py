"""How a round of a Swiss was drawn, for everybody; and the challenges of a ladder."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league import policies
from league.draws import challenges as ladder_queries
from league.draws import queries as draws
from league.draws.services import challenges, players, rounds, seating
from league.errors import Invalid
from league.models import Challenge, Competition, Division, Round
from league.results.queries import ladder as ladder_results
from league.results.views.competitions import frame
from league.web import lookup
from league.web.officials import acting
from league.web.refusals import told
from league.web.rendering import render_for


@require_POST
@login_required
@told
def sit_out(request: HttpRequest, club: str, competition: str, number: int, pk: int) -> HttpResponse:
    """Asks that an entry sits out of a round that is not drawn yet, or takes that back."""
    found = lookup.competition(request, club, competition)
    entry = get_object_or_404(found.entries.with_pairs(), pk=pk)
    if "play" in request.POST:
        rounds.play_after_all(actor=acting(request), entry=entry, number=number)
        messages.success(request, _("%(entry)s will play.") % {"entry": entry})
    else:
        rounds.ask_to_sit_out(actor=acting(request), entry=entry, number=number, at=timezone.now())
        messages.success(request, _("%(entry)s will sit out.") % {"entry": entry})
    return redirect("round", found.club.slug, found.slug, number)


@require_safe
def why(request: HttpRequest, club: str, competition: str, number: int, pk: int) -> HttpResponse:
    """The scores before the round, what its draw cost, and why two others do not meet."""
    found = lookup.competition(request, club, competition)
    division = get_object_or_404(found.stage.divisions, pk=pk)
    played = get_object_or_404(found.stage.rounds, number=number)
    if found.stage.is_at_tables:
        return _why_tables(request, division, played)
    if found.stage.is_swiss_of_players:
        return _why_players(request, division, played)
    is_swiss = found.stage.is_swiss
    how = draws.how_drawn(division, played) if is_swiss else None
    if how is None or found.state == Competition.State.DRAFT:
        raise Http404
    who, whom = request.GET.get("who", ""), request.GET.get("whom", "")
    context = {
        "competition": found,
        "division": division,
        "round": played,
        "how": how,
        "playing": draws.playing(how.proposal),
        "costs": draws.beside(draws.OF_A_SWISS, how.proposal.drawn.cost, how.proposal.least.cost),
        "asked": draws.asked(how, who, whom) if who else None,
        "who": who,
        "whom": whom,
    }
    return render_for(request, found.club, "league/round_why.html", context)


@require_safe
def who_met(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """Of rounds of tables: who has met whom so far, how often, and who not yet."""
    found = lookup.competition(request, club, competition)
    if not found.stage.is_at_tables:
        raise Http404
    divisions = [(each, draws.who_met(each)) for each in found.stage.divisions.order_by("level")]
    context = {**frame(request, found, "who_met"), "divisions": divisions}
    return render_for(request, found.club, "league/competition_who_met.html", context)


def _why_tables(request: HttpRequest, division: Division, played: Round) -> HttpResponse:
    """Who sat together before, what the draw of the tables cost, and why two others do not meet."""
    how = seating.drawn(division=division, round_=played)
    if how is None:
        raise Http404
    who, whom = request.GET.get("who", ""), request.GET.get("whom", "")
    context = {
        "competition": division.competition,
        "division": division,
        "round": played,
        "how": how,
        "costs": draws.beside(draws.OF_TABLES, how.cost, how.least_cost),
        "asked": draws.asked_of_tables(how, who, whom) if who and not how.is_otherwise else None,
        "who": who,
        "whom": whom,
    }
    return render_for(request, division.competition.club, "league/tables_why.html", context)


def _why_players(request: HttpRequest, division: Division, played: Round) -> HttpResponse:
    """The scores before the round, what the draw of the players cost, and why two others don't sit together."""
    how = players.drawn(division=division, round_=played)
    if how is None:
        raise Http404
    who, whom = request.GET.get("who", ""), request.GET.get("whom", "")
    context = {
        "competition": division.competition,
        "division": division,
        "round": played,
        "how": how,
        "costs": draws.beside(draws.OF_PLAYERS, how.cost, how.least_cost),
        "asked": draws.asked_of_players(how, who, whom) if who else None,
        "who": who,
        "whom": whom,
    }
    return render_for(request, division.competition.club, "league/players_why.html", context)


# A ladder


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def challenge_entry(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """Challenges an entry of a ladder; before that, what it means. Directors enter it for others."""
    found = lookup.competition(request, club, competition)
    entry = get_object_or_404(found.entries.with_pairs().select_related("division__stage"), pk=pk)
    if not found.stage.is_ladder or found.state == Competition.State.DRAFT:
        raise Http404
    below = ladder_queries.who_may_challenge(entry, request.user, at=timezone.now())
    if request.method == "POST":
        chosen = request.POST.get("challenger", "")
        own = next((each for each, _why in below if str(each.pk) == chosen), None)
        if own is None:
            raise Invalid(_("Choose who challenges."))
        made = challenges.challenge(
            actor=acting(request), challenger=own, challenged=entry, at=timezone.now()
        )
        messages.success(request, _("Your challenge is made. %(entry)s are told.") % {"entry": entry})
        return redirect(made)
    context = {
        "competition": found,
        "entry": entry,
        "allowed": [each for each, why_not in below if not why_not],
        "refused": [(each, why_not) for each, why_not in below if why_not],
        "terms": ladder_results.terms(found),
    }
    return render_for(request, found.club, "league/challenge_entry.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@told
def challenge(request: HttpRequest, pk: int) -> HttpResponse:
    """A challenge: accept, decline (what it costs stands there first) or withdraw it."""
    shown = ladder_queries.of_challenge(pk, request.user, at=timezone.now())
    if shown is None:
        raise Http404
    row = shown.challenge
    if request.method == "POST":
        return _answered(request, row)
    competition = row.competition
    context = {"competition": competition, "shown": shown, "challenge": row}
    return render_for(request, competition.club, "league/challenge.html", context)


@login_required
def _answered(request: HttpRequest, row: Challenge) -> HttpResponse:
    given, at = request.POST.get("answer"), timezone.now()
    if given == "accept":
        fixture = challenges.accept(actor=acting(request), challenge=row, at=at)
        messages.success(request, _("Accepted. Now agree on a time."))
        return (
            redirect("fixture_dates", fixture.pk)
            if policies.plays_in(request.user, fixture)
            else redirect(row)
        )
    if given == "decline":
        challenges.decline(actor=acting(request), challenge=row, at=at)
        messages.success(request, _("Declined. %(name)s take the place.") % {"name": row.challenger})
    elif given == "withdraw":
        challenges.withdraw(actor=acting(request), challenge=row, at=at)
        messages.success(request, _("The challenge is withdrawn. Nothing moves."))
    else:
        raise Invalid(_("Choose an answer."))
    return redirect(row)


@require_POST
@login_required
@told
def ladder_away(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """An entry of a ladder is away from now on, or back again."""
    found = lookup.competition(request, club, competition)
    entry = get_object_or_404(found.entries.with_pairs(), pk=pk)
    if "back" in request.POST:
        challenges.come_back(actor=acting(request), entry=entry, at=timezone.now())
        messages.success(request, _("%(entry)s are back on the ladder.") % {"entry": entry})
    else:
        challenges.go_away(actor=acting(request), entry=entry, at=timezone.now())
        messages.success(request, _("%(entry)s are away, and keep their place.") % {"entry": entry})
    return redirect(found)
