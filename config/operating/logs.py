"""Logs: plain lines for the person before the screen, one JSON object a line for machines."""

import asyncio
import logging
import re
from collections.abc import Mapping
from typing import Any

import structlog

# The parts of an address that let somebody in who knows them.
SECRETS = frozenset({"token", "key", "uidb36"})
# Where they stand, also in an address that is part of another.
SECRET_PLACE = re.compile(
    r"((?:/|%2F)(?:calendars|enter|join|invited|unsubscribe|decisions|confirm-email|reset(?:/|%2F)key)(?:/|%2F))"
    r"[^\s'\"<>&]+",
    re.IGNORECASE,
)
# At their most talkative they write down what goes through them: frames with their cards and cookies, what a page is
# made of, the values of queries.
TALKATIVE = ("uvicorn", "websockets", "django.template", "django.db.backends")


def plain_logging(*, level: str) -> dict[str, Any]:
    """Django's LOGGING setting for lines that a person reads, on standard error, from `level` on."""
    plain_events()
    handler = {"class": "logging.StreamHandler", "formatter": "plain", "filters": list(FILTERS)}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": FILTERS,
        "formatters": {
            "plain": {"()": PlainLines, "format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}
        },
        "handlers": {"console": handler},
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            # Django's own handlers would print only while debugging: the root's handler is enough.
            "django": {"handlers": [], "level": level, "propagate": True},
            # A page that is refused or not found told its visitor so; only faults of ours belong here.
            "django.request": {"level": "ERROR"},
        },
    }


def plain_events() -> None:
    """Let structlog write lines with plain tracebacks.

    Where it finds rich, it paints each with all that its frames hold, which takes seconds of a page's time.
    """
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.StackInfoRenderer(),
            structlog.dev.set_exc_info,
            structlog.processors.TimeStamper(fmt="%Y-%m-%d %H:%M:%S", utc=False),
            structlog.processors.format_exc_info,
            without_secrets,
            structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
        ],
    )


def is_no_cancelling(record: logging.LogRecord) -> bool:
    """Whether this is more than a request that the stopping server did not wait for any longer."""
    kind = record.exc_info[0] if record.exc_info else None
    return kind is None or not issubclass(kind, asyncio.CancelledError)


def tells_no_contents(record: logging.LogRecord) -> bool:
    """Whether this is no library's note of all that it reads and writes: there are cards in it."""
    return record.levelno > logging.DEBUG or not f"{record.name}.".startswith(
        tuple(f"{name}." for name in TALKATIVE)
    )


def without_secret_addresses(record: logging.LogRecord) -> bool:
    """Keep codes of printouts and of links in mails out of the log: it shows the pattern of the address."""
    request = record.__dict__.pop("request", None)
    if request is not None and isinstance(record.args, tuple):
        record.args = tuple(shown_of(request) if each == request.path else each for each in record.args)
    return True


def shown_of(request: Any) -> str:
    """The address as far as a log may have it. One that we do not have may be a secret one with a slip in it."""
    match = request.resolver_match
    if match is None:
        return f"/{request.path.split('/')[1]}/..."
    return f"/{match.route}" if SECRETS & set(match.kwargs) else str(request.path)


def without_secrets(_logger: Any, _method: str, event: Any) -> Any:
    """A processor: every field of an event as a log may have it."""
    return shown(event)


class PlainLines(logging.Formatter):
    """Lines of the standard library, with their tracebacks, as a log may have them."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        return str(shown(super().format(record)))


def shown(value: Any) -> Any:
    """The value without what lets somebody in, however deep it lies."""
    if isinstance(value, str):
        return SECRET_PLACE.sub(r"\1...", value)
    if isinstance(value, Mapping):
        return {name: shown(each) for name, each in value.items()}
    return [shown(each) for each in value] if isinstance(value, list | tuple) else value


FILTERS = {
    "addresses": {"()": "django.utils.log.CallbackFilter", "callback": without_secret_addresses},
    "faults": {"()": "django.utils.log.CallbackFilter", "callback": is_no_cancelling},
    "contents": {"()": "django.utils.log.CallbackFilter", "callback": tells_no_contents},
}


def json_logging(*, level: str) -> dict[str, Any]:
    """Django's LOGGING setting for one JSON line an event, from `level` on."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": [*shared, structlog.stdlib.ExtraAdder()],
        "processors": [
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            without_secrets,
            structlog.processors.JSONRenderer(default=str),
        ],
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": FILTERS,
        "formatters": {"json": formatter},
        "handlers": {
            "stdout": {
                "class": "logging.StreamHandler",
                "stream": "ext://sys.stdout",
                "formatter": "json",
                "filters": ["addresses", "contents"],
            }
        },
        "root": {"handlers": ["stdout"], "level": level},
        "loggers": {"django": {"handlers": [], "level": level, "propagate": True}},
    }
