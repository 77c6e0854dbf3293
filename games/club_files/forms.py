"""Choosing the file of a club."""

from django import forms
from django.utils.translation import gettext_lazy as _


class ClubFileForm(forms.Form):
    """A file that another installation made."""

    file = forms.FileField(
        label=_("File of a club or competition"),
        help_text=_("It ends with .zip. Nothing is created before you have seen what is in it."),
        widget=forms.ClearableFileInput(attrs={"accept": ".zip,application/zip"}),
    )
