"""Which pairs take part: several at once before the draw, one at a time after it."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.forms.rows import RowsField
from league.models import Competition, Division, Entry, Partnership
from league.selectors import manage


class DivisionField(forms.ModelChoiceField):
    """One division of a competition; not asked for where there is only one."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(Division.objects.none(), **{"label": _("Division"), "empty_label": None, **fields})

    def offer(self, divisions: Any) -> None:
        """Sets the divisions to choose among."""
        self.queryset = divisions
        if len(divisions) == 1:
            self.widget = forms.HiddenInput()
            self.initial = divisions[0].pk


def _by_name(pairs: Iterable[Partnership]) -> list[tuple[int, str]]:
    """Choices in the order of the names that are shown; a team's name with its players."""
    named = (
        (pair.pk, f"{pair} ({pair.player_a}, {pair.player_b})" if pair.name else str(pair)) for pair in pairs
    )
    return sorted(named, key=lambda each: each[1].casefold())


class EnterPairsForm(forms.Form):
    """Pairs that are drawn together with the others."""

    division = DivisionField()
    partnerships = RowsField(
        label=_("Pairs"),
        queryset=Partnership.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Tick the pairs that take part.")},
    )

    def __init__(self, *args: Any, competition: Competition, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["division"].offer(competition.divisions.order_by("level"))  # type: ignore[attr-defined]
        pairs: Any = self.fields["partnerships"]
        pairs.queryset = manage.free_pairs(competition)
        pairs.choices = _by_name(pairs.queryset)


class LateEntryForm(forms.Form):
    """A pair that joins after the draw, and whether it catches up what it has missed."""

    division = DivisionField()
    partnership = forms.ModelChoiceField(
        label=_("Pair"), queryset=Partnership.objects.none(), empty_label=_("Choose a pair")
    )
    catch_up = forms.BooleanField(
        label=_("It also plays the matches of rounds that are over, later"), required=False
    )

    def __init__(self, *args: Any, competition: Competition, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["division"].offer(competition.divisions.order_by("level"))  # type: ignore[attr-defined]
        pairs: Any = self.fields["partnership"]
        pairs.queryset = manage.free_pairs(competition)
        pairs.choices = [("", pairs.empty_label), *_by_name(pairs.queryset)]


class MoveForm(forms.Form):
    """Another division for a pair."""

    division = DivisionField()

    def __init__(self, *args: Any, entry: Entry, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = entry.competition.divisions.exclude(pk=entry.division_id).order_by("level")
        self.fields["division"].queryset = others  # type: ignore[attr-defined]


class DrawForm(forms.Form):
    """In which order the pairs get their numbers."""

    order = forms.ChoiceField(
        label=_("Who gets which number"),
        choices=[
            ("lot", _("by lot: nobody can foresee it, anybody can check it afterwards")),
            ("given", _("in the order of entry: exactly as shown here")),
        ],
        widget=forms.RadioSelect,
        initial="lot",
    )
