"""The vocabulary of reading matches and scoresheets."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Self

from django.apps import apps
from django.db.models import Case, Count, Exists, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from league.querysets import AppendOnlyQuerySet, sides_with_pairs

#: So long a casual table that has called its club looks for players, and calls nobody again.
CALL_LASTS = timedelta(hours=1)


class MatchQuerySet(QuerySet[Any]):
    """Matches."""

    def with_fixture(self) -> Self:
        return self.select_related(
            "fixture__round__stage__competition__club",
            "fixture__division",
        ).prefetch_related(*sides_with_pairs("fixture__"))


class ScoresheetQuerySet(QuerySet[Any]):
    """Versions of scoresheets."""

    def pending(self) -> Self:
        return self.filter(verdict="pending")

    def confirmed(self) -> Self:
        return self.filter(verdict="confirmed")

    def counted(self) -> Self:
        """Those that are the result of their match, or were it until they were taken back."""
        by_silence = Exists(
            apps.get_model("games", "Vouch").objects.filter(sheet=OuterRef("pk"), kind="silence")
        )
        return self.filter(Q(verdict__in=["confirmed", "reopened"]) | Q(by_silence, verdict="rejected"))

    def without_figures(self) -> Self:
        """Confirmed sheets with deals whose figures nobody has taken down yet."""
        return self.confirmed().filter(deals__isnull=False, deals__sides__isnull=True).distinct()


class AnalysisQuerySet(QuerySet[Any]):
    """Analyses of deals; versions are those of the games' analyses, by key."""

    def stale(self, versions: Mapping[str, int], coaches: Mapping[str, int]) -> Self:
        """Those that wait, or were answered by another version than the game's own, or its coach's."""
        of_games = [Q(game=key) & ~Q(version=version) for key, version in versions.items() if version]
        of_games += [
            Q(game=key, asks_expert=True) & ~Q(advice_version=version)
            for key, version in coaches.items()
            if version
        ]
        wanted = Q(pk__in=[])
        for of_game in of_games:
            wanted |= of_game
        return self.filter(wanted)


def _is_sealed(deal: str) -> Exists:
    """Whether the deal on this way from a row lay in a board that is not released."""
    plays = apps.get_model("games", "FixtureBoard").objects
    return Exists(
        plays.filter(
            fixture=OuterRef(f"{deal}__sheet__match"),
            position=OuterRef(f"{deal}__number"),
            board__released_at=None,
        )
    )


def _is_a_robots(**fields: OuterRef) -> Exists:
    """Whether a robot acted for one of the pair: then it is no figure of theirs."""
    return Exists(apps.get_model("games", "RobotHand").objects.filter(**fields))


class PlayedSideQuerySet(QuerySet[Any]):
    """What pairs did in deals."""

    def counting(self) -> Self:
        """In the sheets that count, but for deals that others still have to play, or a robot played in for them."""
        found = self.filter(deal__sheet__verdict="confirmed").exclude(_is_sealed("deal"))
        return found.exclude(_is_a_robots(deal=OuterRef("deal"), side=OuterRef("side")))


class PlayedHandQuerySet(QuerySet[Any]):
    """Hands that pairs played."""

    def counting(self) -> Self:
        """In the sheets that count, but for deals that others still have to play, and hands that robots played."""
        found = self.filter(played__deal__sheet__verdict="confirmed").exclude(_is_sealed("played__deal"))
        return found.exclude(
            _is_a_robots(
                deal=OuterRef("played__deal"), side=OuterRef("played__side"), number=OuterRef("number")
            )
        )


class TableQuerySet(QuerySet[Any]):
    """Tables in the browser."""

    def open(self) -> Self:
        """Those at which somebody can still sit down."""
        return self.filter(state__in=["waiting", "playing", "between"])

    def calling(self, user: Any) -> Self:
        """Open tables of matches in which a seat is this account's, and it does not sit there."""
        if user.pk is None:
            return self.none()
        seats = apps.get_model("games", "TableSeat").objects
        fixtures = apps.get_model("league", "Fixture").objects
        sits = seats.filter(table=OuterRef("pk"), user=user.pk, left_at=None)
        matches = fixtures.of_user(user).exclude(substitutions__absent__user=user.pk)
        return self.open().filter(~Exists(sits), fixture__in=matches.values("pk"))

    def asking(self, user: Any, *, at: datetime) -> Self:
        """Casual tables of this account's clubs that look for players, if it wants to be told: with a free seat, and
        told to the club within the hour."""
        if user.pk is None:
            return self.none()
        held = apps.get_model("games", "TableSeat").objects.filter(table=OuterRef("pk"), left_at=None)
        count = held.order_by().values("table").annotate(count=Count("pk")).values("count")
        choices = apps.get_model("games", "LobbyChoice").objects
        clubs = apps.get_model("league", "Membership").objects.filter(user=user.pk)
        return self.filter(
            Exists(choices.filter(user=user.pk, wants_calls=True)),
            ~Exists(held.filter(user=user.pk)),
            kind="casual",
            state="waiting",
            called_at__gt=at - CALL_LASTS,
            club__in=clubs.values("club"),
            players__gt=Coalesce(Subquery(count), 0),
        )

    def with_match(self) -> Self:
        return self.select_related(
            "club",
            "fixture__round__stage__competition__club",
            "fixture__division",
        ).prefetch_related(*sides_with_pairs("fixture__"))


class ChatLineQuerySet(QuerySet[Any]):
    """What was said at casual tables."""

    def reported(self, club: Any) -> Self:
        """What players reported at the club's tables: what nobody has seen to first, then the newest."""
        # Databases differ in where they put a moment that is empty.
        waits = Case(When(settled_at=None, then=Value(1)), default=Value(0))
        found = self.filter(table__club=club, reported_at__isnull=False).annotate(waits=waits)
        return found.order_by("-waits", "-reported_at", "-pk")


class BoardQuerySet(QuerySet[Any]):
    """Boards."""

    def stale(self) -> Self:
        """Those that are played in a duplicate event, and whose figures are missing or older than their results."""
        comparisons = self.model._meta.get_field("comparison").related_model
        fresh = comparisons.objects.filter(
            board=OuterRef("pk"), results_version__gte=OuterRef("results_version")
        )
        counted = self.filter(results_version__gt=0, board_set__competition__duplicate__isnull=False)
        return counted.filter(~Exists(fresh))


class DuplicateQuerySet(QuerySet[Any]):
    """Duplicate events."""

    def stale(self) -> Self:
        """Those whose rankings are missing or older than their results."""
        rankings = self.model._meta.get_field("competition").related_model._meta.get_field("rankings")
        fresh = rankings.related_model.objects.filter(
            competition=OuterRef("pk"), results_version__gte=OuterRef("results_version")
        )
        return self.filter(results_version__gt=0).filter(~Exists(fresh))


class ConventionCardQuerySet(AppendOnlyQuerySet):
    """Versions of convention cards."""

    def of(self, lineup: int, game: str) -> Self:
        """Those of a pair in a game, the newest first."""
        return self.filter(lineup=lineup, game=game).order_by("-number")

    def in_force(self, lineups: Iterable[int], game: str, *, at: datetime) -> dict[int, Any]:
        """By pair the version that it played at that moment; pairs without one are left out."""
        found = self.filter(lineup__in=lineups, game=game, made_at__lte=at).order_by("number")
        return {card.lineup_id: card for card in found}
