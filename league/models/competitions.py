from collections.abc import Mapping
from datetime import time
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league import extension, formats
from league.models.clubs import Club
from league.models.players import Lineup
from league.querysets import CompetitionQuerySet, EntryManager, EntryQuerySet
from league.storage.encrypted_fields import EncryptedTextField

#: How many days a side has to object where silence counts.
LEAST_SILENCE, USUAL_SILENCE, MOST_SILENCE = 2, 7, 30
#: How many players a team of four has (F60), and what a point can count on the IMP scale (F63).
TEAM_SIZES = range(4, 7)
USUAL_IMP_SCALE = 10
IMP_SCALES = [(each, str(each)) for each in (5, 7, 10)]


class Season(models.Model):
    """A club's playing year: competitions belong to one."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    name = models.CharField(_("name"), max_length=60)
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"))

    class Meta:
        ordering = ["-starts_on"]
        constraints = [
            models.UniqueConstraint(fields=["club", "name"], name="season_name_once"),
            models.CheckConstraint(
                condition=Q(ends_on__gte=models.F("starts_on")), name="season_ends_after_start"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Competition(models.Model):
    """What the pairs of a season play for: rules of play, points and tie-breaks; its stage says who meets whom."""

    class State(models.TextChoices):
        DRAFT = "draft", _("being set up")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")

    class Visibility(models.TextChoices):
        PUBLIC = "public", _("everyone")
        MEMBERS = "members", _("members of the club")

    class TypedSheets(models.TextChoices):
        """When a sheet counts that an official typed from the paper, beside what the pairs themselves confirm."""

        AUTOMATIC = (
            "automatic",
            _("at once if no side has an account, otherwise when a side confirms it"),
        )
        SIGNED = "signed", _("at once, because all sides signed the paper")
        SECOND = "second", _("when a second official has compared it with the paper")
        PAIRS = "pairs", _("when a side confirms it")
        SILENCE = "silence", _("when a side confirms it, or nobody objects for some days")

    class TeamMethod(models.TextChoices):
        """What two teams of four make of a match (F64)."""

        IMPS = "imps", _("IMPs, turned into victory points: 20 for the two teams together")
        POINT_A_BOARD = "point_a_board", _("a point for each board won, half a point for each drawn")
        TOTAL = "total", _("the points of all boards added up")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="competitions")
    season = models.ForeignKey(Season, on_delete=models.PROTECT, related_name="competitions")
    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(_("address"), max_length=60)
    game = models.CharField(_("game"), max_length=30)
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    visibility = models.CharField(
        _("who can see it"), max_length=10, choices=Visibility.choices, default=Visibility.PUBLIC
    )
    rules = models.JSONField(
        _("rules of play"), default=dict, help_text="options of the game, as it reads them"
    )
    points = models.JSONField(
        _("points"), default=dict, help_text="the points scheme, as engine.contest reads it"
    )
    tie_breaks = models.JSONField(_("tie-breaks"), default=list, help_text="metric keys in order")
    starts_on = models.DateField(_("first round"))
    days_between_rounds = models.PositiveSmallIntegerField(
        _("days between rounds"), default=7, validators=[MinValueValidator(1), MaxValueValidator(90)]
    )
    weekdays = models.JSONField(
        default=list,
        blank=True,
        help_text="the weekdays of rounds, Monday is 0; empty: by the days between rounds",
    )
    days_off = models.JSONField(
        default=list,
        blank=True,
        help_text="[[first day, last day], ...] on which no round begins, as ISO dates",
    )
    due_days = models.PositiveSmallIntegerField(
        _("days to play a round"),
        default=0,
        validators=[MaxValueValidator(90)],
        help_text="days from a round's first day to its deadline; 0: until the day before the next round",
    )
    play_time = models.TimeField(_("usual time"), default=time(19, 30))
    place = models.CharField(pgettext_lazy("where it is played", "place"), max_length=200, blank=True)
    correction_hours = models.PositiveSmallIntegerField(
        _("hours for corrections"), default=48, validators=[MaxValueValidator(24 * 60)]
    )
    typed_sheets = models.CharField(
        _("a sheet typed by an official counts"),
        max_length=10,
        choices=TypedSheets.choices,
        default=TypedSheets.AUTOMATIC,
    )
    silence_days = models.PositiveSmallIntegerField(
        _("days to object"),
        default=USUAL_SILENCE,
        validators=[MinValueValidator(LEAST_SILENCE), MaxValueValidator(MOST_SILENCE)],
    )
    team_method = models.CharField(
        _("how a team match is scored"),
        max_length=14,
        choices=TeamMethod.choices,
        blank=True,
        default="",
        help_text="empty: pairs or players meet, not teams of four",
    )
    imp_scale = models.PositiveSmallIntegerField(
        _("what a point counts on the IMP scale"), choices=IMP_SCALES, default=USUAL_IMP_SCALE
    )
    prizes = models.JSONField(
        default=dict,
        blank=True,
        help_text='{"level": "share" or "lots", "prizes": [[condition, number, prize], ...]}, the worthiest first',
    )
    results_version = models.PositiveIntegerField(default=0)
    follows = models.ForeignKey(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="successors",
        help_text="the competition whose next season this is",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = CompetitionQuerySet.as_manager()

    class Meta:
        ordering = ["-starts_on", "name"]
        constraints = [
            models.UniqueConstraint(fields=["club", "slug"], name="competition_address_once"),
            # With a condition it is an index: SQLite would else make the table again, which triggers name.
            models.UniqueConstraint(
                fields=["follows"], condition=Q(follows__isnull=False), name="one_next_season"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "running", "finished"]), name="competition_state_known"
            ),
            models.CheckConstraint(
                # Lists of single figures would be read as columns where SQLite makes a table again.
                condition=Q(team_method__in=["", "imps", "point_a_board", "total"])
                & (Q(imp_scale=5) | Q(imp_scale=7) | Q(imp_scale=10)),
                name="team_method_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("competition", args=[self.club.slug, self.slug])

    @property
    def is_of_individuals(self) -> bool:
        """Whether its players enter alone: nobody has a partner in its game, or partners change every round (F120)."""
        return extension.game(self.game).lineup_size == 1 or self.stage.partners_change

    @property
    def is_of_teams(self) -> bool:
        """Whether teams of four meet, two pairs of each in two rooms."""
        return bool(self.team_method)

    @property
    def lineup_sizes(self) -> range:
        """How many players one that enters can have (F60)."""
        if self.is_of_teams:
            return TEAM_SIZES
        size = 1 if self.is_of_individuals else extension.game(self.game).lineup_size
        return range(size, size + 1)

    @property
    def entry_title(self) -> str:
        """What one that is entered is called, over a column of them."""
        if self.is_of_teams:
            return gettext("Team")
        return gettext("Player") if self.is_of_individuals else gettext("Pair")

    @property
    def entries_title(self) -> str:
        """What those that are entered are called, over all of them."""
        if self.is_of_teams:
            return gettext("Teams")
        return gettext("Players") if self.is_of_individuals else gettext("Pairs")

    def entries_in_words(self, count: int) -> str:
        """So many of them: "12 pairs"."""
        if self.is_of_teams:
            return ngettext("%(count)d team", "%(count)d teams", count) % {"count": count}
        if self.is_of_individuals:
            return ngettext("%(count)d player", "%(count)d players", count) % {"count": count}
        return ngettext("%(count)d pair", "%(count)d pairs", count) % {"count": count}

    @property
    def is_for_two(self) -> bool:
        """Whether all its matches are of two sides."""
        return extension.game(self.game).is_for_two

    def refresh_from_db(self, *args: Any, **kwargs: Any) -> None:
        """Its stage is read again, too."""
        self.__dict__.pop("stage", None)
        super().refresh_from_db(*args, **kwargs)

    @cached_property
    def stage(self) -> "Stage":
        """The only one that a competition has so far; `CompetitionQuerySet.with_stage` reads both at once."""
        return self.stages.all()[0]

    @property
    def format(self) -> str:
        """The name that forms and the API have for the stage's format."""
        return self.stage.format_name

    @property
    def planned_rounds(self) -> int:
        """How many rounds a director wants where each is drawn by itself; 0: as many as advised."""
        planned: int = self.stage.options.get(formats.ROUNDS, 0)
        return planned

    @property
    def terms(self) -> dict[str, int]:
        """The terms of a Swiss or a knock-out, by name; nothing of another format."""
        return formats.round_terms_of(self.stage.format, self.stage.options)

    @property
    def ladder(self) -> dict[str, int]:
        """The terms of a ladder, by name; nothing of another format."""
        return formats.terms_of(self.stage.options) if self.stage.is_ladder else {}


class Stage(models.Model):
    """A part of a competition in which everybody meets in one format: its divisions and rounds, and how they are drawn.

    Every competition has one. A later stage is a competition of its own, so that it has its own page, points and end;
    `after` says which one its entries come from, and `carry_over` what of their points counts on (F1, F8). There is no
    lock for a stage: the competition's own row guards it.
    """

    class CarryOver(models.TextChoices):
        """How much of the points of the stage before counts in this one."""

        NONE = "none", _("nothing: everyone begins with 0")
        HALF = "half", _("half of the points")
        ALL = "all", _("all points")

    competition = models.ForeignKey(Competition, on_delete=models.CASCADE, related_name="stages")
    order = models.PositiveSmallIntegerField(default=1)
    format = models.CharField(_("format"), max_length=30, choices=[(key, key) for key in formats.FORMATS])
    options = models.JSONField(default=dict, help_text="what can be chosen of the format: see league.formats")
    state = models.CharField(
        max_length=10, choices=Competition.State.choices, default=Competition.State.DRAFT
    )
    draw_seed = models.CharField(
        max_length=64, blank=True, help_text="the seed of the draw, kept so that it can be repeated"
    )
    after = models.ForeignKey(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="later",
        help_text="the stage whose places its entries come from",
    )
    carry_over = models.CharField(max_length=4, choices=CarryOver.choices, default=CarryOver.NONE)

    class Meta:
        ordering = ["competition", "order"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "order"], name="stage_order_once"),
            models.CheckConstraint(
                condition=Q(format__in=["round_robin", "swiss", "knockout", "tables", "ladder", "evening"]),
                name="stage_format_known",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "running", "finished"]), name="stage_state_known"
            ),
            models.CheckConstraint(
                condition=Q(carry_over__in=["none", "half", "all"]), name="stage_carry_over_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.competition}, {self.order}"

    @property
    def whole(self) -> Competition:
        """The competition, which then knows its stage without another query."""
        self.competition.stage = self
        return self.competition

    @property
    def is_league(self) -> bool:
        """Whether it is drawn and has a table of points."""
        return self.format in formats.LEAGUES

    @property
    def format_name(self) -> str:
        """The name that forms and the API have for the format with these options."""
        return formats.name_of(self.format, self.options)

    @property
    def format_in_words(self) -> str:
        """Who meets whom, in words."""
        return str(formats.FORMATS[self.format].ways[self.format_name].label)

    @property
    def is_by_round(self) -> bool:
        """Whether each round is drawn from the results before it."""
        return formats.FORMATS[self.format].is_by_round

    @property
    def is_bracket(self) -> bool:
        """Whether the winners of a round meet in the next one, and the losers are out."""
        return formats.FORMATS[self.format].is_bracket

    @property
    def legs(self) -> int:
        """Of a knock-out: how many matches a tie has (F43)."""
        return formats.legs_of(self.options)

    @property
    def is_aggregate(self) -> bool:
        """Of a knock-out: whether the points of all legs are added up (F44)."""
        return formats.is_aggregate(self.options)

    @property
    def has_third_place(self) -> bool:
        """Of a knock-out: whether the losers of the semi-finals play for place 3 (F48)."""
        return bool(self.options.get(formats.THIRD_PLACE))

    @property
    def is_at_tables(self) -> bool:
        """Whether each round has tables of several, drawn so that everybody meets as evenly as possible."""
        return formats.FORMATS[self.format].is_at_tables

    @property
    def is_on_one_day(self) -> bool:
        """Whether all its rounds are played on the first day."""
        return bool(self.options.get(formats.ON_ONE_DAY))

    @property
    def is_swiss(self) -> bool:
        """Whether everybody plays in each round, against who stands near."""
        return self.is_by_round and not self.is_bracket and not self.is_at_tables

    @property
    def is_ladder(self) -> bool:
        """Whether nothing is drawn, and who takes part challenges those above."""
        return formats.FORMATS[self.format].is_ladder

    @property
    def is_evening(self) -> bool:
        """Whether a movement seats everybody, at boards that all play."""
        return self.format == formats.EVENING

    @property
    def partners_change(self) -> bool:
        """Whether players enter alone, and have another partner in every round (F35, F120)."""
        return bool(self.options.get(formats.PARTNERS_CHANGE))

    @property
    def is_swiss_of_players(self) -> bool:
        """Whether players who stand near meet in each round, with another partner every time (F35)."""
        return self.is_swiss and self.partners_change

    @property
    def has_register(self) -> bool:
        """Whether a list says who is there: every round, the first one as well, is drawn of those."""
        return self.is_at_tables or self.is_swiss_of_players

    @property
    def has_rounds_for_all(self) -> bool:
        """Whether everybody plays round by round for a table of points: no bracket, no ladder."""
        return not self.is_bracket and not self.is_ladder

    @property
    def results_stand(self) -> bool:
        """Whether the results of who leaves count whatever was played: nobody was to meet everybody."""
        return self.is_by_round or self.is_ladder

    def choose_format(
        self,
        name: str,
        planned_rounds: int = 0,
        ladder: Mapping[str, int] = MappingProxyType({}),
        terms: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """Takes the format that forms and the API have this name for; the row is not saved.

        With `planned_rounds` where each round is drawn by itself; 0 is as many as advised. With the terms of a
        `ladder`, or those of another format; what they leave out is usual.
        """
        chosen = formats.OF_WAY[name]
        self.format, self.options = chosen.key, dict(chosen.ways[name].options)
        if chosen.is_by_round and not chosen.is_bracket:
            self.options[formats.ROUNDS] = planned_rounds
        self.options |= formats.round_terms_of(self.format, terms)
        if chosen.is_ladder:
            self.options |= formats.terms_of(ladder)


class Division(models.Model):
    """Pairs that meet each other; the top ones go up, the bottom ones go down.

    `level` is its number from the top. A parallel division is beside the one before it, not below.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="divisions")
    name = models.CharField(_("name"), max_length=60)
    level = models.PositiveSmallIntegerField(_("level"), default=1)
    is_parallel = models.BooleanField(_("beside the division before it"), default=False)
    promoted = models.PositiveSmallIntegerField(_("pairs promoted"), default=0)
    relegated = models.PositiveSmallIntegerField(_("pairs relegated"), default=0)

    class Meta:
        # By its key: rows that name a round and a division would be ordered by a stage twice.
        ordering = ["stage_id", "level"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "level"], name="one_division_a_level"),
            models.UniqueConstraint(fields=["stage", "name"], name="division_name_once"),
            models.CheckConstraint(
                condition=Q(level__gt=1) | Q(is_parallel=False), name="first_division_beside_none"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def competition(self) -> Competition:
        """The competition of its stage."""
        return self.stage.whole


class Entry(models.Model):
    """A lineup in a division, with its number in the draw.

    `objects` are those that entered. The pairs that play for a team in the rooms of its matches are entries, too, so
    that a room is a match like any other: `with_rooms` has them as well. So are the pairs that players make in the
    rounds where partners change; `team` is one of the two then. Who `is_house` plays so that nobody
    sits out: for everybody else it counts, and the house itself has no place (F32, F123).
    """

    competition = models.ForeignKey(Competition, on_delete=models.CASCADE, related_name="entries")
    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="entries")
    lineup = models.ForeignKey(Lineup, on_delete=models.PROTECT, related_name="entries")
    team = models.ForeignKey(
        "self",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        help_text="of a pair that plays in a room of a team match: its team; of one of a round: a player of it",
    )
    number = models.PositiveSmallIntegerField(_("number in the draw"), help_text="0 for a pair of a team")
    entered_at = models.DateTimeField(auto_now_add=True)
    first_round = models.PositiveSmallIntegerField(_("plays from round"), default=1)
    is_house = models.BooleanField(default=False)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawal_reason = EncryptedTextField(max_length=300, blank=True)
    withdrawal_fixtures = models.JSONField(
        default=list,
        blank=True,
        help_text="[[fixture key, its status before], ...] that the withdrawal decided: what taking it back restores",
    )

    objects = EntryManager()
    with_rooms = EntryQuerySet.as_manager()

    class Meta:
        ordering = ["division", "number"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "lineup"], name="a_lineup_enters_once"),
            models.UniqueConstraint(
                fields=["division", "number"], condition=Q(team__isnull=True), name="draw_number_once"
            ),
        ]

    def __str__(self) -> str:
        return str(self.lineup)


class Adjustment(models.Model):
    """League points given or taken by a director, with the reason. Taken back by a mark, never deleted."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="adjustments")
    points = models.CharField(_("points"), max_length=12, help_text='exact, such as "-1" or "1/2"')
    reason = models.CharField(_("reason"), max_length=300)
    round_number = models.PositiveSmallIntegerField(_("after round"), default=0)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["made_at", "pk"]

    def __str__(self) -> str:
        return f"{self.entry}: {self.points}"


class LotDraw(models.Model):
    """A recorded draw of lots over a division: the last tie-break. The newest one counts."""

    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="lot_draws")
    seed = models.CharField(max_length=64)
    order = models.JSONField(help_text="entry keys, the luckiest first")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.division}, {self.made_at:%Y-%m-%d}"


class RoundDraw(models.Model):
    """How a round of a division was drawn where each follows from the results before it: published, it is a fact.

    `cost` and `least` are the six figures of F20: what was published costs, and what the proposal did. `missing` are
    the matches that had no result then and counted as draws. A knock-out can be drawn in one way only: it has neither
    seed nor cost.
    """

    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="round_draws")
    round = models.ForeignKey("league.Round", on_delete=models.CASCADE, related_name="draws")
    seed = models.CharField(max_length=64, blank=True)
    cost = models.JSONField(default=list, blank=True)
    least = models.JSONField(default=list, blank=True)
    missing = models.JSONField(default=list, blank=True, help_text="keys of fixtures")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["round", "division"]
        constraints = [models.UniqueConstraint(fields=["division", "round"], name="a_round_is_drawn_once")]

    def __str__(self) -> str:
        return f"{self.division}, {self.round}"

    @property
    def is_changed(self) -> bool:
        """Whether a director published other tables than those that cost the least."""
        return self.cost != self.least


class ForbiddenMeeting(models.Model):
    """Two entries of a Swiss that a director does not let meet (F22); rounds `first_round` to `last_round` heed it.

    A draw is a fact, so the list of the day on which it was made stays known; `last_round` is empty while it stands.
    """

    one = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    first_round = models.PositiveSmallIntegerField(default=1)
    last_round = models.PositiveSmallIntegerField(null=True, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["one", "other"],
                condition=models.Q(last_round=None),
                name="two_are_kept_apart_once",
            ),
            models.CheckConstraint(
                condition=models.Q(one__lt=models.F("other")), name="who_is_kept_apart_stands_in_order"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.one} – {self.other}"


class RequestedBye(models.Model):
    """An entry asked to sit out of a round before it was drawn (F29): once in a competition."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="requested_byes")
    round = models.ForeignKey("league.Round", on_delete=models.CASCADE, related_name="requested_byes")
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    asked_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entry"], name="an_entry_asks_once_to_sit_out")]

    def __str__(self) -> str:
        return f"{self.entry}, {self.round}"
