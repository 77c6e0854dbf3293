"""The small forms of the director's desk."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.forms.dates import LocalTimeField
from league.forms.rows import RowsField
from league.models import Club, Division, Entry, Fixture, ImportBatch, Player, Role
from league.querysets import UNPLAYED
from league.zones import ZONES

REASON: dict[str, Any] = {
    "label": _("Reason"),
    "max_length": 300,
    "help_text": _("It is kept, and the pairs can read it."),
}


def _offer(form: forms.Form, name: str, rows: QuerySet[Any]) -> None:
    """Sets the rows that a choice of the form offers."""
    form.fields[name].queryset = rows  # type: ignore[attr-defined]


class ClubForm(forms.Form):
    """What a club says of itself."""

    name = forms.CharField(label=_("Name"), max_length=120)
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=[(zone, zone.replace("_", " ")) for zone in sorted(ZONES)],
        initial="Europe/London",
    )
    place = forms.CharField(label=_("Where the club meets"), max_length=200, required=False)
    about = forms.CharField(
        label=_("About the club"), max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 4})
    )


class EditClubForm(ClubForm):
    """The same, and whether people take themselves in."""

    is_open = forms.BooleanField(
        label=_("Anyone may join"),
        required=False,
        help_text=_("Otherwise an owner adds the members, and only they see what is for members."),
    )
    lone_director_deals = forms.BooleanField(
        label=_("A director who plays may take out the cards"),
        required=False,
        help_text=_("For a club with one director. Everyone sees that this is so."),
    )


class MemberForm(forms.Form):
    """Gives a person with an account a role."""

    email = forms.EmailField(label=_("E-mail address of the account"))
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.MEMBER)


class RoleForm(forms.Form):
    """Another role for a member."""

    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)


class PlayerForm(forms.Form):
    """A player, with or without an account."""

    name = forms.CharField(label=_("Name"), max_length=120)
    email = forms.EmailField(
        label=_("E-mail address"),
        required=False,
        help_text=_("Not shown to others. An account with this address is linked by itself."),
    )
    number = forms.CharField(label=_("Membership number"), max_length=30, required=False)


class PairForm(forms.Form):
    """Two players of the club."""

    player_a = forms.ModelChoiceField(
        label=_("First player"), queryset=Player.objects.none(), empty_label=_("Choose a player")
    )
    player_b = forms.ModelChoiceField(
        label=_("Second player"), queryset=Player.objects.none(), empty_label=_("Choose the partner")
    )
    name = forms.CharField(
        label=_("Name of the pair"),
        max_length=120,
        required=False,
        help_text=_("Without one it is called by the surnames."),
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("player_a", "player_b"):
            _offer(self, name, club.players.present())


class MergeForm(forms.Form):
    """Which of two players stays."""

    keep = forms.ModelChoiceField(
        label=_("This player stays"), queryset=Player.objects.none(), empty_label=_("Choose a player")
    )
    duplicate = forms.ModelChoiceField(
        label=_("This one is the same person"),
        queryset=Player.objects.none(),
        empty_label=_("Choose the duplicate"),
        help_text=_("Its matches, pairs and account go over to the first."),
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("keep", "duplicate"):
            _offer(self, name, club.players.present())


class ImportForm(forms.Form):
    """A file of players or pairs."""

    kind = forms.ChoiceField(label=_("What the file lists"), choices=ImportBatch.Kind.choices)
    file = forms.FileField(
        label=_("CSV file"),
        help_text=_(
            "First line: name, email, number (players), or player 1, player 2, name (pairs). "
            "Comma, semicolon or tab between them. Nothing is written before you have seen the preview."
        ),
    )


class ReasonForm(forms.Form):
    """Why."""

    reason = forms.CharField(**REASON)


class AdjustmentForm(forms.Form):
    """League points given or taken."""

    points = forms.CharField(
        label=_("League points"),
        max_length=12,
        help_text=_(
            "With a minus to take them away, such as −1; without one to give them, such as 1 or 1/2."
        ),
    )
    reason = forms.CharField(**REASON)


class LotsForm(forms.Form):
    """Those among whom lots are drawn."""

    entries = RowsField(
        label=_("Pairs that are tied"), queryset=Entry.objects.none(), widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, division: Division, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _offer(self, "entries", division.entries.active().with_pairs())


class ArrangeForm(forms.Form):
    """When and where a match is played."""

    starts_at = LocalTimeField(
        label=_("Date and time"), required=False, help_text=_("Leave it empty if there is no date yet.")
    )
    place = forms.CharField(
        label=pgettext_lazy("where it is played", "Place"), max_length=200, required=False
    )
    table = forms.CharField(label=_("Table"), max_length=20, required=False)
    note = forms.CharField(label=_("Note for the pairs"), max_length=300, required=False)


class RulingForm(forms.Form):
    """A director decides without play."""

    HOME, AWAY, BOTH = "home", "away", "both"
    ruling = forms.ChoiceField(label=_("Ruling"), widget=forms.RadioSelect)
    reason = forms.CharField(**REASON)

    def __init__(self, *args: Any, fixture: Fixture, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = rulings_for(fixture)
        self.fields["ruling"].choices = choices  # type: ignore[attr-defined]
        if len(choices) == 1:
            self.fields["ruling"].initial = choices[0][0]


def rulings_for(fixture: Fixture) -> list[tuple[str, str]]:
    """What a director can decide about the fixture in its present status."""
    if fixture.status in {Fixture.Status.WALKOVER, Fixture.Status.VOID}:
        return [("restore", str(_("Take the ruling back: the match is to be played")))]
    if fixture.status == Fixture.Status.CONFIRMED:
        return []
    postponed = ("postpone", str(_("Postponed: the pairs agree on another date")))
    return [
        ("home", str(_("Walkover: %(pair)s win") % {"pair": fixture.home})),
        ("away", str(_("Walkover: %(pair)s win") % {"pair": fixture.away})),
        ("both", str(_("Lost by both pairs"))),
        *([postponed] if fixture.status in UNPLAYED else []),
        ("void", str(_("Void: it will not be played and counts for nobody"))),
    ]
