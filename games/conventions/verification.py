"""Whether the stored convention cards are what partners wrote: no version missing or changed, each still readable."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from engine import game
from engine.errors import RuleError
from games.models import ConventionCard
from league.idempotency import digest_of
from league.models import AuditEntry
from league.standings.services.verification import Difference

WRITTEN, IMPORTED = "pair.card_written", "pair.card_imported"


def differences() -> Iterator[Difference]:
    """Every stored card that the engine reads otherwise, that isn't in the trail, or before which one is missing."""
    told = _in_trail()
    versions: dict[tuple[int, str], list[ConventionCard]] = defaultdict(list)
    for card in ConventionCard.objects.select_related("lineup").order_by("lineup", "game", "number"):
        versions[card.lineup_id, card.game].append(card)
        yield from _card(card, told[card.lineup_id, card.number])
    for (_pair, key), cards in versions.items():
        where = f"Convention card of {cards[0].lineup}, {key}"
        numbers = [card.number for card in cards]
        if numbers != list(range(1, len(cards) + 1)):
            yield Difference(where, "the versions", str(numbers), str(list(range(1, len(cards) + 1))))
        for before, after in pairwise(cards):
            if after.made_at < before.made_at:
                yield Difference(
                    where, f"when version {after.number} was written", str(after.made_at), "later"
                )


def _card(card: ConventionCard, told: set[str]) -> Iterator[Difference]:
    where = f"Convention card of {card.lineup}, {card.game}, version {card.number}"
    usual, stored = game.get(card.game).signals, digest_of(card.content)
    try:
        fresh = digest_of(dict(usual.of_card(card.content).as_card())) if usual else "no cards in this game"
    except RuleError:
        fresh = "can't be read"
    if stored != fresh:
        yield Difference(where, "the card", stored[:12], fresh[:21])
    if stored not in told:
        yield Difference(
            where, "the card", stored[:12], "another one in the trail" if told else "not in the trail"
        )


def _in_trail() -> dict[tuple[int, int], set[str]]:
    """The digests of the cards that the trail tells of, by pair and version."""
    found: dict[tuple[int, int], set[str]] = defaultdict(set)
    after: Any
    for after in AuditEntry.objects.filter(action__in=(WRITTEN, IMPORTED)).values_list("after", flat=True):
        found[after["pair"], after["version"]].add(digest_of(after["card"]))
    return found
