"""Bodies of the API: read where a view asks for them, so after the throttles, the login and the CSRF check."""

from collections.abc import Mapping
from typing import IO, Any

from django.core.exceptions import RequestDataTooBig
from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from league.storage.json_content import TooLongError, UnstorableError, parse_json

# A scoresheet with every card lies six deep and has some 20 KB.
DEEPEST = 50


class StorableJSON(JSONParser):
    """JSON that the database can hold."""

    longest = 256 * 1024

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,  # noqa: ARG002 (DRF's signature)
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> Any:
        """The value; what is no such JSON is refused with 400, what is too long with 413, unparsed."""
        try:
            return parse_json(stream.read(self.longest + 1), longest=self.longest, deepest=DEEPEST)
        except TooLongError:
            raise RequestDataTooBig from None
        except UnstorableError:
            raise ParseError(_("We couldn’t save part of this JSON."), code="unreadable") from None
        except ValueError:
            raise ParseError(_("We couldn’t read this as JSON.")) from None


class SmallJSON(StorableJSON):
    """For those who are nobody yet: an address and a password are short."""

    longest = 4 * 1024
