"""What the scoresheet's entry is told: the sheet as read, what can still be entered, what is wrong, in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from engine import game
from engine.game import Game, Problem
from games import front
from games.concerto import values
from games.concerto.deals import ConcertoDeal, ShownCard, ShownHand
from games.concerto.places import ConcertoPlaces
from games.concerto.sheet import remedies
from games.records import match_parts
from games.records import parsing as readings
from games.records.display.shown import DONE, FAULTY, ShownSheet
from games.records.parsing import Reading
from games.templatetags.cards import SUITS, rank_face
from league.models import Fixture
from league.web.wording import in_words

PLACES = ConcertoPlaces()
Json = dict[str, Any]
MARKS = {DONE: "✓", FAULTY: "!"}
NEIGHBOURS = 1
NAMED_SPOTS = ("left", "total", "seats")


@dataclass(frozen=True, slots=True)
class Focus:
    """Where the person is: a deal from 0, and a hand from 0, "left", "total" or "seats".

    `is_whole`: all deals are on the screen.
    """

    deal: int = 0
    spot: int | str = 0
    is_whole: bool = False


def read_focus(data: Any, deals: int, hands: int) -> Focus:
    """The focus from JSON; what makes no sense is the beginning."""
    given = data if isinstance(data, Mapping) else {}
    deal, spot, is_whole = given.get("deal"), given.get("spot"), given.get("whole") is True
    known_deal = deal if type(deal) is int and 0 <= deal < deals else 0
    if type(spot) is int and 0 <= spot < hands:
        return Focus(known_deal, spot, is_whole)
    return Focus(known_deal, spot if isinstance(spot, str) and spot in NAMED_SPOTS else 0, is_whole)


def place_in_sheet(fixture: Fixture, page: Mapping[str, Any]) -> Json:
    """Where the person was, and when the draft was last changed: as the page wrote it, or nothing."""
    focus = read_focus(page, match_parts.deal_count(fixture), values.hand_count(fixture))
    depths = page.get("depths")
    known = depths[: readings.MOST_DEALS] if isinstance(depths, list) else []
    edited, trail = page.get("edited"), page.get("trail")
    return {
        "deal": focus.deal,
        "spot": focus.spot,
        "depths": [each if isinstance(each, str) and each in values.DEPTHS else None for each in known],
        "edited": edited if type(edited) is int else 0,
        "trail": [each for each in trail[-20:] if type(each) is int] if isinstance(trail, list) else [],
    }


def answer(*, fixture: Fixture, reading: Reading, content: Any, focus: Focus) -> Json:
    """Everything that the page shows after a change."""
    sheet = front.shown_sheet(fixture, reading)
    near = range(max(0, focus.deal - NEIGHBOURS), focus.deal + NEIGHBOURS + 1)
    if focus.is_whole:
        near = range(len(sheet.deals))
    offered = game.get(fixture.round.competition.game)
    return {
        "head": _head(fixture, sheet, reading),
        "over": reading.is_over and reading.is_accepted,
        "accepted": reading.is_accepted,
        "deals": [{"state": deal.state, "mark": MARKS.get(deal.state, "")} for deal in sheet.deals],
        "near": {str(at): deal_as_json(sheet, sheet.deals[at]) for at in near if at < len(sheet.deals)},
        "choices": values.possible(fixture, reading, focus.deal, focus.spot),
        "problems": [problem_as_json(each, content, offered, reading.boards) for each in reading.problems],
        "saved": date_format(timezone.localtime(), pgettext("time of day", "H:i")),
    }


def _head(fixture: Fixture, sheet: ShownSheet, reading: Reading) -> Json:
    names = {"home": str(fixture.home), "away": str(fixture.away)}
    return {
        "home": str(sheet.so_far["home"]),
        "away": str(sheet.so_far["away"]),
        "home_side": sheet.sides["home"],
        "away_side": sheet.sides["away"],
        "pairs": {key: names[pair] for key, pair in sheet.pair_of_side.items()},
        "middle": _middle(sheet, reading),
    }


def _middle(sheet: ShownSheet, reading: Reading) -> str:
    if reading.is_over and reading.is_accepted:
        return _("the match is over")
    done = sum(deal.state == DONE for deal in sheet.deals)
    if not done:
        return _("deal 1 of %(most)d") % {"most": len(sheet.deals)} if sheet.given_deals else _("nothing yet")
    return _("after %(done)d of %(most)d deals") % {"done": done, "most": len(sheet.deals)}


def deal_as_json(sheet: ShownSheet, deal: ConcertoDeal) -> Json:
    """A deal as the page draws it."""
    return {
        "index": deal.number - 1,
        "dealer": deal.names.dealt_by(deal.number - 1, deal.dealer.title),
        "has_hands": deal.has_hands,
        "hands": [_hand(hand) for hand in deal.hands],
        "left": _left(sheet, deal),
        "sums": _sums(deal),
    }


def _hand(hand: ShownHand) -> Json:
    return {
        "lead": f"{hand.number} {hand.leader.letter}",
        "title": _("Hand %(number)d, %(seat)s leads") % {"number": hand.number, "seat": hand.leader.title},
        "from": [{"seat": s.key, "name": s.player, "label": s.label} for s in (hand.leader, hand.partner)],
        "cards": [card_as_json(card) for card in hand.cards],
        "by_seat": _by_seat(hand.cards),
        "words": hand.words,
        "points": "" if hand.points is None else str(hand.points),
        "value": hand.value,
        "so_far": hand.so_far,
        "who": hand.leader.player,
        "provisional": hand.points is None,
    }


def _left(sheet: ShownSheet, deal: ConcertoDeal) -> Json:
    left = deal.left
    return {
        "lead": _("Left"),
        "title": _("Left-overs"),
        "from": [{"seat": s.key, "name": s.player, "label": s.label} for s in left.holders or sheet.seats],
        "cards": [card_as_json(card) for card in left.cards],
        "by_seat": _by_seat(left.cards),
        "words": left.words,
        "points": "" if left.bonus is None else str(left.bonus),
        "value": left.value,
        "so_far": "",
        "who": left.holder_title,
        "provisional": left.bonus is None,
    }


def _by_seat(cards: tuple[ShownCard, ...]) -> dict[str, list[str]] | None:
    """Who played which, where that is known of all: what the pad goes on from."""
    found: dict[str, list[str]] = {}
    for card in cards:
        if not card.seat:
            return None
        found.setdefault(card.seat, []).append(card.text)
    return found


def card_as_json(card: ShownCard) -> Json:
    """A card as the page draws it."""
    suit, symbol, _word = SUITS[card.text[1:]]
    return {
        "text": card.text,
        "face": rank_face(card.text),
        "suit": suit,
        "symbol": symbol,
        "partner": card.is_partners,
        "label": card.label,
    }


def _sums(deal: ConcertoDeal) -> list[Json]:
    lines = []
    if deal.has_made:
        lines.append(_sum(_("Hands"), deal.made["home"], deal.made["away"]))
    if deal.has_hands and deal.left.to and deal.left.bonus is not None:
        bonus = {deal.left.to: deal.left.bonus}
        lines.append(_sum(_("Left-overs"), bonus.get("home"), bonus.get("away")))
    if any(points is not None for points in deal.total.values()):
        lines.append({**_sum(_("Deal"), deal.total["home"], deal.total["away"]), "strong": True})
    return lines


def _sum(label: str, home: int | None, away: int | None) -> Json:
    return {
        "label": label,
        "home": "" if home is None else str(home),
        "away": "" if away is None else str(away),
    }


def problem_as_json(problem: Problem, content: Any, offered: Game, boards: Sequence[int] = ()) -> Json:
    """A problem, where on the page it belongs, and what a button can do about it."""
    deal, spot, field = PLACES.spot(problem.place)
    return {
        "deal": deal,
        "spot": spot,
        "field": field,
        "where": PLACES.in_words(problem, offered, boards),
        "refuses": problem.refuses,
        "missing": problem.is_missing,
        "message": in_words(problem.message),
        "proposal": in_words(problem.proposal),
        "fix": remedies.remedy(problem, content),
    }
