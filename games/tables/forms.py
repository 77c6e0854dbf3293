"""What people enter when they open a table."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine import game
from games.models import Agreement, OnlinePlay, Table, TableSeat
from games.models.guests import LONGEST_NAME
from games.options import players_in_words

TERMS = (
    "clock_seconds",
    "on_timeout",
    "absence_seconds",
    "robots",
    "helps",
    "single_press",
    "spectators",
    "delay_seconds",
)


class GameForm(forms.Form):
    """Which game is played; not asked for while there is only one."""

    game = forms.ChoiceField(label=_("Game"), required=False)
    players = forms.IntegerField(label=_("Players"), required=False, min_value=1, max_value=8)

    def __init__(self, *args: Any, **keys: Any) -> None:
        super().__init__(*args, **keys)
        games = [(each.key, gettext(str(each.name))) for each in game.all_games()]
        self.fields["game"].choices = games  # type: ignore[attr-defined]
        self.fields["game"].initial = games[0][0]
        if len(games) == 1:
            self.fields["game"].widget = forms.HiddenInput()

        self._ask_for_players()

    def _ask_for_players(self) -> None:
        """How many play is asked where a game leaves it open."""
        ranges = [each for each in game.all_games() if len(each.players) > 1]
        if not ranges:
            del self.fields["players"]
            return
        field: forms.IntegerField = self.fields["players"]  # type: ignore[assignment]
        field.help_text = " ".join(
            gettext("%(game)s: %(range)s.")
            % {"game": gettext(str(each.name)), "range": players_in_words(each)}
            for each in ranges
        )

    def clean_game(self) -> str:
        """The first one where none was chosen."""
        return str(self.cleaned_data["game"] or game.all_games()[0].key)

    def clean(self) -> dict[str, Any]:
        """A number of players that the game leaves no choice of counts for nothing."""
        given = super().clean() or self.cleaned_data
        offered = game.get(given.get("game") or game.all_games()[0].key)
        if len(offered.players) == 1:
            given["players"] = None
        return given


class CasualTableForm(GameForm, forms.ModelForm):
    """The terms of a casual table."""

    deals = forms.IntegerField(label=_("Deals"), min_value=1, max_value=32, initial=4)
    field_order = ("game", "players", "deals")

    class Meta:
        model = Table
        fields = TERMS


class GuestForm(forms.Form):
    """A guest's name, and where they want to sit: a free seat, or one that a robot holds."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    seat = forms.ChoiceField(label=_("Seat"), widget=forms.RadioSelect)

    def __init__(self, *args: Any, table: Table, taken: Mapping[str, TableSeat], **keys: Any) -> None:
        super().__init__(*args, **keys)
        offered = game.get(table.game)
        free = [seat for seat in table.places if seat not in taken]
        robots = [seat for seat in table.places if seat in taken and taken[seat].robot]
        self.seats = [*free, *robots]
        choices = [(seat, gettext(str(offered.title(seat)))) for seat in free]
        choices += [
            (seat, gettext("%(seat)s, instead of a robot") % {"seat": gettext(str(offered.title(seat)))})
            for seat in robots
        ]
        self.fields["seat"].choices = choices  # type: ignore[attr-defined]
        self.fields["seat"].initial = self.seats[0] if self.seats else None


OF_ROBOTS = ("robot", "most_robot_hands", "compares_robots")


class OnlinePlayForm(forms.ModelForm):
    """How a competition is played online."""

    robot = forms.ChoiceField(
        label=_("The robot for an absent player"),
        required=False,
        help_text=_("The same for all sides, so that nobody gains by leaving a seat."),
    )

    class Meta:
        model = OnlinePlay
        fields = ("is_open", *TERMS, *OF_ROBOTS)

    def __init__(self, *args: Any, **keys: Any) -> None:
        super().__init__(*args, **keys)
        before = TERMS.index("robots") + 1
        self.order_fields(["is_open", *TERMS[:before], *OF_ROBOTS, *TERMS[before:]])
        robots = game.get(self.instance.competition.game).robots
        if not robots:
            for name in ("robots", *OF_ROBOTS):
                del self.fields[name]
            return
        choices = [(robot.key, gettext(str(robot.name))) for robot in robots[1:]]
        weakest = gettext("%(robot)s (the weakest)") % {"robot": gettext(str(robots[0].name))}
        self.fields["robot"].choices = [("", weakest), *choices]  # type: ignore[attr-defined]
        if self.initial.get("robot") == robots[0].key:
            self.initial["robot"] = ""


class AgreementForm(forms.ModelForm):
    """What partners have agreed beside the usual signals."""

    class Meta:
        model = Agreement
        fields = ("text",)
        widgets = {"text": forms.Textarea(attrs={"rows": 6})}
        help_texts = {
            "text": _(
                "Everyone who can see your pair can read this, especially your opponents. At most "
                "1,000 characters."
            )
        }


class PracticeForm(GameForm):
    """A robot for all other seats, and perhaps a board."""

    robot = forms.CharField(max_length=20)
    board = forms.IntegerField(min_value=1, max_value=2**63 - 1, required=False)
