from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from engine.boards.sealing import Purpose
from games.models.querysets import BoardQuerySet
from league.models import Club, Competition, Round


class BoardSet(models.Model):
    """Numbered deals that several tables play: sealed when made, published when nobody has to play them any more.

    What gives the cards away (the session key of deals that were drawn, the deals themselves where a file was
    imported) lies in `secret`, encrypted with a key that is not in the database. `opened` is the same in plain text,
    from the release of the whole set on.
    """

    class Origin(models.TextChoices):
        DEALT = "dealt", _("dealt by the site")
        IMPORTED = "imported", _("read from a file")

    competition = models.ForeignKey(Competition, on_delete=models.CASCADE, related_name="board_sets")
    round = models.ForeignKey(
        Round,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="board_sets",
        help_text="the round that plays it; empty: all rounds of the competition, as in an evening",
    )
    origin = models.CharField(max_length=10, choices=Origin.choices, default=Origin.DEALT)
    first_number = models.PositiveSmallIntegerField(_("number of the first board"), default=1)
    count = models.PositiveSmallIntegerField(_("boards"))
    reserve = models.PositiveSmallIntegerField(_("reserve boards"), default=0)
    commitment = models.CharField(
        max_length=64,
        help_text="public at once: SHA-256 of the session key, or of the imported deals with their salt",
    )
    delayed = models.JSONField(
        default=dict,
        blank=True,
        help_text="as engine.boards.sealing.DelayedInformation writes itself; {} if imported",
    )
    secret = models.TextField(help_text="encrypted with settings.BOARD_KEYS")
    opened = models.TextField(blank=True, help_text="the secret in plain text once the set is released")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    released_at = models.DateTimeField(null=True, blank=True)
    discarded_at = models.DateTimeField(null=True, blank=True, help_text="another set took its place")

    class Meta:
        ordering = ["competition", "round", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["round"],
                condition=Q(discarded_at__isnull=True, round__isnull=False),
                name="one_board_set_a_round",
            ),
            models.UniqueConstraint(
                fields=["competition"],
                condition=Q(discarded_at__isnull=True, round__isnull=True),
                name="one_board_set_an_evening",
            ),
            models.CheckConstraint(condition=Q(count__gte=1, count__lte=99), name="board_set_of_some_boards"),
            models.CheckConstraint(
                condition=Q(released_at__isnull=True) | ~Q(opened=""), name="released_set_is_open"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round or self.competition}: {self.first_number}–{self.first_number + self.count - 1}"

    def get_absolute_url(self) -> str:
        return reverse("board_set", args=[self.pk])

    @property
    def club(self) -> Club:
        return self.competition.club


class Board(models.Model):
    """A numbered deal of a set. Its cards are not here until it is released: games.board_cards derives them."""

    class Purpose(models.TextChoices):
        ORIGINAL = Purpose.ORIGINAL.value, _("board")
        RESERVE = Purpose.RESERVE.value, _("reserve board")

    board_set = models.ForeignKey(BoardSet, on_delete=models.CASCADE, related_name="boards")
    purpose = models.CharField(max_length=10, choices=Purpose.choices, default=Purpose.ORIGINAL)
    place = models.PositiveSmallIntegerField(help_text="which deal of the set for its purpose, from 1")
    number = models.PositiveSmallIntegerField(help_text="as it stands on the board")
    dealer = models.CharField(max_length=2)
    stands_for = models.OneToOneField(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="replaced_by",
        help_text="a reserve board that is played under the number of this one",
    )
    deal = models.CharField(max_length=400, blank=True, help_text="the cards, from the release on")
    released_at = models.DateTimeField(
        null=True, blank=True, help_text="from here on all results and cards of it are public"
    )
    results_version = models.PositiveIntegerField(default=0)

    objects = BoardQuerySet.as_manager()

    class Meta:
        ordering = ["board_set", "purpose", "place"]
        constraints = [
            models.UniqueConstraint(fields=["board_set", "purpose", "place"], name="board_place_once"),
            models.CheckConstraint(
                condition=Q(released_at__isnull=False) | Q(deal=""), name="no_cards_before_the_release"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.board_set}, {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("board", args=[self.board_set_id, self.number])


class BoardDraw(models.Model):
    """Somebody took the cards of a sealed set out of the site, to deal them. Public, and kept for good."""

    class Kind(models.TextChoices):
        FILES = "files", _("files for a dealing machine")
        PAPER = "paper", _("printouts with the cards")

    board_set = models.ForeignKey(BoardSet, on_delete=models.CASCADE, related_name="draws")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    reason = models.CharField(max_length=300)
    drawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        null=True,
        related_name="+",
    )
    drawn_name = models.CharField(max_length=160)
    drawn_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["board_set", "drawn_at"]

    def __str__(self) -> str:
        return f"{self.drawn_name}, {self.drawn_at:%Y-%m-%d %H:%M}"
