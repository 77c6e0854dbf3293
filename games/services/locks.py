"""Changing the locks: what is under lock in the database, locked anew with the newest key."""

from dataclasses import dataclass

from django.db import transaction

from games import sealing
from games.models import Analysis, BoardSet, Paper, TableDeal
from games.services.analyses import LOCKED
from league.actors import Actor
from league.services import audit


@dataclass(frozen=True, slots=True)
class Renewed:
    """How many rows were locked anew, and the keys of the sets that no key opens."""

    boards: int
    papers: int
    deals: int
    unreadable: tuple[int, ...]


def renew(*, actor: Actor) -> Renewed:
    """Locks every set, every paper and every deal of an online table anew; to do it twice is harmless.

    Sets that no key opens stay as they are, and are named. Older keys are needed until this has been done.
    """
    boards, unreadable = 0, []
    for key in BoardSet.objects.order_by("pk").values_list("pk", flat=True):
        with transaction.atomic():
            board_set = BoardSet.objects.select_for_update().get(pk=key)
            try:
                board_set.secret = sealing.lock_anew(board_set.secret)
            except sealing.Unreadable:
                unreadable.append(key)
                continue
            board_set.save(update_fields=["secret"])
            boards += 1
    found = Renewed(boards, _renew_papers(), _renew_deals(), tuple(unreadable))
    _renew_analyses()
    audit.record(
        actor=actor,
        action="boards.locked_anew",
        summary="Locks of sealed boards renewed",
        after={
            "boards": found.boards,
            "papers": found.papers,
            "deals": found.deals,
            "unreadable": list(found.unreadable),
        },
    )
    return found


def _renew_analyses() -> None:
    """What is said of a sealed board's cards. One that cannot be opened is left to be worked out again."""
    for key in Analysis.objects.filter(content__has_key=LOCKED).values_list("pk", flat=True):
        with transaction.atomic():
            locked = Analysis.objects.select_for_update().filter(pk=key, content__has_key=LOCKED)
            analysis = locked.first()
            if analysis is None or analysis.content is None:
                continue  # opened or thrown away meanwhile
            try:
                analysis.content = {LOCKED: sealing.lock_anew(str(analysis.content[LOCKED]))}
            except sealing.Unreadable:
                analysis.version = 0
            analysis.save(update_fields=["content", "version"])


def _renew_papers() -> int:
    """Papers are kept for a day: one that cannot be opened is made again when somebody asks for it."""
    renewed = 0
    for key in Paper.objects.filter(content__isnull=False).values_list("pk", flat=True):
        with transaction.atomic():
            paper = Paper.objects.select_for_update().filter(pk=key, content__isnull=False).first()
            if paper is None or paper.content is None:
                continue
            try:
                paper.content = sealing.lock_anew(paper.content)
            except sealing.Unreadable:
                continue
            paper.save(update_fields=["content"])
            renewed += 1
    return renewed


def _renew_deals() -> int:
    """Deals of online tables that come from no board."""
    renewed = 0
    for key in TableDeal.objects.exclude(secret="").values_list("pk", flat=True):
        with transaction.atomic():
            deal = TableDeal.objects.select_for_update().filter(pk=key).exclude(secret="").first()
            if deal is None:
                continue
            try:
                deal.secret = sealing.lock_anew(deal.secret)
            except sealing.Unreadable:
                continue
            deal.save(update_fields=["secret"])
            renewed += 1
    return renewed
