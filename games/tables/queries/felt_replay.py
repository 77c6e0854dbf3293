"""A finished deal for the common felt, step by step: with all cards, or as one seat saw it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from engine import game
from engine.game import Game, State, View
from engine.game.zones import Zones
from games.tables.queries.played import EVERYBODY, Played
from games.tables.state.zones import as_shown


def views_of(played: Played) -> Sequence[tuple[str, str]]:
    """From where the deal can be stepped through."""
    offered = game.get(played.game)
    seats = [
        (seat, played.names.get(seat) or _(str(offered.title(seat))))
        for seat in offered.seats(played.players)
    ]
    return [(EVERYBODY, _("All cards")), *seats]


def felt_replay(played: Played, *, number: int, seen_from: str) -> Mapping[str, Any]:
    """The table as its page's script takes it, and the view after each action."""
    offered = game.get(played.game)
    seats = offered.seats(played.players)
    rows = [
        {
            "seat": seat,
            "side": offered.side_of(seat, played.players),
            "name": played.names.get(seat, ""),
            "robots": [],
        }
        for seat in seats
    ]
    table: Mapping[str, Any] = {
        "state": "finished",
        "you": {"seat": None, "side": None, "may": []},
        "names": {"match": None},
        "terms": {},
        "match": None,
        "seats": rows,
        "deal": {"number": number, "of": None, "dealer": played.dealer, "is_paused": False, "clock": None},
    }
    seat = seen_from if seen_from in seats else None
    return {"table": table, "steps": list(_steps(offered, played, seat))}


def _steps(offered: Game, played: Played, seat: str | None) -> Iterator[Mapping[str, Any]]:
    state = offered.start(played.deal, played.dealer, played.options, played.players)
    done: list[tuple[str, str]] = []
    yield as_shown(offered, _view(offered, state, seat), done)
    for token in played.tokens:
        turn = state.turn or ""
        done.append((turn, offered.token_seen_by(state, token, seat or turn)))
        state = state.apply(token)
        yield as_shown(offered, _view(offered, state, seat), done)


def _view(offered: Game, state: State, seat: str | None) -> View:
    """What the seat saw; for all cards what each seat saw of its own."""
    view = offered.view(state, seat)
    if not isinstance(view, Zones) or seat is not None:
        return view
    own = {zone.seat: offered.view(state, zone.seat) for zone in view.seats}
    return replace(
        view,
        seats=tuple(next(z for z in _zones(own[each.seat]) if z.seat == each.seat) for each in view.seats),
    )


def _zones(view: View) -> tuple[Any, ...]:
    return view.seats if isinstance(view, Zones) else ()
