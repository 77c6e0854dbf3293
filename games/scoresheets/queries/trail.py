"""The audit trail of a match in words: who, when, what, what it was before and after, and why."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import formats, timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.models import Scoresheet
from league.models import Appearance, AuditEntry, Fixture, FixtureResult
from league.zones import ZoneInfo

LONGEST_TRAIL = 200
NOTHING = "–"

LABELS = {
    "status": gettext_lazy("State"),
    "starts_at": gettext_lazy("Time"),
    "place": pgettext_lazy("where it is played", "Place"),
    "table": gettext_lazy("Table"),
    "result": gettext_lazy("Result"),
    "version": gettext_lazy("Scoresheet"),
    "verdict": gettext_lazy("Decision"),
    "board_version": gettext_lazy("Version of the board"),
    "points": gettext_lazy("Points"),
    "action": gettext_lazy("Actions kept"),
    "robots": gettext_lazy("Hands with a robot"),
}
# A digest names a content exactly, which is for programs: people compare versions.
UNSHOWN = {"digest"}
# What tells of a deal: a digest can be tried out, and a director's score is a result of its board.
OF_DEALS = {"digest", "content", "action"}


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that an entry changed."""

    label: str
    before: str
    after: str

    @property
    def is_new(self) -> bool:
        return self.before == NOTHING


@dataclass(frozen=True, slots=True)
class TrailLine:
    """One entry of the trail."""

    at: datetime
    who: str
    summary: str
    changes: tuple[Change, ...]
    reason: str
    tells_of_deals: bool = False


def trail_of(fixture: Fixture, *, is_open: bool = True) -> tuple[TrailLine, ...]:
    """The newest entries about this fixture, the newest first.

    Reasons are people's own words: they are left out where the match's deals are not `is_open` to the reader, and so
    is what else tells of a deal.
    """
    zone = ZoneInfo(fixture.round.competition.club.time_zone)
    entries = AuditEntry.objects.filter(fixture=fixture)[:LONGEST_TRAIL]
    return tuple(
        TrailLine(
            e.at,
            e.actor_name,
            e.told,
            changes(e.before, e.after, zone)
            if is_open
            else changes(without_deals(e.before), without_deals(e.after), zone),
            e.reason if is_open else "",
            tells_of_deals=is_open and tells_of_deals(e),
        )
        for e in entries
    )


def without_deals(state: Any) -> Any:
    """A recorded state without what tells of a deal."""
    if not isinstance(state, Mapping):
        return state
    return {name: fact for name, fact in state.items() if name not in OF_DEALS}


def tells_of_deals(entry: AuditEntry) -> bool:
    """Whether what was recorded tells of a deal."""
    return any(without_deals(state) != state for state in (entry.before, entry.after))


def changes(before: Any, after: Any, zone: ZoneInfo) -> tuple[Change, ...]:
    """What differs between two states of a thing, as they were recorded."""
    old, new = _facts(before), _facts(after)
    names = [name for name in {**old, **new} if name not in UNSHOWN and old.get(name) != new.get(name)]
    return tuple(
        Change(
            str(LABELS.get(name, name)),
            in_words(name, old.get(name), zone),
            in_words(name, new.get(name), zone),
        )
        for name in names
    )


def _facts(state: Any) -> dict[str, Any]:
    """What was recorded, a sheet's two totals as one figure."""
    facts = dict(state) if isinstance(state, Mapping) else {}
    if "version" in facts and {"home", "away"} <= set(facts):
        facts["points"] = f"{facts.pop('home')}–{facts.pop('away')}"
    if isinstance(facts.get("totals"), list):
        facts["points"] = "–".join(map(str, facts.pop("totals")))
    return facts


def _result(value: Mapping[str, Any]) -> str:
    """A result as it was recorded: of two sides by its kind, of more by what each side made."""
    if "sides" in value:
        return "–".join(
            _label(Appearance.Outcome, outcome) if score is None else str(score)
            for _entry, outcome, score, _rank in value["sides"]
        )
    if value.get("kind") == FixtureResult.Kind.PLAYED:
        return f"{value.get('home')}–{value.get('away')}"
    return _label(FixtureResult.Kind, value.get("kind"))


def in_words(name: str, value: Any, zone: ZoneInfo) -> str:
    """A recorded value as people read it."""
    if value in (None, "", {}):
        return NOTHING
    if name == "starts_at":
        moment = parse_datetime(str(value))
        return (
            formats.date_format(timezone.localtime(moment, zone), "DATETIME_FORMAT") if moment else str(value)
        )
    if name == "status":
        return _label(Fixture.Status, value)
    if name == "verdict":
        return _label(Scoresheet.Verdict, value)
    if name == "result" and isinstance(value, Mapping):
        return _result(value)
    if name == "version":
        return _("version %(number)s") % {"number": value}
    return str(value)


def _label(kinds: Any, value: Any) -> str:
    try:
        return str(kinds(value).label)
    except ValueError:
        return str(value)
