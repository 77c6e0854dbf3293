"""A production for the load scripts, with servers of its own, and figures with the machine's load beside them."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import quantiles

from tests.config.services import Redis
from tests.reliability.production import PostgreSQL, Production


@contextmanager
def running(*names: str, pages: bool = False) -> Iterator[Production]:
    """With those processes; `pages` where people read them, and not programs alone."""
    with (
        tempfile.TemporaryDirectory(prefix="cm-", ignore_cleanup_errors=True) as folder,
        ExitStack() as stack,
    ):
        Path(folder).chmod(0o755)
        redis, postgresql = Redis(), PostgreSQL(Path(folder) / "postgresql", durable=True)
        for server in (redis, postgresql):
            server.start()
            stack.callback(server.stop)
        made = Production(postgresql, redis, Path(folder), pages=pages)
        stack.callback(made.stop)
        made.start(*names)
        made.answer()
        yield made


def told(name: str, seconds: Sequence[float]) -> float:
    """Prints how long each took; gives the 95th of a hundred, in seconds."""
    cut = quantiles(seconds, n=1000)
    middle, slow, slowest = (1000 * cut[at] for at in (499, 949, 989))
    print(
        f"{name}: {len(seconds)}, p50 {middle:.0f} ms, p95 {slow:.0f} ms, p99 {slowest:.0f} ms "
        f"(load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)",
        flush=True,
    )
    return cut[949]
