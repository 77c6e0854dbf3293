"""The tricks of a written deal of Tute, as far as they were written, and what speaks against them (TU24 to TU27).

A trick is written as who took it, a side or a seat, or as its four cards in the order in which they were played, or
as both: "NS", "N", "7cKcAc3h", "NS7cKcAc3h".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Final

from engine.errors import CardError, quoted
from engine.packs import SUITS, read_cards
from engine.problems import Problem, impossible, inconsistent, suspicious
from engine.seats import Seat
from engine.text import gettext_noop
from engine.tute.cards import CARDS, IN_SUIT, NUMBER, POINTS, bits_of, numbers_in
from engine.tute.play import (
    CUARENTA,
    SEATS,
    SIDES,
    TRICKS,
    VEINTE,
    beats,
    playable,
    shown_by,
    side_of,
)

#: The longest text of a trick, with spaces.
LONGEST: Final = 40


def read_tricks(given: object) -> tuple[list[str] | None, list[Problem]]:
    """The tricks in order, those at the end that were not written left out; one in between is an empty text."""
    if not isinstance(given, list | tuple) or len(given) > TRICKS:
        template = gettext_noop("“%(given)s” isn’t a list of ten tricks at most.")
        return None, [impossible("bad-tricks", template, given=quoted(given))]
    found, problems = [], []
    for number, each in enumerate(given):
        text = _read_trick(each)
        if text is None:
            template = gettext_noop(
                "“%(given)s” isn’t a trick: write who took it, NS or EW, or its four cards, for example 7c Kc Ac 3h."
            )
            problems.append(impossible("bad-trick", template, (number,), given=quoted(each)))
        found.append(text or "")
    while found and not found[-1]:
        found.pop()
    return found or None, problems


def _read_trick(given: object) -> str | None:
    if given is None:
        return ""
    if not isinstance(given, str) or len(given) > LONGEST:
        return None
    text = "".join(given.split())
    _by, written = parts_of(text)
    try:
        cards = read_cards(written)
    except CardError:
        return None
    is_whole = len(set(cards)) == len(SEATS) == len(cards) and NUMBER.keys() >= set(cards)
    return text if is_whole or not written else None


def parts_of(text: str) -> tuple[str, str]:
    """Who took a trick, and its cards, by its text; what was not written is empty."""
    by = next((each for each in (*SIDES, *SEATS) if text.startswith(each)), "")
    return by, text[len(by) :]


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick as far as it is known; what is not is empty."""

    cards: tuple[int, ...] = ()
    leader: str = ""
    taker: str = ""
    side: str = ""
    by: str = ""
    """The side or the seat that is said to have taken it."""

    @property
    def played(self) -> tuple[tuple[str, int], ...]:
        """Who played which card, where both are known."""
        if not self.leader:
            return ()
        first = SEATS.index(self.leader)
        return tuple((SEATS[(first + step) % 4], card) for step, card in enumerate(self.cards))


@dataclass(frozen=True, slots=True)
class Tricks:
    """All that was written of the tricks, and what follows: TU6, TU10."""

    written: tuple[Trick, ...] = ()

    @property
    def sides(self) -> tuple[str, ...]:
        """Who took each."""
        return tuple(trick.side for trick in self.written)

    @property
    def are_all_known(self) -> bool:
        """Whether it is known of all ten who took them."""
        return len(self.sides) == TRICKS and all(self.sides)

    @property
    def last(self) -> str:
        """The side that took the tenth; empty where that is not known."""
        return self.sides[-1] if len(self.sides) == TRICKS else ""

    @property
    def cards(self) -> dict[str, int]:
        """TU15: the points in cards by side; nothing where a trick's cards or its side are not known."""
        if not self.are_all_known or not all(trick.cards for trick in self.written):
            return {}
        found = dict.fromkeys(SIDES, 0)
        for trick in self.written:
            found[trick.side] += sum(POINTS[card] for card in trick.cards)
        return found


NO_TRICKS: Final = Tricks()


def tricks_of(given: Mapping[str, Any], trump: str, dealer: str | None) -> Tricks:
    """TU6, TU10: each trick is led by who took the one before, the first one by the player at dealer's right."""
    leader = SEATS[(SEATS.index(dealer) + 1) % 4] if dealer in SEATS else ""
    found = []
    for text in given.get("tricks", ()):
        by, cards = parts_of(text)
        trick = _trick(tuple(NUMBER[card] for card in read_cards(cards)), by, leader, trump)
        found.append(trick)
        leader = trick.taker
    return Tricks(tuple(found))


def _trick(cards: tuple[int, ...], by: str, leader: str, trump: str) -> Trick:
    """By its cards, as far as they and who led are known; else by who is said to have taken it."""
    taker = by if by in SEATS else ""
    if cards and trump and (leader or taker):
        step = cards.index(_best(cards, trump))
        leader = leader or SEATS[(SEATS.index(taker) - step) % 4]
        taker = SEATS[(SEATS.index(leader) + step) % 4]
    return Trick(cards, leader, taker, side_of(taker) if taker else by, by)


def _best(cards: Sequence[int], trump: str) -> int:
    best = cards[0]
    for card in cards[1:]:
        if beats(card, best, trump):
            best = card
    return best


def wrong_tricks(
    given: Mapping[str, Any], tricks: Tricks, trump: str, dealer: str | None, *, under_trump: bool
) -> list[Problem]:
    """TU25, TU26: of the tricks by themselves, and beside what else was given."""
    found = _twice(tricks) or _taken_otherwise(tricks)
    if found:
        return found
    if trump:
        found += _against_the_rules(tricks, trump, under_trump=under_trump)
    found += _beside_points(given, tricks)
    found += _beside_declarations(given, tricks, trump)
    found += _beside_tute(given, tricks)
    holder = next((s for t in tricks.written for s, c in t.played if CARDS[c] == given.get("up")), dealer)
    if dealer and holder != dealer:
        template = gettext_noop("The card that was shown is the dealer’s. Here someone else plays it.")
        found.append(inconsistent("up-dealer", template, ("tricks",)))
    return found


def _twice(tricks: Tricks) -> list[Problem]:
    seen: set[int] = set()
    found = []
    for number, trick in enumerate(tricks.written):
        for card in trick.cards:
            if card in seen:
                template = gettext_noop("Trick %(number)d: %(card)s has been played already.")
                place = ("tricks", number)
                found.append(impossible("card-twice", template, place, number=number + 1, card=CARDS[card]))
            seen.add(card)
    return found


def _taken_otherwise(tricks: Tricks) -> list[Problem]:
    template = gettext_noop("Trick %(number)d: by its cards, %(seat)s took it.")
    return [
        inconsistent(
            "trick-taken", template, ("tricks", number), number=number + 1, seat=Seat.parse(trick.taker).title
        )
        for number, trick in enumerate(tricks.written)
        if trick.by and trick.taker and trick.by not in {trick.taker, trick.side}
    ]


def _against_the_rules(tricks: Tricks, trump: str, *, under_trump: bool) -> list[Problem]:
    """TU7 to TU9, by what each is known to have held: the cards that they played later.

    Whatever else they held, it would not allow a card that these forbid.
    """
    trumps = IN_SUIT[SUITS.index(trump)]
    held = dict.fromkeys(SEATS, 0)
    found: list[Problem] = []
    for number in reversed(range(len(tricks.written))):
        cards = tricks.written[number].cards
        for step, (seat, card) in enumerate(tricks.written[number].played):
            held[seat] |= 1 << card
            before = cards[:step]
            best = _best(before, trump) if before else -1
            allowed = playable(held[seat], before, best, trumps, under_trump)
            if not allowed >> card & 1:
                template = gettext_noop(
                    "Trick %(number)d: %(seat)s couldn’t play %(card)s with %(other)s in hand."
                )
                other = CARDS[numbers_in(allowed)[-1]]
                found.append(
                    impossible(
                        "not-allowed", template, ("tricks", number),
                        number=number + 1, seat=Seat.parse(seat).title, card=CARDS[card], other=other,
                    )
                )  # fmt: skip
    return found[::-1]


def _beside_points(given: Mapping[str, Any], tricks: Tricks) -> list[Problem]:
    found: list[Problem] = []
    if tricks.last and given.get("last", tricks.last) != tricks.last:
        template = gettext_noop("By its tricks, the other side took the last one.")
        found.append(inconsistent("last-tricks", template, ("last",)))
    for side, points in given.get("cards", {}).items():
        if tricks.cards and tricks.cards[side] != points:
            template = gettext_noop("The cards in these tricks are worth %(points)d.")
            place = ("cards", side)
            found.append(inconsistent("cards-tricks", template, place, points=tricks.cards[side]))
        elif points and tricks.are_all_known and side not in tricks.sides:
            template = gettext_noop("A side without a trick has no points.")
            found.append(impossible("cards-without-trick", template, ("cards", side)))
    for side, points in given.get("total", {}).items():
        if points and tricks.are_all_known and side not in tricks.sides:
            template = gettext_noop("A side without a trick has no points.")
            found.append(impossible("total-without-trick", template, ("total", side)))
    return found


def _beside_declarations(given: Mapping[str, Any], tricks: Tricks, trump: str) -> list[Problem]:
    """TU11: one declaration after each of the first nine tricks that a side took."""
    found = []
    for side, tokens in given.get("declared", {}).items():
        first = (*tricks.sides, *("" for _each in range(TRICKS)))[: TRICKS - 1]
        most = sum(not taker or taker == side for taker in first)
        place = ("declared", side)
        if len(tokens) > most:
            template = gettext_noop(
                "A declaration needs a trick among the first nine: this side took %(most)d."
            )
            found.append(impossible("declared-tricks", template, place, most=most))
        elif tricks.cards and trump and not _could_declare(side, tokens, tricks, trump):
            template = gettext_noop("After none of its tricks can this side have declared that.")
            found.append(impossible("declared-held", template, place))
    return found


def _could_declare(side: str, tokens: Sequence[str], tricks: Tricks, trump: str) -> bool:
    """TU11, TU13: whether there is a trick for each, after which its taker held the cards; a forty before veintes."""
    held = dict.fromkeys(SEATS, 0)
    able: dict[str, list[int]] = {token: [] for token in tokens}
    for number in reversed(range(TRICKS - 1)):
        for seat, card in tricks.written[number + 1].played:
            held[seat] |= 1 << card
        taker = tricks.written[number].taker
        for token in tokens:
            wanted = bits_of(shown_by(token, trump))
            if side_of(taker) == side and held[taker] & wanted == wanted:
                able[token].append(number)
    return any(
        all(number in able[token] for token, number in zip(tokens, numbers, strict=True))
        and not _is_barred(dict(zip(tokens, numbers, strict=True)), tricks)
        for numbers in permutations(
            sorted({number for each in able.values() for number in each}), len(tokens)
        )
    )


def _is_barred(at: Mapping[str, int], tricks: Tricks) -> bool:
    if CUARENTA not in at:
        return False
    forty = at[CUARENTA]
    taker = tricks.written[forty].taker
    return any(
        token.startswith(VEINTE) and number < forty and tricks.written[number].taker == taker
        for token, number in at.items()
    )


def _beside_tute(given: Mapping[str, Any], tricks: Tricks) -> list[Problem]:
    """TU11, TU14: a tute follows on a trick of its side, before the last, with all four kings in hand."""
    side = given.get("tute")
    if not side or not tricks.written:
        return []
    if len(tricks.written) == TRICKS:
        template = gettext_noop("A tute ends the deal: there’s no tenth trick.")
        return [impossible("tute-tricks", template, ("tricks",))]
    if tricks.sides[-1] not in {"", side}:
        template = gettext_noop("A tute follows on a trick of its own side.")
        return [impossible("tute-trick", template, ("tricks",))]
    if any(CARDS[card][0] == "K" for trick in tricks.written for card in trick.cards):
        template = gettext_noop("A king has been played: then nobody holds all four.")
        return [impossible("tute-kings", template, ("tricks",))]
    return []


def rare_tricks(tricks: Tricks) -> list[Problem]:
    """TU27."""
    return [
        suspicious("no-trick", gettext_noop("A side without a trick is rare."), ("tricks",))
        for side in SIDES
        if tricks.are_all_known and side not in tricks.sides
    ]
