"""How much one person, or one connection, may ask for: a bucket that fills again, in this process's memory."""

import time
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

PER_SECOND = 10.0
AT_ONCE = 30.0
MOST_KEPT = 10_000


@dataclass(slots=True)
class Bucket:
    """So many tokens at a moment of the process's clock."""

    tokens: float
    at: float

    def take(self, now: float) -> bool:
        """Whether one more is there; it is taken."""
        self.tokens = min(AT_ONCE, self.tokens + (now - self.at) * PER_SECOND)
        self.at = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


def full(now: float) -> Bucket:
    """A new one."""
    return Bucket(AT_ONCE, now)


_buckets: OrderedDict[str, Bucket] = OrderedDict()
_lock = Lock()


def person(key: int) -> str:
    """The sender that this account is, whatever windows and pages it sends from."""
    return f"user:{key}"


def may_send(who: str, now: float | None = None) -> bool:
    """Whether this sender has not sent too much lately."""
    moment = time.monotonic() if now is None else now
    with _lock:
        bucket = _buckets.setdefault(who, full(moment))
        _buckets.move_to_end(who)
        while len(_buckets) > MOST_KEPT:
            _buckets.popitem(last=False)
        return bucket.take(moment)


def forget() -> None:
    """As after a start."""
    with _lock:
        _buckets.clear()
