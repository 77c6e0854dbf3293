"""The options of a game: what a competition may choose, and reading what it chose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine.errors import OptionError, quoted
from engine.text import Word, gettext_noop


class Kind(StrEnum):
    """What kind of value an option takes."""

    NUMBER = "number"
    YES_NO = "yes-no"
    CHOICE = "choice"


#: Each deal reads its options; in Python 3.11 a member costs more by its class than all else that ``fault`` does.
_NUMBER, _YES_NO, _CHOICE = Kind


@dataclass(frozen=True, slots=True)
class OptionField:
    """One option of a game, with all that a form needs to ask for it."""

    name: str
    kind: Kind
    default: int | bool | str
    label: Word
    help: Word
    choices: tuple[tuple[str, Word], ...] = ()
    minimum: int = 0
    maximum: int = 0

    def fault(self, value: object) -> OptionError | None:
        """Why this option cannot have that value, or None."""
        if self.kind is _YES_NO and not isinstance(value, bool):
            return self._error(gettext_noop("“%(label)s” must be yes or no, not “%(given)s”."), value)
        if self.kind is _CHOICE and value not in [key for key, _ in self.choices]:
            return self._error(gettext_noop("“%(given)s” isn’t one of the choices for “%(label)s”."), value)
        if self.kind is _NUMBER and not (type(value) is int and self.minimum <= value <= self.maximum):
            return self._error(
                gettext_noop(
                    "“%(label)s” must be a whole number from %(minimum)d to %(maximum)d, not “%(given)s”."
                ),
                value,
                minimum=self.minimum,
                maximum=self.maximum,
            )
        return None

    def _error(self, template: str, value: object, **params: Any) -> OptionError:
        return OptionError(
            "option-value", template, place=(self.name,), label=self.label, given=value, **params
        )


def option_values(fields: Iterable[OptionField], data: object) -> dict[str, Any]:
    """The options given in ``data`` (JSON), checked against their fields; those not given are left out.

    Raises OptionError with every fault in ``causes``.
    """
    if not isinstance(data, Mapping):
        raise OptionError("options-shape", gettext_noop("Options must be names with values."), given=data)
    by_name = {option.name: option for option in fields}
    faults = [
        fault for name, option in by_name.items() if name in data and (fault := option.fault(data[name]))
    ]
    unknown = gettext_noop("There’s no option “%(given)s”.")
    faults += [
        OptionError("option-unknown", unknown, given=name, place=(quoted(name),))
        for name in list(data)[:20]
        if name not in by_name
    ]
    raise_option_faults(faults)
    return dict(data)


def raise_option_faults(faults: Sequence[OptionError]) -> None:
    """Raise one OptionError for all of these, if there are any."""
    if faults:
        raise OptionError(
            faults[0].code,
            gettext_noop("%(faults)s"),
            causes=faults,
            faults=" ".join(str(fault) for fault in faults),
        )
