"""A file of players or pairs."""

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import ImportBatch


class ImportForm(forms.Form):
    """A file of players or pairs."""

    kind = forms.ChoiceField(label=_("What the file lists"), choices=ImportBatch.Kind.choices)
    file = forms.FileField(
        label=_("CSV file"),
        help_text=_(
            "First line: name, email, number (players), or player 1, player 2, name (pairs). "
            "Separate them with a comma, semicolon or tab. Nothing is saved before you have seen "
            "the preview."
        ),
    )
