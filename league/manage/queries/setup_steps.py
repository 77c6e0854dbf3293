"""The steps of setting up a season: what each of them holds so far, what is still missing, and what was done."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.competitions import calendars
from league.competitions.calendars import Calendar
from league.draws.services import draws
from league.draws.services.draws import Draw
from league.errors import LeagueError
from league.models import Competition, DraftChange
from league.results.queries import competitions
from league.web.local_time import Moment, day_text

STEPS = {
    "competition": gettext_lazy("Competition"),
    "pairs": gettext_lazy("Pairs"),
    "divisions": gettext_lazy("Divisions"),
    "calendar": gettext_lazy("Calendar"),
    "points": gettext_lazy("Points"),
    "preview": gettext_lazy("Preview"),
}
EXPECTED = 8
HISTORY = 12


@dataclass(frozen=True, slots=True)
class StepLine:
    """One step: its number and name, what it holds in words, and what is missing ("" when nothing is)."""

    key: str
    number: int
    label: str
    summary: str
    missing: str
    url: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """One act in the history of a draft; `after` counts the later ones that an undo takes with it."""

    key: int
    what: str
    who: str
    when: Moment
    after: int
    is_undone: bool


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The draw as publishing makes it, or why there can be none yet."""

    draw: Draw | None
    refusal: str


def names(current: str) -> tuple[StepLine, ...]:
    """The steps of a competition that is not yet there."""
    return tuple(
        StepLine(key, number, str(label), "", "", "", is_current=key == current)
        for number, (key, label) in enumerate(STEPS.items(), start=1)
    )


def url_of(competition: Competition, step: str) -> str:
    """The address of a step."""
    return reverse("competition_step", args=[competition.club.slug, competition.slug, step])


def next_step(competition: Competition) -> str:
    """Where setting it up goes on: at the pairs while there are too few, then at the preview."""
    return "preview" if foreseen(competition).draw else "pairs"


def after(step: str) -> str:
    """The step that follows."""
    keys = list(STEPS)
    return keys[min(keys.index(step) + 1, len(keys) - 1)]


def foreseen(competition: Competition) -> Foreseen:
    """Who would meet whom when."""
    try:
        return Foreseen(draws.preview(competition), "")
    except LeagueError as refusal:
        return Foreseen(None, refusal.message)


def sizes(competition: Competition) -> list[int]:
    """How many pairs each division has, the highest first."""
    return [len(entered) for _division, entered in draws.fields(competition)]


def calendar(competition: Competition, entered: list[int]) -> tuple[Calendar, bool]:
    """The calendar for the pairs that are entered; while there are too few, for as many as usual (then True)."""
    is_guess = not entered or max(entered) < 2
    return calendars.calendar(competition, [EXPECTED] if is_guess else entered), is_guess


def steps(competition: Competition, current: str, seen: Foreseen) -> tuple[StepLine, ...]:
    """All steps in order."""
    entered = sizes(competition)
    told = {
        "competition": f"{competition.stage.format_in_words}; {competition.get_visibility_display()}",
        "pairs": competition.entries_in_words(sum(entered)),
        "divisions": _divisions(competition, entered),
        "calendar": " ".join(_calendar(competition, entered)),
        "points": _points(competition),
        "preview": _("ready to publish") if seen.draw else "",
    }
    missing = {"pairs": seen.refusal, "preview": seen.refusal}
    return tuple(
        StepLine(
            key,
            number,
            competition.entries_title if key == "pairs" else str(label),
            told[key],
            missing.get(key, ""),
            url_of(competition, key),
            is_current=key == current,
        )
        for number, (key, label) in enumerate(STEPS.items(), start=1)
    )


def history(competition: Competition) -> tuple[ChangeLine, ...]:
    """What was done to the draft, the newest first."""
    rows = DraftChange.objects.filter(competition_id=competition.pk).select_related("made_by")
    lines, standing = [], 0
    for row in rows[:HISTORY]:
        when = Moment(row.made_at, competition.club.time_zone)
        is_undone = row.undone_at is not None
        lines.append(ChangeLine(row.pk, str(row), str(row.made_by or ""), when, standing, is_undone))
        standing += not is_undone
    return tuple(lines)


def _divisions(competition: Competition, entered: list[int]) -> str:
    order = _("numbers by lot") if competition.stage.draw_seed else _("numbers in order of entry or as set")
    if len(entered) == 1:
        return _("everyone plays together; %(order)s") % {"order": order}
    many = ngettext("%(count)d division", "%(count)d divisions", len(entered)) % {"count": len(entered)}
    figures = " + ".join(str(size) for size in entered)
    return _("%(many)s (%(figures)s entries); %(order)s") % {"many": many, "figures": figures, "order": order}


def _calendar(competition: Competition, entered: list[int]) -> Iterator[str]:
    if competition.stage.is_ladder:
        yield _("from %(first)s") % {"first": day_text(competition.starts_on, "j M Y")}
        return
    planned, is_guess = calendar(competition, entered)
    first, last = planned.rounds[0].dates.starts_on, planned.rounds[-1].dates.starts_on
    days = {"first": day_text(first, "j M Y"), "last": day_text(last, "j M Y")}
    if is_guess:
        yield _("from %(first)s") % days
    else:
        count = len(planned.rounds)
        rounds = ngettext("%(count)d round", "%(count)d rounds", count) % {"count": count}
        yield _("%(rounds)s, %(first)s to %(last)s") % {"rounds": rounds, **days}
    yield _("at %(time)s") % {"time": f"{competition.play_time:%H:%M}"}


def _points(competition: Competition) -> str:
    rules = competitions.rules(competition)
    ties = ", ".join(rule.label for rule in rules.tie_breaks[1:])
    return " ".join((*rules.points[:1], _("If there is a tie: %(ties)s.") % {"ties": ties} if ties else ""))
