"""What directors type about boards, and what anybody types to check them."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_lazy as _

from engine.boards.sealing import DelayedInformation, DelayedKind
from engine.errors import RuleError
from games.boards.services.boards import MOST_BOARDS, MOST_RESERVES
from games.boards.services.imports import READABLE
from games.models import Duplicate
from league.web.wording import in_words

LONGEST_TEXT = 200
LONGEST_REASON = 300
#: Longer than the text of any set.
LONGEST_SET = 12_000
#: Stands for the version of a board that is no fouled one.
AS_DEALT = "-"
# Which field the engine means, by the code of its refusal.
PLACES = {"delayed-date": "on", "delayed-value": "value", "sealing-text": "source"}


def _kinds() -> list[tuple[str, str]]:
    return [(kind.value, gettext(kind.label)) for kind in DelayedKind]


def _formats() -> list[tuple[str, Any]]:
    return [("", _("from the file name")), *((key, key.upper()) for key in READABLE)]


def _reason() -> forms.CharField:
    return forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        help_text=_("Everyone can read this."),
        error_messages={"required": _("Please give a reason. Everyone can read it.")},
    )


class MakeForm(forms.Form):
    """A set to be dealt by the site."""

    count = forms.IntegerField(label=_("Boards"), min_value=1, max_value=MOST_BOARDS)
    first_number = forms.IntegerField(
        label=_("Number of the first board"), min_value=1, max_value=999, initial=1
    )
    reserve = forms.IntegerField(
        label=_("Reserve boards"),
        min_value=0,
        max_value=MOST_RESERVES,
        initial=1,
        help_text=_("They replace boards that are misdealt."),
    )
    kind = forms.ChoiceField(
        label=_("Mixed in, so that nobody can choose the deals"),
        choices=_kinds,
        initial=DelayedKind.AGREED_TEXT.value,
    )
    source = forms.CharField(
        label=_("What exactly"),
        max_length=LONGEST_TEXT,
        help_text=_(
            "Be precise, so that everyone writes it the same way: “6 of 49, ascending, with spaces”."
        ),
    )
    on = forms.DateField(
        label=_("Known on"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_("Leave this empty for an agreed text."),
    )
    value = forms.CharField(
        label=_("The agreed text"),
        max_length=LONGEST_TEXT,
        required=False,
        help_text=_("Only for an agreed text. You fill in anything else on the day."),
    )

    def __init__(self, *args: Any, deals: int | None = None, **kwargs: Any) -> None:
        """With `deals` the number of boards is settled: a round plays as many as its matches have deals."""
        super().__init__(*args, **kwargs)
        self.deals = deals
        if deals is not None:
            del self.fields["count"]

    def clean(self) -> dict[str, Any]:
        """Puts the engine's objections beside their fields, and the delayed information together."""
        data = self.cleaned_data
        data["count"] = self.deals if self.deals is not None else data.get("count")
        if self.errors:
            return data
        kind = DelayedKind(data["kind"])
        value = data["value"] or None
        try:
            data["delayed"] = DelayedInformation(
                kind,
                data["source"],
                data["on"] if kind.is_delayed else None,
                None if kind.is_delayed else value,
            )
        except RuleError as error:
            self.add_error(PLACES.get(error.code), in_words(error.message))
        return data


class UploadForm(forms.Form):
    """A file of boards."""

    file = forms.FileField(label=_("File"), help_text="PBN, DUP, BRI, DGE, DLM, BER, LIN")
    format = forms.ChoiceField(label=_("Format"), choices=_formats, required=False)
    first_number = forms.IntegerField(
        label=_("Number of the first board"),
        min_value=1,
        max_value=999,
        required=False,
        help_text=_(
            "Fill this in if a file from a dealing machine shouldn’t start at 1. It overrides the file."
        ),
    )


class TakeInForm(forms.Form):
    """What was previewed, under lock."""

    token = forms.CharField(widget=forms.HiddenInput, max_length=4 * LONGEST_SET)


class FillForm(forms.Form):
    """The delayed value."""

    value = forms.CharField(
        label=_("The value"),
        max_length=LONGEST_TEXT,
        strip=False,
        help_text=_("Write it exactly as agreed. You can’t change it afterwards."),
    )


class ReasonForm(forms.Form):
    """Something that everyone may know the reason of."""

    reason = _reason()


class NameForm(forms.Form):
    """Somebody who is named."""

    name = forms.CharField(label=_("Name"), max_length=120)


class BoardReasonForm(forms.Form):
    """The same about one board of a set."""

    board = forms.TypedChoiceField(label=_("Board"), coerce=int)
    reason = _reason()

    def __init__(self, *args: Any, boards: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["board"].choices = boards  # type: ignore[attr-defined]


def version_choices() -> list[tuple[str, str]]:
    """What can have lain on the table, in the reader's language."""
    named = [(letter, gettext("version %(letter)s") % {"letter": letter}) for letter in "BCDE"]
    return [(AS_DEALT, gettext("the board as dealt")), *named]


class VersionForm(forms.Form):
    """Which tables played which version of a board."""

    tables = forms.TypedMultipleChoiceField(
        label=_("Tables"),
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one table.")},
    )
    version = forms.ChoiceField(
        label=_("Version played"),
        choices=version_choices,
        initial="B",
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        help_text=_("Please don’t name any card. People can read this before everyone has played."),
    )

    def __init__(self, *args: Any, tables: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["tables"].choices = tables  # type: ignore[attr-defined]


class CheckForm(forms.Form):
    """A key and a delayed value that somebody wants to see the deals of."""

    key = forms.CharField(label=_("Session key"), max_length=LONGEST_TEXT, strip=False)
    value = forms.CharField(label=_("Delayed value"), max_length=LONGEST_TEXT, strip=False)


class CheckTextForm(forms.Form):
    """The text of an imported set that somebody wants to check."""

    text = forms.CharField(
        label=_("Text, with the salt"),
        max_length=LONGEST_SET,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )


def least_share_field(*, required: bool = True) -> forms.IntegerField:
    """How many boards a pair needs for a place."""
    column = Duplicate._meta.get_field("least_share")
    return forms.IntegerField(
        label=gettext_lazy("Boards needed to be ranked, in percent"),
        initial=column.default,
        min_value=0,
        max_value=100,
        required=required,
        help_text=column.help_text,
    )


class ComparisonForm(forms.Form):
    """How an event's boards are compared and its pairs ranked, and why that changes."""

    method = forms.ChoiceField(
        label=gettext_lazy("How boards are compared"), choices=Duplicate.Way.choices, widget=forms.RadioSelect
    )
    measure = forms.ChoiceField(
        label=gettext_lazy("What is compared"), choices=Duplicate.Measure.choices, widget=forms.RadioSelect
    )
    tops = forms.ChoiceField(
        label=gettext_lazy("Top on a board (matchpoints)"),
        choices=Duplicate.Tops.choices,
        widget=forms.RadioSelect,
    )
    least_share = least_share_field()
    reason = forms.CharField(
        label=gettext_lazy("Reason"), max_length=300, help_text=gettext_lazy("Everyone can read this.")
    )
