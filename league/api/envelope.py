"""The one form in which the API says that something went wrong, whatever went wrong."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from engine.errors import RuleError
from league.errors import Conflict, LeagueError, NotAllowed
from league.storage.board_keys import Unreadable

REFUSES = "impossible"

# The first that fits.
STATUSES = ((Unreadable, 503), (NotAllowed, 403), (Conflict, 409))

# DRF's own names for what we call otherwise.
CODES = {
    "error": "refused",
    "invalid": "malformed",
    "parse_error": "malformed",
    "permission_denied": "not_allowed",
}


def envelope(*, code: str, message: str, details: Iterable[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """{"error": {"code", "message", "details"}}: the code is for programs, the message for people."""
    return {"error": {"code": code, "message": message, "details": list(details)}}


def detail(
    *,
    place: Iterable[str | int] = (),
    code: str,
    message: str,
    severity: str = REFUSES,
    proposal: str = "",
    missing: bool = False,
) -> dict[str, Any]:
    """One fault: where it is (a path into what was sent), how grave, what, and where obvious what to do."""
    return {
        "place": list(place),
        "severity": severity,
        "code": code,
        "message": message,
        "proposal": proposal,
        "missing": missing,
    }


def answer(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """DRF's EXCEPTION_HANDLER: every refusal in the envelope. None leaves a fault of ours to be a 500."""
    if isinstance(error, LeagueError):
        return _refused(error)
    if isinstance(error, RuleError):
        return _broke_a_rule(error)
    if isinstance(error, RequestDataTooBig):
        message = _("This is more than we can accept at once.")
        return Response(envelope(code="too_large", message=message), status=413)
    if isinstance(error, BadRequest | SuspiciousOperation):
        return _answered_by_drf(exceptions.ParseError(), context)
    return _answered_by_drf(error, context)


def _refused(error: LeagueError) -> Response:
    status = next((status for kind, status in STATUSES if isinstance(error, kind)), 422)
    details = [_as_detail(item) for item in error.details]
    return Response(envelope(code=error.code, message=error.message, details=details), status=status)


def _broke_a_rule(error: RuleError) -> Response:
    details = [_as_detail(cause) for cause in error.causes]
    return Response(envelope(code=error.code, message=str(error), details=details), status=422)


def _as_detail(item: Any) -> dict[str, Any]:
    """A fault as a service or the engine reports it: with a place where there is one, or a mere sentence."""
    if isinstance(item, RuleError):
        return detail(place=item.place, code=item.code, message=str(item))
    if not isinstance(item, Mapping):
        return detail(code="invalid", message=str(item))
    return detail(
        place=item.get("place", ()),
        code=item.get("code", "invalid"),
        message=item.get("message", ""),
        severity=item.get("severity", REFUSES),
        proposal=item.get("proposal", ""),
        missing=item.get("missing", False),
    )


def _answered_by_drf(error: Exception, context: Mapping[str, Any]) -> Response | None:
    response = exception_handler(error, dict(context))
    if response is None:
        return None
    if isinstance(error, exceptions.ValidationError):
        message = _("We couldn’t read some of this. See the details.")
        response.data = envelope(code="malformed", message=message, details=_faults(error.detail))
        return response
    given = response.data["detail"]
    code = getattr(given, "code", "refused")
    response.data = envelope(code=CODES.get(code, code), message=_kindly(response.status_code, str(given)))
    return response


def _kindly(status: int, given: str) -> str:
    """Our own words where the framework's are none that one would say to a person."""
    ours = {
        403: _("You don’t have permission to do this. If you think you should, ask a director of the club."),
        404: _("There is nothing here, or nothing that you can see."),
    }
    return given if given.startswith("CSRF") else ours.get(status, given)


def _faults(given: Any, place: tuple[str | int, ...] = ()) -> list[dict[str, Any]]:
    """DRF's nested lists and dicts of faults, flat, each with its place."""
    if isinstance(given, Mapping):
        parts = [((*place, key) if key != "non_field_errors" else place, item) for key, item in given.items()]
    elif isinstance(given, list):
        is_of_one_place = all(isinstance(item, exceptions.ErrorDetail) for item in given)
        parts = [(place if is_of_one_place else (*place, n), item) for n, item in enumerate(given)]
    else:
        code = getattr(given, "code", "invalid")
        return [detail(place=place, code=code, message=str(given), missing=code == "required")]
    return [fault for inner, item in parts for fault in _faults(item, inner)]
