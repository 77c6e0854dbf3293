"""The form in which partners enter their own system: a part for each line of the checklist, in it a row for each way.

What was typed is kept as it is (`Entry`), however wrong, and drawn again; what is wrong says the engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.cards import Suit
from engine.concerto.signals.convention_cards import LONGEST_NAME, MOST_WAYS
from engine.concerto.signals.holdings import HOLDINGS, STEPS, Holding, Step
from engine.concerto.signals.sheet import BETWEEN, HELD, ORDERS, RANKS, SUITS
from engine.concerto.signals.ways import Order, Phase, Ranks
from games.concerto.signals.card import HANDS
from league.validation import Fault

Json = dict[str, Any]
Row = dict[str, Any]
PASS: Final = "pass"  # noqa: S105
#: As the suits stand in a row of choices, and the letters of the card's own text.
SUIT_FIELDS: Final = {f"suit_{suit.letter}": suit for suit in reversed(Suit)}
FLAGS: Final = ("in_order", "without_gap")
#: The places of a checklist.
PLACES: Final = [str(number) for number in range(1, len(Step) + 1)]
NEW_ROW: Final[Row] = {"how": "two", "suits": "any", "ranks": "same"}


def _words(texts: Mapping[Any, str]) -> list[tuple[str, Any]]:
    return [(str(getattr(key, "value", key)), _(text)) for key, text in texts.items()]


class _Typed(forms.Form):
    """Shows what was typed as it is; faults are put beside its fields from outside."""

    use_required_attribute = False

    def __init__(self, *args: Any, **keys: Any) -> None:
        super().__init__(*args, **keys)
        self.cleaned_data: Json = {}


class WayForm(_Typed):
    """One way to show something: two cards, or a card and then a pass."""

    holding = forms.ChoiceField(label=_("What you hold"))
    how = forms.ChoiceField(
        label=_("You play"),
        choices=[("two", _("two cards")), (PASS, _("one card, then a pass"))],
        widget=forms.RadioSelect,
    )
    ranks = forms.ChoiceField(label=_("Ranks"), choices=_words(RANKS))
    suits = forms.ChoiceField(label=_("Suits"), choices=_words(SUITS))
    order = forms.ChoiceField(
        label=_("Order"),
        choices=[(Order.EITHER.value, _("either first")), *_words(ORDERS)],
    )
    between = forms.MultipleChoiceField(
        label=_("Ranks between the two (none ticked: any)"),
        choices=_words(BETWEEN),
        widget=forms.CheckboxSelectMultiple,
    )
    in_order = forms.BooleanField(label=_("in the order of the holding"), required=False)
    without_gap = forms.BooleanField(label=_("you hold all ranks between"), required=False)
    phases = forms.ChoiceField(
        label=_("When"),
        choices=[("", _("in all hands")), *[(phase.value, words) for phase, words in HANDS.items()]],
    )

    def __init__(self, *args: Any, step: Step, number: int, words: str, **keys: Any) -> None:
        super().__init__(*args, **keys)
        self.step, self.number, self.words = step, number, words
        self.is_open = bool(self.initial.get("is_new"))
        own = [each for each in Holding if each.step is step]
        self.fields["holding"].choices = [(each.key, _(HELD[each])) for each in own]  # type: ignore[attr-defined]
        if len(own) == 1:
            self.fields["holding"].widget = forms.HiddenInput()
        if step is Step.FULL_HOUSE:
            self.fields["in_order"].label = _("the rank of the threes first")
        for name, suit in SUIT_FIELDS.items():
            places = [(str(place), str(place)) for place in range(1, len(SUIT_FIELDS) + 1)]
            self.fields[name] = forms.ChoiceField(
                label=suit.symbol, choices=[("", "–"), *places], required=False
            )

    @property
    def cards(self) -> list[forms.BoundField]:
        """What two cards look like."""
        return [self[name] for name in ("ranks", "suits", "order")]

    @property
    def flags(self) -> list[forms.BoundField]:
        """What more can be said of two cards, where it means something or was said."""
        is_of_ranks = self.step not in {Step.FOURS, Step.THREES, Step.TWO_THREES, Step.TWO_PAIR, Step.PAIR}
        meant = {"in_order": self.step is Step.FULL_HOUSE, "without_gap": is_of_ranks}
        return [self[name] for name in FLAGS if meant[name] or self[name].value()]

    @property
    def preferred(self) -> list[forms.BoundField]:
        """Which suit the one card is of."""
        return [self[name] for name in SUIT_FIELDS]


@dataclass
class Entry:
    """What stands in the form: the name, each line's place in the two checklists, and its rows, all as typed."""

    name: str = ""
    places: dict[tuple[Phase, Step], str] = field(default_factory=dict)
    rows: dict[Step, list[Row]] = field(default_factory=lambda: {step: [] for step in Step})

    @classmethod
    def of_content(cls, content: Mapping[str, Any]) -> Entry:
        """From a card that was read."""
        entry = cls(content["name"])
        for phase in Phase:
            for place, key in enumerate(content["checklist"][phase.value], start=1):
                entry.places[phase, STEPS[key]] = str(place)
        for way in content["ways"]:
            entry.rows[HOLDINGS[way["holding"]].step].append(_row(way))
        return entry

    @classmethod
    def of_post(cls, post: QueryDict) -> Entry:
        """From what was sent, whatever it is; rows beyond what a card can have are left out."""
        entry = cls(post.get("name", ""))
        left = MOST_WAYS + 1
        for step in Step:
            for phase in Phase:
                entry.places[phase, step] = post.get(f"{phase.value}_{step.key}", "")
            while left and f"{step.key}-{len(entry.rows[step])}-how" in post:
                entry.rows[step].append(_posted_row(post, f"{step.key}-{len(entry.rows[step])}-"))
                left -= 1
        return entry

    def change(self, act: str) -> Step | None:
        """Adds a row, takes one away or moves it up, as the pressed button says; gives the line, None for no such."""
        what, _colon, rest = act.partition(":")
        key, _colon, text = rest.partition(":")
        step = STEPS.get(key)
        if step is None:
            return None
        rows = self.rows[step]
        place = int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else -1
        if what == "add" and sum(map(len, self.rows.values())) < MOST_WAYS:
            rows.append(
                {
                    **NEW_ROW,
                    "is_new": True,
                    "holding": next(each.key for each in Holding if each.step is step),
                }
            )
        elif what == "remove" and 0 <= place < len(rows):
            del rows[place]
        elif what == "up" and 0 < place < len(rows):
            rows[place - 1 : place + 1] = rows[place], rows[place - 1]
        return step

    def content(self) -> Json:
        """The card's JSON, for the engine to read."""
        return {
            "name": self.name,
            "checklist": {phase.value: [step.key for step in self.listed(phase)] for phase in Phase},
            "ways": [_way(row) for _step, _place, row in self.ways()],
        }

    def ways(self) -> Iterator[tuple[Step, int, Row]]:
        """Every row with its line and its place there, in the card's order."""
        for step in Step:
            for place, row in enumerate(self.rows[step]):
                yield step, place, row

    def listed(self, phase: Phase) -> list[Step]:
        """The lines that have a place in that checklist, the first at the top."""
        return sorted(
            (step for step in Step if self.places.get((phase, step)) in PLACES),
            key=lambda step: PLACES.index(self.places[phase, step]),
        )


def _row(way: Mapping[str, Any]) -> Row:
    row: Row = {"how": PASS if "then" in way else "two", **way}
    row["phases"] = "".join(way.get("phases", ()))
    for place, letters in enumerate(way.get("preferred", ()), start=1):
        row |= {name: str(place) for name, suit in SUIT_FIELDS.items() if suit.letter in letters}
    return row


def _posted_row(post: QueryDict, prefix: str) -> Row:
    names = ("holding", "how", "ranks", "suits", "order", "phases", *FLAGS, *SUIT_FIELDS)
    row: Row = {name: post.get(prefix + name, "") for name in names}
    return {**row, "between": post.getlist(f"{prefix}between")}


def _way(row: Row) -> Json:
    """The row as the card has it; what is not asked of it is left out."""
    way: Json = {"holding": row.get("holding", "")}
    if row.get("how") == PASS:
        places = sorted({row[name] for name in SUIT_FIELDS if row.get(name)})
        tiers = ["".join(s.letter for s in Suit if row.get(f"suit_{s.letter}") == each) for each in places]
        way |= {"then": PASS, "preferred": tiers}
    else:
        way |= {"suits": row.get("suits", ""), "ranks": row.get("ranks", "")}
        if row.get("order") and row.get("ranks") != Ranks.SAME.value:
            way["order"] = row["order"]
        if row.get("between") and row.get("ranks") == Ranks.IN_RANGE.value:
            way["between"] = [
                int(each) if each in {"0", "1", "2", "3"} else each for each in map(str, row["between"])
            ]
        way |= {name: True for name in FLAGS if row.get(name)}
    return way | ({"phases": [row["phases"]]} if row.get("phases") else {})


class CardForm(_Typed):
    """The card's name and the places of its lines; `parts` has each line with its rows."""

    name = forms.CharField(label=_("Name of the system"), max_length=LONGEST_NAME)

    def __init__(self, entry: Entry, *, played: Mapping[int, str], opened: Step | None = None) -> None:
        places = {_name(phase, step): place for (phase, step), place in entry.places.items()}
        super().__init__(initial={"name": entry.name, **places}, auto_id="%s")
        choices = [("", _("not signalled")), *[(place, place) for place in PLACES]]
        for step in Step:
            for phase, words in HANDS.items():
                self.fields[_name(phase, step)] = forms.ChoiceField(label=words, choices=choices)
        self.entry, self.opened = entry, opened
        self.rows: dict[tuple[Step, int], WayForm] = {}
        for number, (step, place, row) in enumerate(entry.ways()):
            self.rows[step, place] = WayForm(
                initial=row,
                prefix=f"{step.key}-{place}",
                auto_id="%s",
                step=step,
                number=number + 1,
                words=played.get(number, ""),
            )

    @property
    def has_wrong_rows(self) -> bool:
        """Whether a row has a fault."""
        return any(row.errors for row in self.rows.values())

    def parts(self) -> Iterator[ChecklistLine]:
        """The lines of the checklist in their author's order."""
        for step in Step:
            rows = [row for (each, _place), row in self.rows.items() if each is step]
            yield ChecklistLine(
                step, [self[_name(phase, step)] for phase in Phase], rows, is_new=step is self.opened
            )

    def place_faults(self, faults: Iterable[Fault]) -> None:
        """Puts each fault of the card beside its field; what has none stands at the top."""
        ways = list(self.rows.values())
        for each in faults:
            place, message = list(each.get("place", ())), str(each["message"])
            match place:
                case ["ways", int(index), *rest] if index < len(ways):
                    ways[index].add_error(_field_of(ways[index], rest), message)
                case ["checklist", str(phase), int(index)]:
                    self.add_error(_name(Phase(phase), self.entry.listed(Phase(phase))[index]), message)
                case ["name", *_rest]:
                    self.add_error("name", message)
                case _:
                    self.add_error(None, message)

    def twice(self) -> Iterator[Fault]:
        """Lines that have the same place in a checklist."""
        for phase in Phase:
            taken: dict[str, Step] = {}
            for index, step in enumerate(self.entry.listed(phase)):
                place = self.entry.places[phase, step]
                if place in taken:
                    words = gettext("“%(other)s” has this place already.") % {
                        "other": gettext(str(taken[place].title))
                    }
                    yield {"place": ["checklist", phase.value, index], "message": words}
                taken.setdefault(place, step)


def _name(phase: Phase, step: Step) -> str:
    return f"{phase.value}_{step.key}"


def _field_of(form: forms.Form, place: list[str | int]) -> str | None:
    """The field of a row that a fault is about; None where that is not shown."""
    name = place[0] if place else None
    return name if isinstance(name, str) and name in form.fields and not form[name].is_hidden else None


@dataclass(frozen=True, slots=True)
class ChecklistLine:
    """A line of the checklist in the form."""

    step: Step
    places: Sequence[forms.BoundField]
    rows: Sequence[WayForm]
    is_new: bool
    """Whether a row has just been added or moved here: the part is what the page shows first."""
