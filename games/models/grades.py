"""Grades (rules F130 to F143): what they were computed from, and what each session moved.

Everything here follows from results and is computed again by `verify`; nothing else refers to it. Players are therefore
named by their keys alone: who is merged or erased changes the facts, and then these rows.
"""

from django.conf import settings
from django.db import models

from league.models import Club, Competition, Entry, Player


class GradeBook(models.Model):
    """The grades of a club's players in one game, rated with `constants`, the version of the engine's figures (F143).

    `starts` names the grades to begin with that were known then; empty: none.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="grade_books")
    game = models.CharField(max_length=30)
    constants = models.PositiveSmallIntegerField()
    starts = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        ordering = ["club", "game"]
        constraints = [models.UniqueConstraint(fields=["club", "game"], name="one_grade_book_a_game")]

    def __str__(self) -> str:
        return f"{self.club}, {self.game}"


class GradeSource(models.Model):
    """Which version of a competition's facts its rated sessions were taken from."""

    competition = models.OneToOneField(
        Competition, on_delete=models.CASCADE, primary_key=True, related_name="grade_source"
    )
    version = models.CharField(max_length=80)
    computed_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.competition}, {self.version}"


class GradeSession(models.Model):
    """Something that was played and is rated: a match on its own deals, or a field that was compared (F131, F132).

    `source` says which: "match:7", or "field:all:3" with who is ranked together and the round. Of a field `content` has
    {"pairs": [[players, boards, percent, is unrated], ...]}, of a match {"sides": [players, players], "boards",
    "margin"}, of two teams "imps" instead of the margin. Its key is its number among the sessions of a day (F138).
    """

    book = models.ForeignKey(GradeBook, on_delete=models.CASCADE, related_name="sessions")
    competition = models.ForeignKey(Competition, on_delete=models.CASCADE, related_name="grade_sessions")
    source = models.CharField(max_length=60)
    day = models.DateField()
    content = models.JSONField()

    class Meta:
        ordering = ["book", "day", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "source"], name="rated_once"),
        ]
        indexes = [models.Index(fields=["book", "day"], name="grade_sessions_by_day")]

    def __str__(self) -> str:
        return f"{self.competition}, {self.source}"


class GradeStep(models.Model):
    """What a session moved for a player: expected of the side, its surprise, the player’s share, and the grade then."""

    session = models.ForeignKey(GradeSession, on_delete=models.CASCADE, related_name="steps")
    player = models.PositiveBigIntegerField(help_text="the player's key")
    day = models.DateField()
    expected = models.FloatField()
    surprise = models.FloatField()
    share = models.FloatField()
    before = models.FloatField()
    grade = models.FloatField()
    variance = models.FloatField()
    boards = models.PositiveIntegerField(help_text="all boards that went into the grade so far")

    class Meta:
        ordering = ["day", "session"]
        constraints = [models.UniqueConstraint(fields=["session", "player"], name="moved_once_a_session")]
        indexes = [models.Index(fields=["player", "day", "session"], name="grade_steps_of_a_player")]

    def __str__(self) -> str:
        return f"{self.player}: {self.grade:.1f}"


class GradeStart(models.Model):
    """The grade with which a director has a player begin in a game, and why (F130): of several the newest counts."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="grade_starts")
    game = models.CharField(max_length=30)
    grade = models.DecimalField(max_digits=4, decimal_places=1)
    spread = models.DecimalField(max_digits=2, decimal_places=1)
    day = models.DateField(help_text="from which on it becomes less certain")
    reason = models.CharField(max_length=300)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["player", "game", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(grade__gte=0, grade__lte=99, spread__gt=0, spread__lte=6),
                name="grade_to_begin_with",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.grade}"


class HiddenGrade(models.Model):
    """That a player’s grade is for the player and for directors who seed, and for nobody else (F142)."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="hidden_grades")
    hidden_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.player)


class Handicap(models.Model):
    """That there is a ranking with handicap, too: which share of what grades promise the weaker are given (F150)."""

    competition = models.OneToOneField(
        Competition, on_delete=models.CASCADE, primary_key=True, related_name="handicap"
    )
    share = models.PositiveSmallIntegerField(help_text="in percent")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(share__gte=1, share__lte=100), name="handicap_is_a_percentage"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.competition}, {self.share}"


class HandicapGrade(models.Model):
    """The grade by which an entry's handicap is reckoned: as it was when the entry was drawn, and never changed."""

    entry = models.OneToOneField(
        Entry, on_delete=models.CASCADE, primary_key=True, related_name="handicap_grade"
    )
    grade = models.DecimalField(max_digits=4, decimal_places=1)
    fixed_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.entry}: {self.grade}"
