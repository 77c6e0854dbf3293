"""Template tags that draw playing cards: they know a card by its text ("As", "Td"), and no game's rules.

Besides, what a robot is called where one is chosen.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from engine.packs import JOKER
from games.options import robot_in_words

register = template.Library()
register.filter(robot_in_words)

SUITS = {
    "s": ("spade", "♠", gettext_lazy("spades")),
    "h": ("heart", "♥", gettext_lazy("hearts")),
    "d": ("diamond", "♦", gettext_lazy("diamonds")),
    "c": ("club", "♣", gettext_lazy("clubs")),
}
RANKS = {
    "A": gettext_lazy("ace"),
    "K": gettext_lazy("king"),
    "Q": gettext_lazy("queen"),
    "J": gettext_lazy("jack"),
    "T": gettext_lazy("ten"),
    "9": gettext_lazy("nine"),
    "8": gettext_lazy("eight"),
    "7": gettext_lazy("seven"),
    "6": gettext_lazy("six"),
    "5": gettext_lazy("five"),
    "4": gettext_lazy("four"),
    "3": gettext_lazy("three"),
    "2": gettext_lazy("two"),
}
# Cards stay in one line.
NO_BREAK = "\u00a0"
SIZES = ("tiny", "small", "medium", "large")

# The compass in the order in which a diagram is read, which is also the order of play.
SEATS = {
    "N": ("north", gettext_lazy("North"), pgettext_lazy("letter for the seat", "N")),
    "E": ("east", gettext_lazy("East"), pgettext_lazy("letter for the seat", "E")),
    "S": ("south", gettext_lazy("South"), pgettext_lazy("letter for the seat", "S")),
    "W": ("west", gettext_lazy("West"), pgettext_lazy("letter for the seat", "W")),
}
FULL_HAND = 13


@register.filter
def card_name(card: Any) -> str:
    """A card in words: "seven of hearts"; any other text as it stands."""
    rank, suit = str(card)[:1], str(card)[1:]
    if rank not in RANKS or suit not in SUITS:
        return str(card)
    return _("%(rank)s of %(suit)s") % {"rank": RANKS[rank], "suit": SUITS[suit][2]}


@register.filter
def rank_face(card: Any) -> str:
    """What stands on the card for its rank: 10 for T."""
    return "10" if str(card)[:1] == "T" else str(card)[:1]


def in_symbols(cards: Iterable[str], between: str = NO_BREAK) -> str:
    """Cards in a line: 10♦ K♠."""
    return between.join(f"{rank_face(card)}{SUITS[card[1]][1]}" for card in cards)


def suit_name(suit: str) -> str:
    """A suit in words; of none an empty text."""
    return str(SUITS[suit][2]) if suit in SUITS else ""


def suit_choices() -> list[tuple[str, str]]:
    """The suits to choose from: ♠ spades."""
    return [(suit, f"{symbol} {word}") for suit, (_css, symbol, word) in SUITS.items()]


@register.simple_tag
def card(value: Any, size: str = "small", partner: bool = False, by: Any = "", extra: str = "") -> SafeString:
    """A card's face. `partner` underlines it in brass, `by` names who played it; '' is an empty place."""
    size = size if size in SIZES else "small"
    text = "" if value is None else str(value)
    if text in ("", "-", "?"):
        return empty_place(size, hidden=text == "?")
    suit, symbol, _word = SUITS.get(text[1:], ("unknown", "", ""))
    classes = " ".join(
        word for word in ("card-face", size, suit, "by-partner" if partner else "", extra) if word
    )
    name = card_name(text)
    label = _("%(card)s, from %(player)s") % {"card": name, "player": by} if by else name
    return format_html(
        '<span class="{}" role="img" aria-label="{}">'
        '<span class="rank">{}</span><span class="suit">{}</span></span>',
        classes,
        label,
        rank_face(text),
        symbol,
    )


def empty_place(size: str, *, hidden: bool) -> SafeString:
    """A place for a card: nothing there yet, or a card that is not known (its back)."""
    css, label = ("back", _("unknown card")) if hidden else ("vacant", _("no card yet"))
    return format_html('<span class="card-face {} {}" role="img" aria-label="{}"></span>', size, css, label)


def listed(cards: Any) -> list[str]:
    """Cards as texts, from a text with spaces or from any values that print as cards."""
    return cards.split() if isinstance(cards, str) else [str(value) for value in cards or ()]


@register.simple_tag
def hand(cards: Any, partner: Any = (), size: str = "small", places: int = 0, by: Any = "") -> SafeString:
    """Cards in a row, as given; those in `partner` are underlined, empty places fill up to `places`."""
    shown = listed(cards)
    theirs = set(listed(partner))
    faces = [card(value, size, partner=value in theirs, by=by if value in theirs else "") for value in shown]
    faces += [empty_place(size, hidden=False)] * max(0, places - len(shown))
    return format_html(
        '<span class="hand">{}</span>', format_html_join("", "{}", ((face,) for face in faces))
    )


@register.simple_tag
def suit_symbol(suit: str) -> SafeString:
    """A suit's symbol in its colour, named for readers: suit is s, h, d or c."""
    css, symbol, word = SUITS[suit]
    return format_html('<span class="suit-symbol {}" role="img" aria-label="{}">{}</span>', css, word, symbol)


@register.simple_tag
def suit_rows(cards: Any, played: Any = "", ranks: Any = RANKS) -> SafeString:
    """A player's cards by suit, one line a suit, high cards first: ♠ A K 7. Those in `played` are set back.

    ranks: in which order they are high, by the game.
    """
    held, gone = listed(cards), set(listed(played))
    rows = ((suit_symbol(suit), suit_line(suit, held, gone, ranks)) for suit in SUITS)
    lines = format_html_join("", '<span class="suit-row">{} {}</span>', rows)
    if jokers := held.count(JOKER):
        said = ngettext("%(count)d joker", "%(count)d jokers", jokers) % {"count": jokers}
        lines += format_html('<span class="suit-row">{}</span>', said)
    return format_html('<span class="suit-rows">{}</span>', lines)


def suit_line(suit: str, held: list[str], gone: Collection[str], ranks: Iterable[str]) -> SafeString:
    """One suit's ranks, high to low; a dash, which readers hear as "none", for a void."""
    order = {rank: place for place, rank in enumerate(ranks)}
    mine = sorted((value for value in held if value[1:] == suit), key=lambda value: order.get(value[0], 99))
    if not mine:
        return format_html(
            '<span class="ranks"><span aria-hidden="true">–</span><span class="visually-hidden">{}</span></span>',
            pgettext_lazy("no card of a suit", "none"),
        )
    ranks = format_html_join(" ", "{}", ((rank_mark(value, gone=value in gone),) for value in mine))
    return format_html('<span class="ranks">{}</span>', ranks)


def rank_mark(value: str, *, gone: bool) -> SafeString:
    """A rank within a line; one that has been played is set back, and says so."""
    if not gone:
        return format_html("{}", rank_face(value))
    return format_html(
        '<s class="played">{}<span class="visually-hidden"> {}</span></s>', rank_face(value), _("(played)")
    )


@register.simple_tag
def card_backs(count: int = FULL_HAND) -> SafeString:
    """Cards that are not shown, as a fan of backs with their number in words."""
    words = ngettext("%(count)d card, not shown", "%(count)d cards, not shown", count) % {"count": count}
    backs = SafeString('<span class="card-face tiny back"></span>' * count)
    return format_html(
        '<span class="backs"><span class="fan" aria-hidden="true">{}</span>'
        '<span class="backs-words">{}</span></span>',
        backs,
        words,
    )


@register.simple_tag
def board_diagram(
    hands: Mapping[str, Any],
    *,
    title: Any,
    dealer: str = "",
    number: Any = "",
    names: Mapping[str, Any] | None = None,
    played: Any = "",
    seats: Mapping[str, Any] | None = None,
    ranks: Any = RANKS,
) -> SafeString:
    """Four hands around a compass, read as North, East, South, West; other seats in the order of the turn.

    seats: what each seat is called, where it is not the compass. hands: by seat (N, E, S, W) a text or list of cards,
    a number of cards that are not shown, or None for a full hand that is not shown. names: who sits there. played:
    cards that are set back. title: what readers hear first. ranks: in which order cards are high, by the game.
    """
    names = names or {}
    has_compass = seats is None or SEATS.keys() == seats.keys()
    called = SEATS if has_compass else {key: ("", seat, "") for key, seat in (seats or {}).items()}
    places = [
        {
            "seat": seat,
            "letter": letter,
            "name": names.get(key, ""),
            "is_dealer": key == dealer,
            "cards": hand_in_diagram(hands.get(key), played, ranks),
        }
        for key, (_place, seat, letter) in called.items()
    ]
    context = {"seats": places, "title": title, "number": number, "has_compass": has_compass}
    return SafeString(render_to_string("components/board.html", context))


@register.simple_tag
def turned_up(value: str) -> SafeString:
    """The card that is shown before play, in a line; nothing where there is none."""
    if not value:
        return SafeString("")
    return format_html('<p class="cluster">{} {}</p>', _("Turned up"), card(value))


def hand_in_diagram(cards: Any, played: Any, ranks: Any) -> SafeString:
    """A hand's suits, or its backs: nothing of a hidden card is in the page."""
    if cards is None or isinstance(cards, int):
        return card_backs(FULL_HAND if cards is None else cards)
    return suit_rows(cards, played, ranks)
