"""A view made of zones as the common felt draws it: its messages in the reader's words, and what was done so far."""

from collections.abc import Iterable, Mapping

from engine.game import Game, Json, View
from engine.game.zones import Zones
from league.web.wording import in_words


def as_shown(offered: Game, view: View, actions: Iterable[tuple[str, str]]) -> Mapping[str, Json]:
    """The view as JSON; of zones with ``actions``: who did what, as the reader sees it, and in words but for cards."""
    shown = view.as_json()
    if not isinstance(view, Zones):
        return shown
    notes = [[in_words(note) for note in zone.notes] for zone in view.seats]
    return {
        **shown,
        "seats": [{**zone.as_json(), "notes": said} for zone, said in zip(view.seats, notes, strict=True)],
        "places": [[in_words(name), points] for name, points in view.places],
        "phase": in_words(view.phase),
        "calls": [{"token": call.token, "label": in_words(call.label)} for call in view.calls],
        "barred": [{"token": call.token, "label": in_words(call.label)} for call in view.barred],
        "help": [in_words(message) for message in view.help],
        "compositions": [{**each.as_json(), "label": in_words(each.label)} for each in view.compositions],
        "actions": [
            {"seat": seat, "token": token, "text": _in_words(offered, token)} for seat, token in actions
        ],
    }


def _in_words(offered: Game, token: str) -> str:
    message = offered.call_in_words(token)
    return in_words(message) if message else ""
