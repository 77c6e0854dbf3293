"""Workers and clock as they are where all is well."""

from config.operating import readiness

WORKERS = tuple(readiness.PATIENCE)


def all_at_work() -> None:
    """Each of them was heard of just now."""
    for name in WORKERS:
        readiness.note(name)
