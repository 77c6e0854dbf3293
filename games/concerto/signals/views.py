"""Convention cards: a pair's own page of signals, open to everybody who may see the pair; and the usual system."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from engine.concerto.pair_signals import ConcertoSignals
from engine.concerto.signals.convention_cards import doubts, read_system
from engine.concerto.signals.holdings import Step
from engine.concerto.signals.systems import PARLETT, SYSTEMS, System
from engine.errors import RuleError
from games.concerto.signals.card import convention_card, differences, row_in_words
from games.concerto.signals.forms import CardForm, Entry
from games.conventions import services as agreements
from games.models import Agreement, ConventionCard
from games.tables.forms import AgreementForm
from league import policies
from league.errors import Conflict, Invalid, LeagueError
from league.models import Lineup, User
from league.results.queries import pairs
from league.web.officials import acting, posted
from league.web.refusals import show_in, told
from league.web.rendering import render_for
from league.web.wording import in_words

KEY = "concerto"
#: Systems to begin with: an author's name stays as it is.
PRESETS = {"parlett": PARLETT.name, "short": gettext_lazy("Short")}


def _pair(request: HttpRequest, pk: int) -> Lineup:
    """The pair; its cards are for all who may know of it, as what a signal means is no secret to opponents."""
    pair: Lineup = get_object_or_404(Lineup.objects.with_players(), pk=pk)
    if not pairs.is_visible_to(pair, request.user):
        raise Http404
    return pair


@require_http_methods(["GET", "HEAD", "POST"])
def pair_card(request: HttpRequest, pk: int) -> HttpResponse:
    """The card of a pair, for opponents and for paper; partners write here what they have agreed besides."""
    pair = _pair(request, pk)
    if pair.merged_into_id is not None:
        return redirect("pair_card", pk=pair.merged_into_id)
    agreement = Agreement.objects.filter(lineup=pair).first()
    form = AgreementForm(posted(request), instance=agreement)
    if request.method == "POST" and form.is_valid() and _agreed(request, pair, form):
        return redirect("pair_card", pk=pk)
    context = {
        **_shown(request, pair, ConventionCard.objects.of(pair.pk, KEY).first()),
        "agreement": Agreement.objects.filter(lineup=pair).exclude(text="").first(),
        "form": form,
        "may_agree": policies.may(request.user, "pair.agree", pair),
    }
    status = 422 if form.errors else None
    return render_for(request, pair.club, "concerto/convention_card.html", context, status=status)


def _shown(request: HttpRequest, pair: Lineup, version: ConventionCard | None) -> dict[str, Any]:
    signals = version.signals if version else None
    return {
        "pair": pair,
        "version": version if signals else None,
        "card": convention_card(KEY, signals),
        "may_write": len(pair.players) > 1 and policies.may(request.user, "pair.write_card", pair),
    }


def _agreed(request: HttpRequest, pair: Lineup, form: AgreementForm) -> bool:
    if not isinstance(request.user, User):
        raise Http404
    try:
        agreements.agree(actor=request.user, pair=pair, text=form.cleaned_data["text"])
    except LeagueError as refusal:
        show_in(form, refusal)
        return False
    messages.success(request, _("We’ve saved your convention card."))
    return True


@require_safe
def pair_card_version(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """A version of a pair's card, as it was in force once."""
    pair = _pair(request, pk)
    versions = ConventionCard.objects.of(pk, KEY)
    version = get_object_or_404(versions.select_related("lineup"), number=number)
    newest = versions.first()
    context = {**_shown(request, pair, version), "is_newest": version == newest, "is_version": True}
    return render_for(request, pair.club, "concerto/convention_card.html", context)


@require_safe
def pair_card_versions(request: HttpRequest, pk: int) -> HttpResponse:
    """All versions of a pair's card, the newest first, with what each changed."""
    pair = _pair(request, pk)
    versions = list(ConventionCard.objects.of(pk, KEY).select_related("made_by"))
    systems = [_system(each) for each in versions] + [PARLETT]
    lines = [
        (version, differences(before, after) if before and after else [])
        for version, after, before in zip(versions, systems, systems[1:], strict=False)
    ]
    context = {
        "pair": pair,
        "lines": lines,
        "may_write": policies.may(request.user, "pair.write_card", pair),
    }
    return render_for(request, pair.club, "concerto/convention_card_versions.html", context)


def _system(version: ConventionCard) -> System | None:
    try:
        return read_system(version.content)
    except RuleError:
        return None


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def pair_card_edit(request: HttpRequest, pk: int) -> HttpResponse:
    """The form of a pair's own system. Only `save` writes; other buttons draw the form again with what is in it."""
    pair = _pair(request, pk)
    if pair.merged_into_id is not None:
        return redirect("pair_card_edit", pk=pair.merged_into_id)
    policies.require(acting(request), "pair.write_card", pair)
    newest = ConventionCard.objects.of(pair.pk, KEY).first()
    page = _Page(request, pair, newest)
    if request.method == "POST" and page.answer(request.POST.get("do", "")):
        messages.success(request, _("We’ve saved your convention card."))
        return redirect("pair_card", pk=pk)
    status = page.status if request.method == "POST" else None
    return render_for(request, pair.club, "concerto/convention_card_edit.html", page.context(), status=status)


class _Page:
    """The form as it is drawn, after what the pressed button did."""

    def __init__(self, request: HttpRequest, pair: Lineup, newest: ConventionCard | None) -> None:
        self.request, self.pair, self.newest = request, pair, newest
        self.number = newest.number if newest else 0
        self.entry = (
            Entry.of_post(request.POST)
            if request.method == "POST"
            else Entry.of_content(newest.content if newest and newest.signals else PARLETT.as_json())
        )
        self.opened: Step | None = None
        self.refusal: LeagueError | None = None
        self.understood: System | None = None
        self.status = 200

    def answer(self, act: str) -> bool:
        """Does what the button says; whether the card is saved."""
        if act == "start":
            self._start(self.request.POST.get("start", ""))
        elif act in {"save", "check"}:
            return self._read(is_to_save=act == "save")
        else:
            self.opened = self.entry.change(act)
        return False

    def _start(self, key: str) -> None:
        """From a system that exists, or from one of the pair's own versions."""
        if key in PRESETS:
            self.entry = Entry.of_content(
                {**SYSTEMS[key].as_json(), "name": self.entry.name or str(PRESETS[key])}
            )
        elif key == "empty":
            self.entry = Entry(name=self.entry.name)
        elif key.isascii() and key.isdecimal() and len(key) < 5:
            version = ConventionCard.objects.of(self.pair.pk, KEY).filter(number=int(key)).first()
            if version is not None and version.signals is not None:
                self.entry = Entry.of_content(version.content)

    def _read(self, *, is_to_save: bool) -> bool:
        content = self.entry.content()
        try:
            if twice := list(CardForm(self.entry, played={}).twice()):
                raise Invalid("", details=twice)
            if is_to_save:
                agreements.write(
                    actor=acting(self.request),
                    pair=self.pair,
                    game_key=KEY,
                    content=content,
                    after=self._seen(),
                )
                return True
            self.understood = read_system(agreements.read_card(KEY, content))
        except LeagueError as refusal:
            self.refusal = refusal
            self.status = 409 if isinstance(refusal, Conflict) else 422
        return False

    def _seen(self) -> int:
        text = self.request.POST.get("after", "")
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 0

    def context(self) -> dict[str, Any]:
        """What the page draws."""
        form = CardForm(self.entry, played=self._played(), opened=self.opened)
        if self.refusal is not None:
            form.place_faults(self.refusal.details or [{"message": self.refusal.message}])
        found = self.understood
        return {
            "pair": self.pair,
            "form": form,
            "after": self.number,
            "newest": self.newest,
            "is_stale": self.refusal is not None and self.refusal.code == "stale",
            "versions": range(self.number, 0, -1),
            "presets": PRESETS.items(),
            "card": convention_card(KEY, ConcertoSignals(found)) if found else None,
            "doubts": [
                (row + 1, in_words(each.message))
                for each in (doubts(found) if found else ())
                for row in each.place
                if isinstance(row, int)
            ],
        }

    def _played(self) -> dict[int, str]:
        """By row what it asks for, in words, where it is complete."""
        found = {}
        for number, way in enumerate(self.entry.content()["ways"]):
            alone = {"name": "-", "checklist": {"strong": [], "weak": []}, "ways": [way]}
            try:
                found[number] = row_in_words(read_system(alone).ways[0])
            except RuleError:
                continue
        return found


@require_safe
def usual_card(request: HttpRequest) -> HttpResponse:
    """The system that everybody plays who has agreed on nothing else: robots, and partners of an evening."""
    return render(request, "concerto/convention_card.html", {"card": convention_card(KEY)})
