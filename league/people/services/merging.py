"""One person, two players: merging them, and taking a merge back exactly."""

from collections.abc import Iterable

from django.db import models, transaction
from django.db.models import Max, Q
from django.utils import timezone

from league import (
    extension,
    locks,
    policies,
    validation,
)
from league.actors import Actor, person
from league.audit.services import audit
from league.errors import Conflict
from league.models import (
    Competition,
    Entry,
    Lineup,
    LineupMember,
    OutboxMessage,
    Player,
    PlayerClaim,
    PlayerMerge,
)
from league.people.services import journal, obstacles
from league.people.services.duplicates import Proposal, proposals
from league.storage.references import Reference, references_to, rows_of
from league.words import sentences

__all__ = ["Proposal", "merge", "proposals", "undo"]


@transaction.atomic
def merge(*, actor: Actor, keep: Player, duplicate: Player) -> PlayerMerge:
    """Makes everything of `duplicate` that of `keep`: pairs, matches, claims, account, address and number.

    Pairs that become the same are merged as well. Refused, with all reasons, when the two must be two people.
    """
    _lock_competitions(keep, duplicate)
    keep, duplicate = _locked_players(keep, duplicate)
    policies.require(actor, "player.merge", keep)
    _require_accounts(actor, keep, duplicate)
    validation_faults = obstacles.to_merging(keep, duplicate)
    if validation_faults:
        raise Conflict(
            " ".join(validation_faults), details=[validation.fault(text) for text in validation_faults]
        )
    book = journal.Journal()
    _merge_pairs(book, keep, duplicate)
    _repoint(book, keep, duplicate)
    _take_over(book, keep, duplicate)
    made = PlayerMerge.objects.create(
        kept=keep, merged=duplicate, moved=book.as_json(), newest=_newest_keys(), made_by=person(actor)
    )
    audit.record(
        actor=actor,
        action="player.merged",
        summary=sentences.gettext("%(duplicate)s merged into %(keep)s")
        % {"duplicate": duplicate, "keep": keep},
        player=keep,
        before={"kept": keep.pk, "merged": duplicate.pk},
        after={"merge": made.pk, "changes": len(book.changes)},
    )
    return made


@transaction.atomic
def undo(*, actor: Actor, merge: PlayerMerge) -> PlayerMerge:
    """Gives both players back what was theirs; refused, with the reasons, when later changes stand in the way."""
    _lock_competitions(merge.kept, merge.merged)
    keep, duplicate = _locked_players(merge.kept, merge.merged)
    policies.require(actor, "player.merge", keep)
    _require_accounts(actor, keep, duplicate)
    merge = PlayerMerge.objects.get(pk=merge.pk)
    reasons = obstacles.to_undoing(merge)
    if reasons:
        raise Conflict(" ".join(reasons), details=[validation.fault(text) for text in reasons])
    journal.take_back(journal.read(merge.moved))
    merge.undone_at, merge.undone_by = timezone.now(), person(actor)
    merge.save(update_fields=["undone_at", "undone_by"])
    audit.record(
        actor=actor,
        action="player.merge_undone",
        summary=sentences.gettext("Merge undone: %(duplicate)s is a separate player again")
        % {"duplicate": duplicate},
        player=keep,
        before={"merge": merge.pk},
        after={"kept": keep.pk, "restored": duplicate.pk},
    )
    return merge


def _require_accounts(actor: Actor, *players: Player) -> None:
    """The account of the one becomes, or became, the other's; so does one that an address or a slip brings later."""
    for player in players:
        policies.require(actor, "player.decide_claim", player)


def _lock_competitions(*players: Player) -> None:
    # Entering a pair locks the competition first, too: so nobody is entered twice by a merge at the same moment.
    keys = [player.pk for player in players]
    theirs = Q(entries__lineup__members__player__in=keys)
    entered = Competition.objects.filter(theirs).values_list("pk", flat=True)
    locks.competitions(list(entered))


def _locked_players(keep: Player, duplicate: Player) -> tuple[Player, Player]:
    keys = [keep.pk, duplicate.pk]
    found = locks.players(keys)
    places = LineupMember.objects.filter(player__in=keys)
    locks.take(Lineup.objects.filter(pk__in=places.values("lineup")))
    return found[keep.pk], found[duplicate.pk]


def _merge_pairs(book: journal.Journal, keep: Player, duplicate: Player) -> None:
    """Puts the kept player into the duplicate's pairs, and merges those that exist already."""
    for pair in Lineup.objects.of_player(duplicate.pk).order_by("pk"):
        place = pair.members.get(player=duplicate)
        others = pair.members.exclude(pk=place.pk).values_list("player_id", flat=True)
        key = Lineup.key_of([keep.pk, *others])
        same = Lineup.objects.present().filter(club=pair.club_id, members_key=key).first()
        if same is None:
            book.change(place, player_id=keep.pk)
            book.change(pair, members_key=key)
            continue
        for reference in references_to(Lineup):
            # What has the lineup's own key, as its agreement, stays with it and comes back with it.
            stays = reference.model in {Lineup, LineupMember} or reference.field.primary_key
            if not stays and not reference.is_history:
                _move(book, reference.rows(pair.pk), reference, same.pk)
        book.change(pair, merged_into_id=same.pk)


def _repoint(book: journal.Journal, keep: Player, duplicate: Player) -> None:
    # Merges and the trail tell what happened then; pairs are dealt with above. Mails are purged, and an undo would miss
    # them: an erasure looks for those of merged players, too.
    left_alone = {Player, PlayerMerge, LineupMember, OutboxMessage}
    for reference in references_to(Player):
        if reference.model in left_alone or reference.is_history:
            continue
        rows = reference.rows(duplicate.pk)
        if reference.model is PlayerClaim:
            # Who claims both players has one claim that waits, not two.
            waiting = PlayerClaim.objects.filter(player=keep, state=PlayerClaim.State.OPEN)
            rows = rows.exclude(state=PlayerClaim.State.OPEN, user__in=waiting.values("user"))
        _move(book, rows, reference, keep.pk)


def _move(book: journal.Journal, rows: Iterable[models.Model], reference: Reference, to: int) -> None:
    for row in rows:
        book.change(row, **{reference.field.attname: to})


def _take_over(book: journal.Journal, keep: Player, duplicate: Player) -> None:
    """Gives the kept player what it lacks of account, number and address, and retires the duplicate."""
    account, number = duplicate.user_id, duplicate.number
    for user in {duplicate.user, keep.user} - {None}:
        for player in (keep, duplicate):
            extension.layer().linked(player=player, user=user)
    gives_account = account is not None and keep.user_id is None
    gives_number = bool(number) and not keep.number
    gives_address = bool(duplicate.email) and not keep.email
    # With account and address goes on whose word they are the player's, and since when.
    linked, addressed = (duplicate if gives_account else keep), (duplicate if gives_address else keep)
    # The duplicate lets go first: account and number belong to one player of the club.
    book.change(
        duplicate,
        user_id=None if gives_account else account,
        number="" if gives_number else number,
        merged_into_id=keep.pk,
    )
    book.change(
        keep,
        user_id=account if gives_account else keep.user_id,
        number=number if gives_number else keep.number,
        linked_by_id=linked.linked_by_id,
        linked_at=linked.linked_at,
        email=addressed.email,
        email_by_id=addressed.email_by_id,
        email_at=addressed.email_at,
    )


def _newest_keys() -> dict[str, int]:
    """The newest key of every kind of row that points at players, pairs or entries."""
    kinds = {
        reference.label: reference.model
        for pointed_at in (Player, Lineup, Entry)
        for reference in references_to(pointed_at)
        if isinstance(reference.model._meta.pk, models.AutoField | models.BigAutoField)
    }
    newest = {}
    for label, model in kinds.items():
        newest[label] = rows_of(model).aggregate(newest=Max("pk"))["newest"] or 0
    return newest
