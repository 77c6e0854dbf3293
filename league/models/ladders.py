from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.competitions import Competition, Division, Entry
from league.models.fixtures import Fixture


class Ladder(models.Model):
    """A division in which who takes part stands in an order; `start` is the order on the day it was published.

    The order of a later day follows from the start and the events (rules F100 to F106). `folded_on` is the day as of
    which the places are stored; on `due_on` something falls due next.
    """

    division = models.OneToOneField(Division, on_delete=models.CASCADE, related_name="ladder")
    start = models.JSONField(help_text="entry keys, the first place first")
    begins_on = models.DateField()
    folded_on = models.DateField()
    due_on = models.DateField(null=True, blank=True, db_index=True)

    def __str__(self) -> str:
        return str(self.division)

    @property
    def competition(self) -> Competition:
        """The competition of its division."""
        return self.division.competition


class LadderPlace(models.Model):
    """Where an entry stands, as the events give it: stored to be read quickly, and computed again by `verify`."""

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="places")
    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="ladder_place")
    place = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["ladder", "place"]
        constraints = [
            models.UniqueConstraint(fields=["ladder", "place"], name="one_entry_a_place"),
        ]

    def __str__(self) -> str:
        return f"{self.place}. {self.entry}"


class Challenge(models.Model):
    """An entry challenges one above it. Accepted, it has a match; what it moves follows from the events."""

    class State(models.TextChoices):
        OPEN = "open", _("waiting for an answer")
        ACCEPTED = "accepted", _("accepted")
        PLAYED = "played", _("decided")
        DECLINED = "declined", _("declined")
        UNANSWERED = "unanswered", _("not answered in time")
        UNPLAYED = "unplayed", _("not played in time")
        WITHDRAWN = "withdrawn", _("withdrawn")
        ENDED = "ended", _("ended without a match")

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="challenges")
    challenger = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="challenges_made")
    challenged = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="challenges_met")
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    made_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    fixture = models.OneToOneField(
        Fixture, on_delete=models.SET_NULL, null=True, blank=True, related_name="challenge"
    )

    class Meta:
        ordering = ["ladder", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["challenger"],
                condition=Q(state__in=["open", "accepted"]),
                name="one_open_challenge_of_ones_own",
            ),
            models.UniqueConstraint(
                fields=["challenged"],
                condition=Q(state__in=["open", "accepted"]),
                name="one_open_challenge_against_one",
            ),
            models.CheckConstraint(condition=~Q(challenger=F("challenged")), name="no_challenge_to_oneself"),
            models.CheckConstraint(
                condition=Q(
                    state__in=[
                        "open",
                        "accepted",
                        "played",
                        "declined",
                        "unanswered",
                        "unplayed",
                        "withdrawn",
                        "ended",
                    ]
                ),
                name="challenge_state_known",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["open", "accepted"], ended_at__isnull=True)
                | (~Q(state__in=["open", "accepted"]) & Q(ended_at__isnull=False)),
                name="challenge_ended_or_open",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.challenger} – {self.challenged}"

    def get_absolute_url(self) -> str:
        return reverse("challenge", args=[self.pk])

    @property
    def competition(self) -> Competition:
        """The competition of its ladder."""
        return self.ladder.division.competition

    @property
    def entries(self) -> tuple[Entry, Entry]:
        """Who challenges, and who is challenged."""
        return self.challenger, self.challenged

    @property
    def is_open(self) -> bool:
        """Whether it has not ended."""
        return self.state in {self.State.OPEN, self.State.ACCEPTED}


class LadderEvent(models.Model):
    """Something that happened on a ladder: a fact, never changed. Who won a match is read from the match."""

    class Kind(models.TextChoices):
        CHALLENGE = "challenge"
        ACCEPT = "accept"
        DECLINE = "decline"
        WITHDRAW = "withdraw"
        RESULT = "result"
        HOLD = "hold"
        CANCEL = "cancel"
        JOIN = "join"
        LEAVE = "leave"
        AWAY = "away"
        BACK = "back"

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    at = models.DateTimeField()
    challenge = models.ForeignKey(
        Challenge, on_delete=models.CASCADE, null=True, blank=True, related_name="events"
    )
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        ordering = ["ladder", "at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["join", "leave", "away", "back"], entry__isnull=False, challenge=None)
                | Q(
                    kind__in=["challenge", "accept", "decline", "withdraw", "result", "hold", "cancel"],
                    entry=None,
                    challenge__isnull=False,
                ),
                name="event_of_a_challenge_or_an_entry",
            ),
            models.UniqueConstraint(
                fields=["challenge", "kind"],
                condition=Q(challenge__isnull=False),
                name="once_in_a_challenge",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.kind}"
