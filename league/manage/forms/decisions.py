"""What a director decides about entries: reasons, points given or taken, lots."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import Division, Entry
from league.web.form_fields import REASON, RowsField, offer_rows


class ReasonForm(forms.Form):
    """Why."""

    reason = forms.CharField(**REASON)


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
        label=_("Tied pairs"), queryset=Entry.objects.none(), widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, division: Division, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer_rows(self, "entries", division.entries.active().with_pairs())
