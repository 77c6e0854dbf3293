"""Drawing one round from those before it: of a Swiss, a knock-out, or of tables; and who goes on from a match."""

from typing import Any, TypeAlias

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league import policies
from league.draws import queries as explained
from league.draws.services import apart, rounds, ties
from league.draws.services.players import RoundOfPlayers
from league.draws.services.rounds import Proposal
from league.draws.services.seating import RoundOfTables
from league.draws.services.ties import BracketRound
from league.errors import Conflict, LeagueError
from league.fixtures import arranging
from league.fixtures.services import advancement
from league.manage.views.manage import back, directed
from league.models import Competition, Division, Entry, Fixture, Player, Round, RoundDraw
from league.results.queries import bracket
from league.standings import brackets, round_names
from league.web import lookup
from league.web.form_fields import REASON
from league.web.officials import acting
from league.web.refusals import told
from league.web.rendering import render_for

#: A round that a director can change by hand, because draws of it cost more or less.
Figured: TypeAlias = Proposal | RoundOfTables | RoundOfPlayers


class ExchangeForm(forms.Form):
    """Two entries of a proposed round that change places."""

    one = forms.TypedChoiceField(label=gettext_lazy("Exchange"), coerce=int)
    other = forms.TypedChoiceField(label=gettext_lazy("with"), coerce=int)

    def __init__(self, data: Any = None, *, playing: list[Entry]) -> None:
        super().__init__(data)
        names = [("", "—"), *((entry.pk, str(entry)) for entry in playing)]
        for field in self.fields.values():
            field.choices = names  # type: ignore[attr-defined]


class ApartForm(forms.Form):
    """Two entries of a Swiss that must not meet."""

    one = forms.ModelChoiceField(Entry.objects.none(), label=gettext_lazy("Entry"))
    other = forms.ModelChoiceField(Entry.objects.none(), label=gettext_lazy("must not meet"))

    def __init__(self, data: Any = None, *, division: Division) -> None:
        super().__init__(data)
        playing = division.entries.active().with_pairs().order_by("number")
        for field in self.fields.values():
            field.queryset = playing  # type: ignore[attr-defined]


class HouseForm(forms.Form):
    """Which entry of a Swiss plays instead of a bye; of players up to three."""

    entry = forms.ModelChoiceField(
        Entry.objects.none(),
        label=gettext_lazy("House pair"),
        required=False,
        empty_label=gettext_lazy("nobody"),
    )

    def __init__(self, data: Any = None, *, division: Division) -> None:
        super().__init__(data)
        now = list(apart.houses_of(division))
        there = list(apart.may_be_house(division).values_list("pk", flat=True))
        own = division.entries.with_pairs().filter(pk__in=[*there, *(each.pk for each in now)])
        if division.stage.partners_change:
            self.fields["entry"] = forms.ModelMultipleChoiceField(
                own, label=_("For the house"), required=False, widget=forms.CheckboxSelectMultiple
            )
            self.initial["entry"] = now
        self.fields["entry"].queryset = own.order_by("number")  # type: ignore[attr-defined]
        self.initial.setdefault("entry", now[0] if now else None)

    def chosen(self) -> list[Entry]:
        """Who plays for the house."""
        entry = self.cleaned_data["entry"]
        return [entry] if isinstance(entry, Entry) else list(entry or ())


class ExtraForm(forms.Form):
    """What both sides made of a set of extra boards."""

    home = forms.IntegerField(min_value=-ties.MOST_POINTS, max_value=ties.MOST_POINTS)
    away = forms.IntegerField(min_value=-ties.MOST_POINTS, max_value=ties.MOST_POINTS)

    def __init__(self, data: Any = None, *, fixture: Fixture) -> None:
        super().__init__(data, auto_id="extra_%s")
        self.fields["home"].label, self.fields["away"].label = map(str, fixture.entries)


class WhoGoesOnForm(forms.Form):
    """A director says who goes on from a match."""

    winner = forms.TypedChoiceField(label=gettext_lazy("They go on"), coerce=int, widget=forms.RadioSelect)
    reason = forms.CharField(**REASON)

    def __init__(self, data: Any = None, *, fixture: Fixture) -> None:
        super().__init__(data, auto_id="rule_%s")
        names = [(each.pk, str(each)) for each in fixture.entries if each.withdrawn_at is None]
        self.fields["winner"].choices = names  # type: ignore[attr-defined]


class BackForm(forms.Form):
    """Why a decision is undone."""

    reason = forms.CharField(**REASON)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def draw(request: HttpRequest, club: str, competition: str, pk: int, number: int) -> HttpResponse:
    """The round as it would be drawn; publishes it as it was seen, or takes the last one back."""
    found = directed(request, club, competition)
    division = get_object_or_404(found.stage.divisions, pk=pk)
    round_ = get_object_or_404(found.stage.rounds, number=number)
    if not found.stage.is_by_round or found.state == Competition.State.DRAFT:
        return back(found)
    if (answer := _done(request, found, division, number)) is not None:
        return answer
    following = rounds.next_round(division)
    context: dict[str, Any] = {
        "competition": found,
        "division": division,
        "round": round_,
        "drawn": RoundDraw.objects.filter(division=division, round=round_).first(),
        "following": following,
        "stands": rounds.why_it_stands(division, round_),
    }
    is_next = found.state == Competition.State.RUNNING and following == round_
    if found.stage.is_bracket:
        context |= _of_bracket(request, division, round_, is_next=is_next)
        if following is not None:
            context["following_name"] = round_names.in_division(following, division)
        return render_for(request, found.club, "league/desk/bracket_draw.html", context)
    if is_next:
        context |= _proposed(request, division, round_)
    template = (
        "league/desk/players_draw.html" if found.stage.partners_change else "league/desk/round_draw.html"
    )
    if found.stage.is_at_tables:
        template = "league/desk/tables_draw.html"
        context["playing"] = playing_at_tables(division)
    status = 422 if context.get("refusal") or getattr(context.get("form"), "errors", None) else 200
    return render_for(request, found.club, template, context, status=status)


def playing_at_tables(division: Division) -> list[Fixture]:
    """The tables that have no result yet: who sits there is not free."""
    found = Fixture.objects.filter(division=division).open().with_pairs().in_order()
    return list(found.select_related("round"))


def _done(
    request: HttpRequest, competition: Competition, division: Division, number: int
) -> HttpResponse | None:
    """Publishes, takes back or leaves out, where that was asked for."""
    actor, sent = acting(request), request.POST
    reason = sent.get("reason", "")
    if "publish" in sent:
        rounds.publish(
            actor=actor,
            division=division,
            number=number,
            at=timezone.now(),
            seen=sent.get("seen", ""),
            tables=sent.get("tables", ""),
            despite_missing="despite_missing" in sent,
        )
        name = round_names.in_division(division.stage.rounds.get(number=number), division)
        messages.success(request, _("Drawn: %(round)s. Everyone can see it.") % {"round": name})
        return redirect("round", competition.club.slug, competition.slug, number)
    if "take_back" in sent:
        rounds.take_back(actor=actor, division=division, number=number, reason=reason)
        messages.success(request, _("You have undone the draw."))
        return redirect("round_draw", competition.club.slug, competition.slug, division.pk, number)
    if "leave_out" in sent:
        rounds.leave_out(actor=actor, competition=competition, reason=reason)
        messages.success(request, _("The rounds that were not drawn are left out."))
        return back(competition)
    return None


def _proposed(request: HttpRequest, division: Division, round_: Round) -> dict[str, Any]:
    """The proposal, after the exchange that was asked for."""
    sent = request.POST if request.method == "POST" and "afresh" not in request.POST else None
    try:
        proposal = _swiss_or_tables(division, round_, sent["tables"] if sent else "")
        form = ExchangeForm(sent, playing=_playing(proposal))
        if form.is_valid():
            tables = rounds.exchanged(proposal, form.cleaned_data["one"], form.cleaned_data["other"])
            proposal = _swiss_or_tables(division, round_, tables)
            form = ExchangeForm(playing=_playing(proposal))
    except LeagueError as refusal:
        return {"refusal": refusal.message}
    except KeyError:
        return {
            "refusal": _("These tables don’t match the entries in this round. Please start this draw again.")
        }
    words: explained.Words = explained.OF_A_SWISS if isinstance(proposal, Proposal) else explained.OF_TABLES
    words = explained.OF_PLAYERS if isinstance(proposal, RoundOfPlayers) else words
    costs = (words, proposal.cost, proposal.least_cost)
    return {
        "proposal": proposal,
        "away": _away(proposal),
        "form": form,
        "costs": explained.beside(*costs),
        "bent": explained.dearer(*costs) if proposal.is_changed else "",
    }


def _swiss_or_tables(division: Division, round_: Round, tables: str) -> Figured:
    proposal = rounds.proposal_of(division=division, round_=round_, tables=tables)
    assert not isinstance(proposal, BracketRound)  # noqa: S101 - a bracket has a page of its own
    return proposal


def _playing(proposal: Figured) -> list[Entry]:
    return explained.playing(proposal) if isinstance(proposal, Proposal) else proposal.playing


def _away(proposal: Figured) -> dict[int, list[Player]]:
    """Who can't play on the round's first day, by tables."""
    day = proposal.round.starts_on
    missing = arranging.away(proposal.division.competition, [day]).get(day, [])
    found = {}
    for table in proposal.tables:
        playing = {player.pk for entry in table.entries for player in entry.lineup.players}
        found[table.number] = [player for player in missing if player.pk in playing]
    return found


def _of_bracket(request: HttpRequest, division: Division, round_: Round, *, is_next: bool) -> dict[str, Any]:
    """The round of a knock-out as it follows from the one before, or why it doesn't yet; and the bracket."""
    context: dict[str, Any] = {
        "round_name": round_names.in_division(round_, division),
        "brackets": bracket.of_division(division, request.user),
    }
    if is_next:
        try:
            context["proposal"] = ties.propose(division=division, round_=round_)
        except LeagueError as refusal:
            context["refusal"] = refusal.message
            context["is_nobody_left"] = ties.is_empty(division.competition)
    return context


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def kept_apart(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """Who must not meet in a Swiss: the list, another two, and letting two meet again."""
    found = directed(request, club, competition)
    division = get_object_or_404(found.stage.divisions, pk=pk)
    if not found.stage.is_by_round or found.stage.is_bracket:
        raise Http404
    sent = request.POST if request.method == "POST" else None
    form = ApartForm(sent if sent is not None and "let_meet" not in sent else None, division=division)
    refusal = ""
    try:
        if said := _kept_apart(request, division, form):
            messages.success(request, said)
            return redirect("kept_apart", found.club.slug, found.slug, division.pk)
    except LeagueError as refused:
        refusal = refused.message
    context = {
        "refusal": refusal,
        "competition": found,
        "division": division,
        "form": form,
        "rows": apart.of_division(division),
        "following": rounds.next_round(division),
    }
    status = 422 if form.errors or refusal else 200
    return render_for(request, found.club, "league/desk/kept_apart.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def house(request: HttpRequest, club: str, competition: str, pk: int) -> HttpResponse:
    """Who plays in a Swiss instead of a bye, without standing."""
    found = directed(request, club, competition)
    division = get_object_or_404(found.stage.divisions, pk=pk)
    if not found.stage.is_swiss:
        raise Http404
    form = HouseForm(request.POST if request.method == "POST" else None, division=division)
    refusal = ""
    if form.is_valid():
        entries = form.chosen()
        try:
            apart.choose_house(actor=acting(request), division=division, entries=entries)
        except LeagueError as refused:
            refusal = refused.message
        else:
            messages.success(request, _said_of_house(found, entries))
            return redirect("house_pair", found.club.slug, found.slug, division.pk)
    context = {
        "competition": found,
        "division": division,
        "form": form,
        "refusal": refusal,
        "following": rounds.next_round(division),
    }
    status = 422 if form.errors or refusal else 200
    return render_for(request, found.club, "league/desk/house_pair.html", context, status=status)


def _said_of_house(competition: Competition, entries: list[Entry]) -> str:
    names = ", ".join(map(str, entries))
    if competition.stage.partners_change:
        return (
            _("For the house: %(players)s.") % {"players": names}
            if entries
            else _("Nobody plays for the house.")
        )
    return (
        _("%(entry)s are the house pair.") % {"entry": names} if entries else _("Nobody is the house pair.")
    )


def _kept_apart(request: HttpRequest, division: Division, form: ApartForm) -> str:
    actor, key = acting(request), request.POST.get("let_meet", "")
    if key:
        known = {str(each.pk): each for each in apart.of_division(division)}
        if key not in known:
            raise Conflict(_("They are no longer kept apart."))
        apart.let_meet(actor=actor, division=division, row=known[key])
        return _("%(one)s and %(other)s can meet again.") % {"one": known[key].one, "other": known[key].other}
    if form.is_valid():
        two = [form.cleaned_data["one"], form.cleaned_data["other"]]
        apart.keep_apart(actor=actor, division=division, entries=two, at=timezone.now())
        return _("%(one)s and %(other)s will not meet.") % {"one": two[0], "other": two[1]}
    return ""


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def tie(request: HttpRequest, pk: int) -> HttpResponse:
    """Who goes on from a match of a knock-out: extra boards after a level one, or a director's decision."""
    fixture = lookup.fixture(request, pk)
    policies.require(acting(request), "fixture.rule", fixture)
    competition = fixture.round.competition
    if not fixture.round.stage.is_bracket or competition.state == Competition.State.DRAFT:
        raise Http404
    found = brackets.of_division(fixture.division).tie_of(fixture.pk)
    if found is None or found.fixture is None:
        raise Http404
    fixture = found.fixture
    part, sent = request.POST.get("part", ""), request.POST
    extra = ExtraForm(sent if part == "extra" else None, fixture=fixture)
    form = WhoGoesOnForm(sent if part == "rule" else None, fixture=fixture)
    undo = BackForm(sent if part == "back" else None, auto_id="back_%s")
    refusal, change = "", None
    try:
        change = _foreseen(fixture, form) if "sure" not in sent else None
        if change is None and (said := _decided(request, fixture, extra, form, undo)):
            messages.success(request, said)
            return redirect("tie", fixture.pk)
    except LeagueError as refused:
        refusal = refused.message
    context = {
        "competition": competition,
        "fixture": fixture,
        "tie": found,
        "round_name": round_names.of_bracket(found.round, brackets.rounds_of(fixture.division)),
        "decision": found.decision,
        "next": brackets.next_extra([found]).get(fixture.pk),
        "extra": extra,
        "form": form,
        "back": undo,
        "refusal": refusal,
        "change": change,
    }
    status = 422 if refusal or extra.errors or form.errors or undo.errors else 200
    return render_for(request, competition.club, "league/desk/tie.html", context, status=status)


def _foreseen(fixture: Fixture, form: WhoGoesOnForm) -> advancement.Change | None:
    """What the decision would change in the round after it, to be seen before it is written; None for nothing."""
    if not form.is_valid():
        return None
    winner = next(each for each in fixture.entries if each.pk == form.cleaned_data["winner"])
    change = advancement.foreseen(fixture=fixture, winner=winner)
    return change if change.meetings else None


def _decided(
    request: HttpRequest, fixture: Fixture, extra: ExtraForm, form: WhoGoesOnForm, undo: BackForm
) -> str:
    """Writes what was asked for; the words that say so, or "" when nothing was (errors are in the forms)."""
    actor, at = acting(request), timezone.now()
    if extra.is_valid():
        scores = (extra.cleaned_data["home"], extra.cleaned_data["away"])
        ties.play_extra(actor=actor, fixture=fixture, scores=scores, at=at)
        return _("The extra boards are entered.")
    if form.is_valid():
        winner = next(each for each in fixture.entries if each.pk == form.cleaned_data["winner"])
        reason = form.cleaned_data["reason"]
        void_later = "void_later" in request.POST
        ties.rule(actor=actor, fixture=fixture, winner=winner, reason=reason, at=at, void_later=void_later)
        return _("%(entry)s go on.") % {"entry": winner}
    if undo.is_valid():
        ties.take_back(actor=actor, fixture=fixture, reason=undo.cleaned_data["reason"], at=at)
        return _("You have undone the decision.")
    return ""
