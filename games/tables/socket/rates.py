"""How much one person, or one connection, may ask for: a bucket that fills again, in this process's memory."""

import time
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

PER_SECOND = 10.0
AT_ONCE = 30.0
MOST_KEPT = 10_000
# To look is cheaper than to act: forty windows of one person ask every two seconds while their sockets are away, and
# a whole hall looks on from behind one address.
COST_OF_A_LOOK, COST_OF_A_STRANGERS_LOOK = 0.25, 0.05


@dataclass(slots=True)
class Bucket:
    """So many tokens at a moment of the process's clock."""

    tokens: float
    at: float

    def take(self, now: float, cost: float = 1.0) -> bool:
        """Whether that much is there; it is taken."""
        self.tokens = min(AT_ONCE, self.tokens + (now - self.at) * PER_SECOND)
        self.at = now
        if self.tokens < cost:
            return False
        self.tokens -= cost
        return True


def full(now: float) -> Bucket:
    """A new one."""
    return Bucket(AT_ONCE, now)


_buckets: OrderedDict[str, Bucket] = OrderedDict()
_lock = Lock()


def may_look(key: int | None, address: str) -> bool:
    """Whether this account, or who is behind this address, has not looked too often lately.

    It is counted apart from what they do: people who look a lot can still play.
    """
    if key is not None:
        return may_send(f"look:{key}", cost=COST_OF_A_LOOK)
    return may_send(f"look:{address}", cost=COST_OF_A_STRANGERS_LOOK)


def may_send(who: str, now: float | None = None, *, cost: float = 1.0) -> bool:
    """Whether this sender has not sent too much lately."""
    moment = time.monotonic() if now is None else now
    with _lock:
        bucket = _buckets.setdefault(who, full(moment))
        _buckets.move_to_end(who)
        while len(_buckets) > MOST_KEPT:
            _buckets.popitem(last=False)
        return bucket.take(moment, cost)


def forget() -> None:
    """As after a start."""
    with _lock:
        _buckets.clear()
