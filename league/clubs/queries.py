"""Who belongs to a club, and what the end of a membership means."""

from dataclasses import dataclass

from django.db import models
from django.db.models import Case, QuerySet, Value, When

from league import policies
from league.models import Club, ClubImport, Fixture, Membership, Player


@dataclass(frozen=True, slots=True)
class Ending:
    """What stays when a membership ends: the player of that account, and the open matches, which go on."""

    player: Player | None
    open_matches: int


def by_rank(club: Club) -> QuerySet[Membership]:
    """The members; who may do most comes first."""
    ranks = [When(role=role, then=Value(rank)) for role, rank in policies.RANKS.items()]
    rows: QuerySet[Membership] = Membership.objects.filter(club=club).select_related("user")
    return rows.annotate(rank=Case(*ranks, default=Value(0))).order_by("-rank", "user__name", "pk")


def ending(membership: Membership) -> Ending:
    """What the end of this membership means."""
    club, user = membership.club, membership.user
    here = {"division__stage__competition__club": club, "division__stage__competition__state": "running"}
    player = club.players.present().filter(user=user).first()
    return Ending(player, Fixture.objects.open().of_user(user).filter(**here).count())


def is_of_a_file(club: Club) -> bool:
    """Whether any of its rows may have come with a file."""
    return ClubImport.objects.filter(club=club, state=ClubImport.State.DONE).exists()


def import_of(row: models.Model, club: Club) -> ClubImport | None:
    """The file that the row came with, if the club was made of one."""
    done = ClubImport.objects.filter(club=club, state=ClubImport.State.DONE)
    found = done.defer("content", "preview").select_related("made_by").first()
    return found if found is not None and found.brought(row) else None
