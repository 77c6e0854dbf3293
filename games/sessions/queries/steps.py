"""The steps of setting an evening up: what each of them holds so far, and what is still missing."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.models import BoardSet, Evening
from games.seating import side_titles
from games.sessions.queries.movement_words import (
    PlannedRound,
    Terms,
    consequences,
    name_of,
    planned,
    terms_of,
)
from games.sessions.sections import CARDS_ARE_PUBLIC, Section, begins_at, of_draft
from league.manage.queries.setup_steps import StepLine
from league.models import Competition
from league.web.local_time import day_text

STEPS = {
    "what": gettext_lazy("What and when"),
    "pairs": gettext_lazy("Pairs"),
    "movement": gettext_lazy("Movement"),
    "start": gettext_lazy("Seats"),
}


@dataclass(frozen=True, slots=True)
class SectionPlan:
    """A section with its movement in words and round by round."""

    section: Section
    name: str
    says: tuple[str, ...]
    rounds: tuple[PlannedRound, ...]

    @property
    def pairs(self) -> int:
        return len(self.section.entries)

    @property
    def in_words(self) -> str:
        """How many are entered: "8 pairs"."""
        return self.section.division.competition.entries_in_words(self.pairs)


def names(current: str) -> tuple[StepLine, ...]:
    """The steps of an evening that is not yet there."""
    return tuple(
        StepLine(key, number, str(label), "", "", "", is_current=key == current)
        for number, (key, label) in enumerate(STEPS.items(), start=1)
    )


def url_of(competition: Competition, step: str) -> str:
    """The address of a step."""
    return reverse("evening_step", args=[competition.club.slug, competition.slug, step])


def after(step: str) -> str:
    """The step that follows."""
    keys = list(STEPS)
    return keys[min(keys.index(step) + 1, len(keys) - 1)]


def next_step(competition: Competition) -> str:
    """Where setting it up goes on."""
    return "pairs" if any(each.movement is None for each in of_draft(competition)) else "movement"


def terms(competition: Competition) -> Terms:
    """Boards, minutes and the hour, for words about movements."""
    minutes = Evening.objects.values_list("minutes_a_round", flat=True).get(pk=competition.pk)
    return terms_of(
        boards=competition.rules["deals"],
        minutes=minutes,
        begins=begins_at(competition),
        zone=competition.club.time_zone,
        sides=tuple(side_titles(competition.game).values()),
    )


def plans(competition: Competition) -> tuple[SectionPlan, ...]:
    """Every section as it would be laid out now."""
    known = terms(competition)
    return tuple(
        SectionPlan(
            section,
            name_of(section.choice) if section.choice else "",
            consequences(section.choice, known) if section.choice else (),
            planned(section, known),
        )
        for section in of_draft(competition)
    )


def lengths(found: tuple[SectionPlan, ...]) -> str:
    """What is odd where sections have different lengths; "" where they have the same."""
    rounds = {len(each.rounds) for each in found if each.rounds}
    if len(rounds) < 2:
        return ""
    return _(
        "The sections have different numbers of rounds, so one ends earlier. Shorten the longer one "
        "if you want them to end together."
    )


def steps(competition: Competition, current: str, found: tuple[SectionPlan, ...]) -> tuple[StepLine, ...]:
    """All steps in order."""
    refusals = " ".join(_missing(each) for each in found if each.section.refusal)
    told = {
        "what": _what(competition),
        "pairs": _entered(competition, found),
        "movement": "; ".join(_movement(each, len(found) > 1) for each in found if each.name),
        "start": "" if refusals else _("ready"),
    }
    missing = {"pairs": refusals, "movement": refusals, "start": refusals}
    return tuple(
        StepLine(
            key,
            number,
            _label(key, label, competition),
            told[key],
            missing.get(key, ""),
            url_of(competition, key),
            is_current=key == current,
        )
        for number, (key, label) in enumerate(STEPS.items(), start=1)
    )


def boards_of(competition: Competition, found: tuple[SectionPlan, ...]) -> dict[str, Any]:
    """The boards that are there, how many are needed, and why those there cannot be played ("" where they can)."""
    sets = max((each.section.movement.sets for each in found if each.section.movement), default=0)
    there = BoardSet.objects.filter(competition=competition, round=None, discarded_at=None).first()
    is_public = there is not None and there.boards.filter(released_at__isnull=False).exists()
    return {
        "set": there,
        "needed": sets * competition.rules["deals"],
        "why_not": CARDS_ARE_PUBLIC if is_public else "",
    }


def _missing(plan: SectionPlan) -> str:
    if not plan.section.prefix:
        return plan.section.refusal
    return f"{plan.section.prefix}: {plan.section.refusal}"


def _what(competition: Competition) -> str:
    day = day_text(competition.starts_on, "j M Y")
    return _("%(day)s, %(time)s") % {"day": day, "time": f"{competition.play_time:%H:%M}"}


def _label(key: str, label: Any, competition: Competition) -> str:
    return competition.entries_title if key == "pairs" else str(label)


def _entered(competition: Competition, found: tuple[SectionPlan, ...]) -> str:
    many = competition.entries_in_words(sum(each.pairs for each in found))
    figures = " + ".join(str(each.pairs) for each in found)
    return f"{many} ({figures})" if len(found) > 1 else many


def _movement(plan: SectionPlan, is_one_of_several: bool) -> str:
    rounds = len(plan.rounds)
    many = ngettext("%(count)d round", "%(count)d rounds", rounds) % {"count": rounds}
    said = f"{plan.name}, {many}"
    return f"{plan.section.division}: {said}" if is_one_of_several else said
