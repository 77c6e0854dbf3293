"""The same request sent twice has one effect and the same answer."""

import hashlib
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.actors import Actor, person
from league.errors import Conflict, Invalid
from league.models import IdempotencyKey

Answer = dict[str, Any]
LONGEST_KEY = 80
KEPT = timedelta(days=30)
#: No write answers so; some answer {}. Nobody but its own transaction sees a row before it has its answer.
CLAIMED: Answer = {"": "claimed"}


def digest_of(request: Any) -> str:
    """SHA-256 of a JSON value in canonical form."""
    return hashlib.sha256(canonical(request).encode()).hexdigest()


def canonical(request: Any) -> str:
    """A JSON value as a text: the same for the same value."""
    return json.dumps(request, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)


def once(*, actor: Actor, key: str, action: str, request: Any, write: Callable[[], Answer]) -> Answer:
    """Runs `write` in a transaction and remembers its JSON answer under the person's key.

    A repetition with the same key and the same request gets the stored answer. An empty key promises nothing. A write
    that raises stores nothing, so it can be tried again. The key is claimed before the write: of two requests at
    once, the database lets the second wait for the first.
    """
    user = person(actor)
    if not key or user is None:
        with transaction.atomic():
            return write()
    if len(key) > LONGEST_KEY:
        raise Invalid(
            _("The idempotency key is longer than %(longest)d characters.") % {"longest": LONGEST_KEY}
        )
    digest = digest_of(request)
    with transaction.atomic():
        row = _claimed(user_id=user.pk, key=key, action=action, digest=digest)
        if row.answer != CLAIMED:
            return _answered_before(row, action=action, digest=digest)
        row.answer = write()
        row.save(update_fields=["answer"])
        answer: Answer = row.answer
        return answer


def is_answered(*, actor: Actor, key: str) -> bool:
    """Whether the person's key already has its answer: the same request again would be a repetition."""
    user = person(actor)
    return bool(key) and user is not None and IdempotencyKey.objects.filter(user=user, key=key).exists()


def purge(*, at: datetime) -> int:
    """Forgets answers that no phone will ask for again; gives how many."""
    count, _by_model = IdempotencyKey.objects.filter(made_at__lt=at - KEPT).delete()
    return count


def _claimed(*, user_id: int, key: str, action: str, digest: str) -> IdempotencyKey:
    """The row of the key: this transaction's, without an answer, or one that has its answer."""
    own = IdempotencyKey(user_id=user_id, key=key, action=action, request_digest=digest, answer=CLAIMED)
    # Waits for another transaction that has the same key, until it is over.
    IdempotencyKey.objects.bulk_create([own], ignore_conflicts=True)
    return IdempotencyKey.objects.get(user_id=user_id, key=key)


def _answered_before(row: IdempotencyKey, *, action: str, digest: str) -> Answer:
    if (row.action, row.request_digest) != (action, digest):
        raise Conflict(_("This idempotency key was used for another request. Send a new key."))
    answer: Answer = row.answer
    return answer
