"""What a director knows of the next season before a competition is finished."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.manage.forms.entries import offer_free
from league.models import Entry, FinalPlace, Lineup, Player
from league.seasons.queries.ending import EndedLevel, Ending
from league.seasons.services.finishing import MOST, Said
from league.web.form_fields import RowsField

Plan = FinalPlace.Plan


class EndingForm(forms.Form):
    """Who plays on and where, newcomers, play-offs and the number of places."""

    newcomers = RowsField(
        label=gettext_lazy("Newcomers"),
        queryset=Lineup.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=gettext_lazy("They begin in the lowest division."),
    )
    promotes = forms.BooleanField(
        label=gettext_lazy("A free place goes to the best who stayed below, before those relegated"),
        required=False,
    )
    reason = forms.CharField(
        label=gettext_lazy("Why you place somebody yourself"),
        max_length=300,
        required=False,
        help_text=gettext_lazy("It is kept with the final table."),
    )

    def __init__(self, *args: Any, ending: Ending, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ending = ending
        self.choices = self._plans()
        offer_free(self.fields["newcomers"], ending.competition)
        self._ask_for_newcomers()
        self.fields["promotes"].initial = ending.end.promotes
        for level in ending.levels:
            for each in level.entries:
                if each.place is not None and each.entry.withdrawn_at is None:
                    self._ask_for_plan(each.entry, each.plan, each.placed_in)
                    self.fields["reason"].initial = each.reason or self.fields["reason"].initial
        if len(ending.levels) == 1:
            del self.fields["promotes"], self.fields["reason"]
            return
        for number, level in enumerate(ending.levels[:-1], start=1):
            self._ask_for_size(number, level)
            self._ask_for_playoff(number)

    def _plans(self) -> list[tuple[str, Any]]:
        found: list[tuple[str, Any]] = [(Plan.STAYS, Plan.STAYS.label), (Plan.LEAVES, Plan.LEAVES.label)]
        if len(self.ending.levels) > 1:
            found.append((Plan.DECLINES, Plan.DECLINES.label))
            found += [
                (f"placed-{number}", _("is placed in %(division)s") % {"division": level.division})
                for number, level in enumerate(self.ending.levels, start=1)
            ]
        return found

    def _ask_for_newcomers(self) -> None:
        field: Any = self.fields["newcomers"]
        named = [row.lineup_id for row in self.ending.newcomers]
        if field.queryset.model is Player:
            field.initial = list(Player.objects.filter(places__lineup__in=named).values_list("pk", flat=True))
        else:
            field.initial = named

    def _ask_for_plan(self, entry: Entry, plan: str, placed_in: int | None) -> None:
        self.fields[f"plan_{entry.pk}"] = forms.ChoiceField(
            label=_("Next season of %(pair)s") % {"pair": entry},
            choices=self.choices,
            initial=f"placed-{placed_in}" if placed_in else plan,
            required=False,
        )

    def _ask_for_size(self, number: int, level: EndedLevel) -> None:
        self.fields[f"size_{number}"] = forms.IntegerField(
            label=_("Places in %(division)s") % {"division": level.division},
            initial=level.size,
            min_value=1,
            max_value=MOST,
        )

    def _ask_for_playoff(self, number: int) -> None:
        upper, lower = self.ending.levels[number - 1], self.ending.levels[number]
        said = {"upper": upper.division, "lower": lower.division}
        entries = [
            (each.entry.pk, str(each.entry))
            for level in (upper, lower)
            for each in level.entries
            if each.place is not None
        ]
        there = self.ending.playoffs.get(number)
        self.fields[f"playoff_{number}"] = forms.BooleanField(
            label=_("There is a play-off between %(upper)s and %(lower)s") % said,
            initial=there is not None,
            required=False,
        )
        for side, label, key in (
            ("winner", _("Winner of the play-off"), there.winner_id if there else None),
            ("loser", _("Loser of the play-off"), there.loser_id if there else None),
        ):
            self.fields[f"{side}_{number}"] = forms.TypedChoiceField(
                label=label,
                choices=[("", _("not played yet")), *entries],
                coerce=int,
                empty_value=None,
                initial=key or "",
                required=False,
            )

    def rows(self) -> Iterator[tuple[EndedLevel, list[tuple[Any, Any]]]]:
        """The divisions, and in each the entries with their fields; None for those who have left already."""
        for level in self.ending.levels:
            yield (
                level,
                [
                    (each, self[f"plan_{each.entry.pk}"] if f"plan_{each.entry.pk}" in self.fields else None)
                    for each in level.entries
                ],
            )

    def boundaries(self) -> Iterator[dict[str, Any]]:
        """What is asked of each division that has one below it."""
        for number in range(1, len(self.ending.levels)):
            yield {name: self[f"{name}_{number}"] for name in ("size", "playoff", "winner", "loser")} | {
                "division": self.ending.levels[number - 1].division
            }

    def clean(self) -> dict[str, Any]:
        """A winner without a play-off, or without a loser, is pointed out beside it."""
        given: dict[str, Any] = super().clean() or self.cleaned_data
        for number in range(1, len(self.ending.levels)):
            winner, loser = given.get(f"winner_{number}"), given.get(f"loser_{number}")
            if given.get(f"playoff_{number}") and (winner is None) != (loser is None):
                self.add_error(f"winner_{number}", _("Choose both, the winner and the loser."))
        return given

    def said(self, lineups: list[Lineup]) -> Said:
        """What was sent; `lineups` are the newcomers'."""
        given, levels = self.cleaned_data, len(self.ending.levels)
        plans: dict[int, tuple[str, int | None]] = {}
        for name, plan in given.items():
            if name.startswith("plan_"):
                kind, _dash, level = (plan or Plan.STAYS).partition("-")
                plans[int(name.removeprefix("plan_"))] = (kind, int(level) if level else None)
        sizes = [given[f"size_{number}"] for number in range(1, levels)]
        return Said(
            plans=plans,
            newcomers={lineup.pk: None for lineup in lineups},
            reason=given.get("reason", ""),
            playoffs={
                number: (given[f"winner_{number}"], given[f"loser_{number}"])
                for number in range(1, levels)
                if given[f"playoff_{number}"]
            },
            sizes=[*sizes, self.ending.levels[-1].size] if sizes else (),
            promotes=given.get("promotes", False),
        )
