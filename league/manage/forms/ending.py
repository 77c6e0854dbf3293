"""What a director knows of the next season before a competition is finished."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.manage.forms.entries import offer_free
from league.models import Entry, FinalPlace, Lineup, Player, PlayOff
from league.people import namesakes
from league.seasons.queries.ending import EndedDivision, EndedEntry, Ending, may_keep, who_may_keep
from league.seasons.services.finishing import MOST, MOST_PLAYED_FOR, Said
from league.teams import queries as teams
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
        label=gettext_lazy("Why you place somebody yourself, or rule who keeps a place"),
        max_length=300,
        required=False,
        help_text=gettext_lazy("It is kept with the final table."),
    )

    def __init__(self, *args: Any, ending: Ending, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.ending = ending
        self.choices = self._plans()
        offer_free(self, "newcomers", ending.competition)
        self._ask_for_newcomers()
        self.fields["promotes"].initial = ending.end.promotes
        for each in self._playing():
            self._ask_for_plan(each.entry, each.plan, each.placed_in)
            self.fields["reason"].initial = each.reason or self.fields["reason"].initial
        self._ask_who_keeps_places()
        if ending.levels == 1:
            del self.fields["promotes"]
            if not list(self.partings()):
                del self.fields["reason"]
            return
        for level in range(1, ending.levels):
            self._ask_for_size(level)
            self._ask_for_playoffs(level)

    def _ask_who_keeps_places(self) -> None:
        pairs = list(who_may_keep(self.ending.competition))
        names = namesakes.pair_labels(pairs)
        is_of_teams = self.ending.competition.is_of_teams
        shares = teams.shares(each.entry for each in self._playing()) if pairs and is_of_teams else {}
        for each in self._playing():
            each.entry.competition = self.ending.competition
            offered = [pair for pair in pairs if may_keep(each.entry, pair, shares.get(each.entry.pk, ()))]
            if not offered:
                continue
            said = [(pair.pk, {"pair": names[pair.pk]}) for pair in offered]
            self.fields[f"kept_{each.entry.pk}"] = forms.ChoiceField(
                label=_("Who keeps the place of %(pair)s") % {"pair": each.entry},
                choices=[
                    ("", _("they play on together")),
                    *((f"agreed-{key}", _("%(pair)s, as both agreed") % pair) for key, pair in said),
                    *((f"ruled-{key}", _("%(pair)s, by your ruling") % pair) for key, pair in said),
                ],
                initial=f"{'ruled' if each.is_ruling else 'agreed'}-{each.kept_by.pk}"
                if each.kept_by
                else "",
                required=False,
            )

    def _playing(self) -> Iterator[EndedEntry]:
        """Who may still play on."""
        for table in self.ending.tables:
            for each in table.entries:
                if each.place is not None and each.entry.withdrawn_at is None:
                    yield each

    def partings(self) -> Iterator[Any]:
        """The fields that ask who keeps a place where partners part."""
        return (self[name] for name in self.fields if name.startswith("kept_"))

    @property
    def has_partings(self) -> bool:
        """Whether anything is said of them."""
        return any(field.value() or field.errors for field in self.partings())

    def _plans(self) -> list[tuple[str, Any]]:
        found: list[tuple[str, Any]] = [(Plan.STAYS, Plan.STAYS.label), (Plan.LEAVES, Plan.LEAVES.label)]
        if self.ending.levels > 1:
            found.append((Plan.DECLINES, Plan.DECLINES.label))
            found += [
                (f"placed-{level}", _("is placed in %(division)s") % {"division": self.ending.names(level)})
                for level in range(1, self.ending.levels + 1)
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

    def _ask_for_size(self, level: int) -> None:
        tables = self.ending.at(level)
        label = _("Places in each of %(division)s") if len(tables) > 1 else _("Places in %(division)s")
        self.fields[f"size_{level}"] = forms.IntegerField(
            label=label % {"division": self.ending.names(level)},
            initial=tables[0].size,
            min_value=1,
            max_value=MOST,
        )

    def _ask_for_playoffs(self, level: int) -> None:
        there = self.ending.playoffs_below(level)
        sides = {"upper": self.ending.names(level), "lower": self.ending.names(level + 1)}
        self.fields[f"playoffs_{level}"] = forms.IntegerField(
            label=_("Places that a play-off between %(upper)s and %(lower)s decides") % sides,
            initial=len(there),
            min_value=0,
            max_value=MOST_PLAYED_FOR,
            required=False,
            help_text=_("A match, or a small knock-out among several. 0 if there is none."),
        )
        sent = sum(name.startswith(f"winner_{level}_") for name in self.data)
        for place in range(1, min(max(1, len(there), sent), MOST_PLAYED_FOR) + 1):
            playoff = there[place - 1] if place <= len(there) else PlayOff()
            said = {"place": place}
            self.fields[f"winner_{level}_{place}"] = self._side(
                level, _("Winner of place %(place)d") % said, _("not played yet"), playoff.winner_id
            )
            self.fields[f"loser_{level}_{place}"] = self._side(
                level, _("Loser of place %(place)d") % said, _("nobody from above"), playoff.loser_id
            )

    def _side(self, level: int, label: str, nobody: str, key: int | None) -> forms.TypedChoiceField:
        entries = [
            (each.entry.pk, str(each.entry))
            for table in (*self.ending.at(level), *self.ending.at(level + 1))
            for each in table.entries
            if each.place is not None
        ]
        return forms.TypedChoiceField(
            label=label,
            choices=[("", nobody), *entries],
            coerce=int,
            empty_value=None,
            initial=key or "",
            required=False,
        )

    def _places(self, level: int) -> Iterator[tuple[str, str]]:
        """The names of the fields for each place that is played for below a level."""
        place = 1
        while f"winner_{level}_{place}" in self.fields:
            yield f"winner_{level}_{place}", f"loser_{level}_{place}"
            place += 1

    def rows(self) -> Iterator[tuple[EndedDivision, list[tuple[Any, Any]]]]:
        """The divisions, and in each the entries with their fields; None for those who have left already."""
        for table in self.ending.tables:
            yield (
                table,
                [
                    (each, self[f"plan_{each.entry.pk}"] if f"plan_{each.entry.pk}" in self.fields else None)
                    for each in table.entries
                ],
            )

    def boundaries(self) -> Iterator[dict[str, Any]]:
        """What is asked of each level that has one below it."""
        for level in range(1, self.ending.levels):
            yield {
                "divisions": self.ending.names(level),
                "size": self[f"size_{level}"],
                "playoffs": self[f"playoffs_{level}"],
                "places": [[self[name] for name in names] for names in self._places(level)],
            }

    def clean(self) -> dict[str, Any]:
        """A loser without a winner, and a winner where no place is played for, are pointed out beside them."""
        given: dict[str, Any] = super().clean() or self.cleaned_data
        for level in range(1, self.ending.levels):
            for place, (winner, loser) in enumerate(self._places(level), start=1):
                if given.get(winner) is None and given.get(loser) is not None:
                    self.add_error(winner, _("Choose who won, too."))
                elif given.get(winner) is not None and place > (given.get(f"playoffs_{level}") or 0):
                    self.add_error(
                        f"playoffs_{level}", _("You chose a winner. Say how many places were played for.")
                    )
        return given

    def said(self, lineups: list[Lineup]) -> Said:
        """What was sent; `lineups` are the newcomers'."""
        given, levels = self.cleaned_data, self.ending.levels
        plans: dict[int, tuple[str, int | None]] = {}
        for name, plan in given.items():
            if name.startswith("plan_"):
                kind, _dash, level = (plan or Plan.STAYS).partition("-")
                plans[int(name.removeprefix("plan_"))] = (kind, int(level) if level else None)
        kept = {
            int(name.removeprefix("kept_")): (int(chosen.partition("-")[2]), chosen.startswith("ruled"))
            for name, chosen in given.items()
            if name.startswith("kept_") and chosen
        }
        sizes = [given[f"size_{number}"] for number in range(1, levels)]
        return Said(
            plans=plans,
            newcomers={lineup.pk: None for lineup in lineups},
            reason=given.get("reason", ""),
            playoffs=[
                (level, given.get(f"winner_{level}_{place}"), given.get(f"loser_{level}_{place}"))
                for level in range(1, levels)
                for place in range(1, (given[f"playoffs_{level}"] or 0) + 1)
            ],
            sizes=[*sizes, self.ending.tables[-1].size] if sizes else (),
            promotes=given.get("promotes", False),
            kept=kept,
        )
