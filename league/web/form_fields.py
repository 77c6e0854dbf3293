"""Fields that many forms share: rows by their keys, a day and time of the club, a reason, an option of a game."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.extension import OptionField

# Longer ones may be beyond 64 bits, and some databases then fail instead of finding nothing.
MOST_DIGITS = 18


class RowsField(forms.ModelMultipleChoiceField):
    """Several rows by their keys; a key that no database can hold is no choice."""

    def clean(self, value: Any) -> Any:
        """The rows; refuses a key that is none of theirs."""
        for key in value or ():
            if len(str(key)) > MOST_DIGITS:
                shown = {"value": str(key)[:MOST_DIGITS] + "…"}
                raise forms.ValidationError(self.error_messages["invalid_choice"], "invalid_choice", shown)
        return super().clean(value)


class DateInput(forms.DateInput):
    """A day, by the browser's own calendar."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class TimeInput(forms.TimeInput):
    """A time of day, by the browser's own clock."""

    input_type = "time"

    def __init__(self) -> None:
        super().__init__(format="%H:%M")


FURTHEST = timedelta(days=550)


LOCAL = "%Y-%m-%dT%H:%M"


class LocalTimeField(forms.DateTimeField):
    """A day and a time on the clock of the club (the active time zone), not absurdly far away."""

    def __init__(self, **fields: Any) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local", "step": 300}, format=LOCAL)
        super().__init__(**{"widget": widget, "input_formats": [LOCAL, "%Y-%m-%dT%H:%M:%S"], **fields})

    def to_python(self, value: Any) -> datetime | None:
        moment = super().to_python(value)
        if moment is not None and abs(moment.year - timezone.now().year) > FURTHEST.days // 365 + 1:
            raise forms.ValidationError(_("Choose a day of this season."))
        return moment


class ListWithDefault(forms.ChoiceField):
    """A list that keeps its default where nothing is sent of it."""

    def clean(self, value: Any) -> Any:
        return super().clean(value or self.initial)


REASON: dict[str, Any] = {
    "label": _("Reason"),
    "max_length": 300,
    "help_text": _("We keep it, and the players can read it."),
}


def offer_rows(form: forms.Form, name: str, rows: QuerySet[Any]) -> None:
    """Sets the rows that a choice of the form offers."""
    form.fields[name].queryset = rows  # type: ignore[attr-defined]


def option_field(option: OptionField, *, is_required: bool = True) -> forms.Field:
    """Asks for one option of a game, or of a part of the set-up; says what is wrong with it in words."""
    said: dict[str, Any] = {"label": option.label, "help_text": option.help, "initial": option.default}
    if option.kind == "yes-no":
        return forms.BooleanField(required=False, **said)
    if option.kind == "choice":
        kind = forms.ChoiceField if is_required else ListWithDefault
        return kind(choices=option.choices, **said)
    if option.kind == "text":
        return forms.CharField(max_length=option.maximum, required=False, **said)
    return forms.IntegerField(
        min_value=option.minimum, max_value=option.maximum, required=is_required, **said
    )
