"""What the rules of a competition and the engine's explanations of a table say, in the reader's language."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy

from engine.contest.points.scheme import Band, ByRank, ByShare, HeadToHead, OfTeams, PointsScheme
from engine.contest.standings import explanation, tie_breaks
from engine.text import Message, Word
from league.extension import GamePort
from league.web.number_format import exact_text, written

# Places as the engine counts them, 2nd, by their endings.
_ORDINAL = re.compile(r"(\d+)(st|nd|rd|th)")
_ORDINALS = {
    "st": pgettext_lazy("place as a number", "%(number)sst"),
    "nd": pgettext_lazy("place as a number", "%(number)snd"),
    "rd": pgettext_lazy("place as a number", "%(number)srd"),
    "th": pgettext_lazy("place as a number", "%(number)sth"),
}


def in_words(message: Message) -> str:
    """What the engine says, translated and filled in; parameters that are names are translated too."""
    words = {key: _word(value) for key, value in message.params.items()}
    return _(message.template) % words if message.template else ""


def _word(value: Any) -> Any:
    """A parameter as people read it: a name translated, a figure as the reader's language writes it."""
    if isinstance(value, Word):
        place = _ORDINAL.fullmatch(value)
        return _ORDINALS[place[2]] % {"number": place[1]} if place else _(str(value))
    return written(value) if isinstance(value, str) else value


def rules_in_words(game: GamePort, rules: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every option of the game with the value it has in a competition: name, value, label, text."""
    values = game.read_options(rules)
    described = []
    for option in game.options:
        value = values[option.name]
        text = str(dict(option.choices).get(value, value))
        if option.kind == "yes-no":
            text = _("yes") if value else _("no")
        described.append({"name": option.name, "value": value, "label": str(option.label), "text": text})
    return described


def points_in_words(scheme: PointsScheme) -> list[str]:
    """The points scheme in short sentences, one for each kind of result."""
    match scheme:
        case HeadToHead():
            lines = _head_to_head(scheme)
        case ByRank():
            lines = [*_by_rank(scheme), *_walkovers(scheme)]
        case ByShare():
            lines = [*_by_share(scheme), *_walkovers(scheme)]
        case OfTeams():
            lines = [
                _("What the two teams make of the boards over both rooms."),
                _("Walkover: %(winner)s; the other side: %(loser)s.")
                % {"winner": _points(scheme.walkover_winner), "loser": _points(scheme.walkover_loser)},
            ]
        case _:
            raise TypeError(f"no words for {type(scheme).__name__}")
    if scheme.bye:
        lines.append(_("Bye: %(points)s.") % {"points": _points(scheme.bye)})
        if scheme.requested_bye != scheme.bye:
            asked_for = _points(scheme.requested_bye)
            lines.append(_("Bye that you asked for: %(points)s.") % {"points": asked_for})
    if scheme.missed:
        lines.append(
            _("Each round before a late entry came: %(points)s.") % {"points": _points(scheme.missed)}
        )
    return lines


def _head_to_head(scheme: HeadToHead) -> list[str]:
    lines = [_band(band, is_only=len(scheme.bands) == 1) for band in scheme.bands]
    lines.append(_("Draw: %(points)s each.") % {"points": _points(scheme.draw)})
    lines.append(
        _("Walkover: %(winner)s; the other side: %(loser)s.")
        % {"winner": _points(scheme.walkover_winner), "loser": _points(scheme.walkover_loser)}
    )
    return lines


def _by_rank(scheme: ByRank) -> list[str]:
    if scheme.places and not any(scheme.places):
        return [_("None: the matches are friendly. The table is ordered by the tie-breaks.")]
    if scheme.places:
        lines = [
            _("%(place)s place: %(points)s.")
            % {"place": _word(explanation.ordinal(place)), "points": _points(points)}
            for place, points in enumerate(scheme.places, start=1)
        ]
    elif scheme.first is not None:
        lines = [
            _("First place: %(points)s; last place: nothing; the others evenly between.")
            % {"points": _points(scheme.first)}
        ]
    else:
        lines = [_("2 points for every opponent at the table who finishes behind you, so 0 for last place.")]
    return [*lines, _("In a tie, the points of the places are shared.")]


def _by_share(scheme: ByShare) -> list[str]:
    return [
        _("Each table shares out %(points)s: everyone gets the same share of them as of the score.")
        % {"points": _points(scheme.stake)},
        _("A score below 0 counts as 0. If nobody scores, everyone gets the same."),
        _("Where the lowest score wins, your share is worked out from what the others scored."),
    ]


def _walkovers(scheme: ByRank | ByShare) -> list[str]:
    lowest = scheme.places[-1] if isinstance(scheme, ByRank) and scheme.places else 0
    away = min(lowest, 0) if scheme.walkover_loser is None else scheme.walkover_loser
    lines = [
        _(
            "If someone stays away, the others play without them. Staying away counts as last place, with %(points)s."
        )
        % {"points": _points(away)}
    ]
    if scheme.walkover_winner is None:
        lines.append(_("If a table cannot play at all, those who came share the points of the best places."))
    else:
        points = {"points": _points(scheme.walkover_winner)}
        lines.append(_("If a table cannot play at all, everyone who came gets %(points)s.") % points)
    return lines


def tie_breaks_in_words(keys: Iterable[str]) -> list[dict[str, str]]:
    """The metrics that decide the places, in order: key, name, description."""
    chosen = [tie_breaks.get(key) for key in keys]
    return [{"key": m.key, "name": _(m.name), "description": _(m.description)} for m in chosen]


def _band(band: Band, *, is_only: bool) -> str:
    figures = {"winner": _points(band.winner), "loser": _points(band.loser), "start": band.start}
    if is_only:
        return _("Win: %(winner)s; the other side: %(loser)s.") % figures
    return _("Win by %(start)s or more: %(winner)s; the other side: %(loser)s.") % figures


def _points(points: Any) -> str:
    return ngettext("%(points)s point", "%(points)s points", 1 if points == 1 else 2) % {
        "points": exact_text(points)
    }
