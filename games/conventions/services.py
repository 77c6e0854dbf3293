"""What partners have agreed, for opponents to read: their own system of signals, and what else there is, in words."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from engine import game
from engine.errors import RuleError
from games.conventions.verification import WRITTEN
from games.models import Agreement, ConventionCard, Table, TableSeat
from league import idempotency, locks, policies, validation
from league.actors import Actor, person
from league.audit.services import audit
from league.errors import Conflict, Invalid
from league.models import Lineup
from league.words import sentences


def write(
    *,
    actor: Actor,
    pair: Lineup,
    game_key: str,
    content: Any,
    after: int,
    key: str = "",
    at: datetime | None = None,
) -> ConventionCard:
    """A new version of a pair's convention card, by one of the partners or a director.

    `after` is the number of the version that the writer saw, 0 where there was none: of two who write at once the
    second is refused, with code "stale". The same content again makes no version. The same `key` again has no further
    effect. Raises Invalid with every fault and its place, and Conflict while one of the partners plays a deal.
    """
    answer = idempotency.once(
        actor=actor,
        key=key,
        action="pair.card",
        request={"pair": pair.pk, "game": game_key, "content": content, "after": after},
        write=lambda: {"card": _write(actor, pair, game_key, content, after, at or timezone.now()).pk},
    )
    card: ConventionCard = ConventionCard.objects.select_related("lineup").get(pk=answer["card"])
    return card


def _write(  # noqa: PLR0917 - the parts of one row
    actor: Actor, pair: Lineup, game_key: str, content: Any, after: int, at: datetime
) -> ConventionCard:
    pair = _locked(actor, pair, "pair.write_card")
    if len(pair.players) < 2:
        raise Conflict(
            _("A convention card is for partners. If you play alone, you have nobody to signal to.")
        )
    newest = ConventionCard.objects.of(pair.pk, game_key).first()
    number = newest.number if newest else 0
    if number != after:
        raise Conflict(
            _(
                "Your partner or a director has saved version %(number)d in the meantime. You haven’t lost anything."
            )
            % {"number": number},
            code="stale",
        )
    content = read_card(game_key, content)
    if newest is not None and newest.content == content:
        return newest
    _check_nobody_plays(pair)
    card = ConventionCard.objects.create(
        lineup=pair, game=game_key, number=number + 1, content=content, made_by=person(actor), made_at=at
    )
    audit.record(
        actor=actor,
        action=WRITTEN,
        summary=sentences.gettext("Convention card of %(pair)s: version %(number)d saved")
        % {"pair": pair, "number": card.number},
        club=pair.club,
        before={"pair": pair.pk, "version": number},
        after={"pair": pair.pk, "version": card.number, "card": content},
    )
    return card


def read_card(game_key: str, content: Any) -> Any:
    """The content as it is kept, the same for the same card. Raises Invalid with every fault and its place."""
    usual = game.get(game_key).signals
    if usual is None or not usual.has_cards:
        raise Invalid(_("There are no convention cards in this game."), code="no_cards")
    name = content.get("name") if isinstance(content, dict) else None
    if isinstance(name, str):
        content = {**content, "name": validation.one_line(name)}
        validation.refuse(
            validation.fault(wrong, "name") for wrong in validation.name_faults(content["name"])
        )
    try:
        return dict(usual.of_card(content).as_card())
    except RuleError as error:
        raise validation.refused_by_rules(error) from error


def _locked(actor: Actor, pair: Lineup, action: str) -> Lineup:
    """The pair, locked, where the actor may do that and it is still one of its own."""
    pair = locks.pair(pair.pk)
    policies.require(actor, action, pair)
    if pair.merged_into_id is not None:
        raise Conflict(_("This pair has been merged with another one. Choose the other one."))
    return pair


@transaction.atomic
def agree(*, actor: Actor, pair: Lineup, text: str) -> Agreement:
    """One of the partners writes down what they have agreed; empty takes it off the card.

    Not while one of them plays a deal in the browser: their card must be no way to talk to each other. Who practises
    alone has nobody to talk to.
    """
    pair = _locked(actor, pair, "pair.agree")
    _check_nobody_plays(pair)
    row = Agreement.objects.filter(lineup=pair).first() or Agreement(lineup=pair)
    before, row.text, row.changed_by = row.text, _tidied(text), person(actor)
    validation.check(row)
    if before == row.text:
        return row
    row.save()
    audit.record(
        actor=actor,
        action="pair.agreed",
        summary=sentences.gettext("Convention card changed: %(pair)s") % {"pair": pair},
        club=pair.club,
        before={"pair": pair.pk, "text": before},
        after={"pair": pair.pk, "text": row.text},
    )
    return row


def _check_nobody_plays(pair: Lineup) -> None:
    people = [player.user_id for player in pair.players if player.user_id is not None]
    # A player who left the seat has seen its cards all the same, and may come back to it.
    held = Q(left_at__isnull=True) | Q(
        table__deals__finished_at__isnull=True, left_at__gte=F("table__deals__started_at")
    )
    playing = TableSeat.objects.filter(held, user__in=people, table__state=Table.State.PLAYING)
    playing = playing.exclude(table__kind__in=[Table.Kind.PRACTICE, Table.Kind.DAILY])
    if playing.exists():
        raise Conflict(
            _("One of you is playing a deal. You can’t change your convention card until it’s over."),
            code="deal_going_on",
        )


def _tidied(text: str) -> str:
    """Lines without spaces at their ends, whatever the browser's line ends."""
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
