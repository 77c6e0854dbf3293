"""One player of a pair changes for the rest of a season: the pair keeps its place, its name and all that was played."""

from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from league import locks, policies, validation
from league.actors import Actor, Visitor, person
from league.audit.services import audit
from league.competitions.services import competitions
from league.errors import Conflict, Invalid, NotAllowed
from league.fixtures.services import fixtures, substitutions, telling
from league.models import Competition, Entry, Fixture, Player, SeasonSubstitute, Substitution, User
from league.notices import events
from league.querysets import UNPLAYED, UNSETTLED
from league.words import sentences

Status = Fixture.Status
UNDER_WAY = (Status.IN_PLAY, Status.TO_CONFIRM, *UNSETTLED)


@dataclass(frozen=True, slots=True)
class Consequences:
    """What a change of a player does with the matches of a pair, or what taking it back does."""

    waiting: tuple[Fixture, ...]
    """Matches under way, or whose result is to be confirmed or settled: no player changes before they are over."""
    passing: tuple[Fixture, ...]
    """Matches in which somebody else plays by it."""
    kept: tuple[Fixture, ...]
    """Unplayed matches that have a substitute of their own already, who stays."""
    played: tuple[Fixture, ...]


def of(entry: Entry) -> SeasonSubstitute | None:
    """Who plays in whose place for the rest of the season."""
    found = SeasonSubstitute.objects.select_related("absent", "substitute")
    return found.filter(entry=entry).first()


def preview(*, entry: Entry) -> Consequences:
    """What `appoint` would do, or `end` where somebody was appointed; nothing is written."""
    standing = of(entry)
    wanted = standing and (standing.absent_id, standing.substitute_id)
    matches = list(Fixture.objects.of_entry(entry.pk).with_pairs().in_order())
    ahead = [each for each in matches if each.status in UNPLAYED and each.status not in UNDER_WAY]
    rows = Substitution.objects.filter(fixture__in=ahead, entry=entry)
    named = {row.fixture_id: (row.absent_id, row.substitute_id) for row in rows}
    passing = tuple(each for each in ahead if named.get(each.pk) == wanted)
    return Consequences(
        waiting=tuple(each for each in matches if each.status in UNDER_WAY),
        passing=passing,
        kept=tuple(each for each in ahead if each not in passing and each.pk in named),
        played=tuple(each for each in matches if each.has_result),
    )


@transaction.atomic
def appoint(
    *, actor: Actor, entry: Entry, absent: Player, substitute: Player, reason: str
) -> SeasonSubstitute:
    """`substitute` plays for `absent` in each match that is still to come, those drawn later included.

    What was played keeps who played it. Matches that have a substitute of their own keep that one.
    """
    entry, seen, reason = _begun(actor, entry, reason)
    substitute = locks.player(substitute.pk)
    _check_change(entry, absent, substitute)
    made = SeasonSubstitute.objects.create(
        entry=entry, absent=absent, substitute=substitute, reason=reason, made_by=person(actor)
    )
    for fixture in seen.passing:
        substitutions.place(
            actor=actor,
            fixture=fixtures.locked(fixture),
            absent=absent,
            substitute=substitute,
            reason=reason,
        )
    # Where the pair has asked the same person for one match, the director's word is the answer.
    asked = Substitution.objects.filter(fixture__in=seen.kept, absent=absent, substitute=substitute)
    asked.update(answer="")
    audit.record(
        actor=actor,
        action="entry.player_changed",
        summary=sentences.gettext("%(substitute)s plays for %(absent)s for the rest of the season")
        % {"substitute": substitute, "absent": absent},
        competition=entry.competition,
        before={"entry": entry.pk, "player": absent.pk},
        after={"entry": entry.pk, "player": substitute.pk, "fixtures": [each.pk for each in seen.passing]},
        reason=reason,
    )
    _tell(actor, made, seen, reason, is_over=False)
    return made


@transaction.atomic
def end(*, actor: Actor, entry: Entry, reason: str) -> None:
    """The absent player plays again: in all matches that are still to come."""
    entry, seen, reason = _begun(actor, entry, reason)
    standing = of(entry)
    if standing is None:
        raise Conflict(_("%(pair)s play as they entered.") % {"pair": entry})
    Substitution.objects.filter(fixture__in=seen.passing, entry=entry).delete()
    audit.record(
        actor=actor,
        action="entry.player_changed_back",
        summary=sentences.gettext("%(absent)s plays again, instead of %(substitute)s")
        % {"substitute": standing.substitute, "absent": standing.absent},
        competition=entry.competition,
        before={"entry": entry.pk, "player": standing.substitute_id},
        after={
            "entry": entry.pk,
            "player": standing.absent_id,
            "fixtures": [each.pk for each in seen.passing],
        },
        reason=reason,
    )
    _tell(actor, standing, seen, reason, is_over=True)
    standing.delete()


def _begun(actor: Actor, entry: Entry, reason: str) -> tuple[Entry, Consequences, str]:
    """The entry as it is now, its competition locked, and what changes; raises where nothing may."""
    competition = competitions.locked(entry.competition)
    policies.require(actor, "entry.substitute", competition)
    entry = Entry.objects.with_pairs().select_related("competition__club", "division").get(pk=entry.pk)
    if not reason.strip():
        raise Invalid(_("Please give a reason. We keep it with the competition."))
    if competition.state != Competition.State.RUNNING or not competition.stage.is_league:
        raise Conflict(
            _("A player of a pair changes for the rest of a season only while a league is running.")
        )
    if entry.withdrawn_at:
        raise Conflict(_("%(name)s already withdrew.") % {"name": entry})
    seen = preview(entry=entry)
    if seen.waiting:
        raise Conflict(
            _("%(match)s is still being played, or its result is open. Finish or decide it first.")
            % {"match": seen.waiting[0]}
        )
    _check_own(actor, seen.passing)
    return entry, seen, reason.strip()[:300]


def _check_own(actor: Visitor, matches: tuple[Fixture, ...]) -> None:
    """Who plays for a side, or against it, doesn't choose its players while another director can."""
    is_own = isinstance(actor, User) and any(policies.plays_in(actor, each) for each in matches)
    if is_own and policies.has_another_director(actor, *matches):
        raise NotAllowed(
            _(
                "This changes a match that you play in. A director who plays in none of the matches has to do it."
            )
        )


def _check_change(entry: Entry, absent: Player, substitute: Player) -> None:
    standing = of(entry)
    if standing is not None:
        raise Conflict(
            _(
                "%(substitute)s already plays for %(absent)s. Only one player of a pair changes: take that back first."
            )
            % {"substitute": standing.substitute, "absent": standing.absent}
        )
    members = {player.pk for player in entry.lineup.players}
    if absent.pk not in members:
        raise Invalid(_("%(name)s does not play for %(pair)s.") % {"name": absent, "pair": entry})
    if len(members) == 1:
        raise Invalid(_("This entry has only one player. Withdraw it instead, and enter the new player."))
    if substitute.club_id != entry.competition.club_id or substitute.merged_into_id:
        raise Invalid(_("%(name)s is not a player of this club.") % {"name": substitute})
    playing = entry.competition.entries.active().with_pairs().of_player(substitute).first()
    elsewhere = SeasonSubstitute.objects.filter(
        entry__competition=entry.competition, entry__withdrawn_at=None, substitute=substitute
    )
    other = playing or next((row.entry for row in elsewhere.select_related("entry__lineup")), None)
    if other is not None:
        text = _("%(name)s already plays for %(pair)s in this competition.")
        shown = text % {"name": substitute, "pair": other}
        raise Conflict(shown, details=[validation.fault(shown, "substitute")])


def _tell(
    actor: Actor, standing: SeasonSubstitute, seen: Consequences, reason: str, *, is_over: bool
) -> None:
    """The pair, who joins it, and whom they meet; why is the pair's own affair."""
    entry = standing.entry
    lines = telling.matches_of(seen.passing)
    said: dict[int, dict[str, object]] = {key: {"matches": own} for key, own in lines.items()}
    said[entry.pk] = {"matches": lines.get(entry.pk, []), "reason": reason}
    telling.tell_entries(
        actor=actor,
        event=events.SEASON_SUBSTITUTE,
        competition=entry.competition,
        said=said,
        pair=str(entry),
        absent=str(standing.absent),
        substitute=str(standing.substitute),
        is_over=is_over,
    )
