"""Fields that many forms share: rows by their keys, a day and time of the club, a reason."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

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


REASON: dict[str, Any] = {
    "label": _("Reason"),
    "max_length": 300,
    "help_text": _("It is kept, and the pairs can read it."),
}


def offer_rows(form: forms.Form, name: str, rows: QuerySet[Any]) -> None:
    """Sets the rows that a choice of the form offers."""
    form.fields[name].queryset = rows  # type: ignore[attr-defined]
