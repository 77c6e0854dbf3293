"""The same request sent twice has one effect and the same answer."""

import hashlib
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models.constants import OnConflict
from django.db.models.sql import InsertQuery
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


def once(
    *,
    actor: Actor,
    key: str,
    action: str,
    request: Any,
    write: Callable[[], Answer],
    expected: Answer = CLAIMED,
) -> Answer:
    """Runs `write` in a transaction and remembers its JSON answer under the person's key.

    A repetition with the same key and the same request gets the stored answer. An empty key promises nothing. A write
    that raises stores nothing, so it can be tried again. The key is claimed before the write: of two requests at
    once, the database lets the second wait for the first. With an `expected` answer, which holds for whatever is
    written, the key need not be written again.
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
        row = IdempotencyKey(user=user, key=key, action=action, request_digest=digest, answer=expected)
        if not _claimed(row):
            return _answered_before(user_id=user.pk, key=key, action=action, digest=digest)
        answer = write()
        if answer != expected:
            IdempotencyKey.objects.filter(user=user, key=key).update(answer=answer)
        return answer


def is_answered(*, actor: Actor, key: str) -> bool:
    """Whether the person's key already has its answer: the same request again would be a repetition."""
    user = person(actor)
    return bool(key) and user is not None and IdempotencyKey.objects.filter(user=user, key=key).exists()


def purge(*, at: datetime) -> int:
    """Forgets answers that no phone will ask for again; gives how many."""
    count, _by_model = IdempotencyKey.objects.filter(made_at__lt=at - KEPT).delete()
    return count


def _claimed(row: IdempotencyKey) -> bool:
    """Whether the key was free, and is this transaction's now. Waits for another that has it, until it is over."""
    query = InsertQuery(IdempotencyKey, on_conflict=OnConflict.IGNORE)
    fields = [each for each in IdempotencyKey._meta.concrete_fields if not each.primary_key]
    query.insert_values(fields, [row])
    # What `bulk_create(ignore_conflicts=True)` sends; it does not tell whether a row came of it.
    ((statement, values),) = query.get_compiler(connection=connection).as_sql()
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.rowcount == 1


def _answered_before(*, user_id: int, key: str, action: str, digest: str) -> Answer:
    row = IdempotencyKey.objects.get(user_id=user_id, key=key)
    if (row.action, row.request_digest) != (action, digest):
        raise Conflict(_("This idempotency key was used for another request. Send a new key."))
    answer: Answer = row.answer
    return answer
