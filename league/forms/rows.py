"""Choices among rows that survive any key."""

from typing import Any

from django import forms

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
