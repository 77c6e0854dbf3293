"""A director's score for a board in place of the one made at the table: averages, or results with weights."""

from collections.abc import Mapping
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from engine.contest import exact
from games import policies as games_policies
from games.comparisons.reckoning.columns import SIDES
from games.comparisons.services import comparisons, team_results
from games.fixture_boards import sealed_matches
from games.models import AdjustedScore, FixtureBoard
from league import policies, validation
from league.actors import Actor, person
from league.audit.services import audit
from league.errors import Conflict, Invalid
from league.fixtures.services import fixtures
from league.models import Fixture
from league.words import sentences

MOST_PARTS = 10
LARGEST_SCORE = 9_999
LONGEST_REASON = 300
BY_A_PLAYER = sentences.gettext("(who is playing in this event)")


def read(content: object) -> dict[str, Any]:
    """An award's content as it is stored: exact, in lowest terms. Raises Invalid with every fault in `details`.

    {"percent": {"home": "60", "away": "40"}}: from 0 to 100 each, whatever the other has; or
    {"scores": [{"home": "40", "away": "16", "weight": "1/2"}, ...]}: points of both pairs, weights above 0 that add up
    to 1. Figures are integers or texts such as "52", "1/3" or "0.5".
    """
    if not isinstance(content, Mapping) or len(content) != 1 or not set(content) & {"percent", "scores"}:
        raise Invalid(_("Enter a percentage for each side, or results with their weights."))
    faults: list[dict[str, Any]] = []
    if "percent" in content:
        read_content: dict[str, Any] = {"percent": _read_percentages(content["percent"], faults)}
    else:
        read_content = {"scores": _read_scores(content["scores"], faults)}
    if faults:
        raise Invalid(faults[0]["message"], details=faults)
    return read_content


def _read_percentages(given: object, faults: list[dict[str, Any]]) -> dict[str, str]:
    given = given if isinstance(given, Mapping) else {}
    percentages = {}
    for side in SIDES:
        percent = exact.parse(given.get(side))
        if percent is None or not 0 <= percent <= 100:
            message = _("Please enter a percentage from 0 to 100, such as 60 or 45.5.")
            faults.append(validation.fault(message, f"percent_{side}"))
        else:
            percentages[side] = str(percent)
    return percentages


def _read_scores(given: object, faults: list[dict[str, Any]]) -> list[dict[str, str]]:
    if not isinstance(given, list) or not 1 <= len(given) <= MOST_PARTS:
        message = _("Please enter one or more results, at most %(most)d.") % {"most": MOST_PARTS}
        faults.append(validation.fault(message, "scores"))
        return []
    parts = [_read_part(part, number, faults) for number, part in enumerate(given, start=1)]
    if not faults and sum((Fraction(part["weight"]) for part in parts), Fraction(0)) != 1:
        message = _("The weights must add up to 1: 1/2 and 1/2, or 2/3 and 1/3.")
        faults.append(validation.fault(message, "weight_1"))
    return parts


def _read_part(given: object, number: int, faults: list[dict[str, Any]]) -> dict[str, str]:
    given = given if isinstance(given, Mapping) else {}
    part = {}
    for side in SIDES:
        points = exact.parse(given.get(side))
        if points is None or not 0 <= points <= LARGEST_SCORE:
            faults.append(
                validation.fault(_("Please enter points such as 52, not below 0."), f"{side}_{number}")
            )
        part[side] = str(points or 0)
    weight = exact.parse(given.get("weight", 1))
    if weight is None or not 0 < weight <= 1:
        message = _("Please enter a weight above 0 and up to 1, such as 1/2.")
        faults.append(validation.fault(message, f"weight_{number}"))
    part["weight"] = str(weight or 1)
    return part


@transaction.atomic
def award(*, actor: Actor, play: FixtureBoard, content: object, reason: str) -> AdjustedScore:
    """Gives a board of a match another score, or percentages. An award that counted before is taken back with it.

    In a room of a team match it is a score of whole points, from which the board's net follows (F62); a board that
    can't be played is for the match itself (`team_results.give_average`, F66).
    """
    fixture = _locked(actor, play.fixture)
    written = read(content)
    _check_room(fixture, written)
    made = _award(actor, fixture, play, written, _needs(reason))
    team_results.settle(fixture)
    return made


@transaction.atomic
def award_all(*, actor: Actor, fixture: Fixture, content: object, reason: str) -> tuple[AdjustedScore, ...]:
    """Gives percentages for every board of a match that could not be played. Raises Conflict where there is a result.

    A walkover or a match that was never played is worth nothing in a comparison on its own.
    """
    fixture = _locked(actor, fixture)
    if fixture.status == Fixture.Status.CONFIRMED:
        raise Conflict(_("This match was played. Please award a score board by board."))
    written = read(content)
    if "percent" not in written:
        raise Invalid(_("If a match wasn’t played at all, please award percentages."))
    _check_room(fixture, written)
    plays = list(FixtureBoard.objects.filter(fixture=fixture).select_related("board"))
    if not plays:
        raise Invalid(_("This match doesn’t use numbered boards."))
    return tuple(_award(actor, fixture, play, written, _needs(reason)) for play in plays)


@transaction.atomic
def revoke(*, actor: Actor, award: AdjustedScore, reason: str, at: datetime) -> AdjustedScore:
    """Takes an award back: what was made at the table counts again. It stays on record with a mark."""
    fixture = fixtures.locked(award.play.fixture)
    award = AdjustedScore.objects.select_related("play__board").get(pk=award.pk)
    award.play.fixture = fixture
    policies.require(actor, "award.take_back", award)
    fixtures.check_not_final(fixture)
    if award.revoked_at:
        raise Conflict(_("This score has already been undone."))
    reason = _needs(reason)
    _mark(actor, award, at)
    audit.record(
        actor=actor,
        action="award.revoked",
        summary=sentences.gettext("Board %(number)d: awarded score undone")
        % {"number": award.play.board.number},
        fixture=fixture,
        before=facts(award),
        reason=reason,
    )
    comparisons.bump(award.play.board)
    team_results.settle(fixture)
    return award


def _check_room(fixture: Fixture, content: Mapping[str, Any]) -> None:
    """In a room of a team match a score is one of whole points. Raises Invalid."""
    (first, *more) = content.get("scores") or [{}]
    points = (exact.parse(first.get(side)) for side in SIDES)
    is_whole = all(each is not None and each.denominator == 1 for each in points)
    if fixture.team_match_id is not None and (more or not is_whole):
        said = _(
            "In a room of a team match, give one score in whole points. If the board can’t be played, say so on the "
            "page of the match: it is worth 3, 0 or −3 IMPs to each team."
        )
        raise Invalid(said, details=[validation.fault(said, "kind")])


def facts(award: AdjustedScore) -> dict[str, Any]:
    """What the audit trail keeps of an award."""
    return {"award": award.pk, "board": award.play.board_id, "content": award.content}


def _locked(actor: Actor, fixture: Fixture) -> Fixture:
    fixture = fixtures.locked(fixture)
    policies.require(actor, "award.make", fixture)
    fixtures.check_not_final(fixture)
    return fixture


def _needs(reason: str) -> str:
    if not reason.strip():
        message = _("Please give a reason. It’s shown with the results.")
        raise Invalid(message, details=[validation.fault(message, "reason")])
    validation.check_text(reason, "reason")
    return reason.strip()[:LONGEST_REASON]


def _award(
    actor: Actor, fixture: Fixture, play: FixtureBoard, content: dict[str, Any], reason: str
) -> AdjustedScore:
    is_neutral = games_policies.is_neutral(actor, fixture.round.competition)
    before = (
        AdjustedScore.objects.filter(play=play, revoked_at__isnull=True).select_related("play__board").first()
    )
    if not is_neutral:
        _check_undisputed(fixture, play, before)
    if before is not None:
        _mark(actor, before, timezone.now())
    made = AdjustedScore.objects.create(
        play=play, content=content, reason=reason, made_by=person(actor), is_neutral=is_neutral
    )
    said = sentences.gettext("Board %(number)d: score awarded by a director") % {"number": play.board.number}
    audit.record(
        actor=actor,
        action="award.made",
        summary=said if is_neutral else sentences.Joined((said, BY_A_PLAYER), by=" "),
        fixture=fixture,
        before=facts(before) if before else None,
        after=facts(made),
        reason=_for_trail(fixture, reason),
    )
    comparisons.bump(play.board)
    return made


def _check_undisputed(fixture: Fixture, play: FixtureBoard, before: AdjustedScore | None) -> None:
    """What a neutral director gave, or a side took back, is for a neutral director."""
    taken_back = AdjustedScore.objects.filter(play=play, is_neutral=False, revoked_at__isnull=False)
    by_a_side = any(
        each.revoked_by is not None and policies.plays_in(each.revoked_by, fixture)
        for each in taken_back.select_related("revoked_by")
    )
    if by_a_side or (before is not None and before.is_neutral):
        raise Conflict(
            _(
                "A director who isn’t playing in this event has to decide this board. The club’s "
                "owner can name one."
            ),
            code="needs_neutral",
        )


def _for_trail(fixture: Fixture, reason: str) -> str:
    """What the trail keeps of the reason: officials who still have to play these boards read it, too."""
    return _("The reason is kept with the score.") if sealed_matches([fixture.pk]) else reason


def _mark(actor: Actor, award: AdjustedScore, at: datetime) -> None:
    award.revoked_at, award.revoked_by = at, person(actor)
    award.save(update_fields=["revoked_at", "revoked_by"])
