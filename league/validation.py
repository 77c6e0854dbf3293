"""Checking what people enter before it is written: every fault at once, each at its field."""

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.errors import RuleError
from league.errors import Invalid
from league.models import Club, Player, User
from league.web.wording import in_words
from league.words import links, names, offensive

Fault: TypeAlias = dict[str, Any]


def fault(message: str, *place: str | int) -> Fault:
    """One entry of Invalid.details: where (a path into the input, empty for the whole) and what is wrong."""
    return {"place": list(place), "message": str(message)}


def refuse(faults: Iterable[Fault]) -> None:
    """Raises Invalid with all the faults; does nothing when there are none."""
    found = list(faults)
    if found:
        raise Invalid(" ".join(dict.fromkeys(each["message"] for each in found)), details=found)


def check(row: models.Model) -> None:
    """Raises Invalid unless every field of the row holds what it may hold. Uniqueness is the service's to explain."""
    refuse(faults_of(row))


def faults_of(row: models.Model) -> list[Fault]:
    """What is wrong with the row's fields."""
    found = []
    try:
        row.clean_fields(exclude=_not_entered(row))
    except ValidationError as error:
        for name, messages in error.message_dict.items():
            found += [_fault(row, name, message) for message in messages]
    for field in row._meta.concrete_fields:
        # Django leaves the length of longer texts to forms.
        most = field.max_length if isinstance(field, models.TextField) else None
        if most is not None and len(getattr(row, field.name)) > most:
            found.append(
                _fault(row, field.name, _("Write no more than %(most)d characters.") % {"most": most})
            )
        if isinstance(field, models.CharField | models.TextField):
            found += [_fault(row, field.name, message) for message in _odd_letters(row, field)]
    return found


def _odd_letters(row: models.Model, field: "models.Field[Any, Any]") -> Iterator[str]:
    """What is wrong with the letters of a text that people entered."""
    text = getattr(row, field.name) or ""
    if field.name == "name":
        yield from name_faults(text, of_person=row._meta.model_name == "player")
    elif names.turns_writing(text) or (field.name == "number" and names.has_unseen(text)):
        # A membership number belongs to one person: none passes for another's.
        yield _unseen()


def check_text(text: str, *place: str) -> None:
    """Raises Invalid where a text of several words holds a letter that turns the writing round or controls a screen."""
    if names.turns_writing(text):
        refuse([fault(_unseen(), *place)])


def _unseen() -> str:
    return _("This contains a character that nobody can see. Please type it again.")


def name_faults(text: str, *, of_person: bool = False) -> Iterator[str]:
    """What is wrong with the letters of a name."""
    if names.turns_writing(text) or names.has_unseen(text):
        yield _unseen()
    if names.is_masked(text, of_person=of_person):
        yield _("Use the letters of one alphabet, without special forms of letters.")
    if links.has_link(text):
        yield _("Please leave out the internet address. If it isn’t one, put a space after the dot.")


def check_unlike(name: str, others: Iterable[str], *place: str) -> None:
    """Refuses a name that looks like one of the others and is written otherwise: two may share a name, but none may
    pass for another."""
    refuse(fault(alike(other), *place) for other in others if names.are_alike(name, other))


def alike(other: str) -> str:
    """Says that a name could be taken for another one."""
    return _(
        "This looks like %(name)s but is written with different letters. Add an initial or a "
        "word to tell them apart."
    ) % {"name": other}


def check_guest_name(
    name: str, *, club: Club, others: Iterable[str] = (), may_be_members: bool = False
) -> None:
    """Raises Invalid unless somebody without an account may go by this name in the club.

    Nobody goes by that of `others`, nor by that of a player or member, unless it is a place where these come without
    their account as well (`may_be_members`): there a name that only looks like theirs is refused.
    """
    refuse(fault(message, "name") for message in _guest_name_faults(name, club, others, may_be_members))


def _guest_name_faults(name: str, club: Club, others: Iterable[str], may_be_members: bool) -> Iterator[str]:
    wanted = names.normalised(name)
    if not wanted:
        yield _("Please give a name with letters.")
        return
    if names.is_masked(name, of_person=True):
        yield _("Use the letters of one alphabet, without special forms of letters.")
        return
    if offensive.is_offensive(name, club.unwanted_words.split()) or offensive.is_in_charge(name):
        yield _("Please choose another name.")
        return
    known = set(Player.objects.filter(club=club, merged_into=None).values_list("name", flat=True))
    known |= set(User.objects.filter(memberships__club=club).values_list("name", flat=True))
    taken = {*others} | (set() if may_be_members else known)
    if any(names.normalised(other) == wanted for other in taken if other) or any(
        names.are_alike(other, name) for other in {*others} | known
    ):
        yield _("Somebody at this table or in the club is called that. Please add an initial or a word.")


def _not_entered(row: models.Model) -> set[str]:
    """Keys are ours, and what a JSON field holds is checked by the code that reads it."""
    return {
        field.name
        for field in row._meta.concrete_fields
        if field.is_relation or field.primary_key or isinstance(field, models.JSONField)
    }


def _fault(row: models.Model, name: str, message: str) -> Fault:
    if name == NON_FIELD_ERRORS:
        return fault(message)
    label = label_of(row, name)
    return fault(
        _("%(field)s: %(message)s") % {"field": label[:1].upper() + label[1:], "message": message}, name
    )


def label_of(row: models.Model, name: str) -> str:
    """What people call a field of the row; a foreign key may be named by its column."""
    labels = {field.attname: field.verbose_name for field in row._meta.concrete_fields}
    return str(labels.get(name, name))


def one_line(text: str) -> str:
    """The text in one line, without repeated, leading and trailing blanks, each letter in its usual form."""
    return unicodedata.normalize("NFC", " ".join(text.split()))


def refused_by_rules(error: RuleError) -> Invalid:
    """A refusal by the engine's rules of contests as one for people, in the reader's language."""
    causes = error.causes or (error,)
    faults = [fault(in_words(cause.message), *cause.place) for cause in causes]
    return Invalid(" ".join(dict.fromkeys(each["message"] for each in faults)), details=faults)


def under(refusal: Invalid, *place: str) -> list[Fault]:
    """The faults of a refusal, seen from further out: their places with these steps before them."""
    details = refusal.details or (fault(refusal.message),)
    return [fault(each["message"], *place, *each["place"]) for each in details]


def check_size(found: Iterable[Any], sizes: range) -> None:
    """Raises Invalid for the first lineup that is not of as many players as can enter together."""
    wrong = next((lineup for lineup in found if len(lineup.players) not in sizes), None)
    if wrong is not None and len(sizes) > 1:
        said = _("A team has %(least)d to %(most)d players: %(team)s can’t take part.")
        raise Invalid(said % {"least": sizes[0], "most": sizes[-1], "team": wrong})
    if wrong is not None:
        size = sizes[0]
        said = ngettext(
            "Here everyone plays alone: %(pair)s can’t take part.",
            "Here %(count)d play together: %(pair)s can’t take part.",
            size,
        )
        raise Invalid(said % {"pair": wrong, "count": size})
