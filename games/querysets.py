"""The vocabulary of reading matches and scoresheets."""

from typing import Any, Self

from django.db.models import QuerySet


class MatchQuerySet(QuerySet[Any]):
    """Matches."""

    def with_fixture(self) -> Self:
        return self.select_related(
            "fixture__round__competition__club",
            "fixture__division",
            "fixture__home__partnership__player_a",
            "fixture__home__partnership__player_b",
            "fixture__away__partnership__player_a",
            "fixture__away__partnership__player_b",
        )


class ScoresheetQuerySet(QuerySet[Any]):
    """Versions of scoresheets."""

    def pending(self) -> Self:
        return self.filter(verdict="pending")

    def confirmed(self) -> Self:
        return self.filter(verdict="confirmed")
