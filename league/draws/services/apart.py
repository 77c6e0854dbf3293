"""Who plays whom in a Swiss as a director says before the draw: who must not meet (F22), and the house pair (F32)."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils.translation import gettext as _

from league import policies
from league.actors import Actor, person
from league.audit.services import audit
from league.competitions.services import competitions, drafts
from league.errors import Conflict, Invalid
from league.models import Appearance, Competition, Division, Entry, ForbiddenMeeting
from league.standings.services import standings
from league.words import sentences

MOST = 500
#: With so many a table can always be filled.
MOST_HOUSE_PLAYERS = 3


def of_division(division: Division) -> QuerySet[ForbiddenMeeting]:
    """Who is kept apart now."""
    found = ForbiddenMeeting.objects.filter(one__division=division, last_round=None)
    return found.select_related("one__lineup", "other__lineup").order_by("one__number", "other__number", "pk")


def in_round(division: Division, number: int) -> frozenset[frozenset[int]]:
    """The keys of those who must not meet in that round, as the list was when it was drawn, or is now."""
    found = ForbiddenMeeting.objects.filter(one__division=division, first_round__lte=number)
    heeded = found.filter(Q(last_round=None) | Q(last_round__gte=number))
    return frozenset(frozenset(two) for two in heeded.values_list("one_id", "other_id"))


@transaction.atomic
def keep_apart(*, actor: Actor, division: Division, entries: list[Entry], at: datetime) -> ForbiddenMeeting:
    """These two are not drawn against each other from the next draw on. Raises Invalid or Conflict."""
    competition = _locked(actor, division)
    if competition.stage.partners_change:
        raise Conflict(_("Where partners change, everybody may meet everybody."))
    if len({entry.pk for entry in entries}) != 2:
        raise Invalid(_("Choose two different entries."))
    one, other = sorted(entries, key=lambda entry: entry.pk)
    if {one.division_id, other.division_id} != {division.pk}:
        raise Invalid(_("Both must play in this division."))
    there = of_division(division)
    if there.filter(one=one, other=other).exists():
        raise Conflict(_("%(one)s and %(other)s are already kept apart.") % {"one": one, "other": other})
    if there.count() >= MOST:
        raise Conflict(_("Please keep at most %(most)d pairs of opponents apart.") % {"most": MOST})
    row = ForbiddenMeeting.objects.create(
        one=one, other=other, first_round=_drawn(competition, division) + 1, made_by=person(actor), made_at=at
    )
    _note(
        actor,
        competition,
        "draw.kept_apart",
        sentences.gettext("%(one)s and %(other)s won’t be drawn together"),
        row,
    )
    return row


@transaction.atomic
def let_meet(*, actor: Actor, division: Division, row: ForbiddenMeeting) -> None:
    """They may meet again; rounds that were drawn while they could not stay as they are."""
    competition = _locked(actor, division)
    found = of_division(division).filter(pk=row.pk).first()
    if found is None:
        raise Conflict(_("They are no longer kept apart."))
    drawn = _drawn(competition, division)
    _note(
        actor,
        competition,
        "draw.let_meet",
        sentences.gettext("%(one)s and %(other)s may be drawn together"),
        found,
    )
    if found.first_round > drawn:
        found.delete()
    else:
        found.last_round = drawn
        found.save(update_fields=["last_round"])


def houses_of(division: Division) -> QuerySet[Entry]:
    """Who plays instead of a bye, without standing."""
    return division.entries.with_pairs().filter(is_house=True).order_by("number")


def may_be_house(division: Division) -> QuerySet[Entry]:
    """Who can become the house pair: nobody who has been drawn already, because results would lose their standing."""
    seated = Entry.with_rooms.filter(division=division, team__isnull=False)
    found = division.entries.active().with_pairs().filter(appearances=None)
    return found.exclude(lineup__members__player__in=seated.values("lineup__members__player")).order_by(
        "number"
    )


@transaction.atomic
def choose_house(*, actor: Actor, division: Division, entries: Sequence[Entry]) -> None:
    """These play from the next draw on where others would have a bye; nobody else does (F32).

    One pair is enough. Of players, who sit by four, it takes up to three.
    """
    if not division.stage.is_swiss:
        raise Conflict(_("Only a Swiss has a house pair."))
    competition = _locked(actor, division)
    before = list(houses_of(division))
    if before == list(entries):
        return
    most = MOST_HOUSE_PLAYERS if competition.stage.partners_change else 1
    if len(entries) > most:
        raise Invalid(_("Choose at most %(most)d.") % {"most": most})
    free = set(may_be_house(division))
    for entry in (each for each in entries if each not in before and each not in free):
        raise Conflict(
            _("%(entry)s are drawn already or have left. The house pair has played no match before.")
            % {"entry": entry}
        )
    for entry in (each for each in before if each not in entries and each not in free):
        raise Conflict(
            _("%(entry)s have already played as the house pair, so you can’t choose another.")
            % {"entry": entry}
        )
    said = _said_of_house(competition, before, entries)
    drafts.remember(
        actor=actor, competition=competition, action="entry.house", summary=said, parts=("entries",)
    )
    division.entries.filter(is_house=True).update(is_house=False)
    division.entries.filter(pk__in=[each.pk for each in entries]).update(is_house=True)
    audit.record(
        actor=actor,
        action="entry.house",
        summary=said,
        competition=competition,
        before={"entries": [each.pk for each in before]},
        after={"entries": [each.pk for each in entries]},
    )
    standings.bump(competition=competition)


def _said_of_house(
    competition: Competition, before: Sequence[Entry], entries: Sequence[Entry]
) -> sentences.Said:
    names = ", ".join(map(str, entries))
    if competition.stage.partners_change and entries:
        return sentences.gettext("For the house: %(players)s") % {"players": names}
    if competition.stage.partners_change:
        return sentences.gettext("Nobody plays for the house")
    if entries:
        return sentences.gettext("%(entry)s are the house pair") % {"entry": names}
    gone = ", ".join(map(str, before))
    return sentences.gettext("%(entry)s are no longer the house pair") % {"entry": gone}


def _drawn(competition: Competition, division: Division) -> int:
    """The last round that is drawn, which a draft may still draw again: 0 there."""
    if competition.state == Competition.State.DRAFT:
        return 0
    last = Appearance.objects.filter(entry__division=division).aggregate(n=Max("round__number"))["n"]
    return int(last or 0)


def _locked(actor: Actor, division: Division) -> Competition:
    competition = competitions.locked(division.competition)
    policies.require(actor, "competition.draw", competition)
    if not competition.stage.is_by_round or competition.stage.is_bracket:
        raise Conflict(_("Only in a Swiss can you say who mustn’t meet."))
    competitions.check_not_final(competition)
    return competition


def _note(
    actor: Actor, competition: Competition, action: str, said: sentences.Sentence, row: ForbiddenMeeting
) -> None:
    audit.record(
        actor=actor,
        action=action,
        summary=said % {"one": str(row.one), "other": str(row.other)},
        competition=competition,
        after={"entries": [row.one_id, row.other_id]},
    )
