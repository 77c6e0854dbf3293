"""What the API's description says of errors and of what several answers have in common."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from league.api.envelope import detail, envelope
from league.idempotency import LONGEST_KEY

SEVERITIES = ("impossible", "inconsistent", "suspicious")


class FaultSerializer(serializers.Serializer[Any]):
    """One fault, at its place."""

    place = serializers.ListField(
        help_text="A path into what was sent, such as [“deals”, 0, “total”]; empty: the whole."
    )
    severity = serializers.ChoiceField(
        choices=SEVERITIES,
        help_text="impossible and inconsistent are refused; suspicious is accepted with a mark for the director.",
    )
    code = serializers.CharField(help_text="For programs.")
    message = serializers.CharField(help_text="For people, in their language.")
    proposal = serializers.CharField(help_text="What would put it right, or empty.")
    missing = serializers.BooleanField(help_text="Not given yet, rather than wrong.")


class ErrorBodySerializer(serializers.Serializer[Any]):
    """What went wrong."""

    code = serializers.CharField(help_text="For programs: choose by this, never by the message.")
    message = serializers.CharField(help_text="For people, in their language.")
    details = FaultSerializer(many=True)


class ErrorSerializer(serializers.Serializer[Any]):
    """Every refusal of this API has this form."""

    error = ErrorBodySerializer()


_REFUSED_SHEET = envelope(
    code="sheet_refused",
    message="We can’t accept this scoresheet yet.",
    details=[
        detail(
            place=["deals", 0, "total"],
            code="total-missing",
            message="Deal 1: the points of one side are missing.",
        )
    ],
)

# Status: what it means here, the code of an example, its message.
MEANINGS: dict[int, tuple[str, str, str]] = {
    400: ("It cannot be read.", "malformed", "Some of this cannot be read: see the details."),
    401: ("Nobody is logged in, or the token is not valid.", "not_authenticated", "Please log in."),
    403: ("This person may not do this.", "not_allowed", "You may not do this."),
    404: (
        "There is nothing here, or nothing that this person may see.",
        "not_found",
        "There is nothing here.",
    ),
    406: ("The answer is JSON.", "not_acceptable", "Could not satisfy the request Accept header."),
    409: (
        "Somebody else was first, or it is too late.",
        "conflict",
        "This scoresheet is already “confirmed”.",
    ),
    413: ("Too large.", "too_large", "This is more than we can take at once."),
    415: ("The body is not JSON.", "unsupported_media_type", "Unsupported media type."),
    422: ("It was read, and is refused; `details` has every problem.", "refused", ""),
    429: (
        "Too many requests; `Retry-After` says how many seconds to wait.",
        "throttled",
        "Request was throttled.",
    ),
}
EVERYWHERE = (400, 401, 406, 413, 429)
EVERY_WRITE = (403, 415)


def errors(*statuses: int) -> dict[int, OpenApiResponse]:
    """The refusals of an operation that is read only: these, and those that any request may meet."""
    return {status: _described(status) for status in sorted({*statuses, *EVERYWHERE})}


def write_errors(*statuses: int) -> dict[int, OpenApiResponse]:
    """The refusals of an operation that sends a body."""
    return errors(*statuses, *EVERY_WRITE)


def _described(status: int) -> OpenApiResponse:
    meaning, code, message = MEANINGS[status]
    value = _REFUSED_SHEET if status == 422 else envelope(code=code, message=message)
    example = OpenApiExample(code, value=value, response_only=True, status_codes=[str(status)])
    return OpenApiResponse(ErrorSerializer, description=meaning, examples=[example])


IDEMPOTENCY_KEY = OpenApiParameter(
    name="Idempotency-Key",
    location=OpenApiParameter.HEADER,
    required=False,
    type={"type": "string", "maxLength": LONGEST_KEY, "pattern": r"^[!-~]*$"},
    description=(
        "Any text of yours that names this very request. Sent again with the same key, it has no second effect "
        "and gets the same answer; another request with the same key is a conflict."
    ),
)


class Schema(AutoSchema):
    """Names operations by what they are about."""

    def get_tags(self) -> list[str]:
        """The first part of the address after the version, in words."""
        return [self.path.removeprefix("/api/v1/").partition("/")[0].capitalize()]


__all__ = [
    "IDEMPOTENCY_KEY",
    "ErrorSerializer",
    "FaultSerializer",
    "Schema",
    "errors",
    "write_errors",
]
