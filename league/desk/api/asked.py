"""What the addresses of officials begin with: the club, and the rows that are named in what was sent."""

from collections.abc import Collection
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from league import policies
from league.api.requests import asking
from league.models import Club


def club_for(request: Request, slug: str, action: str) -> Club:
    """The club, for those who may do `action` in it."""
    club = get_object_or_404(Club, slug=slug)
    policies.require(asking(request), action, club)
    return club


def named(rows: QuerySet[Any], keys: Collection[int], place: str) -> list[Any]:
    """The rows with these keys, in their order; refused with 400, at the field `place`, where one is not among them."""
    found = rows.in_bulk(list(keys))
    if missing := [key for key in keys if key not in found]:
        said = _("%(number)d isn’t among those that can be chosen here.")
        raise serializers.ValidationError({place: [said % {"number": key} for key in missing]})
    return [found[key] for key in keys]
