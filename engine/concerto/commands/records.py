"""What Concerto can do from the command line."""

from __future__ import annotations

import argparse
import random
from typing import Any

from engine.cards import Card, CardSet, Suit
from engine.cli import FILE, Answer, argument, command, problems_answer, read_json
from engine.concerto.checking import check
from engine.concerto.game import CONCERTO
from engine.concerto.match import match_result
from engine.concerto.options import OPTION_FIELDS, Options, read_options
from engine.concerto.play import start
from engine.concerto.poker import classify, significant_bits
from engine.concerto.records.choices import choices
from engine.concerto.records.description import describe
from engine.concerto.records.parsing import read_claims, read_record
from engine.concerto.scoring import DealScore, hand_value
from engine.concerto.sheet import check_sheet, read_sheet
from engine.concerto.spelling import SEAT_NAMES
from engine.deals import Deal
from engine.errors import RecordError
from engine.game.commands import answers_itself, counted, each, rng_of
from engine.game.values import Checked
from engine.problems import Problem, problems_of
from engine.seats import Seat, dealer_of_board
from engine.text import gettext_noop

_SUITS = (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)
_WIDTH = 24


def diagram(deal: Deal) -> str:
    """The four hands round the table, North above."""
    blank = " " * (_WIDTH // 2)
    north = [blank + line for line in _hand(deal, Seat.N)]
    south = [blank + line for line in _hand(deal, Seat.S)]
    middle = [
        west.ljust(_WIDTH) + east for west, east in zip(_hand(deal, Seat.W), _hand(deal, Seat.E), strict=True)
    ]
    return "\n".join([*north, *middle, *south])


def _hand(deal: Deal, seat: Seat) -> list[str]:
    lines = [str(seat.title)]
    for suit in _SUITS:
        ranks = " ".join(deal[seat].ranks_of(suit).replace("T", "⑩")).replace("⑩", "10")
        lines.append(f"{suit.symbol} {ranks or '-'}")
    return lines


_OPTIONS = argument("--options", default=None, metavar="FILE", help="the options of the match, as JSON")


# Records


@command("score", FILE)
def score(arguments: argparse.Namespace) -> Answer:
    """Score deals as written down: an object or a list of them; problems where they cannot be scored."""
    return each(read_json(arguments.file), _score_one)


def _score_one(data: Any) -> Answer:
    checked: Checked[DealScore] = check(read_record(data))
    if checked.score is None:
        return Answer(problems_answer(checked.problems), is_good=False)
    return Answer(checked.score.as_json())


@command("problems", FILE)
def problems(arguments: argparse.Namespace) -> Answer:
    """Everything that is wrong or unusual in deals as written down."""
    return each(read_json(arguments.file), _problems_one)


def _problems_one(data: Any) -> Answer:
    checked = check(read_record(data))
    return Answer(problems_answer(checked.problems), is_good=checked.is_accepted)


@command("describe", FILE)
def describe_record(arguments: argparse.Namespace) -> Answer:
    """Deals as written down, with all that follows from them."""
    return each(read_json(arguments.file), lambda data: Answer(describe(read_record(data)).as_json()))


@command(
    "choices", FILE, argument("--hand", type=int, default=None, help="1 to 8; without it, the left-overs")
)
def what_can_be_entered(arguments: argparse.Namespace) -> Answer:
    """What can still be entered for one hand of a deal, or for its left-overs."""
    hand = arguments.hand
    if hand is not None and not 1 <= hand <= 8:
        raise RecordError(
            "hand-number", gettext_noop("Hands are numbered 1 to 8, not %(given)s."), given=hand
        )
    record = read_record(read_json(arguments.file))
    return Answer(choices(record, None if hand is None else hand - 1).as_json())


# Matches


@answers_itself(CONCERTO.key, "match")
def match(arguments: argparse.Namespace) -> Answer:
    """The result of a match, from the totals of its deals: {"deals": [{"NS": 52, "EW": 39}, ...]}."""
    data = arguments.item
    own = data.get("options") if isinstance(data, dict) and "options" in data else arguments.options
    options = read_options(own)
    deals = data.get("deals") if isinstance(data, dict) else None
    if not isinstance(deals, list):
        raise RecordError("match-shape", gettext_noop("A match must be an object with a list of deals."))
    found: list[Problem] = []
    totals = []
    for number, deal_totals in enumerate(deals[: options.deals]):
        faults: list[Problem] = []
        totals.append(read_claims(deal_totals, "total", faults))
        found += [fault.under("deals", number) for fault in faults]
    scores = [
        DealScore.of_totals(total.ns, total.ew)
        for total in totals
        if total.ns is not None and total.ew is not None
    ]
    if found or len(scores) != len(totals) or len(deals) > options.deals:
        template = gettext_noop(
            "There can be at most %(most)d deals. Each needs the points for both sides, NS and EW."
        )
        error = RecordError("match-deals", template, place=("deals",), most=options.deals)
        return Answer(problems_answer([*found, *problems_of(error)]), is_good=False)
    return Answer(match_result(scores, options).as_json())


@command("sheet", FILE, _OPTIONS, argument("--first-dealer", default="N", help="N, E, S or W"))
def sheet(arguments: argparse.Namespace) -> Answer:
    """Check and score a whole scoresheet: {"deals": [deal, ...]}."""
    options = _options(arguments)
    read = read_sheet(read_json(arguments.file), _seat(arguments.first_dealer), options)
    checked = check_sheet(read, options)
    value = {
        **problems_answer(checked.problems),
        "scores": [found.as_json() if found else None for found in checked.scores],
        "result": checked.result.as_json(),
    }
    return Answer(value, is_good=checked.is_accepted)


@command("options", _OPTIONS)
def options_of_the_game(arguments: argparse.Namespace) -> Answer:
    """The options of a competition, with their meanings; with --options, what those come to."""
    if arguments.options is not None:
        chosen = _options(arguments)
        return Answer({option.name: getattr(chosen, option.name) for option in OPTION_FIELDS})
    return Answer(
        [
            {
                "name": option.name,
                "kind": option.kind.value,
                "default": option.default,
                "label": option.label,
                "help": option.help,
                "choices": [list(choice) for choice in option.choices],
            }
            for option in OPTION_FIELDS
        ]
    )


# Deals and play


@answers_itself(CONCERTO.key, "show")
def show(arguments: argparse.Namespace) -> Answer:
    """A deal as a diagram to read."""
    return Answer(diagram(Deal.parse(arguments.deal)))


@answers_itself(CONCERTO.key, "play")
def play(arguments: argparse.Namespace) -> Answer:
    """Play deals out with random legal actions; prints their records."""
    rng = rng_of(arguments)
    return counted(arguments, lambda number: _played_out(number, rng))


def _played_out(number: int, rng: random.Random) -> dict[str, Any]:
    dealt, dealer = Deal.random(rng), dealer_of_board(number)
    state = start(dealt, dealer, Options())
    while not state.is_over:
        state = state.apply(rng.choice(state.legal_actions()))
    board = {"board": number, "dealer": dealer.letter, "deal": str(dealt)}
    return {**board, "hands": list(state.hand_lines), **state.score().as_json()}


@command(
    "classify",
    argument(
        "cards", nargs="+", metavar="CARD", help="five cards; a / between them separates the two partners'"
    ),
)
def classify_cards(arguments: argparse.Namespace) -> Answer:
    """What five cards form, and what they are worth when it is told who played which."""
    words = " ".join(arguments.cards).replace("/", " / ").split()
    cards = CardSet.of(Card.parse(word) for word in words if word != "/")
    combination = classify(cards)
    significant = CardSet(significant_bits(cards.bits, combination))
    value: dict[str, Any] = {"combination": combination.key, "significant": str(significant).split()}
    if "/" in words:
        one = CardSet.of(Card.parse(word) for word in words[: words.index("/")])
        worth = hand_value(one, cards - one)
        value |= {"split": str(worth.split) if worth.split else None, "points": worth.points}
    return Answer(value)


# What the subcommands share


def _options(arguments: argparse.Namespace) -> Options:
    return read_options({} if arguments.options is None else read_json(arguments.options))


def _seat(text: Any) -> Seat:
    if isinstance(text, str) and text in SEAT_NAMES:
        return SEAT_NAMES[text]
    return Seat.parse(text)
