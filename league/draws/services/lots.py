"""Drawing lots: recorded, and repeatable by anyone from the seed."""

import hashlib
import secrets
from collections.abc import Iterable, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from league import policies
from league.actors import Actor, person
from league.audit.services import audit
from league.competitions.services import competitions
from league.errors import Conflict, Invalid
from league.models import Competition, Division, Entry, LotDraw
from league.standings.services import standings
from league.words import sentences


def new_seed() -> str:
    """A seed that nobody can foresee."""
    return secrets.token_hex(16)


def order_of(keys: Iterable[int], *, seed: str) -> list[int]:
    """The keys in the order the lots fall: by the SHA-256 of "seed:key", the smallest first."""
    return sorted(keys, key=lambda key: (hashlib.sha256(f"{seed}:{key}".encode()).digest(), key))


@transaction.atomic
def draw(
    *, actor: Actor, division: Division, entries: Sequence[Entry] = (), seed: str | None = None
) -> LotDraw:
    """Draws lots among the tied entries (all of the division, if none are named) and keeps seed and order.

    The newest draw that names all those tied is the one that counts. A seed is given only to repeat a draw.
    """
    competition = competitions.locked(division.competition)
    policies.require(actor, "division.draw_lots", competition)
    if competition.state == Competition.State.DRAFT:
        raise Conflict(_("Lots are only drawn to break a tie. Publish the competition first."))
    competitions.check_not_final(competition)
    if competition.stage.is_bracket:
        raise Conflict(_("In a knock-out you say in the bracket who goes on from a match, also by lot."))
    if competition.stage.is_ladder:
        raise Conflict(_("On a ladder nobody is level: the order follows from the challenges."))
    own = {entry.pk: entry for entry in division.entries.with_pairs()}
    keys = [entry.pk for entry in entries] or [key for key, entry in own.items() if not entry.withdrawn_at]
    if not set(keys) <= set(own):
        raise Invalid(_("Lots are only drawn within one division."))
    if len(set(keys)) < 2:
        raise Invalid(_("Choose two or more to draw lots."))
    seed = seed or new_seed()
    made = LotDraw.objects.create(
        division=division, seed=seed, order=order_of(set(keys), seed=seed), made_by=person(actor)
    )
    audit.record(
        actor=actor,
        action="division.lots_drawn",
        summary=sentences.gettext("Lots drawn: %(order)s")
        % {"order": ", ".join(str(own[key]) for key in made.order)},
        competition=competition,
        after={"division": division.pk, "seed": seed, "order": made.order},
    )
    standings.bump(competition=competition)
    return made
