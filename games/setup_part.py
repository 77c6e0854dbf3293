"""What a season is set up with besides its rules: that its tables play the same boards, and how they compare."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.sealing import DelayedKind
from games.embargo import FEWEST_BOARDS
from games.models import Duplicate
from league import validation
from league.models import Competition
from league.ports import OptionField, Text

AGREED = DelayedKind.AGREED_TEXT.value
LONGEST_SOURCE = 150
DELAYED = (
    (AGREED, gettext_lazy("nothing: nobody has to wait for it")),
    (DelayedKind.LOTTERY.value, gettext_lazy("the numbers of a lottery")),
    (DelayedKind.SHARE_INDEX.value, gettext_lazy("the closing value of a share index")),
    (DelayedKind.WEATHER.value, gettext_lazy("a measured temperature")),
)
OPTIONS = (
    OptionField(
        "together",
        "yes-no",
        default=False,
        label=gettext_lazy("All tables of a round play the same boards"),
        help=gettext_lazy(
            "A duplicate league: the deals of each round are sealed when it is published, every match plays all of "
            "them, and beside league points there is a comparison with every other table."
        ),
    ),
    OptionField(
        "method",
        "choice",
        default=Duplicate.Way.MATCHPOINTS.value,
        label=gettext_lazy("How boards are compared"),
        choices=tuple(Duplicate.Way.choices),
    ),
    OptionField(
        "measure",
        "choice",
        default=Duplicate.Measure.DIFFERENCE.value,
        label=gettext_lazy("What is compared"),
        choices=tuple(Duplicate.Measure.choices),
    ),
    OptionField(
        "delayed",
        "choice",
        default=AGREED,
        label=gettext_lazy("Mixed into the deals on the day before each round"),
        help=gettext_lazy(
            "With something that nobody can know yet, not even whoever runs the site could choose the deals. A "
            "director then writes it down before each round."
        ),
        choices=DELAYED,
    ),
    OptionField(
        "source",
        "text",
        default="",
        label=gettext_lazy("Exactly what is taken"),
        help=gettext_lazy("For example: 6 of 49, Saturday’s draw, ascending, with spaces."),
        maximum=LONGEST_SOURCE,
    ),
)
DEFAULTS: dict[str, Any] = {option.name: option.default for option in OPTIONS}


class BoardsPart:
    """The part "Boards" of the set-up: see league.ports.SetupPart."""

    key = "boards"
    title: Text = gettext_lazy("Boards")
    options: tuple[OptionField, ...] = OPTIONS

    def read(self, competition: Any) -> dict[str, Any]:
        """As the competition has it."""
        duplicate = _duplicate(competition)
        if duplicate is None:
            return dict(DEFAULTS)
        return {
            "together": True,
            "method": duplicate.method,
            "measure": duplicate.measure,
            "delayed": duplicate.delayed.get("kind", AGREED),
            "source": duplicate.delayed.get("source", ""),
        }

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Complete values; without boards the others do not matter."""
        if not given.get("together"):
            return dict(DEFAULTS)
        values = {**DEFAULTS, **{name: given[name] for name in DEFAULTS if name in given}, "together": True}
        faults = [
            validation.fault(_("Choose one from the list."), option.name)
            for option in OPTIONS
            if option.kind == "choice" and values[option.name] not in dict(option.choices)
        ]
        source = values["source"] = validation.one_line(str(values["source"]))
        if values["delayed"] == AGREED:
            values["source"] = ""
        elif not source or len(source) > LONGEST_SOURCE:
            faults.append(validation.fault(_("Say exactly what is taken, and how it is written."), "source"))
        validation.refuse(faults)
        return values

    def rules(
        self, before: Mapping[str, Any], given: Mapping[str, Any], rules: Mapping[str, Any]
    ) -> dict[str, Any]:
        """R18: a match of boards plays all of them; the game's own defaults count where this is new."""
        together = bool(given.get("together"))
        wanted = {**rules, "duplicate": together}
        if together != bool(before["together"]):
            wanted = {
                name: value for name, value in wanted.items() if name not in {"early_end", "game_bonus"}
            }
        elif together:
            wanted["early_end"] = False
        deals = wanted.get("deals")
        if together and isinstance(deals, int) and deals < FEWEST_BOARDS:
            validation.refuse([validation.fault(too_few_boards(), "deals")])
        return wanted

    def write(self, competition: Any, values: Mapping[str, Any]) -> None:
        """The row beside the draft, or none."""
        if not values["together"]:
            Duplicate.objects.filter(competition=competition).delete()
            return
        is_agreed = values["delayed"] == AGREED
        Duplicate.objects.update_or_create(
            competition=competition,
            defaults={
                "method": values["method"],
                "measure": values["measure"],
                "delayed": {} if is_agreed else {"kind": values["delayed"], "source": values["source"]},
            },
        )

    def told(self, competition: Any) -> Sequence[str]:
        """In plain words, for everybody."""
        duplicate = _duplicate(competition)
        if duplicate is None or competition.format not in Competition.LEAGUE_FORMATS:
            return ()
        compared = {"what": duplicate.get_measure_display(), "how": duplicate.get_method_display()}
        said = [
            _(
                "All tables of a round play the same boards, whose cards are sealed until the last one has played."
            ),
            _("Every match plays all of them, and counts for league points as usual."),
            _("Compared by %(how)s: %(what)s.") % compared,
        ]
        if duplicate.delayed:
            said.append(_("Mixed into the deals before each round: %(source)s.") % duplicate.delayed)
        return said


def too_few_boards() -> str:
    """Why a match of boards that others still have to play is longer than one board."""
    return _(
        "Where all tables play the same boards, a match has at least %(fewest)d deals: its points are public at once, "
        "and those of a single board would tell how it went."
    ) % {"fewest": FEWEST_BOARDS}


def _duplicate(competition: Any) -> Duplicate | None:
    return Duplicate.objects.filter(competition=competition).first() if competition else None
