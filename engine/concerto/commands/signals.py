"""Signals from the command line: what to play, and what partner's cards mean. See docs/signals.md."""

from __future__ import annotations

import argparse

from engine.cards import Card, CardSet
from engine.cli import Answer, argument, command, read_json
from engine.concerto.play import PASS_TOKEN
from engine.concerto.signals.convention_cards import read_system
from engine.concerto.signals.signalling import Phase, reading, to_signal
from engine.concerto.signals.systems import PARLETT, System
from engine.errors import CardError
from engine.text import gettext_noop

_PHASE = argument(
    "--phase",
    default=Phase.STRONG.value,
    choices=[phase.value for phase in Phase],
    help="strong: a side's first two hands (if not said); weak: its third and fourth",
)
_SYSTEM = argument(
    "--system", default=None, metavar="FILE", help="a convention card as JSON; Parlett's system if not said"
)
_SAME_CARD = gettext_noop("The %(card)s can’t be played twice.")


@command(
    "signal", argument("cards", nargs="+", metavar="CARD", help="the cards held: As Kd ..."), _PHASE, _SYSTEM
)
def signal(arguments: argparse.Namespace) -> Answer:
    """What to signal with these cards, by which two of them, and why; null if there is nothing to."""
    cards = CardSet.of(Card.parse(text) for text in _words(arguments.cards))
    found = to_signal(cards, Phase(arguments.phase), _system(arguments))
    return Answer(found.as_json() if found else None)


@command(
    "reading",
    argument("first", metavar="FIRST", help="the first card"),
    argument("second", metavar="SECOND", help="the second card, or pass"),
    _PHASE,
    _SYSTEM,
)
def read(arguments: argparse.Namespace) -> Answer:
    """Every meaning that these two cards can have, or a card and a pass."""
    first = Card.parse(arguments.first)
    second = None if arguments.second in (PASS_TOKEN, "pass") else Card.parse(arguments.second)
    if second is first:
        raise CardError("card-twice", _SAME_CARD, given=first.text, card=first.symbol)
    meanings = reading(first, second, Phase(arguments.phase), _system(arguments))
    return Answer([meaning.as_json() for meaning in meanings])


@command("convention-card", _SYSTEM)
def convention_card(arguments: argparse.Namespace) -> Answer:
    """A system of signals as JSON, checked: the beginning of a partnership's own."""
    return Answer(_system(arguments).as_json())


def _system(arguments: argparse.Namespace) -> System:
    return read_system(read_json(arguments.system)) if arguments.system else PARLETT


def _words(texts: list[str]) -> list[str]:
    return [word for text in texts for word in text.split()]
