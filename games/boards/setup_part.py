"""What a season is set up with besides its rules: that its tables play the same boards, and how they compare."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine import game
from engine.boards.sealing import DelayedKind
from games.embargo import FEWEST_BOARDS
from games.models import Duplicate, OnlinePlay
from games.options import has_boards, robot_in_words
from league import validation
from league.extension import GamePort, OptionField, SetupPart, Text

AGREED = DelayedKind.AGREED_TEXT.value
LONGEST_SOURCE = 150
OPEN_AFTER, LONGEST_WAIT = 14, 365
DELAYED = (
    (AGREED, gettext_lazy("nothing, so nobody has to wait")),
    (DelayedKind.LOTTERY.value, gettext_lazy("lottery numbers")),
    (DelayedKind.SHARE_INDEX.value, gettext_lazy("the closing value of a share index")),
    (DelayedKind.WEATHER.value, gettext_lazy("a measured temperature")),
)
OPTIONS = (
    OptionField(
        "together",
        "yes-no",
        default=False,
        label=gettext_lazy("All tables in a round play the same boards"),
        help=gettext_lazy(
            "A duplicate league. The deals for each round are sealed when you publish it, and every "
            "match plays all of them. As well as league points, you get a comparison with every "
            "other table."
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
        "tops",
        "choice",
        default=Duplicate.Tops.SAME.value,
        label=gettext_lazy("Top on a board (matchpoints)"),
        choices=tuple(Duplicate.Tops.choices),
    ),
    OptionField(
        "least_share",
        "number",
        default=50,
        label=gettext_lazy("Boards needed to be ranked, in percent"),
        help=Duplicate._meta.get_field("least_share").help_text,
        maximum=100,
    ),
    OptionField(
        "delayed",
        "choice",
        default=AGREED,
        label=gettext_lazy("Mixed into the deals on the day before each round"),
        help=gettext_lazy(
            "If you mix in something nobody can know yet, not even the people who run the site can "
            "choose the deals. A director fills it in before each round."
        ),
        choices=DELAYED,
    ),
    OptionField(
        "source",
        "text",
        default="",
        label=gettext_lazy("What exactly to use"),
        help=gettext_lazy("For example: 6 of 49, Saturday’s draw, ascending, with spaces."),
        maximum=LONGEST_SOURCE,
    ),
    OptionField(
        "open_after_days",
        "number",
        default=OPEN_AFTER,
        label=gettext_lazy("Days until boards open without a neutral director"),
        help=gettext_lazy(
            "Counted from the last day of the round. This is for matches decided by someone who is "
            "playing, or not confirmed by every side."
        ),
        minimum=1,
        maximum=LONGEST_WAIT,
    ),
)
DEFAULTS: dict[str, Any] = {option.name: option.default for option in OPTIONS}


class BoardsPart:
    """The part "Boards" of the set-up: see league.extension.SetupPart."""

    key = "boards"
    title: Text = gettext_lazy("Boards")
    options: tuple[OptionField, ...] = OPTIONS

    def suits(self, game: GamePort) -> bool:
        """Whether its deals can be played at several tables."""
        return has_boards(game)

    def read(self, competition: Any) -> dict[str, Any]:
        """As the competition has it."""
        duplicate = _duplicate(competition)
        if duplicate is None:
            return dict(DEFAULTS)
        return {
            "together": True,
            "method": duplicate.method,
            "measure": duplicate.measure,
            "tops": duplicate.tops,
            "least_share": duplicate.least_share,
            "delayed": duplicate.delayed.get("kind", AGREED),
            "source": duplicate.delayed.get("source", ""),
            "open_after_days": duplicate.open_after_days,
        }

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Complete values; without boards the others do not matter."""
        if not given.get("together"):
            return dict(DEFAULTS)
        said = {name: given[name] for name in DEFAULTS if given.get(name) is not None}
        values = {**DEFAULTS, **said, "together": True}
        faults = [
            validation.fault(_("Choose one from the list."), option.name)
            for option in OPTIONS
            if option.kind == "choice" and values[option.name] not in dict(option.choices)
        ]
        if not isinstance(values["least_share"], int) or not 0 <= values["least_share"] <= 100:
            faults.append(validation.fault(_("Please enter a whole number from 0 to 100."), "least_share"))
        source = values["source"] = validation.one_line(str(values["source"]))
        if values["delayed"] == AGREED:
            values["source"] = ""
        elif not source or len(source) > LONGEST_SOURCE:
            faults.append(
                validation.fault(_("Please say exactly what to use, and how to write it."), "source")
            )
        days = values["open_after_days"]
        if not isinstance(days, int) or not 1 <= days <= LONGEST_WAIT:
            wrong = _("Please enter a number of days from 1 to %(most)d.") % {"most": LONGEST_WAIT}
            faults.append(validation.fault(wrong, "open_after_days"))
        validation.refuse(faults)
        return values

    def rules(
        self, port: GamePort, before: Mapping[str, Any], given: Mapping[str, Any], rules: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The game says what follows from it for its options; a match of boards plays enough of them."""
        together = bool(given.get("together"))
        boards = game.get(port.key).boards
        is_new = together != bool(before["together"])
        wanted = boards.options_for(rules, together=together, is_new=is_new) if boards else dict(rules)
        deals = wanted.get("deals")
        if together and isinstance(deals, int) and deals < FEWEST_BOARDS:
            validation.refuse([validation.fault(too_few_boards(), "deals")])
        return wanted

    def for_teams(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Both rooms of a team match, and all matches of a round, play the same boards (F4, F60)."""
        return {**values, "together": True}

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
                "tops": values["tops"],
                "least_share": values["least_share"],
                "open_after_days": values["open_after_days"],
                "delayed": {} if is_agreed else {"kind": values["delayed"], "source": values["source"]},
            },
        )

    def told(self, competition: Any) -> Sequence[str]:
        """In plain words, for everybody."""
        duplicate: Duplicate | None = getattr(competition, "duplicate", None)
        if duplicate is None or not competition.stage.is_league:
            return ()
        compared = {"what": duplicate.get_measure_display(), "how": duplicate.get_method_display()}
        said = [
            _(
                "All tables in a round play the same boards. The cards stay sealed until the last "
                "table has played."
            ),
            _("Every match plays all of them, and counts for league points as usual."),
            _("Compared by %(how)s: %(what)s.") % compared,
        ]
        if duplicate.delayed:
            said.append(_("Mixed into the deals before each round: %(source)s.") % duplicate.delayed)
        return said


class OnlinePart(SetupPart):
    """What everybody is told of robots in matches in the browser. It has a page of its own, and so asks for nothing."""

    key = "online"
    title: Text = gettext_lazy("Matches in the browser")
    options: tuple[OptionField, ...] = ()

    def suits(self, game: GamePort) -> bool:  # noqa: ARG002 (every game is played online)
        return True

    def read(self, competition: Any) -> dict[str, Any]:  # noqa: ARG002 (as every part)
        """Nothing is kept with a draft."""
        return {}

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG002 (as every part)
        """Nothing is asked."""
        return {}

    def write(self, competition: Any, values: Mapping[str, Any]) -> None:
        """Nothing is kept."""

    def told(self, competition: Any) -> Sequence[str]:
        """Which robots may play in a match, how much, and what follows."""
        online: OnlinePlay = getattr(competition, "online", None) or OnlinePlay()
        if not online.is_open:
            return ()
        robots = game.get(competition.game).robots
        if not online.robots or not robots:
            return (_("Robots don’t play for absent players."),)
        chosen = next((robot for robot in robots if robot.key == online.robot), robots[0])
        said = [
            _("A robot plays for absent players, the same one for all sides: %(robot)s.")
            % {"robot": robot_in_words(chosen)}
        ]
        if online.most_robot_hands is not None:
            said.append(
                _("A match counts if robots played at most %(most)d hands. With more, a director decides.")
                % {"most": online.most_robot_hands}
            )
        if hasattr(competition, "duplicate"):
            said.append(
                _("Boards that a robot played are compared like any other.")
                if online.compares_robots
                else _("Boards that a robot played aren’t compared.")
            )
        return said


def too_few_boards() -> str:
    """Why a match of boards that others still have to play is longer than one board."""
    return _(
        "If all tables play the same boards, a match needs at least %(fewest)d deals. Its points are "
        "public straight away, and those for a single board would show how it went."
    ) % {"fewest": FEWEST_BOARDS}


def _duplicate(competition: Any) -> Duplicate | None:
    return Duplicate.objects.filter(competition=competition).first() if competition else None
