"""Which pages a person's own device may keep, to be read without a connection."""

from django.http import HttpResponse

KEEP = "X-Keep-Offline"
PERSON = "X-Person"


def kept_on_device(answer: HttpResponse) -> HttpResponse:
    """The same page; the device that asked for it may keep it until somebody else logs in there."""
    answer[KEEP] = "1"
    return answer
