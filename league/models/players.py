from collections.abc import Iterable

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.clubs import Club
from league.querysets import LineupMemberManager, LineupQuerySet, PlayerQuerySet
from league.words import public_names
from league.words.public_names import FORMER, NOBODY, PersonsName, Shown


class Player(models.Model):
    """Someone who plays for a club, with or without an account.

    `linked_by` and `linked_at` say on whose word the account is this player's, and since when it was given: of an
    account that showed that the player's address is its own, who wrote the address. Both are empty where nobody knows.
    `public_name` is how the name is shown outside the club; of young people (`is_young`) it is not shown as usual.
    A player merged into another keeps the row, so that the merge can be undone, and takes no part in anything.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="players")
    name = PersonsName(_("name"), max_length=120)
    public_name = models.CharField(max_length=8, choices=public_names.CHOICES, blank=True, default="")
    is_young = models.BooleanField(default=False)
    email = models.EmailField(_("e-mail address"), blank=True)
    number = models.CharField(_("membership number"), max_length=30, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="players"
    )
    email_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    email_at = models.DateTimeField(null=True, blank=True)
    linked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    linked_at = models.DateTimeField(null=True, blank=True)
    merged_into = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="duplicates"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = PlayerQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]
        indexes = [
            # A name is looked for in it alone, without the rows.
            models.Index(
                fields=["club", "name", "id"],
                condition=Q(merged_into__isnull=True),
                name="players_of_a_club",
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "user"],
                condition=Q(user__isnull=False),
                name="one_player_an_account_and_club",
            ),
            models.UniqueConstraint(
                fields=["club", "number"], condition=~Q(number=""), name="player_number_once"
            ),
            models.CheckConstraint(
                condition=Q(merged_into__isnull=True) | ~Q(merged_into=F("pk")),
                name="player_not_merged_into_itself",
            ),
            models.CheckConstraint(
                condition=Q(public_name__in=["", *Shown.values]), name="player_public_name_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("player", args=[self.pk])

    @property
    def shown_as(self) -> str:
        """How the name is shown outside the club."""
        return self.public_name or (Shown.HIDDEN if self.is_young else Shown.FULL)

    @property
    def surname(self) -> str:
        name = self.name
        is_none = name == NOBODY or self.__dict__["name"] == FORMER or not name.split()
        return name if is_none else name.split()[-1]


class PlayerClaim(models.Model):
    """A person says "this player is me"; a director agrees or not."""

    class State(models.TextChoices):
        OPEN = "open", _("waiting")
        ACCEPTED = "accepted", _("accepted")
        REFUSED = "refused", _("refused")

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="claims")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="claims")
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    message = models.CharField(_("message to the director"), max_length=300, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["made_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "user"],
                condition=Q(state="open"),
                name="one_open_claim_a_player_and_person",
            )
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.player}"


class PlayerMerge(models.Model):
    """One merge of two players, with every row it moved: what an undo needs."""

    kept = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="merges_kept")
    merged = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="merges_away")
    moved = models.JSONField(
        help_text="[[model label, pk, field, old value, new value], ...] in the order of the changes"
    )
    newest = models.JSONField(
        default=dict, help_text="the newest key of each kind of row: what is newer came after the merge"
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.merged} → {self.kept}"


class Lineup(models.Model):
    """Who plays together: one player, a pair or a team. The same players are one lineup, whatever their order.

    `members_key` names the players for the database, so that it can hold them to that; `members` has the rows.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="lineups")
    name = models.CharField(_("team name"), max_length=120, blank=True)
    members_key = models.CharField(
        max_length=200, editable=False, help_text='the players\' keys in order, such as "12-47"'
    )
    merged_into = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="duplicates"
    )
    captain = models.ForeignKey(
        Player,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="captain_of",
        help_text="of a team: one of its members",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = LineupQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "members_key"],
                condition=Q(merged_into__isnull=True),
                name="a_lineup_exists_once",
            ),
        ]

    def __str__(self) -> str:
        players = self.players
        # A name that somebody typed may tell a person's.
        if self.name and not any(public_names.is_masked(player) for player in players):
            return self.name
        return players[0].name if len(players) == 1 else " & ".join(p.surname for p in players)

    def get_absolute_url(self) -> str:
        return reverse("pair", args=[self.pk])

    @property
    def players(self) -> tuple[Player, ...]:
        """In their order; `LineupQuerySet.with_players` has read them."""
        return tuple(member.player for member in self.members.all())

    @staticmethod
    def key_of(players: Iterable[int]) -> str:
        """What names a lineup of players with these keys."""
        return "-".join(map(str, sorted(players)))


class LineupMember(models.Model):
    """A player's place in a lineup, from 1."""

    lineup = models.ForeignKey(Lineup, on_delete=models.CASCADE, related_name="members")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="places")
    order = models.PositiveSmallIntegerField()

    objects = LineupMemberManager()

    class Meta:
        ordering = ["lineup_id", "order"]
        verbose_name = _("pair")
        constraints = [
            models.UniqueConstraint(fields=["lineup", "order"], name="lineup_order_once"),
            models.UniqueConstraint(fields=["lineup", "player"], name="player_once_in_a_lineup"),
        ]

    def __str__(self) -> str:
        return str(self.lineup)
