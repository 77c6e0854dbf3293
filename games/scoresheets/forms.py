"""What people type on the pages of a match."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

LONGEST_REASON = 500
LONGEST_KEY = 80


class ConfirmForm(forms.Form):
    """Names the very version that was shown; all of it is hidden in the page."""

    version = forms.IntegerField(min_value=1, max_value=32767, widget=forms.HiddenInput)
    digest = forms.CharField(max_length=64, widget=forms.HiddenInput)
    key = forms.CharField(max_length=LONGEST_KEY, required=False, widget=forms.HiddenInput)


class ReasonForm(forms.Form):
    """A decision that needs a reason."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": _("Please give a reason. We keep it with the match.")},
    )


class RejectForm(ReasonForm):
    """Says what is wrong with a sheet."""

    key = forms.CharField(max_length=LONGEST_KEY, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].label = _("What’s wrong?")
        self.fields["reason"].help_text = _(
            "For example: deal 2, hand 5 was a flush. Your opponents can read it."
        )
        self.fields["reason"].error_messages["required"] = _(
            "Please say what’s wrong, so that your opponents can correct it."
        )


class ReopenForm(ReasonForm):
    """Says why a confirmed result is taken back."""


class SendForm(forms.Form):
    """A sheet to be sent, as the preview showed it; all of it is hidden in the page.

    `signed`: an official says that both pairs signed the paper. `unread` stands for the digest where there was no
    connection to read the sheet: it is sent if nothing is odd in it.
    """

    content = forms.CharField(widget=forms.HiddenInput)
    digest = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    unread = forms.BooleanField(required=False, widget=forms.HiddenInput)
    signed = forms.BooleanField(required=False)
    reason = forms.CharField(max_length=300, required=False)
    key = forms.CharField(max_length=LONGEST_KEY, required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """A sheet without digest is one that nobody has seen as it reads."""
        data = self.cleaned_data
        if not data.get("digest") and not data.get("unread"):
            raise forms.ValidationError(_("Please check the sheet first."))
        return data


class GuestSheetForm(forms.Form):
    """The points of a match, deal by deal, and who writes them down: for somebody without an account."""

    name = forms.CharField(label=_("Your name"), max_length=100)

    def __init__(self, *args: Any, sides: tuple[tuple[str, str], ...], deals: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sides, self.deals = sides, deals
        for deal in range(1, deals + 1):
            for key, side in sides:
                # A match may end early: which of them are missing the engine says.
                self.fields[f"total-{deal}-{key}"] = forms.IntegerField(
                    label=side, min_value=0, max_value=10_000, required=False
                )

    def rows(self) -> list[tuple[int, list[Any]]]:
        """The fields of each deal, for the template."""
        return [
            (deal, [self[f"total-{deal}-{key}"] for key, _side in self.sides])
            for deal in range(1, self.deals + 1)
        ]

    def records(self) -> list[dict[str, Any]]:
        """The deals that were filled in, as the engine reads them; it says what is missing."""
        found: list[dict[str, Any]] = []
        for deal in range(1, self.deals + 1):
            points = {key: self.cleaned_data[f"total-{deal}-{key}"] for key, _side in self.sides}
            given = {key: value for key, value in points.items() if value is not None}
            found.append({"total": given} if given else {})
        while found and not found[-1]:
            found.pop()
        return found


class SeatsForm(forms.Form):
    """Who sat where and who dealt first."""

    def __init__(
        self,
        *args: Any,
        players: dict[int, str],
        seats: tuple[tuple[str, str], ...],
        content: Any,
        asks_dealer: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.seats = seats
        choices = [(str(pk), name) for pk, name in players.items()]
        for key, title in seats:
            seated = content["seats"].get(key)
            self.fields[f"seat-{key}"] = forms.ChoiceField(label=title, choices=choices, initial=str(seated))
        # The number of a board says who deals it.
        if asks_dealer:
            self.fields["first_dealer"] = forms.ChoiceField(
                label=_("First dealer"), choices=seats, initial=content["first_dealer"]
            )

    def content(self) -> dict[str, Any]:
        """The part of a sheet's content that this form asks for."""
        data = self.cleaned_data
        asked = {name: data[name] for name in ("first_dealer",) if name in data}
        return {**asked, "seats": {key: int(data[f"seat-{key}"]) for key, _title in self.seats}}
