"""What lists can be narrowed down by, and their pages."""

import json
from datetime import UTC, date, time
from operator import methodcaller
from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _
from django_filters import rest_framework as filters
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework.exceptions import NotFound
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from league.models import Club, Competition, Fixture
from league.storage import encryption
from league.storage.json_content import LARGEST_KEY, LARGEST_NUMBER
from league.web.keyset import behind, place_of, steps
from league.zones import at_local

# Days that a club can have meant; beyond them lie moments that no time zone can express.
FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2999, 12, 31)


class KeyField(forms.IntegerField):
    """The key of a row: whatever a database can hold."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 1, "max_value": LARGEST_KEY, **options})


@extend_schema_field(OpenApiTypes.INT)
class KeyFilter(filters.NumberFilter):
    """Rows with this key; a key beyond what a database can hold is refused before it is asked."""

    field_class = KeyField

    def get_max_validator(self) -> None:
        """The field has its own limit."""
        return


class DayField(forms.DateField):
    """A day in any year that a league is played in."""

    default_error_messages = {"outside": _("Choose a day between 1900 and 2999.")}

    def clean(self, value: Any) -> date | None:
        """The day; refuses those far away."""
        day: date | None = super().clean(value)
        if day is not None and not FIRST_DAY <= day <= LAST_DAY:
            raise forms.ValidationError(self.error_messages["outside"], code="outside")
        return day


class DayFilter(filters.DateFilter):
    """A day in the time zone of the club."""

    field_class = DayField


class CompetitionFilter(filters.FilterSet):
    """Competitions by club and state."""

    club = filters.CharFilter(field_name="club__slug", help_text="The club's slug.")
    state = filters.ChoiceFilter(choices=Competition.State.choices)

    class Meta:
        model = Competition
        fields: list[str] = []


class FixtureFilter(filters.FilterSet):
    """Fixtures by where they belong, their status, whose they are and when they are played."""

    club = filters.CharFilter(
        field_name="round__stage__competition__club__slug", help_text="The club's slug."
    )
    competition = KeyFilter(field_name="round__stage__competition__pk", help_text="The competition's id.")
    division = KeyFilter(field_name="division__pk", help_text="The division's id.")
    round = KeyFilter(field_name="round__number", max_value=LARGEST_NUMBER, help_text="The round's number.")
    status = filters.MultipleChoiceFilter(
        choices=Fixture.Status.choices, help_text="One status or several: status=to_confirm&status=disputed."
    )
    mine = filters.BooleanFilter(method="of_person", help_text="true: those that I play in.")

    class Meta:
        model = Fixture
        fields: list[str] = []

    def of_person(self, fixtures: QuerySet[Any], _name: str, mine: bool) -> QuerySet[Any]:
        """Fixtures of the person who asks; of the others where `mine` is false."""
        own = Fixture.objects.of_user(self.request.user)
        if not mine:
            return fixtures.exclude(pk__in=own.values("pk"))
        # By their keys: joined to what may be seen, the planner reads every fixture there is.
        return fixtures.filter(pk__in=list(own.values_list("pk", flat=True)))

    def since(self, fixtures: QuerySet[Any], _name: str, day: date) -> QuerySet[Any]:
        """Fixtures on that day or later."""
        return fixtures.filter(_by_zone("gte", day, time.min))

    def until(self, fixtures: QuerySet[Any], _name: str, day: date) -> QuerySet[Any]:
        """Fixtures on that day or earlier."""
        return fixtures.filter(_by_zone("lte", day, time.max))


# `from` is no name in Python, and the word that people look for.
FixtureFilter.base_filters["from"] = DayFilter(
    method="since", help_text="Played on this day or later, in the club's time zone."
)
FixtureFilter.base_filters["to"] = DayFilter(
    method="until", help_text="Played on this day or earlier, in the club's time zone."
)


def _by_zone(comparison: str, day: date, clock: time) -> Q:
    """The comparison of a fixture's time with a clock time of the day where its club is."""
    wanted = Q(pk__in=[])
    for zone in Club.objects.order_by("time_zone").values_list("time_zone", flat=True).distinct():
        moment = at_local(day, clock, zone).astimezone(UTC)
        wanted |= Q(round__stage__competition__club__time_zone=zone, **{f"starts_at__{comparison}": moment})
    return wanted


class KeysetPages(PageNumberPagination):
    """Pages of a list that grows for years: `next` and `previous` go on from a row (league.web.keyset).

    How many rows there are is counted for the first page and said again on the others. Clients that count pages
    themselves, by `page`, are answered as before.
    """

    cursor_query_param = "cursor"

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        """The rows of the page that the query asks for."""
        self.is_numbered = self.page_query_param in request.query_params
        if self.is_numbered:
            return super().paginate_queryset(queryset, request, view)
        self.address = request.build_absolute_uri()
        is_back, self.count, place = self._asked(queryset, request)
        found = behind(queryset, place, backwards=is_back) if place else queryset
        size = self.page_size or 0
        rows = list(found[: size + 1])
        shown, goes_on = rows[:size], len(rows) > size
        if is_back:
            shown.reverse()
        # Behind a page that was reached backwards, and before one reached forwards, is where one came from.
        has_previous, has_next = (goes_on, True) if is_back else (place is not None, goes_on)
        self.previous = self._link(queryset, shown[0], is_back=True) if has_previous and shown else None
        self.next = self._link(queryset, shown[-1], is_back=False) if has_next and shown else None
        return shown

    def _asked(self, items: QuerySet[Any], request: Request) -> tuple[bool, int, list[Any] | None]:
        """Whether the page lies before its place, how many rows there are, and the place: None at the beginning."""
        cursor = request.query_params.get(self.cursor_query_param)
        if cursor is None:
            return False, items.count(), None
        try:
            is_back, count, place = json.loads(encryption.decrypt(cursor, purpose=self._purpose(items)))
        except encryption.Undecipherable as unreadable:
            raise NotFound from unreadable
        return is_back, count, place

    @staticmethod
    def _purpose(items: QuerySet[Any]) -> str:
        # A place of another list has other values: here it is none.
        return f"a place in the API's {items.model.__name__} by {steps(items)}"

    def _link(self, items: QuerySet[Any], row: Any, *, is_back: bool) -> str:
        # Encrypted: the order is that of full names, which not all readers may know.
        told = json.dumps([is_back, self.count, place_of(row, items)], default=methodcaller("isoformat"))
        cursor = encryption.encrypt(told, purpose=self._purpose(items))
        return replace_query_param(self.address, self.cursor_query_param, cursor)

    def get_paginated_response(self, data: Any) -> Response:
        """The same form whichever way the page was asked for."""
        if self.is_numbered:
            return super().get_paginated_response(data)
        links = {"next": self.next, "previous": self.previous}
        return Response({"count": self.count, **links, "results": data})

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """What the links carry, and the number of a page as before."""
        cursor = {
            "name": self.cursor_query_param,
            "required": False,
            "in": "query",
            "description": "Where the page begins. Follow `next` and `previous`; don’t make one yourself.",
            "schema": {"type": "string"},
        }
        return [cursor, *super().get_schema_operation_parameters(view)]
