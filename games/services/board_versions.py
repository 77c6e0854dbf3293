"""Fouled boards: which tables played other cards than the rest, so that each is compared with its like only."""

import re
from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import FixtureBoard
from games.services import comparisons
from league import policies, sentences
from league.actors import Actor
from league.errors import Invalid
from league.models import Competition
from league.services import audit

#: Empty: as it was dealt.
VERSION = re.compile(r"[A-Z]?")


@transaction.atomic
def mark_version(*, actor: Actor, play: FixtureBoard, version: str, reason: str) -> FixtureBoard:
    """Says which version of its board a table has played: "" as dealt, or the letter of a fouled one, such as "B".

    The comparison follows at once. To take the mark back is to mark again, with the version before.
    """
    competition = Competition.objects.select_for_update(of=("self",), no_key=True).get(
        pk=play.fixture.round.competition_id
    )
    play = (
        FixtureBoard.objects.select_for_update(of=("self",))
        .select_related("board__board_set", "fixture__round__competition__club")
        .get(pk=play.pk)
    )
    policies.require(actor, "boards.mark", play.fixture)
    if play.board.board_set.competition_id != competition.pk or not VERSION.fullmatch(version):
        raise Invalid(_("Name a version of the board by one letter from A to Z, or leave it empty."))
    if not reason.strip():
        raise Invalid(_("Please give a reason: it is kept with the match."))
    before = play.version
    if version == before:
        return play
    play.version = version
    play.save(update_fields=["version"])
    comparisons.bump(play.board)
    audit.record(
        actor=actor,
        action="boards.version_marked",
        summary=_summary(play),
        fixture=play.fixture,
        before={"board_version": before},
        after={"board_version": version},
        reason=reason,
    )
    return play


@transaction.atomic
def mark_versions(
    *, actor: Actor, plays: Iterable[FixtureBoard], version: str, reason: str
) -> tuple[FixtureBoard, ...]:
    """The same for several tables at once: all of them are marked, or none."""
    return tuple(mark_version(actor=actor, play=play, version=version, reason=reason) for play in plays)


def _summary(play: FixtureBoard) -> sentences.Sentence:
    number = {"number": play.board.number, "version": play.version}
    if not play.version:
        return sentences.gettext("Board %(number)d: played as it was dealt") % number
    return sentences.gettext("Board %(number)d: version %(version)s was played") % number
