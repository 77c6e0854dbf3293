"""Fouled boards: which tables played other cards than the rest, so that each is compared with its like only."""

import re
from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from games import policies as games_policies
from games.comparisons.services import comparisons, team_results
from games.models import FixtureBoard
from league import locks, policies
from league.actors import Actor
from league.audit.services import audit
from league.errors import Conflict, Invalid
from league.models import Fixture
from league.words import sentences

#: Empty: as it was dealt.
BY_A_PLAYER = sentences.gettext("(by a director who is playing in this event)")
VERSION = re.compile(r"[A-Z]?")


@transaction.atomic
def mark_version(*, actor: Actor, play: FixtureBoard, version: str, reason: str) -> FixtureBoard:
    """Says which version of its board a table has played: "" as dealt, or the letter of a fouled one, such as "B".

    The comparison, and the result of a match of two teams, follow at once. To take the mark back is to mark again,
    with the version before.
    """
    competition = locks.competition(play.fixture.round.stage.competition_id)
    plays = FixtureBoard.objects.select_related(
        "board__board_set", "fixture__round__stage__competition__club"
    )
    play = plays.get(pk=play.pk)
    policies.require(actor, "boards.mark", play.fixture)
    if play.board.board_set.competition_id != competition.pk or not VERSION.fullmatch(version):
        raise Invalid(_("Use one letter from A to Z for a version of the board, or leave it empty."))
    if not reason.strip():
        raise Invalid(_("Please give a reason. We keep it with the match."))
    is_neutral = games_policies.is_neutral(actor, competition)
    if not is_neutral and play.fixture.status == Fixture.Status.CONFIRMED:
        raise Conflict(
            _("You’re playing in this event, and this result is confirmed. Reopen the match first. The "
            "players then confirm it with the mark.")
        )  # fmt: skip
    before = play.version
    if version == before:
        return play
    play.version = version
    play.save(update_fields=["version"])
    comparisons.bump(play.board)
    team_results.settle(play.fixture)
    said = _summary(play)
    audit.record(
        actor=actor,
        action="boards.version_marked",
        summary=said if is_neutral else sentences.Joined((said, BY_A_PLAYER), by=" "),
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
