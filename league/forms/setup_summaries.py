"""What the folded parts of the set-up say without being opened: their values in plain words."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.contest.metrics import all_metrics
from league.forms.setup import BANDS, TIE_BREAK_PLACES, SetupForm
from league.models import Competition

POINTS_FIELDS = ("scheme", "win", "draw", "loss", "bands")
ACCESS_FIELDS = ("visibility", "correction_hours", "season")


@dataclass(frozen=True, slots=True)
class Folded:
    """One folded part: what it holds in words, and whether it has to be open because something in it is wrong."""

    summary: str
    is_open: bool


def folded_parts(form: SetupForm) -> dict[str, Folded]:
    """The folded parts of the form by name."""
    rules = [field.name for field in form.rule_fields]
    ties = [field.name for field in form.tie_break_fields]
    return {
        "points": Folded(_points(form), _has_errors(form, (*POINTS_FIELDS, *ties))),
        "rules": Folded(_rules(form), _has_errors(form, rules)),
        "access": Folded(_access(form), _has_errors(form, ACCESS_FIELDS)),
    }


def _has_errors(form: SetupForm, names: Iterable[str]) -> bool:
    return any(name in form.errors for name in names)


def _points(form: SetupForm) -> str:
    values = {name: form.current(name) or "?" for name in ("win", "draw", "loss")}
    if form.current("scheme") == BANDS:
        points = _("More for a clear win, %(draw)s for a draw") % values
    else:
        points = _("%(win)s for a win, %(draw)s for a draw, %(loss)s for a loss") % values
    names = {metric.key: _(metric.name) for metric in all_metrics()}
    chosen = [form.current(f"tie_break_{place + 1}") for place in range(TIE_BREAK_PLACES)]
    ties = ", ".join(names[key] for key in chosen if key)
    if not ties:
        return f"{points}."
    return _("%(points)s. Among equals: %(ties)s.") % {"points": points, "ties": ties}


def _rules(form: SetupForm) -> str:
    said = []
    for option in form.game.options:
        value = form.current(f"rules_{option.name}")
        if option.kind == "choice":
            said.append(str(dict(option.choices).get(str(value), value)))
            continue
        if option.kind == "yes-no":
            value = _("yes") if value else _("no")
        said.append(
            _("%(rule)s: %(value)s") % {"rule": option.label, "value": "?" if value is None else value}
        )
    return " · ".join(said)


def _access(form: SetupForm) -> str:
    kinds = {kind.value: str(kind.label) for kind in Competition.Visibility}
    who = kinds.get(str(form.current("visibility")), "?")
    hours = form.current("correction_hours")
    seen = _("Seen by %(who)s") % {"who": who}
    if not hours:
        return _("%(seen)s; confirmed results are final at once.") % {"seen": seen}
    return ngettext(
        "%(seen)s; results can be corrected for %(hours)d hour.",
        "%(seen)s; results can be corrected for %(hours)d hours.",
        hours,
    ) % {"seen": seen, "hours": hours}
