"""What was done to a competition that is being set up, each act with what undoing it needs.

Services call `remember` before they write; `undo` puts back what an act has changed, after undoing those that came
later. Rows come back with their keys, so that the whole draft is as it was.
"""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league import locks, policies
from league.actors import Actor, person
from league.audit.services import audit
from league.competitions.services import draft_rows
from league.errors import Conflict
from league.models import Competition, DraftChange, Stage
from league.web import slugs
from league.words import sentences

State = Competition.State
DELETED = "competition.discarded"


def remember(
    *, actor: Actor, competition: Competition, action: str, summary: sentences.Said, parts: tuple[str, ...]
) -> None:
    """Keeps the parts of a draft that the caller is about to change (see draft_rows.PARTS).

    For services that hold the competition's lock; does nothing once the competition is published. Of a draft that is
    deleted, what other layers keep beside it is kept as well.
    """
    if competition.state != State.DRAFT:
        return
    if action == DELETED:
        parts = (*parts, *draft_rows.ADDED)
    DraftChange.objects.create(
        club=competition.club,
        competition=competition,
        action=action,
        summary=sentences.in_the_sites_language(summary)[:300],
        said=sentences.kept_of(summary),
        before={part: draft_rows.PARTS[part].read(competition) for part in parts},
        made_by=person(actor),
    )


def newest(competition: Competition) -> int:
    """The key of the newest act on a draft that stands, which names the state of the draft; 0 before the first."""
    standing = DraftChange.objects.filter(competition_id=competition.pk, undone_at=None).order_by("-pk")
    return standing.values_list("pk", flat=True).first() or 0


def check_seen(competition: Competition, seen: int | None) -> None:
    """Raises Conflict when the draft is not what the person has seen; None is not checked."""
    if seen is not None and newest(competition) != seen:
        raise Conflict(_("Something has changed since you last saw this. Please check it again."))


@transaction.atomic
def undo(*, actor: Actor, change: DraftChange, seen: int | None = None) -> int:
    """Undoes the act and those done to the draft since, the newest first; gives how many. Refused once published.

    `seen` is the newest act that the person has seen: what somebody else has done meanwhile is not undone unseen.
    """
    competition = _locked(change)
    policies.require(actor, "competition.set_up", competition)
    _check_draft(competition)
    since = DraftChange.objects.filter(
        competition_id=change.competition_id, pk__gte=change.pk, undone_at=None
    )
    undone = list(since.order_by("-pk"))
    if not undone or undone[-1].pk != change.pk:
        raise Conflict(_("This has already been undone."))
    check_seen(competition, seen)
    for each in undone:
        _put_back(competition, each)
    audit.record(
        actor=actor,
        action="draft.undone",
        summary=sentences.gettext("Undone: %(what)s")
        % {
            "what": sentences.Joined(
                tuple(sentences.Again(each.said, each.summary) for each in undone), by="; "
            )
        },
        competition=competition,
        before={"changes": [each.pk for each in undone]},
    )
    return len(undone)


@transaction.atomic
def bring_back(*, actor: Actor, change: DraftChange) -> Competition:
    """Makes a deleted draft again, with its set-up and its pairs."""
    locks.club(change.club_id)
    change = DraftChange.objects.select_related("club").get(pk=change.pk)
    policies.require(actor, "competition.set_up", change.club)
    if change.action != DELETED or change.undone_at:
        raise Conflict(_("This draft already exists."))
    taken = Competition.objects.filter(club=change.club)
    row = change.before["row"]
    if taken.filter(pk=change.competition_id).exists():
        raise Conflict(_("This draft already exists."))
    competition = Competition(
        pk=change.competition_id,
        club=change.club,
        # Prizes are no step of the set-up, so only a deleted draft gets them back.
        prizes=row.get("prizes", {}),
        **draft_rows.row_values(change.club_id, row),
    )
    competition.slug = slugs.choose(
        wanted="", name=row["slug"], is_taken=lambda slug: taken.filter(slug=slug).exists()
    )
    competition.save(force_insert=True)
    competition.stage = Stage(pk=row.get("stage"), competition=competition)
    draft_rows.write_stage(competition.stage, row)
    competition.stage.save()
    _put_back(competition, change)
    audit.record(
        actor=actor,
        action="draft.brought_back",
        summary=sentences.gettext("Draft restored: %(name)s") % {"name": competition},
        competition=competition,
    )
    return competition


def _locked(change: DraftChange) -> Competition:
    try:
        return locks.competition(change.competition_id)
    except Competition.DoesNotExist:
        raise Conflict(_("This draft was deleted. Restore it from the desk first.")) from None


def _check_draft(competition: Competition) -> None:
    if competition.state != State.DRAFT:
        raise Conflict(
            _("This competition is published. You can no longer undo the earlier steps one by one.")
        )


def _put_back(competition: Competition, change: DraftChange) -> None:
    for part, rows in draft_rows.PARTS.items():
        if part in change.before:
            rows.write(competition, change.before[part])
    change.undone_at = timezone.now()
    change.save(update_fields=["undone_at"])
