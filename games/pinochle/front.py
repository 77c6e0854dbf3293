"""What people see of Partnership Pinochle beside what every game has: its scoresheet and its rules."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from engine.pinochle.melds import FOURS, WORTH
from engine.pinochle.play import SEATS, TRICKS
from games.front import GameFront, Json, TotalsRecordSerializer
from games.pinochle import rules_page
from games.records.display.sheets import SheetMaker
from games.records.plain_form import (
    TotalsForm,
    as_cards,
    cards_field,
    number_field,
    number_of,
    tapped_field,
    text_of,
)
from games.templatetags.cards import SEATS as SEAT_WORDS
from games.templatetags.cards import SUITS, card_name, suit_choices, suit_name

#: The longest text of one card, and something to be wrong with.
LONGEST = 8
#: PP9, PP10: the melds that one player can have twice; of four and eight of a rank there is one of either.
TWICE = ("royal-marriage", *(f"marriage-{suit}" for suit in SUITS), "dix")


class PinochleDealForm(TotalsForm):
    """Points in cards, each player's melds as a sum or by name, the last trick, a claim: all but points by tapping."""

    template = "pinochle/_plain_deal.html"
    claims = ("cards", "total", "running")
    hint = gettext_lazy(
        "Fill in what you know: the cards of one side and everybody’s melds, or just the totals."
    )

    def add_fields(self) -> None:
        super().add_fields()
        suits = suit_choices()
        self.fields["trump"] = tapped_field(_("Trumps"), suits)
        self.fields["last"] = tapped_field(_("Who took the last trick"), self.sides)
        self.fields["no_trick"] = tapped_field(_("Without a trick"), self.sides)
        self.fields["up"] = cards_field(_("Card turned up"), LONGEST)
        named = [(meld, meld_name(*_parts(meld))) for meld in _melds()]
        for seat in SEATS:
            said = {"seat": seat_name(seat)}
            self.fields[f"melds-{seat}"] = number_field(_("Melds of %(seat)s") % said)
            self.fields[f"named-{seat}"] = forms.MultipleChoiceField(
                label=_("%(seat)s’s melds by name") % said,
                choices=named,
                required=False,
                widget=forms.CheckboxSelectMultiple,
            )
        self.fields["claim"] = tapped_field(
            _("Who claimed the match"), [(seat, seat_name(seat)) for seat in SEATS]
        )
        self.fields["claim-tricks"] = number_field(_("Tricks finished before the claim"))

    def titles(self) -> dict[str, str]:
        return {
            **super().titles(),
            "cards": _("Points in cards of %(side)s"),
            "running": _("Running total of %(side)s"),
        }

    def points_fields(self) -> list[Any]:
        """The points of the deal, for the template; running totals stand apart."""
        return [self[f"{claim}-{key}"] for key, _side in self.sides for claim in ("cards", "total")]

    def meld_fields(self) -> list[Any]:
        """What each player melded, as a sum, for the template."""
        return [self[f"melds-{seat}"] for seat in SEATS]

    def play_fields(self) -> list[Any]:
        """The fields of the whole deal, for the template."""
        return [self["trump"], self["up"], self["last"], self["no_trick"]]

    def named_fields(self) -> list[Any]:
        """What each player melded, by name, for the template."""
        return [self[f"named-{seat}"] for seat in SEATS]

    def match_fields(self) -> list[Any]:
        """The running totals and the claim, for the template."""
        running = [self[f"running-{key}"] for key, _side in self.sides]
        return [*running, self["claim"], self["claim-tricks"]]

    def has_named(self) -> bool:
        """Whether a meld is named."""
        return any(each.value() for each in self.named_fields())

    def is_of_match(self) -> bool:
        """Whether a running total or a claim is filled in."""
        return any(each.value() for each in self.match_fields())

    def record(self) -> dict[str, Any]:
        data = self.cleaned_data
        record = {name: data[name] for name in ("trump", "last", "no_trick") if data[name]}
        melds: dict[str, Any] = {}
        for seat in SEATS:
            named = [name for each in data[f"named-{seat}"] for name in _named(each)]
            given = named or number_of(data[f"melds-{seat}"])
            if given != "":
                melds[seat] = given
        claim: dict[str, Any] = {"by": data["claim"]} if data["claim"] else {}
        if (tricks := number_of(data["claim-tricks"])) != "":
            claim["tricks"] = tricks
        more = {"melds": melds, "up": as_cards(data["up"]), "claim": claim}
        return {**record, **{name: given for name, given in more.items() if given}, **super().record()}

    def texts_of(self, record: dict[str, Any]) -> dict[str, Any]:
        found = super().texts_of(record)
        found.update({name: str(record.get(name) or "") for name in ("trump", "up", "last", "no_trick")})
        given = record.get("melds")
        melds = given if isinstance(given, dict) else {}
        for seat in SEATS:
            of_seat = melds.get(seat)
            is_named = isinstance(of_seat, list)
            count = Counter(str(name) for name in of_seat[:40]) if isinstance(of_seat, list) else Counter()
            found[f"named-{seat}"] = [_written(name, times) for name, times in count.items()]
            found[f"melds-{seat}"] = "" if is_named else text_of(of_seat)
        claim = record.get("claim")
        of_claim = claim if isinstance(claim, dict) else {}
        found["claim"] = str(of_claim.get("by") or "")
        found["claim-tricks"] = text_of(of_claim.get("tricks"))
        return found


class PinochleMaker(SheetMaker):
    """The deals of a sheet with all that was written down of them."""

    def facts(self, index: int) -> Iterable[tuple[str, str]]:
        record = self.record(index)
        if not set(record) - {"total"}:
            return ()
        trump = record.get("trump") or record.get("up", "")[1:]
        claim = record.get("claim", {})
        return (
            (_("Trumps"), suit_name(trump)),
            (_("Card turned up"), card_name(record["up"]) if "up" in record else ""),
            *(
                (_("Melds of %(seat)s") % {"seat": seat_name(seat)}, melds_in_words(given))
                for seat, given in record.get("melds", {}).items()
            ),
            (_("Points in cards"), self.by_side(record.get("cards", {}))),
            (_("Last trick"), self.side_name(record.get("last", ""))),
            (_("Without a trick"), self.side_name(record.get("no_trick", ""))),
            (_("Claimed the match"), _claim_in_words(claim) if claim else ""),
            (_("Running total"), self.by_side(record.get("running", {}))),
        )


def _claim_in_words(claim: dict[str, Any]) -> str:
    seat = seat_name(claim["by"])
    if "tricks" not in claim:
        return seat
    return _("%(seat)s, tricks finished: %(tricks)d") % {"seat": seat, "tricks": claim["tricks"]}


def seat_name(seat: str) -> str:
    """A seat in words."""
    return str(SEAT_WORDS[seat][1])


def melds_in_words(given: int | list[str]) -> str:
    """What a player melded: by name with the points, or the sum."""
    if isinstance(given, int):
        return str(given)
    return ", ".join(meld_name(name, times) for name, times in Counter(given).items())


def meld_name(name: str, times: int = 1) -> str:
    """A meld in words, with its points."""
    words = rules_page.meld_words(name)
    points = WORTH[name] * times
    if times == 1:
        return _("%(meld)s, %(points)d") % {"meld": words, "points": points}
    return _("%(times)d × %(meld)s, %(points)d") % {"times": times, "meld": words, "points": points}


def _melds() -> list[str]:
    """Everything that can be ticked: the more common ones first."""
    fours = [f"four-{name}" for name, _points in FOURS.values()]
    once = ["dix", *(name for name in TWICE if name != "dix"), "sequence", "pinochle", *fours]
    twice = [_written(name, 2) for name in TWICE]
    rare = ["double-sequence", "double-pinochle", *(f"eight-{name}" for name, _points in FOURS.values())]
    return [*once, *twice, *rare]


def _written(name: str, times: int) -> str:
    return name if times == 1 else f"{times} {name}"


def _parts(ticked: str) -> tuple[str, int]:
    times, _space, name = ticked.rpartition(" ")
    return name, int(times or 1)


def _named(ticked: str) -> list[str]:
    name, times = _parts(ticked)
    return [name] * times


class WrittenClaimSerializer(serializers.Serializer[Any]):
    """A claim of the match."""

    by = serializers.CharField(help_text="The seat of the player who claimed.")
    tricks = serializers.IntegerField(
        required=False, max_value=TRICKS - 1, help_text="How many tricks were finished."
    )


class PinochleRecordSerializer(TotalsRecordSerializer):
    """One deal of Partnership Pinochle, at any depth."""

    melds = serializers.DictField(
        required=False,
        help_text="By seat: a list of melds by name (sequence, marriage-h, dix), or their sum.",
    )
    cards = serializers.DictField(
        child=serializers.IntegerField(),
        required=False,
        help_text="Points in cards by side, last trick included.",
    )
    last = serializers.CharField(required=False, help_text="The side that took the last trick.")
    no_trick = serializers.CharField(required=False, help_text="The side that won no trick.")
    trump = serializers.CharField(required=False, help_text="s, h, d or c.")
    up = serializers.CharField(required=False, help_text="The card that was turned up.")
    claim = WrittenClaimSerializer(required=False, help_text="Who claimed the match, and when.")
    running = serializers.DictField(
        child=serializers.IntegerField(), required=False, help_text="By side: the match so far."
    )


class PinochleFront(GameFront):
    """A scoresheet by its parts, and the rules."""

    maker = PinochleMaker
    plain_form = PinochleDealForm
    record_serializer = PinochleRecordSerializer
    summary = gettext_lazy("Two packs of 24, a partner, and melds that only count once you win a trick.")
    length = gettext_lazy("eight deals: about an hour")
    rules_page = "pinochle/rules.html"
    scoring = "pinochle/_scoring.html"

    def rules_content(self) -> Json:
        return rules_page.content()

    def paper_how(self) -> str:
        return _(
            "Write what you know: the cards of one side and the melds of both are enough, or just both totals. "
            "Cards include 10 for the last trick."
        )

    def paper_columns(self) -> tuple[Sequence[str], Sequence[str]]:
        return (_("Trumps"), _("Last trick")), (_("Melds"), _("Cards"))

    def scoring_values(self) -> Any:
        return rules_page.worth()
