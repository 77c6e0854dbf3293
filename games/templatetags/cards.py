"""Template tags that draw playing cards: they know a card by its text ("As", "Td"), and no game's rules."""

from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

register = template.Library()

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
SIZES = ("tiny", "small", "medium", "large")


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
    css, label = ("back", _("a card that is not known")) if hidden else ("vacant", _("no card yet"))
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
def suit_rows(cards: Any) -> SafeString:
    """A player's cards by suit, one line a suit, high cards first: ♠ A K 7."""
    held = listed(cards)
    order = {rank: place for place, rank in enumerate(RANKS)}
    rows = []
    for suit in SUITS:
        ranks = sorted(
            (value for value in held if value[1:] == suit), key=lambda value: order.get(value[0], 99)
        )
        rows.append((suit_symbol(suit), " ".join(rank_face(value) for value in ranks) or "–"))
    lines = format_html_join("", '<span class="suit-row">{} <span>{}</span></span>', rows)
    return format_html('<span class="suit-rows">{}</span>', lines)
