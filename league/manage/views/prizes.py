"""The prizes of a competition: what they are for, and who has them as the table stands."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from engine.contest.prizes import Condition, Prize
from league.competitions.services import prizes
from league.competitions.services.prizes import LEVEL, LONGEST, MOST, MOST_PLACE, Offered, PrizeList
from league.errors import Invalid, LeagueError
from league.manage.views.manage import directed
from league.models import Competition
from league.results.queries import prizes as reads
from league.web.officials import acting, posted
from league.web.refusals import show_in, told
from league.web.rendering import render_for

#: How many empty lines there are for further prizes, and how many lines a new list begins with.
FURTHER, FIRST = 3, 6


class PrizesForm(forms.Form):
    """A line for each prize: its rank by worth, the prize and its condition. A line without a prize is left out."""

    level = forms.ChoiceField(
        label=gettext_lazy("If some are level"),
        choices=list(LEVEL.items()),
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Everyone can read it with the prizes, before it matters."),
    )

    def __init__(self, data: Any = None, *, competition: Competition) -> None:
        kept = prizes.of_competition(competition)
        super().__init__(data, initial={"level": kept.level})
        divisions = dict(competition.stage.divisions.values_list("level", "name"))
        offered = [Prize(Condition.PLACE, number) for number in range(1, MOST_PLACE + 1)]
        offered += [Prize(Condition.DIVISION, number) for number in divisions]
        offered += [Prize(Condition.PROVISIONAL), Prize(Condition.NEW)]
        # Of a division that is gone: the list says so when it is saved, instead of taking another condition.
        offered += [each.condition for each in kept.offered if each.condition not in offered]
        choices = [(_key(each), reads.in_words(each, divisions)) for each in offered]
        sent = sum(f"prize_{index}" in (data or {}) for index in range(MOST))
        # What was typed counts also where somebody else has shortened the list meanwhile.
        self.lines = sent or min(max(len(kept.offered) + FURTHER, FIRST), MOST)
        for index in range(self.lines):
            there = kept.offered[index] if index < len(kept.offered) else None
            usual = there.condition if there else Prize(Condition.PLACE, min(index + 1, MOST_PLACE))
            number = {"number": index + 1}
            self.fields[f"worth_{index}"] = forms.IntegerField(
                label=_("Order of prize %(number)d") % number, min_value=1, max_value=99, initial=index + 1
            )
            self.fields[f"prize_{index}"] = forms.CharField(
                label=_("Prize %(number)d") % number,
                max_length=LONGEST,
                required=False,
                initial=there.name if there else "",
            )
            self.fields[f"condition_{index}"] = forms.ChoiceField(
                label=_("Condition of prize %(number)d") % number, choices=choices, initial=_key(usual)
            )

    @property
    def rows(self) -> list[tuple[Any, Any, Any]]:
        """The fields line by line."""
        return [
            (self[f"worth_{index}"], self[f"prize_{index}"], self[f"condition_{index}"])
            for index in range(self.lines)
        ]

    @property
    def in_order(self) -> list[int]:
        """The lines with a prize in their order of worth."""
        given = self.cleaned_data
        named = [index for index in range(self.lines) if given[f"prize_{index}"]]
        return sorted(named, key=lambda index: given[f"worth_{index}"])

    def wanted(self) -> PrizeList:
        """The list as it was typed."""
        given, rows = self.cleaned_data, []
        for index in self.in_order:
            key, _sign, number = given[f"condition_{index}"].partition("-")
            rows.append(Offered(given[f"prize_{index}"], Prize(Condition(key), int(number))))
        return PrizeList(tuple(rows), given["level"])

    def show(self, refusal: LeagueError) -> None:
        """Puts each fault beside its line."""
        order = self.in_order
        for fault in refusal.details:
            place = fault.get("place")
            if place and isinstance(place[0], int):
                fault["place"] = [f"prize_{order[place[0]]}"]
        show_in(self, refusal)


def _key(condition: Prize) -> str:
    return f"{condition.condition.value}-{condition.number}"


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@told
def show(request: HttpRequest, club: str, competition: str) -> HttpResponse:
    """The list of prizes with who has them now; a preview of another list; keeps it."""
    found = directed(request, club, competition)
    if not found.stage.is_league or found.stage.is_ladder:
        raise Http404
    at, wanted = timezone.now(), None
    form = PrizesForm(posted(request), competition=found)
    if request.method == "POST" and form.is_valid():
        try:
            if "preview" in request.POST:
                levels = found.stage.divisions.values_list("level", flat=True)
                wanted = prizes.check(found, form.wanted(), levels)
            else:
                prizes.write(actor=acting(request), competition=found, wanted=form.wanted())
                messages.success(request, _("The prizes are saved."))
                return redirect("competition_prizes", found.club.slug, found.slug)
        except Invalid as refusal:
            form.show(refusal)
    context = {
        "competition": found,
        "form": form,
        "is_preview": wanted is not None,
        "lines": reads.lines(found, at=at, wanted=wanted),
    }
    status = 422 if form.errors else 200
    return render_for(request, found.club, "league/desk/prizes.html", context, status=status)
