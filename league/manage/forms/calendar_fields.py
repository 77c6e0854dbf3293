"""Days, times and weekdays as the browser asks for them."""

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy

from league.competitions.services.competitions import EARLIEST, LATEST


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


class WeekdaysField(forms.TypedMultipleChoiceField):
    """Some days of the week; Monday is 0."""

    def __init__(self, **fields: Any) -> None:
        widget = forms.CheckboxSelectMultiple
        super().__init__(coerce=int, choices=list(WEEKDAYS.items()), widget=widget, **fields)


def first_round_limits() -> list[Any]:
    """Checks that a day is not absurdly far away."""
    said = gettext_lazy("The first round is too far in the future.")
    return [MinValueValidator(EARLIEST, said), MaxValueValidator(LATEST, said)]
