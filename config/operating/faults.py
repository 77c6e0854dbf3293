"""Faults of the service, told to a collector that speaks Sentry's protocol, where the operator names one."""

from typing import Any

import sentry_sdk
import structlog
from sentry_sdk.integrations.logging import LoggingIntegration


def report_faults(dsn: str, **options: Any) -> None:
    """From here on each uncaught fault is sent in the background; without an address nothing is."""
    if not dsn:
        return
    usual: dict[str, Any] = {
        # What frames hold, what a request brings and what a fault says may be cards, cookies and names.
        "include_local_variables": False,
        "include_source_context": False,
        "max_request_body_size": "never",
        "max_breadcrumbs": 0,
        "server_name": "",
        "auto_session_tracking": False,
        "send_client_reports": False,
        "integrations": [LoggingIntegration(level=None, event_level=None)],
        "before_send": without_contents,
    }
    sentry_sdk.init(dsn, **{**usual, **options})


def without_contents(event: Any, _hint: Any) -> Any:
    """The kind of the fault, its place in the code, the name of the page or task and the request's id: no more."""
    for fault in event.get("exception", {}).get("values", []):
        fault["value"] = ""
    request_id = structlog.contextvars.get_contextvars().get("request_id")
    event["tags"] = {"request_id": request_id} if request_id else {}
    kept = ("event_id", "timestamp", "platform", "level", "exception", "release", "transaction", "tags")
    return {name: event[name] for name in kept if name in event}
