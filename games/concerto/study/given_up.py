"""What each action of a deal gave up, and what the expert would have done: a stored analysis as a replay shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine import game
from engine.concerto.play import PASS_TOKEN
from games.analysis.services import analyses
from games.models import Analysis
from games.templatetags.cards import card_name
from league.web.charts import Series, line_chart

Json = Mapping[str, Any]
#: Actions whose values differ by less tenths of a point are as good as each other.
SAME = 5
FIRST = "NS"


@dataclass(frozen=True, slots=True)
class GivenUp:
    """The actions of a deal in the light of best play: `par` at the start and after each, `costs` what each gave up.

    `judged` is what the coach says of each, where somebody has asked and it is there; it knows no card that the player
    could not see.
    """

    par: tuple[Mapping[str, int], ...]
    costs: tuple[int, ...]
    judged: tuple[Json, ...]
    is_awaited: bool

    def sums(
        self, sides: Sequence[str], players: Sequence[str]
    ) -> tuple[tuple[str, int, tuple[tuple[str, int], ...]], ...]:
        """What each side gave up in all, and of that each player, where each action was that side's and player's."""
        found: dict[str, dict[str, int]] = {}
        for side, player, cost in zip(sides, players, self.costs, strict=True):
            of_side = found.setdefault(side, {})
            of_side[player] = of_side.get(player, 0) + cost
        return tuple((side, sum(each.values()), tuple(each.items())) for side, each in found.items())

    def graph(self, step: int) -> SafeString:
        """How far North-South are ahead at par, from start to end, with a dot at the actions that gave up most."""
        leads = [2 * total[FIRST] - sum(total.values()) for total in self.par]
        worst = sorted((cost for cost in self.costs if cost), reverse=True)[:5]
        return line_chart(
            [Series(_("Lead of N-S at par"), tuple(leads))],
            steps=range(len(leads)),
            title=_("Par through the deal"),
            description=_(
                "How far North-South are ahead if both sides play as well as possible from there on: %(first)d "
                "at the "
                "start, %(last)d at the end. Dots mark the actions that gave up most."
            )
            % {"first": leads[0], "last": leads[-1]},
            of_what=_("After action"),
            marked={place for place, cost in enumerate(self.costs, start=1) if worst and cost >= worst[-1]},
            here=step,
        )

    def advice(self, place: int, token: str, player: str) -> tuple[str, ...]:
        """What the expert would have done instead of the action at that place, by what that player could see."""
        if not self.judged:
            return ()
        judged = self.judged[place]
        if judged["chosen"] == token:
            return (_("The expert would have done the same."),)
        return (_choice(judged["chosen"]), *_lost(judged["lost"], player))


def _choice(token: str) -> str:
    if token == PASS_TOKEN:
        return _("The expert would have passed.")
    return _("The expert would have played the %(card)s.") % {"card": card_name(token)}


def _lost(lost: int | None, player: str) -> tuple[str, ...]:
    if lost is None:
        return ()
    if lost < SAME:
        return (_("From what %(player)s could see, both were about as good.") % {"player": player},)
    points = max(1, round(lost / 10))
    said = ngettext(
        "From what %(player)s could see, that promised about %(points)d point more.",
        "From what %(player)s could see, that promised about %(points)d points more.",
        points,
    )
    return (said % {"player": player, "points": points},)


def given_up(
    analysis: Analysis | None, tokens: Sequence[str], cards: Mapping[str, list[int]]
) -> GivenUp | None:
    """What the analysis says of these actions; None where it doesn't, or not yet.

    cards: by side the pair and the version of its convention card, without which nothing is said of the expert.
    """
    if analysis is None or analysis.version != analyses.version_of(game.get(analysis.game)):
        return None
    content = analyses.content_in(analysis)
    actions = content.get("actions", [])
    if not actions or len(actions) != len(tokens):
        return None
    is_asked = analysis.asks_expert and analysis.advice_cards == cards
    is_advised = is_asked and analysis.advice_version == analyses.coach_version_of(game.get(analysis.game))
    judged = tuple(analysis.advice or ()) if is_advised else ()
    return GivenUp(
        par=(content["par"]["total"], *(action["par"] for action in actions)),
        costs=tuple(action["cost"] for action in actions),
        judged=judged if len(judged) == len(tokens) else (),
        is_awaited=is_asked and not is_advised,
    )
