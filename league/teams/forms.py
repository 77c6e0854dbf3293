"""What captains and directors say of a team."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import Entry, Fixture, Player
from league.teams.services import line_ups
from league.teams.services.line_ups import Pairs

PLACES = ("open_one", "open_two", "closed_one", "closed_two")


class LineUpForm(forms.Form):
    """Two players for each room."""

    open_one = forms.ModelChoiceField(label=_("Open room, first player"), queryset=Player.objects.none())
    open_two = forms.ModelChoiceField(label=_("Open room, second player"), queryset=Player.objects.none())
    closed_one = forms.ModelChoiceField(label=_("Closed room, first player"), queryset=Player.objects.none())
    closed_two = forms.ModelChoiceField(label=_("Closed room, second player"), queryset=Player.objects.none())

    def __init__(self, *args: Any, fixture: Fixture, entry: Entry, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        able = [player.pk for player in line_ups.eligible(fixture, entry)]
        for name in PLACES:
            field: Any = self.fields[name]
            field.queryset = Player.objects.filter(pk__in=able).order_by("name", "pk")
            field.empty_label = None

    def clean(self) -> dict[str, Any]:
        """Nobody plays twice."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        seen: set[int] = set()
        for name in PLACES:
            player = data.get(name)
            if player is not None and player.pk in seen:
                self.add_error(name, _("You have chosen this player twice."))
            if player is not None:
                seen.add(player.pk)
        return data

    def pairs(self) -> Pairs:
        """The two pairs; the form must be valid."""
        one, two, three, four = (self.cleaned_data[name] for name in PLACES)
        return Pairs((one, two), (three, four))


class CaptainForm(forms.Form):
    """Which of the team's players names the line-ups."""

    captain = forms.ModelChoiceField(label=_("Captain"), queryset=Player.objects.none(), empty_label=None)

    def __init__(self, *args: Any, entry: Entry, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["captain"]
        field.initial = entry.lineup.captain_id
        field.queryset = Player.objects.filter(pk__in=[player.pk for player in entry.lineup.players])
