"""Template tags for the site's components. Their list, with an example of each, stands in docs/look.md."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import segno
from django import template
from django.contrib.staticfiles import finders
from django.core.paginator import Page
from django.db import models
from django.db.models import Count
from django.forms import BoundField, CheckboxInput
from django.template.base import Parser, Token
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league import extension, policies
from league.clubs import queries as clubs
from league.models import Club, Fixture, Notice, Round
from league.standings import round_names
from league.storage.prepared import Prepared, Somebody
from league.web import keeping
from league.web.local_time import day_text
from league.web.number_format import decimal_text, score_text, signed_text, written

register = template.Library()

TONES = ("green", "brass", "red", "neutral")

OUTCOMES = {
    "W": ("won", pgettext_lazy("letter for a match won", "W"), _("won")),
    "D": ("drawn", pgettext_lazy("letter for a match drawn", "D"), _("drawn")),
    "L": ("lost", pgettext_lazy("letter for a match lost", "L"), _("lost")),
}


# Small values


@register.filter
def number(value: Any) -> str:
    """A number as people of the reader's language write it: 1,142; −133 with a real minus; '' for none."""
    return "" if value in (None, "") else decimal_text(value)


@register.filter
def figure(shown: str) -> str:
    """A figure as the engine writes it ("-4.5", "13/3"), in the reader's language."""
    return written(shown)


@register.filter(expects_localtime=True)
def day(value: Any, shape: str) -> str:
    """A day as the reader's language writes it, by the shape of an English one: {{ made_at|day:"j M Y, H:i" }}."""
    return "" if value in (None, "") else day_text(value, shape)


@register.filter
def score(points: Iterable[int]) -> str:
    """The points of all sides in their order: 187 – 131."""
    return score_text(points)


@register.filter
def of(values: Mapping[str, Any], key: str) -> Any:
    """What the mapping has for the key."""
    return values.get(key)


@register.filter
def signed(value: Any) -> str:
    """A difference with its sign: +386, −133, 0; '' for none."""
    return "" if value in (None, "") else signed_text(value)


@register.filter
def initials(person: Any) -> str:
    """Up to two letters that stand for a person: AB for Anna Berg."""
    words = str(person).split("@")[0].replace(".", " ").split()
    chosen = words[:1] + words[-1:] if len(words) > 1 else words
    return "".join(word[0] for word in chosen).upper()


@register.filter
def is_checkbox(field: BoundField) -> bool:
    """Whether the field is one tick box, whose label stands behind it."""
    return isinstance(field.field.widget, CheckboxInput)


@register.simple_tag
def address(name: str, *args: Any) -> str:
    """The address of a named page, or '' where there is none (or a part of it is missing)."""
    if any(arg in (None, "") for arg in args):
        return ""
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        return ""


@register.simple_tag
def calling_table(user: Any) -> extension.OwnEvent | None:
    """The table at which somebody waits for this person."""
    return extension.layer().calling_table(user)


@register.simple_tag
def unread_notices(user: Any) -> int:
    """How many notices wait in the person's inbox."""
    # Of none there is no row.
    return sum(count for (count,) in _UNREAD(user=user.pk))


_UNREAD = Prepared(
    lambda: (
        Notice.objects.of(Somebody)  # type: ignore[arg-type]
        .unread()
        .order_by()
        .values("user")
        .annotate(count=Count("pk"))
        .values_list("count")
    )
)


@register.simple_tag(takes_context=True)
def may(context: template.Context, action: str, thing: Any = None) -> bool:
    """Whether the reader may do this."""
    return policies.may(context["user"], action, thing)


@register.filter
def round_name(played: Fixture | Round) -> str:
    """What a round, or that of one match, is called. A query in a knock-out: not for the lines of a list."""
    return (
        round_names.of_fixture(played) if isinstance(played, Fixture) else str(round_names.of_round(played))
    )


@register.simple_tag
def round_of_notice(number: int, legs: int, rounds: int) -> str:
    """The name of a round in a notice, which keeps only numbers; `rounds` are those of the bracket, 0 without one."""
    return (
        str(round_names.in_legs(number, legs, rounds))
        if rounds
        else _("Round %(number)d") % {"number": number}
    )


# Words with a colour


@register.simple_tag
def qr_code(text: str) -> SafeString:
    """The text as a QR code that a phone reads: SVG to stand within a page."""
    code = segno.make(text, error="m", micro=False)
    # Nothing of the text stands in the picture but its modules.
    return mark_safe(code.svg_inline(scale=3, border=2, omitsize=True, svgclass="qr", lineclass=None))  # noqa: S308


@register.simple_tag
def pill(text: Any, tone: str = "neutral") -> SafeString:
    """A word in a pill. Tones: green, brass (attention), red, neutral."""
    return format_html('<span class="pill {}">{}</span>', tone if tone in TONES else "neutral", text)


@register.simple_tag
def status_pill(status: str) -> SafeString:
    """A fixture's state as a pill; static/css/statuses.css gives each its colour."""
    words = dict(Fixture.Status.choices)
    return format_html('<span class="pill" data-status="{}">{}</span>', status, words.get(status, status))


@register.filter
def masked(email: str) -> str:
    """An address as others may see it: enough to recognise one that they know."""
    name, _at, host = email.partition("@")
    return f"{name[:1]}…@{host}" if host else ""


@register.simple_tag
def form_boxes(outcomes: Sequence[str]) -> SafeString:
    """The last matches as lettered boxes, oldest first: a string or list of W, D, L."""
    known = [OUTCOMES[letter] for letter in outcomes if letter in OUTCOMES]
    if not known:
        return format_html('<span class="soft" aria-label="{}">–</span>', _("no matches yet"))
    boxes = format_html_join(
        "",
        '<span class="form-box {}" aria-hidden="true">{}</span>',
        ((css, letter) for css, letter, _w in known),
    )
    words = ", ".join(str(word) for _css, _letter, word in known)
    return format_html(
        '<span class="form-boxes"><span class="visually-hidden">{}</span>{}</span>', words, boxes
    )


# Blocks


@register.simple_block_tag(end_name="endwhy")
def why(content: str, figure: Any, label: Any = "") -> SafeString:
    """A computed figure that opens its explanation (the tag's content) when pressed; needs no script."""
    return format_html(
        '<details class="why" data-menu><summary>{}<span class="visually-hidden"> {}</span></summary>'
        '<div class="why-body">{}</div></details>',
        figure,
        label or _("(why?)"),
        content,
    )


@register.simple_block_tag(end_name="endnotice")
def notice(content: str, tone: str = "info", title: Any = "") -> SafeString:
    """A message within the page. Tones: info, good, attention, error (which readers announce at once)."""
    return SafeString(
        render_to_string("components/notice.html", {"content": content, "tone": tone, "title": title})
    )


@register.simple_block_tag(end_name="endempty")
def empty(content: str, title: Any) -> SafeString:
    """An empty state: what it means that nothing is here (title), and what to do (content, button)."""
    return SafeString(render_to_string("components/empty.html", {"content": content, "title": title}))


@register.simple_block_tag(end_name="endpanel")
def panel(content: str, title: Any = "", tone: str = "") -> SafeString:
    """A raised surface with a heading. Tones: next (green: the person's next step), attention (brass)."""
    return SafeString(
        render_to_string("components/panel.html", {"content": content, "title": title, "tone": tone})
    )


@register.simple_block_tag(end_name="enddialog")
def dialog(content: str, name: str, title: Any) -> SafeString:
    """A modal dialog, opened by {% dialog_button name label %}; its content usually ends with a form."""
    return SafeString(
        render_to_string("components/dialog.html", {"content": content, "name": name, "title": title})
    )


@register.simple_tag
def dialog_button(name: str, label: Any, style: str = "secondary") -> SafeString:
    """The button that opens the dialog of that name."""
    return format_html(
        '<button type="button" class="{}" data-opens="{}" aria-haspopup="dialog">{}</button>',
        style,
        name,
        label,
    )


@register.simple_block_tag(end_name="endtable")
def table(content: str, label: Any, style: str = "") -> SafeString:
    """The frame of a <table>, scrolling inside itself. Styles: sticky (first column), compact, stacked."""
    return format_html(
        '<div class="table-frame {}" role="region" aria-label="{}" tabindex="0">{}</div>',
        style,
        label,
        content,
    )


@register.simple_block_tag(end_name="endtabs")
def tabs(content: str, label: Any) -> SafeString:
    """A row of links to the parts of one thing; fill it with {% tab %}."""
    return format_html('<nav class="tabs" aria-label="{}">{}</nav>', label, content)


@register.simple_tag
def tab(label: Any, url: str, current: bool = False, count: int | None = None) -> SafeString:
    """One link of {% tabs %}; `count` stands behind the label when it isn't nought."""
    mark = SafeString(' aria-current="page"') if current else ""
    badge = format_html(' <span class="count">{}</span>', count) if count else ""
    return format_html('<a href="{}"{}>{}{}</a>', url, mark, label, badge)


@register.simple_block_tag(end_name="endlive")
def live(content: str, url: str, every: int = 5) -> SafeString:
    """A part that asks `url` for news every few seconds while the page is seen (static/js/live.js)."""
    return format_html('<div data-live="{}" data-live-every="{}">{}</div>', url, every, content)


@register.simple_block_tag(end_name="endworking")
def working(content: str, words: Any, lines: int = 3) -> SafeString:
    """Something that is being worked out: its words, lines that keep its place, then what else can be said."""
    context = {"content": content, "words": words, "lines": range(lines)}
    return SafeString(render_to_string("components/working.html", context))


class _SameForAll(template.Node):
    """Its content as it was drawn first in this language."""

    def __init__(self, content: template.NodeList) -> None:
        self.content, self.drawn = content, dict[str | None, SafeString]()

    def render(self, context: template.Context) -> SafeString:
        language = get_language()
        if language not in self.drawn:
            self.drawn[language] = self.content.render(context)
        return self.drawn[language]


@register.tag
def same_for_all(parser: Parser, _token: Token) -> template.Node:
    """What is the same on every page and for every reader of a language is drawn once in a process."""
    content = parser.parse(("endsame_for_all",))
    parser.delete_first_token()
    return _SameForAll(content)


# Links, steps and progress


@register.inclusion_tag("components/breadcrumbs.html")
def breadcrumbs(*steps: Any) -> dict[str, Any]:
    """The way to this page: label and address in turn; a last label alone is this page."""
    labels, urls = steps[::2], [*steps[1::2], ""]
    return {"steps": [{"label": label, "url": url} for label, url in zip(labels, urls, strict=False)]}


@register.simple_tag
def script_module(name: str, *shared: str) -> SafeString:
    """The page's script module; what it imports is asked for at once, not when one module after the other names it."""
    *parts, script = script_modules(name, *shared)
    early = format_html_join("", '<link rel="modulepreload" href="{}">', ((static(part),) for part in parts))
    return format_html('{}<script type="module" src="{}"></script>', early, static(script))


@cache
def script_modules(name: str, *shared: str) -> tuple[str, ...]:
    """The modules in the folder of this name and in those that it shares, and last the one that imports them."""
    parts = (
        f"{folder}/{part.name}"
        for folder in (name, *shared)
        for part in Path(str(finders.find(folder))).glob("*.js")
    )
    return (*sorted(parts), f"{name}.js")


@register.inclusion_tag("components/progress.html")
def progress(done: int, total: int, label: Any) -> dict[str, Any]:
    """How far something is: a bar, with its words beside it ("Round 8 of 14")."""
    return {"done": done, "total": total, "label": label}


@register.inclusion_tag("components/pagination.html", takes_context=True)
def pagination(context: template.Context, page: Page[Any]) -> dict[str, Any]:
    """Links to the other pages of a list; keeps the rest of the query. Shows nothing for a single page."""
    links = [
        {"number": item, "gap": not isinstance(item, int)}
        for item in page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1)
    ]
    return {"page": page, "links": links, "request": context.get("request")}


@register.inclusion_tag("league/imported.html", takes_context=True)
def imported(context: template.Context, row: models.Model, club: Club) -> dict[str, Any]:
    """That a row came with the file of its club; to officials also from which file, and what was said of it there."""
    is_one = keeping.kept("a club of a file", (club.pk,), partial(clubs.is_of_a_file, club))
    found = clubs.import_of(row, club) if is_one else None
    may_see = found is not None and policies.may(context["request"].user, "club.see_members", club)
    return {"found": found, "may_see": may_see, "row": row, "club": club}


@register.inclusion_tag("components/post_button.html", takes_context=True)
def post_button(
    context: template.Context, label: Any, url: str, *, style: str = "", name: str = "", value: str = ""
) -> dict[str, Any]:
    """A button that does something at once: a form of its own that posts to `url`."""
    token = context.get("csrf_token")
    return {"label": label, "url": url, "style": style, "name": name, "value": value, "csrf_token": token}


@register.inclusion_tag("components/fixture.html")
def fixture_row(
    *,
    home: Any = "",
    away: Any = "",
    status: str = "scheduled",
    home_score: Any = None,
    away_score: Any = None,
    sides: Sequence[tuple[Any, Any, bool]] = (),
    when: Any = "",
    detail: Any = "",
    url: str = "",
    mine: bool = False,
) -> dict[str, Any]:
    """Who meets, with score or state: home and away, or `sides` with the name of each, its score and whether it won.

    `when` is a text or datetime for matches to come, `detail` a line below.
    """
    if not sides:
        won = status == "confirmed" and home_score is not None and away_score is not None
        sides = (
            (home, home_score, won and home_score > away_score),
            (away, away_score, won and away_score > home_score),
        )
    scores = [score for _name, score, _won in sides]
    return {
        "sides": sides,
        "scores": scores,
        "status": status or "scheduled",
        "played": None not in scores and "" not in scores,
        "when": when,
        "detail": detail,
        "url": url,
        "mine": mine,
    }


@register.filter
def anchor(text: Any) -> str:
    """A word for an id or a fragment of an address, from any text."""
    return slugify(str(text)) or "part"
