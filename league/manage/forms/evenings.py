"""The forms of an evening at tables: what and when, and who is there."""

from typing import Any

from django import forms
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league import extension, formats
from league.manage.forms.entries import LONGEST_TYPED
from league.manage.forms.setup import first_round_limits
from league.models import Division, Entry, Player
from league.people import namesakes
from league.web.form_fields import DateInput, RowsField, TimeInput


class EveningForm(forms.Form):
    """What is played, and when."""

    name = forms.CharField(label=_("Name"), max_length=120)
    game = forms.ChoiceField(label=_("Game"))
    starts_on = forms.DateField(label=_("Day"), widget=DateInput, validators=first_round_limits())
    play_time = forms.TimeField(label=_("First round at"), widget=TimeInput)
    rounds = forms.IntegerField(
        label=_("Number of rounds"),
        initial=formats.USUAL_ROUNDS_AT_TABLES,
        min_value=1,
        max_value=formats.MOST_ROUNDS,
        help_text=_("You can end earlier."),
    )
    place = forms.CharField(
        label=pgettext_lazy("where it is played", "Place"), max_length=200, required=False
    )

    def __init__(self, *args: Any, games: list[extension.GamePort], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["game"].choices = [(port.key, f"{port.name} ({port.table_in_words})") for port in games]  # type: ignore[attr-defined]


class RegisterForm(forms.Form):
    """Who is there in a division: those who take part are ticked. `known` are the ones who were on the page before."""

    here = RowsField(
        label=_("Players of the club"),
        queryset=Player.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    known = RowsField(queryset=Entry.objects.none(), widget=forms.MultipleHiddenInput, required=False)
    typed = forms.CharField(
        label=_("New faces"),
        widget=forms.Textarea(attrs={"rows": 2, "placeholder": _("Anna Berg")}),
        max_length=LONGEST_TYPED,
        required=False,
        help_text=_("One name per line. They are added to the club’s list."),
    )

    def __init__(self, *args: Any, division: Division, **kwargs: Any) -> None:
        club = division.competition.club
        entered = list(division.entries.with_pairs().order_by("number"))
        playing = [entry for entry in entered if not entry.withdrawn_at]
        others = division.competition.entries.with_pairs().exclude(division=division)
        kwargs["initial"] = {
            "here": [entry.lineup.players[0].pk for entry in playing],
            "known": [entry.pk for entry in playing],
        }
        super().__init__(*args, **kwargs)
        self.fields["known"].queryset = division.entries.with_pairs()  # type: ignore[attr-defined]
        alone = Q(pk__in=[entry.lineup.players[0].pk for entry in entered])
        present = Q(pk__in=club.players.present().values("pk"))
        # Who is in another division is ticked there.
        present &= ~Q(pk__in=[entry.lineup.players[0].pk for entry in others])
        players = club.players.filter(alone | present).order_by("name", "pk")
        namesakes.offer(self, "here", players, with_numbers=True)

    def came(self) -> list[Player]:
        """Who is ticked now and wasn't before."""
        before = {entry.lineup.players[0].pk for entry in self.cleaned_data["known"]}
        return [player for player in self.cleaned_data["here"] if player.pk not in before]

    def left(self) -> list[int]:
        """The entries of those who were ticked and no longer are."""
        here = {player.pk for player in self.cleaned_data["here"]}
        return [entry.pk for entry in self.cleaned_data["known"] if entry.lineup.players[0].pk not in here]
