"""A scoresheet's way: submitted as a version, then that very version confirmed or rejected by the other side.

Who stands behind a version, and when that is enough for it to count, is games.proof.vouches'.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games import policies as games_policies
from games.analysis.services import analyses
from games.boards.services import releases
from games.comparisons.services import comparisons
from games.fixture_boards import boards_of, is_too_early
from games.models import Match, PlayedDeal, RobotHand, Scoresheet, ScoresheetDraft
from games.proof import checks, participations, typed_sheets, vouches
from games.records import parsing as readings
from games.records.display import robot_hands
from games.records.parsing import Reading
from games.scoresheets.services import matches, notices, silence
from league import idempotency, policies, validation
from league.actors import Actor, person
from league.audit.services import audit
from league.errors import Conflict, Invalid
from league.fixtures.services import fixtures
from league.models import Competition, Entry, Fixture, User
from league.querysets import sides_with_pairs
from league.web.wording import in_words
from league.words import sentences

Verdict = Scoresheet.Verdict
Status = Fixture.Status
LONGEST_REASON = 300
LARGEST_DRAFT = 60_000


def submit(
    *,
    actor: Actor,
    fixture: Fixture,
    content: object,
    origin: str,
    signed: bool = False,
    reason: str = "",
    key: str = "",
) -> Scoresheet:
    """Stores a new version of the match's sheet, to be confirmed by the other side.

    `signed`: an official says that both sides signed the paper. Where the competition has it so, the sheet counts at
    once. `reason`: why a result is corrected, for the players and the trail; it may be left out.

    Raises Invalid with every problem in `details` when the engine refuses the sheet; nothing is then written. With
    an idempotency `key` the same request twice makes one version.
    """
    return _once(
        actor=actor,
        key=key,
        action="sheet.submit",
        request={"fixture": fixture.pk, "content": content, **({"reason": reason} if reason else {})},
        write=lambda: _submit(actor, fixture, content, origin, signed=signed, reason=reason),
    )


def confirm(*, actor: Actor, sheet: Scoresheet, digest: str, key: str = "") -> Scoresheet:
    """Somebody agrees to this very version. With enough vouches its totals become the result, and the tables follow.

    `digest` names the content that the person who confirms was shown. The sheet stays pending where others have to
    confirm it, too.
    """
    return _once(
        actor=actor,
        key=key,
        action="sheet.confirm",
        request={"sheet": sheet.pk, "digest": digest},
        write=lambda: _confirm(actor, sheet, digest),
        judged=sheet,
    )


def reject(*, actor: Actor, sheet: Scoresheet, reason: str, key: str = "") -> Scoresheet:
    """The other side disagrees, and says why. A correction that is rejected leaves the confirmed result as it was."""
    return _once(
        actor=actor,
        key=key,
        action="sheet.reject",
        request={"sheet": sheet.pk, "reason": reason},
        write=lambda: _reject(actor, sheet, reason),
        judged=sheet,
    )


@transaction.atomic
def record_play(
    *,
    actor: Actor,
    fixture: Fixture,
    content: object,
    opened_by: User,
    table: int,
    robots: Sequence[Sequence[RobotHand]] = (),
) -> Scoresheet:
    """The sheet of a match that the site itself saw played, card by card: entered and confirmed in one.

    It takes the place of a sheet that waits, whatever its origin. The trail names both, and the table. Raises Conflict
    where the match has a result.
    """
    match = matches.lock(fixture=fixture)
    fixture = match.fixture
    policies.require(actor, "sheet.enter", fixture)
    _check_open(match, fixture, timezone.now())
    if fixture.status == Status.CONFIRMED:
        raise Conflict(_("This match already has a result."), code="has_result")
    reading = readings.read(fixture=fixture, content=content, options=match.options)
    if not reading.is_accepted or not reading.is_over:
        raise Conflict(_("We can’t accept this scoresheet yet."), code="sheet_refused")
    last = Scoresheet.objects.filter(match=match).first()
    waiting = last if last and last.verdict == Verdict.PENDING else None
    if waiting is not None:
        # Otherwise the losing side could enter anything in time, and the match would count for nothing.
        matches.give_verdict(sheet=waiting, verdict=Verdict.REPLACED, actor=actor)
    origin, entered_as = Scoresheet.Origin.TABLE, Scoresheet.EnteredAs.TABLE
    sheet = _write(opened_by, match, last, reading, None, origin=origin, entered_as=entered_as)
    _write_robots(sheet, dict(enumerate(robots, start=1)))
    vouches.write(sheet=sheet, kind=vouches.Kind.TABLE, actor=None, at=timezone.now())
    fixtures.await_confirmation(actor=actor, fixture=fixture)
    _tell(
        actor,
        "sheet.submitted",
        sentences.gettext("Played at online table %(table)d") % {"table": table},
        sheet,
        replaced=waiting,
        robots=sum(len({(hand.number, hand.side) for hand in deal}) for deal in robots),
    )
    sheet.match = match
    said = sentences.gettext("Scoresheet %(version)d confirmed")
    at = timezone.now()
    return _count(actor, sheet, reading, at=at, action="sheet.confirmed", summary=said, tells=False)


@transaction.atomic
def revive(*, actor: Actor, fixture: Fixture) -> Scoresheet | None:
    """Lets the sheet that was reopened last count again, as a version of its own with the same content.

    For a match that was taken out of an event and is to be played again: it was entered and confirmed already, by two
    people, and nothing of it was in doubt. None where there is no such sheet, or one that would be scored otherwise.
    """
    match = matches.lock(fixture=fixture)
    fixture = match.fixture
    policies.require(actor, "match.reopen", fixture)
    at = timezone.now()
    _check_open(match, fixture, at)
    old = Scoresheet.objects.filter(match=match).select_related("entered_by", "entered_for").first()
    if old is None or old.verdict != Verdict.REOPENED:
        return None
    reading = readings.read(fixture=fixture, content=old.content, options=match.options, is_stored=True)
    if not _is_same(old, reading):
        return None
    sheet = _write(
        old.entered_by,
        match,
        old,
        reading,
        old.entered_for,
        origin=old.origin,
        entered_as=old.entered_as,
    )
    sheet.match = match
    _write_robots(sheet, _robots_before(sheet))
    vouches.repeat(old=old, new=sheet)
    fixtures.await_confirmation(actor=actor, fixture=fixture)
    said = sentences.gettext("Scoresheet %(old)d counts again, as version %(version)d") % {"old": old.version}
    return _count(actor, sheet, reading, at=at, action="sheet.revived", summary=said)


def _once(
    *,
    actor: Actor,
    key: str,
    action: str,
    request: dict[str, Any],
    write: Callable[[], Scoresheet],
    judged: Scoresheet | None = None,
) -> Scoresheet:
    """The sheet as it was written, or `is_repeated` as a repetition finds it: known before where one is `judged`."""
    written: list[Scoresheet] = []

    def answer() -> dict[str, Any]:
        with audit.at_once():
            written.append(write())
        return {"sheet": written[0].pk}

    expected = idempotency.CLAIMED if judged is None else {"sheet": judged.pk}
    known = idempotency.once(
        actor=actor, key=key, action=action, request=request, write=answer, expected=expected
    )
    if written:
        return written[0]
    found = Scoresheet.objects.select_related("match__fixture__round__stage__competition__club")
    sides = sides_with_pairs("match__fixture__")
    sheet: Scoresheet = found.prefetch_related(*sides, "match__fixture__substitutions__substitute").get(
        pk=known["sheet"]
    )
    sheet.is_repeated = True
    return sheet


def _submit(
    actor: Actor, fixture: Fixture, content: object, origin: str, *, signed: bool, reason: str
) -> Scoresheet:
    match = matches.lock(fixture=fixture)
    fixture = match.fixture
    policies.require(actor, "sheet.enter", fixture)
    _check_open(match, fixture, timezone.now())
    reason = _why_corrected(fixture, reason)
    reading = readings.read(fixture=fixture, content=content, options=match.options)
    if not reading.is_accepted:
        raise Invalid(
            _("We can’t accept this scoresheet yet."),
            code="sheet_refused",
            details=[problem.as_json(in_words) for problem in reading.problems],
        )
    if boards_of(fixture):
        participations.check(fixture=fixture, players=list(reading.seating.players.values()))
    entered_for, entered_as = vouches.side_for(actor, fixture), vouches.capacity(actor, fixture)
    last = Scoresheet.objects.filter(match=match).first()
    replaced = _replace_pending(actor, match, last, entered_for)
    sheet = _write(actor, match, last, reading, entered_for, origin=origin, entered_as=entered_as)
    sheet.match = match
    _write_robots(sheet, _robots_before(sheet))
    vouches.entered(sheet=sheet, actor=actor, at=sheet.entered_at)
    if boards_of(fixture):
        participations.entered(actor=actor, fixture=fixture, reading=reading, at=sheet.entered_at)
    if fixture.status != Status.CONFIRMED:
        fixtures.await_confirmation(actor=actor, fixture=fixture)
    ScoresheetDraft.objects.filter(fixture=fixture, user=person(actor)).delete()
    _tell(
        actor,
        "sheet.submitted",
        sentences.gettext("Scoresheet %(version)d entered"),
        sheet,
        replaced=replaced,
        reason=reason,
    )
    _ask_or_count(actor, sheet, reading, signed=signed, reason=reason)
    return sheet


def _why_corrected(fixture: Fixture, reason: str) -> str:
    """The reason in one line. Raises Invalid where there is nothing to correct, or where it could tell of cards."""
    reason = validation.one_line(reason)[:LONGEST_REASON]
    if reason and fixture.status != Status.CONFIRMED:
        raise Invalid(_("There is no result to correct, so please leave the reason out."))
    if reason and not matches.may_say_why(fixture):
        raise Invalid(
            _("Others still have to play these boards. Please leave the reason out: it could tell of cards.")
        )
    return reason


def _ask_or_count(actor: Actor, sheet: Scoresheet, reading: Reading, *, signed: bool, reason: str) -> None:
    """A sheet whose paper is signed counts at once where that is enough; else the sides are asked to confirm it."""
    fixture = sheet.match.fixture
    if signed and typed_sheets.counts_signed(actor, fixture):
        vouches.signed(sheet=sheet, actor=actor, at=sheet.entered_at)
        if vouches.counts(sheet):
            said = sentences.gettext("Scoresheet %(version)d counts: all sides signed the paper")
            at = sheet.entered_at
            _count(actor, sheet, reading, at=at, action="sheet.confirmed", summary=said, tells=False)
            notices.counts_signed(sheet=sheet)
            return
    days = fixture.round.competition.silence_days if silence.may_begin(sheet) else 0
    asked = notices.to_confirm(sheet=sheet, days=days, reason=reason)
    if days:
        silence.begin(sheet=sheet, days=days, asked=asked)


@transaction.atomic
def count_silent(*, sheet: Scoresheet, at: datetime) -> Scoresheet:
    """Nobody objected for the days that were named: the sheet counts. Raises Conflict where it takes more."""
    fixture, sheet = _pending(sheet)
    _check_pending(sheet)
    _check_open(sheet.match, fixture, at)
    options = sheet.match.options
    reading = readings.read(fixture=fixture, content=sheet.content, options=options, is_stored=True)
    _check_same(sheet, reading)
    vouches.write(sheet=sheet, kind=vouches.Kind.SILENCE, actor=None, at=at)
    if not vouches.counts(sheet):
        raise Conflict(_("Someone has to confirm this scoresheet."))
    said = sentences.gettext("Scoresheet %(version)d counts: nobody objected")
    return _count(releases.SERVICE, sheet, reading, at=at, action="sheet.confirmed", summary=said)


def _check_open(match: Match, fixture: Fixture, at: datetime) -> None:
    fixtures.check_not_final(fixture)
    if fixture.round.competition.state == Competition.State.DRAFT:
        raise Conflict(_("This competition isn’t published yet, so you can’t enter a scoresheet."))
    if fixture.status in {Status.WALKOVER, Status.VOID}:
        raise Conflict(
            _("This match is “%(now)s”, so you can’t enter a scoresheet.")
            % {"now": fixture.get_status_display()}
        )
    if is_too_early(fixture, at):
        raise Conflict(_("The round of this match hasn’t started yet."), code="round_to_come")
    if fixture.status == Status.CONFIRMED and matches.is_locked(match=match, at=at):
        raise Conflict(
            _("The time for corrections is over. A director can reopen this match."), code="sheet_locked"
        )


def _replace_pending(
    actor: Actor, match: Match, pending: Scoresheet | None, entered_for: Entry | None
) -> Scoresheet | None:
    """The last version where it waits, and the new one replaces it.

    A newer version replaces one of the same side; the other side's is first confirmed or rejected.
    """
    if pending is None or pending.verdict != Verdict.PENDING:
        return None
    own = pending.entered_by_id == actor.pk or (
        entered_for is not None and pending.entered_for_id == entered_for.pk
    )
    if not own and not games_policies.enters_as_official(actor, match.fixture):
        raise Conflict(
            _(
                "%(who)s has entered a scoresheet in the meantime. Please confirm it, or reject it with "
                "a reason."
            )
            % {"who": pending.entered_by},
            code="sheet_waiting",
        )
    matches.give_verdict(sheet=pending, verdict=Verdict.REPLACED, actor=actor)
    return pending


def _write(
    actor: Actor,
    match: Match,
    last: Scoresheet | None,
    reading: Reading,
    entered_for: Entry | None,
    *,
    origin: str,
    entered_as: str,
) -> Scoresheet:
    user = person(actor)
    if user is None:
        raise Invalid(_("Only a person can enter a scoresheet."))
    sheet = Scoresheet.objects.create(
        match=match,
        version=last.version + 1 if last else 1,
        content=reading.content,
        digest=reading.digest,
        origin=origin,
        entered_by=user,
        entered_for=entered_for,
        entered_as=entered_as,
        totals=list(reading.total.values()),
        suspicious=[problem.as_json(in_words) for problem in reading.suspicious],
    )
    PlayedDeal.objects.bulk_create(
        PlayedDeal(sheet=sheet, number=n, dealer=dealer, record=record, score=score)
        for n, (dealer, record, score) in enumerate(
            zip(reading.dealers, reading.records, reading.scores, strict=True), start=1
        )
    )
    return sheet


def _write_robots(sheet: Scoresheet, robots: Mapping[int, Iterable[RobotHand]]) -> None:
    """In which hands robots acted, by the number of the deal: rows that belong to the sheet from now on."""
    if not robots:
        return
    found = []
    for deal in sheet.deals.all():
        for hand in robots.get(deal.number, ()):
            hand.pk, hand.deal = None, deal
            found.append(hand)
    RobotHand.objects.bulk_create(found)


def _robots_before(sheet: Scoresheet) -> dict[int, list[RobotHand]]:
    """Where robots acted by the version before: whatever is corrected in a sheet, they did so at the table."""
    if sheet.version == 1:
        return {}
    before = Scoresheet.objects.filter(match=sheet.match_id, version__lt=sheet.version).first()
    return robot_hands.by_deal(before) if before else {}


def _pending(sheet: Scoresheet) -> tuple[Fixture, Scoresheet]:
    match = matches.lock(fixture=sheet.match.fixture)
    sheet = Scoresheet.objects.select_related("entered_by").prefetch_related("vouches").get(pk=sheet.pk)
    sheet.match = match
    return match.fixture, sheet


def _check_pending(sheet: Scoresheet) -> None:
    if sheet.verdict == Verdict.PENDING:
        return
    if sheet.verdict_by is None:
        raise Conflict(_("This scoresheet is already “%(now)s”.") % {"now": sheet.get_verdict_display()})
    raise Conflict(
        _("%(who)s got there first: this scoresheet is now “%(now)s”.")
        % {"who": sheet.verdict_by, "now": sheet.get_verdict_display()},
        code="sheet_settled",
    )


def _confirm(actor: Actor, sheet: Scoresheet, digest: str) -> Scoresheet:
    fixture, sheet = _pending(sheet)
    policies.require(actor, "sheet.judge", sheet)
    _check_pending(sheet)
    if digest != sheet.digest:
        raise Conflict(
            _("The scoresheet has changed since you saw it. Please check it again before you confirm."),
            code="other_version",
        )
    at = timezone.now()
    _check_open(sheet.match, fixture, at)
    reading = readings.read(
        fixture=fixture, content=sheet.content, options=sheet.match.options, is_stored=True
    )
    _check_same(sheet, reading)
    given = [*sheet.vouches.all(), vouches.confirmed(sheet=sheet, actor=actor, at=at)]
    if boards_of(fixture):
        participations.judged(actor=actor, fixture=fixture, at=at)
    if not vouches.counts(sheet, given):
        said = sentences.gettext("Scoresheet %(version)d confirmed; others still have to confirm it")
        _tell(actor, "sheet.vouched", said, sheet)
        return sheet
    said = sentences.gettext("Scoresheet %(version)d confirmed")
    return _count(actor, sheet, reading, at=at, action="sheet.confirmed", summary=said)


def _count(
    actor: Actor,
    sheet: Scoresheet,
    reading: Reading,
    *,
    at: datetime,
    action: str,
    summary: sentences.Sentence,
    tells: bool = True,
) -> Scoresheet:
    """The sheet becomes the match's result, and everything that follows from it.

    It `tells` those who play, unless they sit at the table and see it, or are told otherwise.
    """
    match, fixture = sheet.match, sheet.match.fixture
    was_public = vouches.changes_public_boards(sheet)
    before = Scoresheet.objects.confirmed().filter(match=match).first() if sheet.version > 1 else None
    if before is not None:
        matches.give_verdict(sheet=before, verdict=Verdict.REPLACED, actor=actor)
    matches.give_verdict(sheet=sheet, verdict=Verdict.CONFIRMED, actor=actor)
    window = timedelta(hours=fixture.round.competition.correction_hours)
    locks_at = match.locks_at if before is not None and match.locks_at else at + window
    matches.settle(sheet=sheet, reading=reading, at=at, locks_at=locks_at)
    fixtures.record_result(
        actor=actor, fixture=fixture, scores=sheet.totals, ranks=list(reading.ranks.values())
    )
    has_boards = bool(boards_of(fixture))
    settled = vouches.settled(sheet) if has_boards else ""
    if has_boards:
        checks.check(fixture=fixture, reading=reading, settled=settled)
        releases.settle(fixture=fixture, settled=settled)
    analyses.request(sheet=sheet, reading=reading)
    releases.fixture_decided(fixture=fixture)
    if has_boards:
        comparisons.bump_fixture(fixture)
    _tell(actor, action, summary, sheet, replaced=before, was_public=was_public)
    if has_boards and not settled:
        _tell_borrowed(actor, sheet)
    if tells:
        notices.counts(actor=actor, sheet=sheet, before=before)
    return sheet


def _tell_borrowed(actor: Actor, sheet: Scoresheet) -> None:
    """The trail says why the sheet counts, and opens no boards."""
    word = vouches.borrowed(sheet)
    if word is not None:
        audit.record(
            actor=actor,
            action="boards.kept_shut",
            summary=sentences.gettext(
                "Its boards stay closed: %(by)s, who is playing in this event, vouched for %(who)s, "
                "who speaks for %(pair)s"
            )
            % {"who": word.user, "pair": word.entry, "by": word.by or "?"},
            fixture=sheet.match.fixture,
        )


def _check_same(sheet: Scoresheet, reading: Reading) -> None:
    """The rules may have been changed in the program since the sheet was entered: then nobody confirms it blindly."""
    if not _is_same(sheet, reading):
        raise Conflict(_("The scoring has changed since this scoresheet was entered. Please enter it again."))


def _is_same(sheet: Scoresheet, reading: Reading) -> bool:
    return reading.is_accepted and sheet.totals == list(reading.total.values())


def _reject(actor: Actor, sheet: Scoresheet, reason: str) -> Scoresheet:
    fixture, sheet = _pending(sheet)
    if sheet.verdict == Verdict.CONFIRMED:
        return _object(actor, sheet, reason)
    policies.require(actor, "sheet.judge", sheet)
    if not reason.strip():
        raise Invalid(_("Please say what’s wrong, so that your opponents can correct it."))
    _check_pending(sheet)
    participations.judged(actor=actor, fixture=fixture, at=timezone.now())
    matches.give_verdict(sheet=sheet, verdict=Verdict.REJECTED, actor=actor, reason=reason)
    told = matches.reason_for_trail(fixture, reason)
    if fixture.status != Status.CONFIRMED:
        fixtures.dispute(actor=actor, fixture=fixture, reason=told)
    _tell(actor, "sheet.rejected", sentences.gettext("Scoresheet %(version)d rejected"), sheet, reason=told)
    notices.rejected(actor=actor, sheet=sheet, is_open=fixture.status != Status.CONFIRMED)
    return sheet


def _object(actor: Actor, sheet: Scoresheet, reason: str) -> Scoresheet:
    """A side that had said nothing rejects a sheet that counted by silence: the match is open again."""
    match, fixture = sheet.match, sheet.match.fixture
    if not policies.may(actor, "sheet.object", sheet):
        policies.require(actor, "sheet.judge", sheet)
        _check_pending(sheet)
    fixtures.check_not_final(fixture)
    at = timezone.now()
    if matches.is_locked(match=match, at=at):
        raise Conflict(
            _("The time for corrections is over. A director can reopen this match."), code="sheet_locked"
        )
    if not reason.strip():
        raise Invalid(_("Please say what’s wrong, so that your opponents can correct it."))
    matches.take_back(match=match, sheet=sheet, verdict=Verdict.REJECTED, actor=actor, reason=reason)
    participations.judged(actor=actor, fixture=fixture, at=at)
    told = matches.reason_for_trail(fixture, reason)
    fixtures.dispute(actor=actor, fixture=fixture, reason=told)
    comparisons.bump_fixture(fixture)
    said = sentences.gettext("Scoresheet %(version)d rejected; it had counted because nobody objected")
    _tell(actor, "sheet.rejected", said, sheet, reason=told)
    notices.rejected(actor=actor, sheet=sheet, is_open=True)
    return sheet


def close_pending(*, actor: Actor, fixture: Fixture, reason: str) -> None:
    """A director has decided the match without play: a sheet that waited is rejected with the ruling's reason.

    Called with the fixture locked, as every change of a sheet's verdict is.
    """
    sheet = Scoresheet.objects.pending().filter(match=fixture.pk).select_related("entered_by").first()
    if sheet is not None:
        matches.give_verdict(sheet=sheet, verdict=Verdict.REJECTED, actor=actor, reason=reason)
        _tell(
            actor,
            "sheet.rejected",
            sentences.gettext("Scoresheet %(version)d rejected"),
            sheet,
            reason=reason,
        )


def save_draft(*, actor: Actor, fixture: Fixture, content: dict[str, Any]) -> None:
    """Keeps what somebody has typed so far, so that it can go on from any device."""
    user = person(actor)
    policies.require(actor, "sheet.enter", fixture)
    if user is None or len(str(content)) > LARGEST_DRAFT:
        raise Invalid(_("This is too long for a scoresheet."))
    with transaction.atomic():
        ScoresheetDraft.objects.update_or_create(fixture=fixture, user=user, defaults={"content": content})


def _tell(
    actor: Actor,
    action: str,
    summary: sentences.Sentence,
    sheet: Scoresheet,
    *,
    replaced: Scoresheet | None = None,
    reason: str = "",
    robots: int = 0,
    was_public: bool = False,
) -> None:
    said: sentences.Said = summary % {"version": sheet.version}
    if was_public:
        said = sentences.Joined((said, sentences.gettext("its cards were already public")), by="; ")
    audit.record(
        actor=actor,
        action=action,
        summary=said,
        fixture=sheet.match.fixture,
        before=matches.sheet_facts(replaced) if replaced else None,
        after={**matches.sheet_facts(sheet), **({"robots": robots} if robots else {})},
        reason=reason,
    )
