"""The vocabulary of reading: what rows are called by the people of a club. The clock is always passed in."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Self

from django.apps import apps
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Count, Exists, F, FilteredRelation, OuterRef, Prefetch, Q, QuerySet

from league import formats

Person = AbstractBaseUser | AnonymousUser

#: Played, and without a sheet that counts: one was rejected, or a director reopened the match.
UNSETTLED = ("disputed", "reopened")
OPEN = ("scheduled", "postponed", "in_play", "to_confirm", *UNSETTLED)
UNPLAYED = ("scheduled", "postponed", "in_play")
DECIDED = ("confirmed", "walkover")


class AppendOnlyQuerySet(QuerySet[Any]):
    """Refuses what an append-only table must not have; the database's trigger refuses it as well."""

    def update(self, **kwargs: Any) -> int:
        raise TypeError("These rows are never changed.")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise TypeError("These rows are never deleted.")


class ClubQuerySet(QuerySet[Any]):
    """Clubs."""

    def of(self, user: Person) -> Self:
        """The clubs this person belongs to."""
        return self.filter(memberships__user_id=user.pk)


class MembershipQuerySet(QuerySet[Any]):
    """Roles of people in clubs."""

    def officials(self) -> Self:
        return self.filter(role__in=["owner", "director", "scorer"])


class SeasonAnswerQuerySet(QuerySet[Any]):
    """What lineups say about the next season."""

    def of_user(self, user: Person) -> Self:
        """What this account, or a partner for it, is asked: of drafts that are not published yet, the newest first."""
        if user.pk is None:
            return self.none()
        found = self.filter(competition__state="draft", lineup__members__player__user_id=user.pk)
        return found.select_related("competition__club", "competition__season", "lineup").order_by("-pk")


class InvitationQuerySet(QuerySet[Any]):
    """Invitations."""

    def to_roles(self) -> Self:
        """Those that the account of the address accepts."""
        return self.filter(player__isnull=True)

    def to_players(self) -> Self:
        """Those by a link, to be a player."""
        return self.filter(player__isnull=False)

    def open(self, *, at: datetime) -> Self:
        """Those that can still be used."""
        return self.filter(expires_at__gt=at, used_at__isnull=True, withdrawn_at__isnull=True)


class PlayerQuerySet(QuerySet[Any]):
    """Players."""

    def present(self) -> Self:
        """Players who were not merged into another."""
        return self.filter(merged_into__isnull=True)


class LineupQuerySet(QuerySet[Any]):
    """Players who play together."""

    def present(self) -> Self:
        return self.filter(merged_into__isnull=True)

    def with_players(self) -> Self:
        return self.select_related("club").prefetch_related("members")

    def of_player(self, player_id: int) -> Self:
        return self.present().filter(members__player=player_id)

    def of_sizes(self, players: range) -> Self:
        """Those of so many players, from the fewest to the most."""
        return self.annotate(size=Count("members")).filter(size__in=list(players))

    def together(self) -> Self:
        """Those of more than one player: a player who enters alone is a lineup, too."""
        return self.annotate(size=Count("members")).filter(size__gt=1)

    def entering(self) -> Self:
        """Without pairs that were made for a round or a room alone: where partners change there is one of any two."""
        entries = _related_model(self.model, "entries")
        seated = entries.with_rooms.filter(lineup=OuterRef("pk"), team__isnull=False)
        entered = entries.objects.filter(lineup=OuterRef("pk"))
        return self.filter(~Exists(seated) | Exists(entered) | ~Q(name=""))


class LineupMemberManager(models.Manager[Any]):
    """A member is always read with its player."""

    def get_queryset(self) -> QuerySet[Any]:
        return super().get_queryset().select_related("player")


class CompetitionQuerySet(QuerySet[Any]):
    """Competitions."""

    def with_stage(self) -> Self:
        """Each with its stage, in one query."""
        first = FilteredRelation("stages", condition=Q(stages__order=1))
        return self.annotate(stage=first).select_related("stage")

    def leagues(self) -> Self:
        """Those that are drawn and have a table of points."""
        return self.filter(stages__format__in=formats.LEAGUES)

    def evenings(self) -> Self:
        """Those that a movement seats."""
        return self.filter(stages__format=formats.EVENING)

    def visible_to(self, user: Person) -> Self:
        """What this person may know of: drafts are for the club's directors, some competitions for members."""
        if not user.is_authenticated:
            return self.filter(visibility="public").exclude(state="draft")
        if getattr(user, "is_superuser", False):
            return self
        clubs = models.Subquery(_memberships(user).values("club_id"))
        directed = models.Subquery(
            _memberships(user).filter(role__in=["owner", "director"]).values("club_id")
        )
        public = Q(visibility="public") | Q(club_id__in=clubs)
        return self.filter((public & ~Q(state="draft")) | Q(club_id__in=directed))

    def stale(self) -> Self:
        """Competitions with a division whose stored table is missing or older than its results."""
        tables = _related_model(self.model, "stages", "divisions", "tables")
        fresh = tables.objects.filter(
            division=OuterRef("pk"),
            after_round=0,
            results_version__gte=OuterRef("stage__competition__results_version"),
        )
        divisions = _related_model(self.model, "stages", "divisions").objects.filter(
            stage__competition=OuterRef("pk")
        )
        return self.leagues().exclude(state="draft").filter(Exists(divisions.filter(~Exists(fresh))))


class EntryQuerySet(QuerySet[Any]):
    """Pairs in divisions."""

    def active(self) -> Self:
        return self.filter(withdrawn_at__isnull=True)

    def with_pairs(self) -> Self:
        return self.select_related("division", "lineup").prefetch_related("lineup__members")

    def of_player(self, player: Any) -> Self:
        """The entries of pairs that this player belongs to; also one of a query around this one (OuterRef)."""
        return self.filter(lineup__members__player=player)

    def playing_for(self, entry: Any) -> Self:
        """The entry itself; of a player whose partners change, the pairs of the rounds as well (F120)."""
        players = entry.lineup.players
        if len(players) > 1:
            return self.filter(pk=entry.pk)
        return self.filter(competition=entry.competition_id).of_player(players[0])

    def of_user(self, user: Person) -> Self:
        """The entries of pairs this account plays in."""
        if user.pk is None:
            return self.none()  # otherwise players without an account would be found
        return self.filter(lineup__members__player__user_id=user.pk)


class EntryManager(models.Manager.from_queryset(EntryQuerySet)):  # type: ignore[misc]
    """Those that entered, without the pairs that play for a team in the rooms of its matches."""

    def get_queryset(self) -> QuerySet[Any]:
        return super().get_queryset().filter(team__isnull=True)


def sides_with_pairs(to_fixture: str = "") -> tuple[Prefetch, ...]:
    """What reads the sides of fixtures with their players in two more queries. `to_fixture` is the way to a fixture
    from the rows that are read, such as "fixture__"."""
    sides = apps.get_model("league", "Appearance").objects.with_pairs().order_by("order")
    return (Prefetch(f"{to_fixture}appearances", queryset=sides),)


class AppearanceQuerySet(QuerySet[Any]):
    """Sides of fixtures, and byes."""

    def with_pairs(self) -> Self:
        return self.select_related("entry__lineup").prefetch_related("entry__lineup__members")

    def byes(self) -> Self:
        """Those who sit out."""
        return self.filter(fixture__isnull=True)

    def by_fixture(self) -> dict[int, list[Any]]:
        """Each fixture's sides in their order, without their pairs."""
        found: dict[int, list[Any]] = {}
        for side in self.order_by("fixture_id", "order"):
            found.setdefault(side.fixture_id, []).append(side)
        return found

    def of_division(self, division: Any) -> Self:
        """Those who meet or sit out in this division; not the pairs in the rooms of team matches."""
        return self.filter(entry__division=division, fixture__team_match=None)

    def meeting(self) -> Self:
        """Those with a match in the round that was not made void."""
        return self.filter(fixture__isnull=False).exclude(outcome="void")


class FixtureQuerySet(QuerySet[Any]):
    """Fixtures."""

    def with_sides(self) -> Self:
        """The sides with their players, in two more queries however many fixtures there are."""
        return self.prefetch_related(*sides_with_pairs())

    def with_pairs(self) -> Self:
        """Everything a line of a fixture list shows."""
        return self.select_related("round__stage__competition__club", "division", "team_match").with_sides()

    def read(self, *more: str) -> list[Any]:
        """These in their order, each as `with_pairs` has it and with the `more` that is prefetched.

        Their keys are asked for first: conditions that reach far are planned ten times as long with all that is shown.
        """
        return self.model.with_rooms.by_keys(list(self.values_list("pk", flat=True)), *more)

    def by_keys(self, keys: Sequence[int], *more: str) -> list[Any]:
        """Those with these keys in their order, read as `read` does; without what was deleted meanwhile."""
        rows = self.filter(pk__in=keys).with_pairs().prefetch_related(*more) if keys else ()
        found = {row.pk: row for row in rows}
        return [found[key] for key in keys if key in found]

    def of_competition(self, competition_id: int) -> Self:
        return self.filter(division__stage__competition_id=competition_id)

    def of_entry(self, entry_id: int) -> Self:
        return self.of_entries([entry_id])

    def of_entries(self, entries: Any) -> Self:
        """Those in which one of these entries (a query of them, or their keys) is a side."""
        return self.filter(self.has_side(entry__in=entries))

    def played_by(self, entry: Any) -> Self:
        """The entry's own; of a player whose partners change, those of the pairs of the rounds (F35)."""
        entries = _related_model(self.model, "appearances", "entry")
        return self.of_entries(entries.with_rooms.playing_for(entry).values("pk"))

    def has_side(self, **of_the_side: Any) -> Exists:
        """Whether one of a fixture's sides is so: as a condition, which makes no fixture appear twice."""
        sides = _related_model(self.model, "appearances").objects
        return Exists(sides.filter(fixture=OuterRef("pk"), **of_the_side))

    def of_user(self, user: Person) -> Self:
        """Fixtures this account has a part in: on one of the sides, or as a substitute."""
        if user.pk is None:
            return self.none()  # or the fixtures of all who have no account would be found
        sides = _related_model(self.model, "appearances").objects.order_by()
        own = sides.filter(entry__lineup__members__player__user_id=user.pk, fixture__isnull=False)
        stood_in = _related_model(self.model, "substitutions").objects.filter(substitute__user_id=user.pk)
        # From the person to the fixtures: a condition with "or" would have every fixture of the database looked at.
        return self.filter(pk__in=own.values("fixture_id").union(stood_in.order_by().values("fixture_id")))

    def at_tables(self) -> Self:
        """Those that are played at a table: of a team match its rooms are, and not the match."""
        return self.filter(Q(round__stage__competition__team_method="") | Q(team_match__isnull=False))

    def staying(self) -> Self:
        """Those of whose sides none has withdrawn."""
        return self.filter(~self.has_side(entry__withdrawn_at__isnull=False))

    def visible_to(self, user: Person) -> Self:
        """Fixtures of competitions that this person may know of, and those this account has a part in."""
        competitions = _related_model(self.model, "round", "stage", "competition").objects.visible_to(user)
        # What was made of a room stays with it until its team match has a result.
        is_told = Q(team_match=None) | Q(team_match__status__in=DECIDED)
        seen = Q(round__stage__competition__in=competitions) & is_told
        if user.is_authenticated:
            own = self.model.with_rooms.of_user(user).exclude(round__stage__competition__state="draft")
            seen |= Q(pk__in=own.values("pk"))
        return self.filter(seen)

    def open(self) -> Self:
        return self.filter(status__in=OPEN)

    def unplayed(self) -> Self:
        return self.filter(status__in=UNPLAYED)

    def decided(self) -> Self:
        return self.filter(status__in=DECIDED)

    def due(self, *, at: datetime) -> Self:
        """Not played although the agreed time is past."""
        return self.unplayed().filter(starts_at__lt=at)

    def overdue(self, *, at: datetime) -> Self:
        """Not played although the round is closed."""
        return self.unplayed().filter(round__closes_at__lt=at)

    def upcoming(self, *, at: datetime, within: timedelta) -> Self:
        return self.unplayed().filter(starts_at__gte=at, starts_at__lt=at + within)

    def in_order(self) -> Self:
        return self.order_by(F("starts_at").asc(nulls_last=True), "round__number", "pk")


class FixtureManager(models.Manager.from_queryset(FixtureQuerySet)):  # type: ignore[misc]
    """The matches of a league, without the rooms of team matches."""

    def get_queryset(self) -> QuerySet[Any]:
        return super().get_queryset().filter(team_match__isnull=True)


class OutboxQuerySet(QuerySet[Any]):
    """Mails."""

    def waiting(self) -> Self:
        """Still to be handed over."""
        return self.filter(sent_at__isnull=True, given_up_at__isnull=True)

    def due(self, *, at: datetime) -> Self:
        """To be tried now, with no worker at it."""
        is_free = Q(leased_until__isnull=True) | Q(leased_until__lt=at)
        return self.waiting().filter(is_free, Q(next_try_at__isnull=True) | Q(next_try_at__lte=at))

    def given_up(self) -> Self:
        """Tried for three days in vain."""
        return self.filter(sent_at__isnull=True, given_up_at__isnull=False)


class NoticeQuerySet(QuerySet[Any]):
    """What people were told."""

    def of(self, user: Person) -> Self:
        return self.filter(user_id=user.pk)

    def unread(self) -> Self:
        return self.filter(read_at__isnull=True)


def _memberships(user: Person) -> QuerySet[Any]:
    # Through the instance: a request's user is a lazy stand-in whose type is not the model.
    return _related_model(user, "memberships").objects.filter(user_id=user.pk)


def _related_model(model: Any, *names: str) -> Any:
    for name in names:
        model = model._meta.get_field(name).related_model
    return model
