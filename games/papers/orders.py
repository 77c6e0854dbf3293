"""What a worker is asked to print, and what comes of it."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.boards.queries.sets import names_of_rounds
from games.models import BoardSet
from league.models import Competition, Round

#: How far along the work is: pages done, of how many.
Tell = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Order:
    """A paper to be made. `site` is where the site is found, for links that phones open, `places` how many
    of each division are meant."""

    competition: Competition
    size: str
    language: str
    site: str
    tell: Tell
    board_set: BoardSet | None = None
    round: Round | None = None
    places: int = 0

    def page(self, title: str, **words: str) -> dict[str, Any]:
        """What every template is given: the paper's frame, and its words in the reader's language."""
        club = self.competition.club
        today = date_format(timezone.localtime(), pgettext("day with year", "j M Y"))
        return {
            "title": f"{self.competition.name}: {title}",
            "author": club.name,
            "size": self.size,
            "language": self.language,
            "foot": [club.name, self.competition.name, _("printed %(day)s") % {"day": today}],
            "words": {
                # The typesetter alone knows the numbers.
                "page": _("page %(page)s of %(pages)s") % {"page": "{page}", "pages": "{pages}"},
                **words,
            },
        }

    @property
    def sets(self) -> tuple[BoardSet, ...]:
        """The set that was asked for, or all that are in use, in the order of rounds."""
        if self.board_set is not None:
            return (self.board_set,)
        found = self.competition.board_sets.filter(discarded_at=None).select_related("round")
        return tuple(found.order_by("round__number", "pk"))


@dataclass(frozen=True, slots=True, repr=False)
class Product:
    """A finished file. Its repr does not show the content: there may be cards."""

    file_name: str
    content: bytes


class NothingToPrint(Exception):
    """There is nothing of this kind yet, in words for the person who asked."""


def set_titles(competition: Competition, sets: Collection[BoardSet]) -> dict[int, str]:
    """ "Boards 1 to 28", or "Round 3: boards 9 to 12", by the key of the set."""
    names = names_of_rounds(competition, sets)
    return {each.pk: _set_title(each, names[each.pk]) for each in sets}


def _set_title(board_set: BoardSet, round_name: str) -> str:
    values = {
        "first": board_set.first_number,
        "last": board_set.first_number + board_set.count - 1,
        "round": round_name,
    }
    if round_name:
        return _("%(round)s: boards %(first)d to %(last)d") % values
    return _("Boards %(first)d to %(last)d") % values
