"""What people enter when they open a table."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine import game
from games.models import Agreement, OnlinePlay, Table, TableSeat
from games.models.guests import LONGEST_NAME
from games.options import players_in_words, port_of, robot_in_words
from league.storage.json_content import LARGEST_KEY
from league.web.form_fields import option_field

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
    """What a table asks of every game: which it is, and how many play where it leaves that open."""

    game = forms.ChoiceField(required=False, widget=forms.HiddenInput)
    players = forms.TypedChoiceField(label=_("Players"), required=False, coerce=int, empty_value=None)

    def __init__(self, *args: Any, **keys: Any) -> None:
        super().__init__(*args, **keys)
        offered = game.all_games()
        self.fields["game"].choices = [(each.key, each.key) for each in offered]  # type: ignore[attr-defined]
        asked = self.data.get("game") or self.initial.get("game")
        self.offered = next((each for each in offered if each.key == asked), offered[0])
        self.initial["game"] = self.offered.key
        if len(self.offered.players) == 1:
            del self.fields["players"]
        else:
            self._ask_for_players(self.fields["players"])  # type: ignore[arg-type]

    def _ask_for_players(self, field: forms.TypedChoiceField) -> None:
        field.choices = [(count, count) for count in self.offered.players]
        field.error_messages["invalid_choice"] = gettext("%(game)s is played by %(range)s.") % {
            "game": gettext(str(self.offered.name)),
            "range": players_in_words(self.offered),
        }

    def clean_game(self) -> str:
        """The first one where none was chosen."""
        return self.offered.key


class CasualTableForm(GameForm, forms.ModelForm):
    """The options of the game and the terms of a casual table."""

    class Meta:
        model = Table
        fields = TERMS

    def __init__(self, *args: Any, **keys: Any) -> None:
        super().__init__(*args, **keys)
        port = port_of(self.offered)
        self.options = [option for option in port.options if not option.is_set_elsewhere]
        for option in self.options:
            self.fields[f"rules_{option.name}"] = option_field(option)
        self.initial = {**port.preset, **self.initial}
        rules = [name for name in self.fields if name.startswith("rules_")]
        self.order_fields(["game", "players", *rules])

    def opened(self) -> dict[str, Any]:
        """What `opening.open_casual` is told."""
        data = self.cleaned_data
        return {
            "game_key": self.offered.key,
            "players": data.get("players"),
            "options": {option.name: data[f"rules_{option.name}"] for option in self.options},
            "terms": {name: data[name] for name in TERMS if name in data},
        }


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
        choices = [(robot.key, robot_in_words(robot)) for robot in robots[1:]]
        weakest = gettext("%(robot)s (the weakest)") % {"robot": robot_in_words(robots[0])}
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
    """Robots for the other seats, and perhaps a seat, a board, or a deal that was set up."""

    robot = forms.CharField(max_length=20)
    partner = forms.CharField(max_length=20, required=False)
    seat = forms.CharField(max_length=2, required=False)
    deal = forms.CharField(max_length=20_000, required=False)
    board = forms.IntegerField(min_value=1, max_value=LARGEST_KEY, required=False)
    pair = forms.IntegerField(min_value=1, max_value=LARGEST_KEY, required=False)
