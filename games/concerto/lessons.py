"""Ten positions to learn Concerto by: fixed deals, and what the engine makes of each thing that can be done in them.

What is said of cards and points is worked out by the engine; the rest are the words of the position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, reduce
from itertools import combinations
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.cards import Card, CardSet
from engine.concerto.game import CONCERTO
from engine.concerto.options import CARDS_IN_HAND, HandValue
from engine.concerto.play import PASS_TOKEN, PLAY_TOKEN, State
from engine.concerto.scoring import value_of_bits
from engine.concerto.signals.signalling import reading
from engine.concerto.signals.ways import phase_of_hand
from games.concerto.deals import value_in_words
from games.front import Answer, Lesson
from league.web.wording import in_words

Judge = Callable[["Position", State, str], Answer]


@dataclass(frozen=True, slots=True)
class Position:
    """A deal after some actions, and who says what each further action is worth."""

    key: str
    title: Promise
    text: Promise
    dealer: str
    deal: str
    tokens: str
    judge: Judge
    right: str
    """A call, or what a signal shows; empty where points decide."""
    praise: Promise
    """Said of what is right."""
    said: Mapping[str, Promise] = field(default_factory=dict)
    """Said of what is not, by its token; of any card under CARD."""


CARD: Final = "card"
CALLS: Final = (PASS_TOKEN, PLAY_TOKEN)


def lessons() -> Iterator[Lesson]:
    """All ten, in the reader's language."""
    for each in POSITIONS:
        state = state_of(each)
        yield Lesson(
            key=each.key,
            title=str(each.title),
            text=str(each.text),
            deal=each.deal,
            dealer=each.dealer,
            tokens=tuple(each.tokens.split()),
            seat=str(state.turn),
            answers={token: each.judge(each, state, token) for token in state.legal()},
        )


def state_of(position: Position) -> State:
    """The position as the engine has it. Raises ActionError where it is none."""
    start = CONCERTO.start(position.deal, position.dealer, CONCERTO.read_options({}))
    return reduce(State.apply, position.tokens.split(), start)


@cache
def most(state: State, token: str) -> HandValue:
    """The most that the two can still make of the hand after this action, if both saw all their cards."""
    after = state.apply(token)
    if len(after.hands) > len(state.hands):
        return after.hands[-1].value
    leader = state.line[0].seat if state.line else state.turn
    assert leader is not None  # noqa: S101
    one, other = leader.index, leader.partner.index
    by = [0, 0]
    for seat, action in after.line:
        by[0 if seat is leader else 1] |= action.bit
    free = dict.fromkeys(_bits(after.held[one]), 0) | dict.fromkeys(_bits(after.held[other]), 1)
    if token == PLAY_TOKEN:
        # R6: the partner of who said it plays alone.
        free = {bit: place for bit, place in free.items() if (after.on_turn == other) == bool(place)}
    values = []
    for bits in combinations(free, CARDS_IN_HAND - (by[0] | by[1]).bit_count()):
        mine = by[0] | sum(bit for bit in bits if not free[bit])
        theirs = by[1] | sum(bit for bit in bits if free[bit])
        values.append(value_of_bits(mine, theirs))
    return max(values, key=lambda value: value.points)


def _bits(cards: int) -> Iterator[int]:
    while cards:
        low = cards & -cards
        yield low
        cards ^= low


def _worth(value: HandValue) -> str:
    """A value and its points: "flush: 6 points"."""
    points = ngettext("%(points)d point", "%(points)d points", value.points) % {"points": value.points}
    name = value_in_words(value.combination, value.split) or _("nothing")
    return _("%(hand)s: %(points)s") % {"hand": name, "points": points}


def finish(position: Position, state: State, token: str) -> Answer:
    """The fifth card: right is what makes the most points."""
    if token in CALLS:
        after = state.apply(token)
        cards = (card for card in after.legal() if card not in CALLS)
        theirs = max((most(after, card) for card in cards), key=lambda value: value.points)
        words = _("Then your partner plays the last card. The best they can make is %(worth)s.")
        return Answer(is_right=False, text=words % {"worth": _worth(theirs)})
    value = most(state, token)
    if value.points == max(most(state, card).points for card in state.legal() if card not in CALLS):
        return Answer(is_right=True, text=f"{_sentence(_worth(value))} {position.praise}")
    words = _("You can make more.")
    return Answer(is_right=False, text=f"{_sentence(_worth(value))} {words}")


def read(position: Position, state: State, token: str) -> Answer:
    """A card that goes with what partner has shown: right is what keeps the most within reach."""
    if token in position.said:
        return Answer(is_right=False, text=str(position.said[token]))
    value = most(state, token)
    if value.points == max(most(state, each).points for each in state.legal()):
        return Answer(is_right=True, text=str(position.praise))
    words = _("After that card the best the two of you can still make is %(worth)s.")
    return Answer(is_right=False, text=words % {"worth": _worth(value)})


def call(position: Position, state: State, token: str) -> Answer:  # noqa: ARG001 (as the other judges)
    """A call and no card."""
    if token == position.right:
        return Answer(is_right=True, text=str(position.praise))
    return Answer(is_right=False, text=str(position.said[token if token in CALLS else CARD]))


def signal(position: Position, state: State, token: str) -> Answer:
    """The leader's second card: right is what tells partner what the leader holds, by the usual signals."""
    if token in position.said:
        return Answer(is_right=False, text=str(position.said[token]))
    first, second = state.line[0].action.card, Card.parse(token)
    assert first is not None and state.turn is not None  # noqa: S101, PT018
    cards = state.cards_held(state.turn) | CardSet.of([first])
    found = reading(first, second, phase_of_hand(len(state.hands)))
    told = " ".join(in_words(each.message) for each in found)
    if any(each.holding.key == position.right and each.fits(cards) for each in found):
        words = _("Your partner reads: %(told)s") % {"told": told}
        return Answer(is_right=True, text=f"{words} {position.praise}")
    if not told:
        return Answer(is_right=False, text=_("These two cards tell your partner nothing."))
    words = _("Your partner would read: %(told)s That isn’t what you want to show.") % {"told": told}
    return Answer(is_right=False, text=words)


def keep(position: Position, state: State, token: str) -> Answer:
    """The last card of the deal: right is what brings most, left-overs included."""
    side = state.turn.side if state.turn else None

    def gain(each: str) -> int:
        total = state.apply(each).score().total
        return sum(points if key is side else -points for key, points in total.items())

    after = state.apply(token)
    score = after.score()
    words = _("%(hand)s. Your left-overs then give the other side %(bonus)d points.") % {
        "hand": _sentence(_worth(after.hands[-1].value)).rstrip("."),
        "bonus": score.left_over_bonus,
    }
    if gain(token) == max(map(gain, state.legal())):
        return Answer(is_right=True, text=f"{words} {position.praise}")
    return Answer(is_right=False, text=words)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


POSITIONS: Final = (
    Position(
        "full-house",
        gettext_lazy("What scores"),
        gettext_lazy(
            "You and your partner build a poker hand of five cards together, without seeing each other’s cards. "
            "Three "
            "nines and a king lie on the table, and you play the last card. Make the best hand you can."
        ),
        "W",
        "N:J9.T963.AQ.AT976 T62.K85.T96.KJ54 K854.J74.KJ732.2 AQ73.AQ2.854.Q83",
        "9h - 9c Kd 9s",
        finish,
        "",
        gettext_lazy("Threes alone are worth 3, so the second king was worth 5 more."),
    ),
    Position(
        "flush",
        gettext_lazy("Choose between two hands"),
        gettext_lazy(
            "Four hearts lie on the table, and they are also just one card short of a straight. Which last card "
            "is worth more?"
        ),
        "E",
        "N:J92.76.J832.KJT9 T84.84.AKT97.543 K53.K95.Q654.A86 AQ76.AQJT32..Q72",
        "5h 6h 9h 7h",
        finish,
        "",
        gettext_lazy("A straight is worth 5. Five cards of one suit in sequence would be a straight flush."),
    ),
    Position(
        "shared",
        gettext_lazy("Who plays the cards: 2+2"),
        gettext_lazy(
            "Four of a kind count more when both of you play some of the four: 8 points if one partner plays all of "
            "them (4+0), 12 for 3+1, 16 for 2+2. Your partner has played two jacks, you have played one. Now?"
        ),
        "W",
        "N:Q853.JT5.J2.AKT4 T94.Q86.AKQ43.53 AJ6.K943.T987.J7 K72.A72.65.Q9862",
        "Jh - Jd Js 4c",
        finish,
        "",
        gettext_lazy("Two jacks from each of you: the best way to make fours."),
    ),
    Position(
        "split",
        gettext_lazy("Who plays the cards: 3+2"),
        gettext_lazy(
            "A straight flush is worth 10 from one partner alone, 15 as 4+1 and 20 as 3+2. Your partner has played "
            "three spades and you one. Your partner passes: the last card is up to you."
        ),
        "W",
        "N:7654.Q.AK93.KT95 J3.KJ97.8652.764 AK982.T2.QT4.AQ8 QT.A86543.J7.J32",
        "5s - 6s - 7s 8s -",
        finish,
        "",
        gettext_lazy(
            "No hand can make more. If your partner had played the last spade, it would have been 4+1."
        ),
    ),
    Position(
        "pass",
        gettext_lazy("Pass, and wait for the signal"),
        gettext_lazy(
            "Your partner leads the first hand with a heart. The leader’s first two cards are a signal: "
            "together they "
            "tell you what the leader holds. What do you do now?"
        ),
        "W",
        "N:3.987.AKQJ53.AK2 AK6.QJT653.82.73 Q854.K42.964.J96 JT972.A.T7.QT854",
        "9h",
        call,
        PASS_TOKEN,
        gettext_lazy("Now your partner can play the second card, and you will know what to build."),
        {
            CARD: gettext_lazy(
                "Too soon. You don’t know yet what your partner wants to build, and your card takes one of five "
                "places. Pass, and wait for the second card."
            ),
            PLAY_TOKEN: gettext_lazy(
                "“Play” would leave the whole hand to your partner, and your cards could add nothing to it."
            ),
        },
    ),
    Position(
        "play",
        gettext_lazy("Say “Play”"),
        gettext_lazy(
            "Your partner led the ace of hearts and then the five. Low and then high, with three ranks between, "
            "shows "
            "the whole run: ace to five of hearts, all five cards in one hand. What do you do?"
        ),
        "W",
        "N:AJ8.A95432.K.Q82 73.K8.AQ732.J643 Q9.76.JT865.KT95 KT6542.QJT.94.A7",
        "Ah - 5h",
        read,
        "",
        gettext_lazy("Your partner now plays the other three hearts alone: a straight flush, 10 points."),
        {
            PASS_TOKEN: gettext_lazy(
                "Nothing is lost yet. But after two passes in a row for one card the next player must play a card. "
                "“Play” tells your partner to finish the hand alone, and settles it."
            ),
        },
    ),
    Position(
        "fours",
        gettext_lazy("Your first signal"),
        gettext_lazy(
            "You hold all four sixes. You led the six of hearts, and your partner passed to see your second card. "
            "Four of a kind is shown by a heart and then the diamond of the same rank."
        ),
        "E",
        "N:J87.J5.AK92.A943 KT4.AKQ732.T3.QJ 62.9864.QJ64.KT6 AQ953.T.875.8752",
        "6h -",
        signal,
        "fours",
        gettext_lazy("Now your partner knows that none of the sixes is missing."),
        {
            PASS_TOKEN: gettext_lazy(
                "A red card and then a pass shows threes. You have four: play the second card of the signal."
            ),
            PLAY_TOKEN: gettext_lazy(
                "Your partner would have to make the hand alone, knowing nothing of your sixes."
            ),
        },
    ),
    Position(
        "threes",
        gettext_lazy("Another signal"),
        gettext_lazy(
            "You hold three nines and three fours. Two sets of three are shown by two cards of the same colour "
            "and of "
            "different ranks. You led the nine of hearts. Which card comes next?"
        ),
        "E",
        "N:QJ83.Q75.875.T92 A652.AJ83.A3.763 K97.942.KQJ94.J4 T4.KT6.T62.AKQ85",
        "9h -",
        signal,
        "two-threes",
        gettext_lazy("A partner with a nine or a four can now make it fours."),
        {
            PASS_TOKEN: gettext_lazy(
                "A red card and then a pass shows threes. You have two sets of them: show both."
            ),
            PLAY_TOKEN: gettext_lazy(
                "Your partner would have to make the hand alone, knowing nothing of your cards."
            ),
        },
    ),
    Position(
        "read",
        gettext_lazy("Read your partner"),
        gettext_lazy(
            "Your partner led the nine of hearts and then the four of diamonds: same colour, different ranks. That "
            "may show two sets of three, nines and fours. You hold the fourth nine. What now?"
        ),
        "W",
        "N:AK953.974.942.A4 Q84.AK85.KJ7.862 J76.QJT3.AQ.KJ97 T2.62.T8653.QT53",
        "9h - 4d",
        read,
        "",
        gettext_lazy(
            "Your partner adds the other two nines: fours, 3+1, for 12 points. Three nines and a pair of fours would "
            "have been a full house, for 8."
        ),
        {
            PASS_TOKEN: gettext_lazy(
                "Nothing is lost yet, but your partner can’t know that you hold the fourth nine. Play it."
            ),
            PLAY_TOKEN: gettext_lazy(
                "Your partner would finish alone with a full house. With your nine the two of you make more."
            ),
        },
    ),
    Position(
        "left-overs",
        gettext_lazy("Left-overs cost ten times their value"),
        gettext_lazy(
            "The last card of the deal. After it you have six cards left and your partner none. The other side "
            "leads, "
            "so they get ten times the value of the best five of your six. Two of your cards make a flush. Which one "
            "do you play?"
        ),
        "S",
        "N:K7.AT.J952.KJT83 AQ3.J9863.6.Q964 J986542.KQ.AT.72 T.7542.KQ8743.A5",
        "4d - 7d - 8d - Qd - Kd 3c - 8c - Tc - Jc - Kc 6c - Qc - 6d - 6h - Qs 4s 7s - Jd - Ah - Th Ac - 3d - 2h - "
        "4h - 5h 2d - 5d - 9d - Ks 2c 9c - 3h - 9h - 3s - 4c 5s 6s 8s 9s",
        keep,
        "",
        gettext_lazy(
            "With the jack gone, nothing you have left is worth a point. If you had kept it, it would have been "
            "part of a straight."
        ),
    ),
)
