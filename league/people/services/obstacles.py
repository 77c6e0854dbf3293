"""Why two players cannot be merged, or a merge not be taken back: all reasons at once, in words."""

from collections.abc import Iterator
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _

from league.models import (
    Competition,
    Entry,
    Fixture,
    Lineup,
    LineupMember,
    Player,
    PlayerMerge,
    SeasonSubstitute,
    Substitution,
)
from league.people.services import journal
from league.querysets import UNPLAYED
from league.storage.references import Reference, references_to, rows_of
from league.validation import label_of


def to_merging(keep: Player, duplicate: Player) -> list[str]:
    """The reasons why the two must be two people, or cannot be merged now."""
    if keep.pk == duplicate.pk:
        return [_("Choose two different players.")]
    if keep.club_id != duplicate.club_id:
        return [_("These players belong to different clubs.")]
    merged = next((each for each in (keep, duplicate) if each.merged_into_id), None)
    if merged is not None:
        return [_("%(name)s has already been merged into another player.") % {"name": merged}]
    found = []
    if keep.user_id and duplicate.user_id:
        found.append(_("Both have their own account. Unlink one of them first."))
    found += _as_pairs(keep, duplicate)
    found += _in_matches(keep, duplicate)
    found += _in_other_rows(keep, duplicate)
    return list(dict.fromkeys(found))


def _as_pairs(keep: Player, duplicate: Player) -> Iterator[str]:
    if Lineup.objects.of_player(keep.pk).filter(pk__in=Lineup.objects.of_player(duplicate.pk)).exists():
        yield _("They play as a pair.")
    own, other = _entries_of(keep), _entries_of(duplicate)
    partners_of = {entry.pk: _partners(entry, keep, duplicate) for entry in (*own, *other)}
    for first in own:
        for second in other:
            both_play = not (first.withdrawn_at or second.withdrawn_at)
            if first.competition_id == second.competition_id and (
                both_play or partners_of[first.pk] == partners_of[second.pk]
            ):
                yield (
                    _("Both are entered in %(competition)s: in %(first)s and in %(second)s.")
                    % {"competition": first.competition, "first": first, "second": second}
                )


def _in_matches(keep: Player, duplicate: Player) -> Iterator[str]:
    against = Fixture.with_rooms.with_pairs().filter(
        *(
            Fixture.with_rooms.has_side(entry__in=Entry.with_rooms.of_player(each))
            for each in (keep, duplicate)
        )
    )
    for fixture in against[:3]:
        yield _("They play against each other: %(match)s.") % {"match": fixture}
    for regular, substitute in ((keep, duplicate), (duplicate, keep)):
        theirs = Fixture.with_rooms.of_entries(Entry.with_rooms.of_player(regular))
        beside = Substitution.objects.filter(substitute=substitute, fixture__in=theirs)
        for each in beside.select_related("fixture")[:3]:
            yield (
                _("%(substitute)s was a substitute in a match of %(regular)s: %(match)s.")
                % {"substitute": substitute, "regular": regular, "match": each.fixture}
            )
        for first, second in _in_one_round(substitute, regular):
            yield (
                _("As one person they would play two matches of a round: %(first)s and %(second)s.")
                % {"first": first, "second": second}
            )
    for one, other in ((keep, duplicate), (duplicate, keep)):
        for standing in _season_substitutes(one):
            if _plays_in_season(other, standing):
                yield (
                    _("%(substitute)s already plays for %(pair)s for the rest of the season.")
                    % {"substitute": one, "pair": standing.entry}
                )


def _in_one_round(substitute: Player, other: Player) -> Iterator[tuple[Fixture, Fixture]]:
    """Matches that are still to be played, as a substitute in the first and in any way in the second.

    What was played so stays: two rows of one person may have made it possible.
    """
    named = Substitution.objects.filter(substitute=substitute).exclude(fixture__status=Fixture.Status.VOID)
    for row in named.select_related("fixture").order_by("pk"):
        beside = Fixture.with_rooms.filter(round=row.fixture.round_id).exclude(pk=row.fixture_id)
        theirs = beside.exclude(status=Fixture.Status.VOID).filter(
            Q(pk__in=Substitution.objects.filter(substitute=other).values("fixture"))
            | Q(pk__in=Fixture.with_rooms.of_entries(Entry.with_rooms.of_player(other)).values("pk"))
        )
        for match in theirs.with_pairs():
            if row.fixture.status in UNPLAYED or match.status in UNPLAYED:
                yield row.fixture, match


def _season_substitutes(player: Player) -> Iterator[SeasonSubstitute]:
    standing = SeasonSubstitute.objects.filter(substitute=player, entry__withdrawn_at=None)
    running = standing.exclude(entry__competition__state=Competition.State.FINISHED)
    yield from running.select_related("entry__lineup", "entry__competition")


def _plays_in_season(player: Player, standing: SeasonSubstitute) -> bool:
    """Whether the player has a place of their own in the same competition, or plays for somebody else in it."""
    entries = standing.entry.competition.entries.active()
    elsewhere = SeasonSubstitute.objects.filter(entry__in=entries, substitute=player)
    return entries.of_player(player).exists() or elsewhere.exists()


def _in_other_rows(keep: Player, duplicate: Player) -> Iterator[str]:
    """What would break a rule of the database, whichever layer's: both in one row, or twice where one may be."""
    by_model: dict[type[models.Model], list[Reference]] = {}
    for reference in references_to(Player):
        if reference.model not in {Player, PlayerMerge, LineupMember} and not reference.is_history:
            by_model.setdefault(reference.model, []).append(reference)
    for references in by_model.values():
        for reference in references:
            for row in (
                *_with_both(reference, references, keep, duplicate),
                *_twice(reference, keep, duplicate),
            ):
                yield _("Both are in the same place: %(row)s.") % {"row": row}


def _with_both(
    reference: Reference, references: list[Reference], keep: Player, duplicate: Player
) -> Iterator[models.Model]:
    for other in references:
        if other.name != reference.name:
            yield from reference.rows(keep.pk).filter(**{other.field.attname: duplicate.pk})[:3]


def _twice(reference: Reference, keep: Player, duplicate: Player) -> Iterator[models.Model]:
    for constraint in reference.model._meta.constraints:
        if not isinstance(constraint, models.UniqueConstraint) or constraint.condition is not None:
            continue
        if reference.name not in constraint.fields:
            continue
        others = [name for name in constraint.fields if name != reference.name]
        there = set(reference.rows(keep.pk).values_list(*others))
        for row in reference.rows(duplicate.pk):
            if reference.rows(duplicate.pk).filter(pk=row.pk).values_list(*others).get() in there:
                yield row


def to_undoing(merge: PlayerMerge) -> list[str]:
    """What has happened since the merge that an undo would make wrong."""
    if merge.undone_at:
        return [_("This merge has already been undone.")]
    players = [merge.kept_id, merge.merged_id]
    later = PlayerMerge.objects.filter(pk__gt=merge.pk, undone_at__isnull=True)
    newer = later.filter(Q(kept__in=players) | Q(merged__in=players)).select_related("kept", "merged").last()
    if newer is not None:
        return [
            _("Undo the later merge of %(duplicate)s into %(keep)s first.")
            % {"duplicate": newer.merged, "keep": newer.kept}
        ]
    changes = journal.read(merge.moved)
    return list(dict.fromkeys([*_changed_since(changes), *_added_since(merge, changes)]))


def _changed_since(changes: list[journal.Change]) -> Iterator[str]:
    # A merge of before may name a row by a key that it changed: there is nothing to compare it with.
    changes = [each for each in changes if not each.is_of_key]
    final = journal.final_values(changes)
    for row, group in journal.rows_in(changes):
        for change in group:
            if row is None:
                yield (
                    _("A row that the merge changed is gone: %(kind)s %(key)s.")
                    % {"kind": change.model._meta.verbose_name, "key": change.pk}
                )
            elif getattr(row, change.field) != final[change.label, change.pk, change.field]:
                yield (
                    _("“%(row)s” has been changed since then: %(field)s.")
                    % {"row": row, "field": label_of(row, change.field)}
                )


def _added_since(merge: PlayerMerge, changes: list[journal.Change]) -> Iterator[str]:
    pairs = {each.pk for each in changes if each.label == Lineup._meta.label_lower}
    moved = {each.pk for each in changes if each.label == Entry._meta.label_lower}
    for entry in _newer(Entry, merge).filter(lineup__in=pairs):
        yield (
            _("%(pair)s have been entered in %(competition)s since then.")
            % {"pair": entry, "competition": entry.competition}
        )
    entries = moved | set(Entry.with_rooms.filter(lineup__in=pairs).values_list("pk", flat=True))
    pointing_at_entries = {reference.model: reference.name for reference in references_to(Entry)}
    for reference in references_to(Player):
        if reference.model not in pointing_at_entries or reference.is_history:
            continue
        rows = _newer(reference.model, merge).filter(
            **{reference.field.attname: merge.kept_id, f"{pointing_at_entries[reference.model]}__in": entries}
        )
        for row in rows[:3]:
            yield _("It has been used since then: %(kind)s “%(row)s”.") % {
                "kind": row._meta.verbose_name,
                "row": row,
            }


def _newer(model: type[models.Model], merge: PlayerMerge) -> models.QuerySet[Any]:
    return rows_of(model).filter(pk__gt=merge.newest.get(model._meta.label_lower, 0))


def _entries_of(player: Player) -> list[Entry]:
    return list(Entry.with_rooms.of_player(player).with_pairs().select_related("competition"))


def _partners(entry: Entry, *pair: Player) -> set[int]:
    return {player.pk for player in entry.lineup.players} - {player.pk for player in pair}
