"""A robot for games that bring none: it plays anything that is allowed, by chance."""

from __future__ import annotations

import json
import random
from typing import Final

from engine.errors import ActionError
from engine.game.capabilities import Robot
from engine.game.values import View
from engine.game.zones import Composition, Zones
from engine.packs import cards_text
from engine.text import Word, gettext_noop


class Beginner(Robot):
    """Plays any card or call that its view offers; the same view gives the same action.

    It needs the common view. Of compositions it takes such as any cards will do for, or the only thing there is.
    """

    key = "beginner"
    name = Word(gettext_noop("Beginner"))
    summary = Word(gettext_noop("Plays any card that’s allowed, at random."))

    def token(self, view: View) -> str:
        """By chance. Raises ActionError when not on turn."""
        if not isinstance(view, Zones) or not (view.cards or view.calls or view.compositions):
            raise ActionError("not-on-turn", gettext_noop("It isn’t this robot’s turn."))
        seed = json.dumps(view.as_json(), sort_keys=True, default=str)
        rng = random.Random(seed)  # noqa: S311 (nobody’s secret)
        offered = [*view.cards, *(call.token for call in view.calls)]
        offered += [_composed(each, rng) for each in view.compositions if not each.least or not offered]
        return rng.choice(offered)


def _composed(composition: Composition, rng: random.Random) -> str:
    most = min(composition.most, len(composition.cards))
    taken = rng.sample(composition.cards, rng.randint(min(composition.least, most), most))
    return composition.prefix + cards_text(taken)


BEGINNER: Final = Beginner()
