"""Which pairs take part, before the draw and after it, and what a director decides about them."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.core.files.base import ContentFile, File
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from league.draws.services import draws
from league.manage.queries import manage
from league.models import Competition, Division, Entry, ImportBatch, Lineup, Player
from league.people import namesakes
from league.web.form_fields import REASON, RowsField, offer_rows

MOST_PASTED, LONGEST_TYPED = 200_000, 40_000


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
            self.required = False

    def clean(self, value: Any) -> Any:
        """The division; the only one where none is named."""
        chosen = super().clean(value)
        if chosen is None and not self.required and self.queryset is not None:
            return self.queryset.first()
        return chosen


def offer_free(form: forms.Form, name: str, competition: Competition) -> None:
    """The pairs that could enter, or the players where each plays alone; those of one name are told apart."""
    if competition.is_of_individuals:
        namesakes.offer(form, name, manage.free_players(competition), with_numbers=True)
        return
    field: Any = form.fields[name]
    field.queryset = manage.free_pairs(competition)
    field.choices = _by_name(field.queryset)


def _by_name(pairs: QuerySet[Lineup]) -> list[tuple[int, str]]:
    """Choices in the order of the names that are shown."""
    named = namesakes.pair_labels(list(pairs))
    return sorted(named.items(), key=lambda each: each[1].casefold())


class PairsForm(forms.Form):
    """Pairs for a draft: ticked among those of the club, typed one a line, or in a file."""

    division = DivisionField()
    lineups = RowsField(
        label=_("Pairs of the club"),
        queryset=Lineup.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    typed = forms.CharField(
        label=_("Type or paste pairs"),
        widget=forms.Textarea(attrs={"rows": 5, "placeholder": _("Anna Berg & Carl Dorn")}),
        max_length=LONGEST_TYPED,
        required=False,
        help_text=_(
            "One pair per line. Players who aren’t in the club’s list yet are added to it. You "
            "can add a team name after a comma."
        ),
    )
    are_different = forms.BooleanField(
        label=_("They are different people: add them"), required=False, widget=forms.HiddenInput
    )
    file = forms.FileField(
        label=_("Or a file"),
        required=False,
        help_text=_(
            "A CSV file with the columns player 1, player 2 and, if you like, name and seed. You can "
            "check it before anything is saved."
        ),
    )

    def __init__(self, *args: Any, competition: Competition, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["division"].offer(competition.stage.divisions.order_by("level"))  # type: ignore[attr-defined]
        self.are_players, self.are_teams = competition.is_of_individuals, competition.is_of_teams
        offer_free(self, "lineups", competition)
        if self.are_players:
            self._ask_for_players()
        elif self.are_teams:
            self._ask_for_teams()

    def ask_whether_different(self) -> None:
        """Offers the box that says so; until then nobody is asked."""
        self.fields["are_different"].widget = forms.CheckboxInput()

    def _ask_for_players(self) -> None:
        self.fields["lineups"].label = _("Players of the club")
        typed, file = self.fields["typed"], self.fields["file"]
        typed.label = _("Type or paste players")
        typed.widget.attrs["placeholder"] = _("Anna Berg")
        typed.help_text = _("One player per line. Players who aren’t in the club’s list yet are added to it.")
        file.help_text = _("A CSV file with the column name. You can check it before anything is saved.")

    def _ask_for_teams(self) -> None:
        self.fields["lineups"].label = _("Teams of the club")
        typed, file = self.fields["typed"], self.fields["file"]
        typed.label = _("Type or paste teams")
        typed.widget.attrs["placeholder"] = _("Riverside: Anna Berg, Carl Dorn, Eva Falk, Gerd Hahn")
        typed.help_text = _(
            "One team per line: its name, then four to six players, the captain first. Players who aren’t in the "
            "club’s list yet are added to it."
        )
        file.help_text = _(
            "A CSV file with the columns team, player 1 to player 4 and, if you like, player 5 and player 6. You can "
            "check it before anything is saved."
        )


class NumbersForm(forms.Form):
    """Each pair's division and number, for a draft; numbers may be given twice, and are then made 1 to n again."""

    def __init__(self, *args: Any, competition: Competition, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.competition = competition
        self.standing = draws.fields(competition)
        choices = [(division.pk, division.name) for division, _entered in self.standing]
        for division, entered in self.standing:
            for number, entry in enumerate(entered, start=1):
                said = {"pair": entry}
                self.fields[f"number_{entry.pk}"] = forms.IntegerField(
                    label=_("Number of %(pair)s") % said, initial=number, min_value=1, max_value=999
                )
                self.fields[f"division_{entry.pk}"] = forms.TypedChoiceField(
                    label=_("Division of %(pair)s") % said, coerce=int, choices=choices, initial=division.pk
                )

    def rows(self) -> Iterator[tuple[Division, list[tuple[Entry, forms.BoundField, forms.BoundField]]]]:
        """The divisions, and in each the pairs with their two fields."""
        for division, entered in self.standing:
            yield (
                division,
                [(each, self[f"number_{each.pk}"], self[f"division_{each.pk}"]) for each in entered],
            )

    def places(self) -> dict[int, tuple[int, int]]:
        """Each pair's division and its rank in it; who was given another's number comes before that one."""
        ranked = []
        for _division, entered in self.standing:
            for old, entry in enumerate(entered, start=1):
                new = self.cleaned_data[f"number_{entry.pk}"]
                ranked.append(((new, (new > old) - (new < old), old), entry.pk))
        return {
            key: (self.cleaned_data[f"division_{key}"], rank)
            for rank, (_place, key) in enumerate(sorted(ranked))
        }


class LateEntryForm(forms.Form):
    """A pair that joins after the draw, and whether it catches up what it has missed."""

    division = DivisionField()
    lineup = forms.ModelChoiceField(
        label=_("Pair"), queryset=Lineup.objects.none(), empty_label=_("Choose a pair")
    )
    catch_up = forms.BooleanField(label=_("They also play the matches of past rounds, later"), required=False)

    def __init__(self, *args: Any, competition: Competition, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["division"].offer(competition.stage.divisions.order_by("level"))  # type: ignore[attr-defined]
        if competition.stage.is_by_round or competition.stage.is_ladder:
            # Whom they would have met in a past round nobody knows.
            del self.fields["catch_up"]
        field: Any = self.fields["lineup"]
        offer_free(self, "lineup", competition)
        if competition.is_of_individuals:
            field.label, field.empty_label = _("Player"), _("Choose a player")
        elif competition.is_of_teams:
            field.label = _("Team")
            field.choices = [("", _("Choose a team")), *field.choices]
        else:
            field.choices = [("", field.empty_label), *field.choices]


class DrawForm(forms.Form):
    """In which order the pairs get their numbers."""

    order = forms.ChoiceField(
        label=_("Who gets which number"),
        choices=[
            ("lot", _("by lot: nobody can know it in advance, and anyone can check it afterwards")),
            ("given", _("in order of entry: exactly as shown here")),
        ],
        widget=forms.RadioSelect,
        initial="lot",
    )


class ImportForm(forms.Form):
    """A file of players or pairs."""

    kind = forms.ChoiceField(label=_("What the file lists"), choices=ImportBatch.Kind.choices)
    file = forms.FileField(
        label=_("CSV file"),
        required=False,
        help_text=_(
            "First line: name, email, number (players), or player 1, player 2, name (pairs). "
            "Separate them with a comma, semicolon or tab. Nothing is saved before you have seen "
            "the preview."
        ),
    )

    text = forms.CharField(
        label=_("Or paste from a spreadsheet"),
        required=False,
        max_length=MOST_PASTED,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Mark the cells with their headings, copy them, and paste them here."),
    )

    def clean(self) -> None:
        """One of the two."""
        if not self.errors and bool(self.cleaned_data.get("file")) == bool(self.cleaned_data.get("text")):
            self.add_error("file", _("Choose a file, or paste the cells."))

    def upload(self) -> "File[bytes]":
        """What was chosen or pasted, of a form that is valid."""
        given: File[bytes] | None = self.cleaned_data["file"]
        return given or ContentFile(self.cleaned_data["text"].encode(), "")


class ReasonForm(forms.Form):
    """Why."""

    reason = forms.CharField(**REASON)


class SeasonSubstituteForm(forms.Form):
    """Who plays for a player of a pair from now on."""

    absent = forms.ModelChoiceField(Player.objects.none(), label=_("Who no longer plays?"), empty_label=None)
    substitute = forms.ModelChoiceField(
        Player.objects.none(), label=_("Who plays from now on?"), empty_label=_("Choose a player")
    )
    reason = forms.CharField(**REASON)

    def __init__(self, *args: Any, entry: Entry, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        members = Player.objects.filter(pk__in=[player.pk for player in entry.lineup.players])
        namesakes.offer(self, "absent", members, with_numbers=True)
        namesakes.offer(self, "substitute", manage.free_players(entry.competition), with_numbers=True)


class AdjustmentForm(forms.Form):
    """League points given or taken."""

    points = forms.CharField(
        label=_("League points"),
        max_length=12,
        help_text=_(
            "Use a minus to take points away, such as −1. Without a minus you give points, such as 1 or 1/2."
        ),
    )
    reason = forms.CharField(**REASON)


class LotsForm(forms.Form):
    """Those among whom lots are drawn."""

    entries = RowsField(
        label=_("Who is tied"), queryset=Entry.objects.none(), widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, division: Division, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer_rows(self, "entries", division.entries.active().with_pairs())
