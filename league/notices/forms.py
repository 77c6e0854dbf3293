"""How a person wants to be told."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league import zones
from league.models import MailAccount, NoticeSettings, User
from league.notices import queries
from league.notices.events import Channel, Event
from league.notices.services import notices
from league.outgoing.client import LONGEST_URL


class ChoicesForm(forms.Form):
    """One choice per event; those for directors only where the person directs a club."""

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        now = notices.chosen(user=user)
        has_device = user.push_subscriptions.exists()
        for event in queries.offered(user):
            self.fields[event.key] = forms.ChoiceField(
                label=str(event.name),
                choices=_offered(event, now[event.key], has_device),
                initial=_shown(now[event.key], has_device),
            )


def _offered(event: Event, now: str, has_device: bool) -> list[Any]:
    """Without a device there is less to choose; what somebody chose before stays, and so does a mail of its own."""
    if event.has_own_mail:
        with_mail = [(Channel.MAIL, Channel.MAIL.label), (Channel.POST, Channel.POST.label)]
        return with_mail if has_device else [(Channel.MAIL, Channel.POST.label)]
    if has_device:
        return [*Channel.choices]
    fewer = [
        (Channel.MAIL, Channel.POST.label),
        (Channel.INBOX, Channel.INBOX.label),
        (Channel.NONE, Channel.NONE.label),
    ]
    return [*fewer, (Channel.PUSH, Channel.PUSH.label)] if now == Channel.PUSH else fewer


def _shown(now: str, has_device: bool) -> str:
    return Channel.MAIL if now == Channel.POST and not has_device else now


class DirectedForm(forms.Form):
    """Of which competitions a director is told."""

    ALL, THESE = "all", "these"
    which = forms.ChoiceField(
        label=_("What directors are told"),
        choices=[(ALL, _("of all competitions I direct")), (THESE, _("only of these:"))],
        widget=forms.RadioSelect,
    )
    competitions = forms.MultipleChoiceField(
        label=_("Competitions"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        now, found = queries.told_of(user), list(queries.directed(user))
        self.is_needed = len(found) > 1 or bool(now)
        if not self.is_needed:
            self.fields.clear()
            return
        is_many = len({each.club_id for each in found}) > 1
        named = [(each.pk, f"{each} · {each.club}" if is_many else str(each)) for each in found]
        self.fields["competitions"].choices = named  # type: ignore[attr-defined]  # a field of choices
        self.fields["which"].initial = self.THESE if now else self.ALL
        self.fields["competitions"].initial = now

    def clean(self) -> dict[str, Any]:
        """At least one, where not all."""
        given = super().clean() or {}
        if given.get("which") == self.THESE and not given.get("competitions") and not self.errors:
            self.add_error("competitions", _("Choose at least one competition, or all."))
        return given

    @property
    def chosen(self) -> list[int] | None:
        """The competitions, None for all; of a form that is valid."""
        is_all = self.cleaned_data["which"] == self.ALL
        return None if is_all else [int(key) for key in self.cleaned_data["competitions"]]


class DeviceForm(forms.Form):
    """What the browser says when pushes are turned on."""

    endpoint = forms.CharField(max_length=LONGEST_URL, widget=forms.HiddenInput)
    p256dh = forms.CharField(max_length=120, widget=forms.HiddenInput)
    auth = forms.CharField(max_length=60, widget=forms.HiddenInput)
    is_detailed = forms.BooleanField(
        required=False,
        label=_("Show what happened"),
        help_text=_(
            "Otherwise the device only says that something is waiting. Anyone who sees its screen can read it."
        ),
    )


class QuietForm(forms.Form):
    """When no mail may come."""

    begins = forms.TimeField(
        label=_("No mails from"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    ends = forms.TimeField(
        label=_("until"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        help_text=_("What happens meanwhile comes at the end of that time."),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        now = NoticeSettings.objects.filter(user=user).first() or NoticeSettings(user=user)
        super().__init__(*args, **kwargs)
        self.fields["begins"].initial, self.fields["ends"].initial = now.quiet_from, now.quiet_until
        self.fields["zone"] = forms.ChoiceField(
            label=_("Time zone"),
            required=False,
            choices=[("", _("the club’s")), *zones.choices(now.time_zone)],
            initial=now.time_zone,
            widget=forms.Select(attrs={"data-own-zone": "offer"}),
        )

    def clean(self) -> dict[str, Any]:
        """Both ends or neither."""
        given = super().clean() or {}
        if (given.get("begins") is None) != (given.get("ends") is None) and not self.errors:
            self.add_error("ends", _("Give both ends of the quiet hours, or neither."))
        elif given.get("begins") is not None and given["begins"] == given.get("ends"):
            self.add_error("ends", _("The quiet hours end when they begin. Choose two different times."))
        return given


class MailAccountForm(forms.ModelForm):
    """The account at a mail server. A password that is stored is never shown."""

    class Meta:
        model = MailAccount
        fields = ("host", "security", "port", "user", "sender")

    password = forms.CharField(
        label=_("Password"),
        required=False,
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text=_("We keep it encrypted and never show it."),
    )
    field_order = ("host", "security", "port", "user", "password", "sender")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.password:
            self.fields["password"].help_text = _("Leave it empty to keep the one we have.")
