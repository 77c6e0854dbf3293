"""Why a place, and why so many points: the answers in words.

Sentences are English templates with parameters, so that a web page can translate the template before it fills it
in; names of entries come from the caller. A parameter that is itself English is a `Word`, to be translated too.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from engine.contest import exact
from engine.contest.results import Key, Outcome
from engine.contest.standings.ledger import Contribution, Source
from engine.contest.standings.ranking import Parting, Skipped
from engine.contest.standings.tie_breaks import Metric, NotApplicable, get
from engine.contest.standings.withdrawal import Rule, Verdict
from engine.text import Message, Word, gettext_noop

NameOf: TypeAlias = Callable[[Key], str]


_SEPARATED = gettext_noop("%(metric)s %(above)s : %(below)s")
_LEVEL = gettext_noop("Tied on everything, so the place is shared.")
_SKIPPED = {
    NotApplicable.NOT_MET_EQUALLY: gettext_noop(
        "%(metric)s wasn’t used, because those who are tied haven’t all met equally often."
    ),
    NotApplicable.NO_LOTS: gettext_noop(
        "%(metric)s wasn’t used, because no lots were drawn among those who are tied."
    ),
    NotApplicable.MORE_THAN_TWO: gettext_noop(
        "%(metric)s was left out: it is only for matches of two sides."
    ),
}
_MATCHES = {
    (Source.PLAYED, Outcome.WON): gettext_noop(
        "Round %(round)s: beat %(opponent)s %(score_for)s : %(score_against)s, %(points)s"
    ),
    (Source.PLAYED, Outcome.DRAWN): gettext_noop(
        "Round %(round)s: drew with %(opponent)s %(score_for)s : %(score_against)s, %(points)s"
    ),
    (Source.PLAYED, Outcome.LOST): gettext_noop(
        "Round %(round)s: lost to %(opponent)s %(score_for)s : %(score_against)s, %(points)s"
    ),
    (Source.WALKOVER, Outcome.WON): gettext_noop(
        "Round %(round)s: walkover against %(opponent)s, %(points)s"
    ),
    (Source.WALKOVER, Outcome.LOST): gettext_noop("Round %(round)s: forfeited to %(opponent)s, %(points)s"),
}
#: Where partners change.
_WITH_PARTNER = {
    (Source.PLAYED, Outcome.WON): gettext_noop(
        "Round %(round)s, with %(partner)s: beat %(opponent)s %(score_for)s : %(score_against)s, %(points)s"
    ),
    (Source.PLAYED, Outcome.DRAWN): gettext_noop(
        "Round %(round)s, with %(partner)s: drew with %(opponent)s %(score_for)s : %(score_against)s, %(points)s"
    ),
    (Source.PLAYED, Outcome.LOST): gettext_noop(
        "Round %(round)s, with %(partner)s: lost to %(opponent)s %(score_for)s : %(score_against)s, %(points)s"
    ),
    (Source.WALKOVER, Outcome.WON): gettext_noop(
        "Round %(round)s, with %(partner)s: walkover against %(opponent)s, %(points)s"
    ),
    (Source.WALKOVER, Outcome.LOST): gettext_noop(
        "Round %(round)s, with %(partner)s: forfeited to %(opponent)s, %(points)s"
    ),
}
#: At tables of more than two: whether the place is shared, whether somebody was absent.
_AT_TABLES = {
    (False, False): gettext_noop(
        "Round %(round)s: %(place)s of %(sides)s with %(score)s (%(others)s), %(points)s"
    ),
    (True, False): gettext_noop(
        "Round %(round)s: joint %(place)s of %(sides)s with %(score)s (%(others)s), %(points)s"
    ),
    (False, True): gettext_noop(
        "Round %(round)s: %(place)s of %(sides)s with %(score)s (%(others)s; absent: %(absent)s), %(points)s"
    ),
    (True, True): gettext_noop(
        "Round %(round)s: joint %(place)s of %(sides)s with %(score)s (%(others)s; absent: %(absent)s), %(points)s"
    ),
}
_FORFEIT = gettext_noop("Round %(round)s: forfeited, %(points)s")
_WITHOUT_MATCH = {
    Source.BYE: gettext_noop("Round %(round)s: bye, %(points)s"),
    Source.REQUESTED_BYE: gettext_noop("Round %(round)s: asked to sit out, %(points)s"),
    Source.MISSED: gettext_noop("Round %(round)s: not there yet, %(points)s"),
}
_ADJUSTMENT = gettext_noop("Adjustment by the director, %(points)s: %(reason)s")
_CARRIED = gettext_noop("Carried over, %(points)s: %(reason)s")
_WITHDRAWN = {
    Rule.REMOVED: gettext_noop(
        "Withdrew after %(played)s of %(matches)s matches. That’s less than half, so by the "
        "half-played rule (FIDE) none of their results count."
    ),
    Rule.STANDS: gettext_noop(
        "Withdrew after %(played)s of %(matches)s matches. That’s half or more, so by the "
        "half-played rule (FIDE) their results stand and they forfeit the remaining matches."
    ),
    Rule.ALL_STAND: gettext_noop(
        "Withdrew after %(played)s of %(matches)s matches. In a Swiss all results stand, and nobody has to meet them"
        " any more."
    ),
}


def separation(parting: Parting) -> Message:
    """What separates an entry from the one above: "Points difference +12 : +5"."""
    if parting.metric is None or parting.above is None or parting.below is None:
        return Message(_LEVEL)
    metric = get(parting.metric)
    return Message(
        _SEPARATED,
        {
            "metric": Word(metric.name),
            "above": figure(metric, parting.above),
            "below": figure(metric, parting.below),
        },
    )


def left_out(skipped: Skipped) -> Message:
    """Why a metric said nothing about a tie."""
    return Message(_SKIPPED[skipped.reason], {"metric": Word(get(skipped.metric).name)})


def contribution(line: Contribution, name_of: NameOf) -> Message:
    """One line of the answer to "why so many points?"."""
    points = exact.shown(line.points, signed=True)
    if line.source in {Source.ADJUSTMENT, Source.CARRIED}:
        template = _CARRIED if line.source is Source.CARRIED else _ADJUSTMENT
        return Message(template, {"points": points, "reason": line.reason})
    if line.outcome is None:
        return Message(_WITHOUT_MATCH[line.source], {"round": line.round, "points": points})
    if line.sides > 2 and line.source is Source.PLAYED:
        return _at_table(line, points, name_of)
    if not line.opponents:
        return Message(_FORFEIT, {"round": line.round, "points": points})
    matches = _MATCHES if line.partner is None else _WITH_PARTNER
    return Message(
        matches[line.source, line.outcome],
        {
            "round": line.round,
            "partner": "" if line.partner is None else name_of(line.partner),
            "opponent": ", ".join(name_of(met.entry) for met in line.opponents),
            "score_for": line.score_for,
            "score_against": line.score_against,
            "points": points,
        },
    )


def _at_table(line: Contribution, points: str, name_of: NameOf) -> Message:
    others = [f"{name_of(met.entry)} {met.score}" for met in line.opponents if not met.is_absent]
    absent = [name_of(met.entry) for met in line.opponents if met.is_absent]
    return Message(
        _AT_TABLES[line.is_level, bool(absent)],
        {
            "round": line.round,
            "place": ordinal(line.place),
            "sides": line.sides,
            "score": line.score_for,
            "others": ", ".join(others),
            "absent": ", ".join(absent),
            "points": points,
        },
    )


def ordinal(place: int) -> Word:
    """A place as it is spoken of: 1st, 2nd, 3rd, 11th."""
    last = 0 if place % 100 in {11, 12, 13} else place % 10
    ending = {1: "st", 2: "nd", 3: "rd"}.get(last, "th")
    return Word(f"{place}{ending}")


def withdrawn(verdict: Verdict) -> Message:
    """What the half-played rule made of a withdrawal."""
    return Message(_WITHDRAWN[verdict.rule], {"played": verdict.played, "matches": verdict.matches})


def figure(metric: Metric, value: Fraction) -> str:
    """A metric's figure as people read it: a difference has its sign."""
    return exact.shown(value, signed=metric.is_signed)
