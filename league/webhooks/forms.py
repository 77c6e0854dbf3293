"""What an owner says of a webhook."""

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import Webhook
from league.outgoing.client import LONGEST_URL


class EventsForm(forms.Form):
    """What it is told of."""

    events = forms.MultipleChoiceField(
        label=_("Tell it when"), choices=Webhook.Event.choices, widget=forms.CheckboxSelectMultiple
    )


class WebhookForm(EventsForm):
    """A new one."""

    url = forms.CharField(
        label=_("Address"),
        max_length=LONGEST_URL,
        widget=forms.URLInput(attrs={"placeholder": "https://", "autocomplete": "off"}),
        help_text=_("It begins with https:// and leads to a public server."),
    )
    field_order = ("url", "events")
