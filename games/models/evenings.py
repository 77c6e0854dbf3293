from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from engine.contest.movements import sections
from engine.contest.movements.mitchell import EvenTables
from engine.contest.movements.sections import Choice
from league.models import Club, Competition, Division


class Evening(models.Model):
    """A session of duplicate: one evening, a movement in each section, and the clock of the room.

    `round_number` is the round being played, 0 before the first. Its time runs from `round_started_at`, less the
    `paused_seconds` and less what has passed since `paused_at`.
    """

    competition = models.OneToOneField(
        Competition, on_delete=models.CASCADE, primary_key=True, related_name="evening"
    )
    minutes_a_round = models.PositiveSmallIntegerField(
        _("minutes per round"), default=28, validators=[MinValueValidator(1), MaxValueValidator(600)]
    )
    round_number = models.PositiveSmallIntegerField(default=0)
    round_started_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True)
    paused_seconds = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["competition"]
        constraints = [
            models.CheckConstraint(
                condition=Q(round_number=0) | Q(round_started_at__isnull=False),
                name="a_round_has_begun_at_a_time",
            )
        ]

    def __str__(self) -> str:
        return str(self.competition)

    @property
    def club(self) -> Club:
        return self.competition.club


class SectionMovement(models.Model):
    """How a section of an evening moves; engine.contest gives the tables. A pair's number is its entry's number."""

    class Kind(models.TextChoices):
        MITCHELL = "mitchell", _("Mitchell")
        HOWELL = "howell", _("Howell")
        THREE_QUARTER = "three-quarter", _("Three-quarter Howell")
        HESITATION = "hesitation", _("Hesitation Mitchell")
        WEB = "web", _("Web Mitchell")
        APPENDIX = "appendix", _("Appendix Mitchell")
        ROVER = "rover", _("Rover Mitchell")
        INDIVIDUAL = "individual", _("Individual movement")

    division = models.OneToOneField(
        Division, on_delete=models.CASCADE, primary_key=True, related_name="movement"
    )
    kind = models.CharField(_("movement"), max_length=15, choices=Kind.choices)
    tables = models.PositiveSmallIntegerField(_("tables"))
    even = models.CharField(
        _("with an even number of tables"),
        max_length=20,
        choices=[
            (EvenTables.SKIP.value, _("a skip")),
            (EvenTables.SHARE_AND_RELAY.value, _("share and relay")),
        ],
        default=EvenTables.SKIP.value,
    )
    rounds = models.PositiveSmallIntegerField(_("rounds"))
    arrow_switched = models.PositiveSmallIntegerField(
        _("rounds with an arrow switch"),
        default=0,
        help_text=_("In these last rounds the two sides swap."),
    )
    phantom = models.PositiveSmallIntegerField(
        _("number of the missing pair"), null=True, blank=True, help_text="who meets it sits out"
    )
    length = models.PositiveSmallIntegerField(
        _("rounds of the whole movement"),
        null=True,
        blank=True,
        help_text="where there are several of that kind for so many tables",
    )
    barometer = models.BooleanField(
        _("barometer"), default=False, help_text="all tables play the same boards in each round"
    )
    first_table = models.PositiveSmallIntegerField(default=1)

    class Meta:
        ordering = ["division"]

    def __str__(self) -> str:
        return f"{self.division}: {self.get_kind_display()}, {self.tables}"

    @property
    def choice(self) -> Choice:
        """The movement as a value."""
        return Choice(
            kind=sections.Kind(self.kind),
            tables=self.tables,
            rounds=self.rounds,
            even=EvenTables(self.even),
            arrow_switched=self.arrow_switched,
            phantom=self.phantom,
            length=self.length,
            barometer=self.barometer,
        )
