"""Whose word stands behind a version of a scoresheet, and whether it is enough.

`write` adds a vouch, under the match's lock; `counts` says whether the sheet becomes the result; `settled` says whether
the boards of the match may open on it, which asks for more. To add a way in which a sheet can count: write a vouch
of its kind, and say in `_is_enough` what it is worth. What it is worth to sealed boards is `settled` alone, and stays
nothing for everything but the word of all sides, of the table itself, and of a neutral official.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from games import embargo, links
from games import policies as games_policies
from games.fixture_boards import boards_of
from games.models import FixtureBoard, Scoresheet, Vouch
from games.proof import borrowed_vouches, typed_sheets
from games.proof.borrowed_vouches import Borrowed
from league import policies
from league.actors import Actor, person
from league.errors import Conflict
from league.models import Entry, Fixture, Membership, Role, User

Kind, Settled = Vouch.Kind, FixtureBoard.Settled
EnteredAs = Scoresheet.EnteredAs
#: What makes a typed sheet count without anybody else: another official, or the sides' signatures.
ALONE = (Kind.SECOND, Kind.PAPER)
OFFICIALS = (Kind.OFFICIAL, Kind.SECOND, Kind.PAPER)


def sides_of(fixture: Fixture) -> tuple[Entry, ...]:
    """The sides of a match: each of them has a word of its own."""
    return fixture.entries


def side_for(visitor: Actor, fixture: Fixture) -> Entry | None:
    """The side for which this account plays in the match."""
    return policies.entry_of(visitor, fixture)


def capacity(visitor: Actor, fixture: Fixture) -> str:
    """In what capacity somebody enters a sheet: for their own side, as an official, or by the code on the paper."""
    if side_for(visitor, fixture) is not None:
        return EnteredAs.PERSON
    return EnteredAs.OFFICIAL if policies.scorer(visitor, fixture) else EnteredAs.CODE


def write(
    *, sheet: Scoresheet, kind: str, actor: Actor | None, at: datetime, entry: Entry | None = None
) -> Vouch:
    """Adds a vouch. The match is locked."""
    competition = sheet.match.fixture.round.competition
    is_neutral = kind in OFFICIALS and actor is not None and games_policies.is_neutral(actor, competition)
    return Vouch.objects.create(
        sheet=sheet,
        kind=kind,
        entry=entry,
        actor=person(actor) if actor is not None else None,
        is_neutral=is_neutral,
        at=at,
    )


def entered(*, sheet: Scoresheet, actor: Actor, at: datetime) -> Vouch | None:
    """The word of the person who entered the sheet. A code is a way in, and speaks for nobody."""
    if sheet.entered_as == EnteredAs.PERSON and sheet.entered_for is not None:
        if _lent_by(actor, sheet, sheet.entered_for) is not None:
            return None
        return write(sheet=sheet, kind=Kind.SIDE, actor=actor, at=at, entry=sheet.entered_for)
    if sheet.entered_as == EnteredAs.OFFICIAL:
        return write(sheet=sheet, kind=Kind.OFFICIAL, actor=actor, at=at)
    return None


def confirmed(*, sheet: Scoresheet, actor: Actor, at: datetime) -> Vouch:
    """The word of somebody who confirms it: for their own side, as an official, or as the second one.

    Raises Conflict where it is the word of an opponent, who gave this account its slip.
    """
    entry = side_for(actor, sheet.match.fixture)
    if entry is not None:
        lender = _lent_by(actor, sheet, entry)
        if lender is not None:
            raise Conflict(
                _(
                    "You joined with a slip from %(by)s, who is playing in this event. Someone else on your "
                    "side has to confirm, or another director has to say that you are this player."
                )
                % {"by": lender},
                code="word_is_lent",
            )
        return write(sheet=sheet, kind=Kind.SIDE, actor=actor, at=at, entry=entry)
    kind = Kind.SECOND if sheet.entered_as == EnteredAs.OFFICIAL else Kind.OFFICIAL
    return write(sheet=sheet, kind=kind, actor=actor, at=at)


def _lent_by(actor: Actor, sheet: Scoresheet, entry: Entry) -> User | None:
    """The person who takes part in the event for another side, and whose slip alone makes this account speak for it."""
    user, fixture = person(actor), sheet.match.fixture
    issuers = links.slip_issuers(user.pk, fixture, entry) if user is not None else frozenset()
    lenders = embargo.players_among(issuers, fixture.round.competition)
    return User.objects.get(pk=min(lenders)) if lenders else None


def repeat(*, old: Scoresheet, new: Scoresheet) -> None:
    """The same content counts again, as another version: everybody's word stands as it was given."""
    Vouch.objects.bulk_create(
        Vouch(
            sheet=new,
            kind=each.kind,
            entry_id=each.entry_id,
            actor_id=each.actor_id,
            is_neutral=each.is_neutral,
            at=each.at,
        )
        for each in Vouch.objects.filter(sheet=old)
    )


def counts(sheet: Scoresheet, given: Sequence[Vouch] | None = None) -> bool:
    """Whether enough people stand behind the sheet for it to be the result of its match, by all vouches `given`."""
    if given is None:
        given = list(Vouch.objects.filter(sheet=sheet))
    return _is_enough(sheet, given) and (not changes_public_boards(sheet) or _is_beyond_doubt(sheet, given))


def _is_enough(sheet: Scoresheet, given: Sequence[Vouch]) -> bool:
    kinds = {each.kind for each in given}
    if Kind.TABLE in kinds or not missing(sheet, given):
        return True
    believed = _believed(sheet, given)
    if sheet.entered_as != EnteredAs.OFFICIAL or any(each.kind in ALONE for each in believed):
        return bool(believed)
    # The person who typed it is one; it takes one of those who played, or that they were told and said nothing.
    takes_second = typed_sheets.way_of(sheet.match.fixture) == typed_sheets.Way.SECOND
    return bool(believed) and ((Kind.SIDE in kinds and not takes_second) or Kind.SILENCE in kinds)


def _believed(sheet: Scoresheet, given: Sequence[Vouch]) -> list[Vouch]:
    """The officials' words that are worth something without every side.

    That of one who plays in the event is, in a club with nobody neutral, and for a first result. What the sides have
    signed, or did not object to, is their own word, where no boards are played.
    """
    officials = [each for each in given if each.kind in OFFICIALS]
    neutral = [each for each in officials if each.is_neutral]
    if neutral:
        return neutral
    is_of_sides = any(each.kind in {Kind.PAPER, Kind.SILENCE} for each in given)
    if officials and _has_neutral(sheet):
        return officials if is_of_sides and not boards_of(sheet.match.fixture) else []
    return officials if is_of_sides or not _corrects(sheet) else []


def takes_every_side(sheet: Scoresheet) -> bool:
    """Whether one side's word is not enough, no matter who typed it."""
    return sheet.entered_as == EnteredAs.CODE or not _believed(sheet, list(Vouch.objects.filter(sheet=sheet)))


def signed(*, sheet: Scoresheet, actor: Actor, at: datetime) -> Vouch:
    """The word of the official who typed it that all sides have signed the paper."""
    return write(sheet=sheet, kind=Kind.PAPER, actor=actor, at=at)


def missing(sheet: Scoresheet, given: Iterable[Vouch] | None = None) -> tuple[Entry, ...]:
    """The sides that have not vouched for the sheet."""
    found = Vouch.objects.filter(sheet=sheet) if given is None else given
    spoken = {each.entry_id for each in found if each.kind == Kind.SIDE}
    return tuple(entry for entry in sides_of(sheet.match.fixture) if entry.pk not in spoken)


def settled(sheet: Scoresheet) -> str:
    """By whose word the boards of the match may open on this sheet, which counts; "" where it takes more."""
    given = list(Vouch.objects.filter(sheet=sheet).select_related("actor"))
    by_table = any(each.kind == Kind.TABLE for each in given)
    if (by_table or not missing(sheet, given)) and borrowed(sheet, given) is None:
        return str(Settled.TABLE if by_table else Settled.SIDES)
    return str(Settled.NEUTRAL) if _has_neutral_word(given) else ""


def _has_neutral_word(given: Sequence[Vouch]) -> bool:
    """Whether a neutral official stands behind the sheet.

    That nobody said anything proves nothing: then it takes one who compared the sheet with the paper.
    """
    kinds = {each.kind for each in given}
    word = [each for each in given if Kind.SILENCE not in kinds or each.kind != Kind.OFFICIAL]
    return any(each.is_neutral for each in word)


def borrowed(sheet: Scoresheet, given: Sequence[Vouch] | None = None) -> Borrowed | None:
    """The word of a side that is no proof of what it says, for another side may have given it."""
    found = Vouch.objects.filter(sheet=sheet).select_related("actor") if given is None else given
    fixture = sheet.match.fixture
    if any(each.kind == Kind.TABLE for each in found):
        return borrowed_vouches.borrowed(fixture, borrowed_vouches.at_tables(fixture))
    # The match's own entries: their players are read.
    entries: dict[int | None, Entry] = {entry.pk: entry for entry in fixture.entries}
    sides = [each for each in found if each.kind == Kind.SIDE]
    spoken = [(each.actor, entries.get(each.entry_id) or each.entry) for each in sides]
    return borrowed_vouches.borrowed(fixture, [(actor, entry) for actor, entry in spoken if actor and entry])


def changes_public_boards(sheet: Scoresheet) -> bool:
    """Whether the sheet says something new of boards that are public, and nobody has believed it before they were.

    A first result that was entered before its boards were public may still be confirmed. A correction may not, whenever
    it was entered: who leaves one lying through the release would choose between two results with all cards known.
    The same where the result was taken back meanwhile, as by a side that had been silent.
    """
    if sheet.entered_as == EnteredAs.TABLE:
        return False
    released = [play.board.released_at for play in boards_of(sheet.match.fixture)]
    public = [at for at in released if at is not None]
    if not public:
        return False
    if _counted_before(sheet) is not None:
        return _corrects(sheet)
    return any(at <= sheet.entered_at for at in public)


def _corrects(sheet: Scoresheet) -> bool:
    """Whether it says something else than what counts, or counted until it was taken back."""
    before = _counted_before(sheet)
    return before is not None and before.digest != sheet.digest


def _counted_before(sheet: Scoresheet) -> Scoresheet | None:
    counted = Scoresheet.objects.counted().filter(match=sheet.match_id)
    found: Scoresheet | None = counted.exclude(pk=sheet.pk).order_by("-version").first()
    return found


def _is_beyond_doubt(sheet: Scoresheet, given: Sequence[Vouch]) -> bool:
    """What is changed when all cards are public: by a neutral official, or all sides and an owner of the club."""
    if _has_neutral_word(given):
        return True
    if missing(sheet, given) or _has_neutral(sheet) or borrowed(sheet, given) is not None:
        return False
    club = sheet.match.fixture.round.competition.club_id
    people = [each.actor_id for each in given if each.actor_id]
    return Membership.objects.filter(club=club, role=Role.OWNER, user__in=people).exists()


def _has_neutral(sheet: Scoresheet) -> bool:
    return games_policies.has_neutral(sheet.match.fixture.round.competition)
