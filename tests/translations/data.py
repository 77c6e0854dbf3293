"""What on a page is data: names and words that people wrote, which are the same in every language."""

import re
from collections.abc import Iterable
from zoneinfo import available_timezones

from django.apps import apps
from django.db.models import CharField, Field, TextField

from engine.game.registry import all_games
from games.models import BoardSet
from league.models import Club, Lineup, User, Webhook
from league.web.local_time import zone_name
from tests.translations.pseudo import CLOSE, OPEN
from tests.translations.shown import Said

# The columns in which people's own words stand. All other texts of a row are keys or our sentences.
TYPED = {
    "name",
    "email",
    "number",
    "slug",
    "about",
    "place",
    "table",
    "note",
    "message",
    "reason",
    "withdrawal_reason",
    "verdict_reason",
    "actor_name",
    "file_name",
    "hint",
    "host",
    # What an imported file tells of another installation.
    "who",
    "what",
    "why",
}
# What is called so everywhere.
NAMES = {
    "Concertmaster",
    "Concerto",
    "Parlett",
    "API",
    "CSV",
    "SHA-256",
    "localhost",
    "testserver",
    "US Letter",
    "A4",
    "UTC",
}
# Formats of files with deals.
NAMES |= {"PBN", "DUP", "BRI", "DGE", "DLM", "BER", "LIN", "JSON"}
ZONES = {name.replace("_", " ") for name in available_timezones()} | available_timezones()
# Seats, sides, ranks, cards and versions of boards in the notation that people type; it is the same in every language.
NOTATION = re.compile(r"(?<!\w)(?:[NESW](?:-[NESW])?|[AKQJT]|[B-E]|(?:10|[2-9AKQJT])[cdhs])(?!\w)")
ADDRESS = re.compile(r"https?://\S*")
# An address of which nobody is to see more.
MASKED = re.compile(r"\w…@\S+")
# The beginning of a commitment.
DIGEST = re.compile(r"\b[0-9a-f]{16,64}(?:…|\b)")
MARKED = re.compile(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}")
WORD = re.compile(r"[^\W\d_]+")


def phrases() -> re.Pattern[str]:
    """Everything that people of the present rows have written, the longest first."""
    written = set(NAMES)
    for model in (*apps.get_app_config("league").get_models(), *apps.get_app_config("games").get_models()):
        for each in model._meta.get_fields():
            if isinstance(each, CharField | TextField) and _is_typed(each):
                written |= set(model._base_manager.values_list(each.name, flat=True))
    written |= {game.name for game in all_games()}
    # What webhooks tell of has the same name in every program.
    written |= set(Webhook.Event.values)
    written |= {str(pair) for pair in Lineup.objects.with_players()}
    written |= {user.get_short_name() for user in User.objects.all()}
    written |= {zone_name(club.time_zone) for club in Club.objects.all()}
    for given in BoardSet.objects.values_list("delayed", flat=True):
        written |= {str(given.get(name) or "") for name in ("source", "value")}
    return re.compile("|".join(_whole(each) for each in sorted(written, key=len, reverse=True) if each))


def _whole(words: str) -> str:
    """The words, not within others: the table 7 is not in the card 7h."""
    return (
        rf"(?<!\w){re.escape(words)}(?!\w)"
        if words[0].isalnum() and words[-1].isalnum()
        else re.escape(words)
    )


def _is_typed(column: "Field[object, object]") -> bool:
    return column.name in TYPED and not column.choices


def forgotten(said: Iterable[Said], known: re.Pattern[str]) -> list[str]:
    """The words that are neither between marks nor data, with the whole text and its place."""
    found = []
    for each in said:
        if each.text in ZONES:
            continue
        left = NOTATION.sub(
            " ",
            known.sub(" ", DIGEST.sub(" ", MASKED.sub(" ", ADDRESS.sub(" ", MARKED.sub(" ", each.text))))),
        )
        if words := WORD.findall(left):
            found.append(f"{' '.join(words)!r} in {each.where}: {each.text[:160]}")
    return found
