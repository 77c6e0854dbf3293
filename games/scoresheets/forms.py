"""What people type on the pages of a match."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.records.contents import PlainLabels

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
        error_messages={"required": _("Please give a reason: it is kept with the match.")},
    )


class RejectForm(ReasonForm):
    """Says what is wrong with a sheet."""

    key = forms.CharField(max_length=LONGEST_KEY, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].label = _("What is wrong?")
        self.fields["reason"].help_text = _(
            "For example: deal 2, hand 5 was a flush. The other pair reads it."
        )
        self.fields["reason"].error_messages["required"] = _(
            "Please say what is wrong: the other pair will correct it."
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
        # A numbered board says by itself who deals it.
        if asks_dealer:
            self.fields["first_dealer"] = forms.ChoiceField(
                label=_("First dealer"), choices=seats, initial=content["first_dealer"]
            )

    def content(self) -> dict[str, Any]:
        """The part of a sheet's content that this form asks for."""
        data = self.cleaned_data
        asked = {name: data[name] for name in ("first_dealer",) if name in data}
        return {**asked, "seats": {key: int(data[f"seat-{key}"]) for key, _title in self.seats}}


class PlainDealForm(forms.Form):
    """One deal of a scoresheet in plain fields, for browsers without scripts and for people who like to type."""

    def __init__(self, *args: Any, labels: PlainLabels, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.labels = labels
        for number, label in enumerate(labels.hands):
            self._add_hand(number, label)
        self.fields["left-value"] = _choice(_("Left-overs: the best of them"), labels.left_values)
        for key, seat in labels.seats:
            self.fields[f"left-{key}"] = _text(_("Cards left to %(seat)s") % {"seat": seat})
        for part, title in (("total", _("Total of %(side)s")), ("made", _("Hands of %(side)s"))):
            for key, side in labels.sides:
                self.fields[f"{part}-{key}"] = _number(title % {"side": side})

    def _add_hand(self, number: int, label: str) -> None:
        self.fields[f"hand-{number}-value"] = _choice(label, self.labels.hand_values)
        self.fields[f"hand-{number}-cards"] = _text(_("%(hand)s: the cards") % {"hand": label})
        self.fields[f"hand-{number}-points"] = _number(_("%(hand)s: points") % {"hand": label})

    def hand_rows(self) -> list[dict[str, Any]]:
        """The fields of each hand, for the template."""
        return [
            {
                "label": label,
                "value": self[f"hand-{number}-value"],
                "cards": self[f"hand-{number}-cards"],
                "points": self[f"hand-{number}-points"],
            }
            for number, label in enumerate(self.labels.hands)
        ]

    def side_rows(self) -> list[dict[str, Any]]:
        """The fields of each side, for the template."""
        return [
            {"label": side, "total": self[f"total-{key}"], "made": self[f"made-{key}"]}
            for key, side in self.labels.sides
        ]

    def left_value(self) -> Any:
        """The field of the best combination left, for the template."""
        return self["left-value"]

    def left_fields(self) -> list[Any]:
        """The fields of the cards left, for the template."""
        return [self[f"left-{key}"] for key, _seat in self.labels.seats]

    def record(self) -> dict[str, Any]:
        """The deal as it was typed, in the form that the engine reads; what is odd in it the engine will say."""
        data = self.cleaned_data
        hands = [
            hand_of(data[f"hand-{n}-value"], data[f"hand-{n}-cards"], data[f"hand-{n}-points"], self.labels)
            for n in range(len(self.labels.hands))
        ]
        record: dict[str, Any] = {"hands": hands} if any(hands) else {}
        left = {key: data[f"left-{key}"].split() for key, _seat in self.labels.seats if data[f"left-{key}"]}
        if left:
            record["left"] = left
        if data["left-value"]:
            record["left_over"] = value_of(data["left-value"])
        for part in ("total", "made"):
            claims = {key: number_of(data[f"{part}-{key}"]) for key, _side in self.labels.sides}
            given = {key: claim for key, claim in claims.items() if claim != ""}
            if given:
                record[part] = given
        return record


def _choice(label: Any, values: tuple[tuple[str, str], ...]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=(("", "–"), *values), required=False)


def _text(label: Any) -> forms.CharField:
    attrs = {"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}
    return forms.CharField(label=label, max_length=200, required=False, widget=forms.TextInput(attrs=attrs))


def _number(label: Any) -> forms.CharField:
    attrs = {"autocomplete": "off", "inputmode": "numeric", "class": "number"}
    return forms.CharField(label=label, max_length=12, required=False, widget=forms.TextInput(attrs=attrs))


def value_of(key: str) -> dict[str, str]:
    """A combination with its split, from a value's key such as "fours/2+2"."""
    combination, _slash, split = key.partition("/")
    return {"combination": combination, "split": split} if split else {"combination": combination}


def number_of(text: str) -> int | str:
    """The number, or the text as it stands for the engine to complain of."""
    return int(text) if text.isascii() and text.isdecimal() else text


def hand_of(value: str, cards: str, points: str, labels: PlainLabels) -> dict[str, Any] | str | None:
    """A hand as typed: cards with seats before them say who played which, others are a line of play."""
    entry: dict[str, Any] = value_of(value) if value else {}
    if cards:
        by_seat = cards_by_seat(cards.split(), {key for key, _seat in labels.seats})
        entry.update({"cards": by_seat} if by_seat else {"line": " ".join(cards.split())})
    if points:
        entry["points"] = number_of(points)
    if set(entry) == {"line"}:
        return str(entry["line"])
    return entry or None


def cards_by_seat(words: list[str], seats: set[str]) -> dict[str, list[str]]:
    """Who played which, from words such as "N 7h 6h S Ah 5h Th"; empty when no seat stands before the cards."""
    found: dict[str, list[str]] = {}
    seat = ""
    for word in words:
        name = word.rstrip(":").upper()
        if name in seats:
            seat = name
        elif not seat:
            return {}
        else:
            found.setdefault(seat, []).append(word)
    return found


def initial_of(record: Any, labels: PlainLabels) -> dict[str, Any]:
    """What the plain form shows of a record; what it has no field for is left out."""
    given: dict[str, Any] = record if isinstance(record, dict) else {}
    hands = _list(given.get("hands"))
    found: dict[str, Any] = {}
    for number, hand in enumerate(hands[: len(labels.hands)]):
        found.update({f"hand-{number}-{name}": text for name, text in _hand_texts(hand).items()})
    left = _dict(given.get("left"))
    found.update({f"left-{key}": _words(left.get(key)) for key, _seat in labels.seats})
    found["left-value"] = key_of(given.get("left_over"))
    for part in ("total", "made"):
        claims = _dict(given.get(part))
        found.update({f"{part}-{key}": _words(claims.get(key)) for key, _side in labels.sides})
    return found


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _hand_texts(hand: Any) -> dict[str, str]:
    if isinstance(hand, str):
        return {"cards": hand[:200]}
    if not isinstance(hand, dict):
        return {}
    cards = hand.get("cards", hand.get("line"))
    if isinstance(cards, dict):
        cards = " ".join(f"{seat} {_words(held)}" for seat, held in cards.items())
    return {"value": key_of(hand), "cards": _words(cards), "points": _words(hand.get("points"))}


def _words(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(str(each)[:8] for each in value[:60])
    return "" if value is None else str(value)[:200]


def key_of(value: Any) -> str:
    """The key of a combination with its split; empty when there is none."""
    if not isinstance(value, dict) or not isinstance(value.get("combination"), str):
        return ""
    split = value.get("split")
    return f"{value['combination']}/{split}" if isinstance(split, str) else str(value["combination"])
