from datetime import datetime

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.querysets import ClubQuerySet, InvitationQuerySet, MembershipQuerySet
from league.storage.encrypted_fields import EncryptedTextField
from league.zones import validate_time_zone

#: The month in which most clubs' seasons begin.
AUGUST = 8


class Club(models.Model):
    """A card club: the owner of players, pairs and competitions."""

    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(_("address"), max_length=60, unique=True)
    time_zone = models.CharField(
        _("time zone"), max_length=60, default="Europe/London", validators=[validate_time_zone]
    )
    place = models.CharField(_("where the club meets"), max_length=200, blank=True)
    weekday = models.PositiveSmallIntegerField(
        _("usual evening"), null=True, blank=True, validators=[MaxValueValidator(6)], help_text="Monday is 0"
    )
    play_time = models.TimeField(_("usual time"), null=True, blank=True)
    year_begins = models.PositiveSmallIntegerField(
        _("month in which a season begins"),
        default=AUGUST,
        validators=[MinValueValidator(1), MaxValueValidator(12)],
        help_text="January is 1: seasons are named by it",
    )
    about = models.TextField(_("about the club"), max_length=2000, blank=True)
    is_open = models.BooleanField(
        _("anyone may join"),
        default=True,
        help_text=_("Otherwise an owner adds the members, and only they can see what’s for members."),
    )
    lone_director_deals = models.BooleanField(
        _("a director who is playing may download the cards"),
        default=False,
        help_text=_("For a club with only one director. Everyone can see this."),
    )
    guests_enter = models.BooleanField(
        _("the code on a paper opens its scoresheet to people without an account"),
        default=False,
        help_text=_("For one sheet a match. They give a name; both pairs or an official confirm the sheet."),
    )
    unwanted_words = models.TextField(
        _("words that no guest’s name may have"), max_length=1000, blank=True, default=""
    )
    may_be_embedded = models.BooleanField(
        _("other websites may show the standings and fixtures of public competitions"), default=False
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ClubQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(weekday__isnull=True) | models.Q(weekday__lt=7), name="club_weekday_known"
            ),
            models.CheckConstraint(
                condition=models.Q(year_begins__range=(1, 12)), name="club_year_begins_in_a_month"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club", args=[self.slug])


class Role(models.TextChoices):
    """What a member may do, each including what stands below it."""

    OWNER = "owner", _("owner")
    DIRECTOR = "director", _("director")
    SCORER = "scorer", _("scorer")
    MEMBER = "member", _("member")


class Membership(models.Model):
    """A person's role in a club."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=10, choices=Role.choices, default=Role.MEMBER)
    since = models.DateTimeField(auto_now_add=True)

    objects = MembershipQuerySet.as_manager()

    class Meta:
        ordering = ["club", "user"]
        constraints = [
            models.UniqueConstraint(fields=["user", "club"], name="one_membership_a_club"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.get_role_display()} of {self.club}"


class Invitation(models.Model):
    """A club invites a person: to a role, accepted by the account of the address; or to be a player, by a link.

    Of a link only the digest is kept. Without an address it stands on a printed slip. What was used or withdrawn stays:
    it says how an account came to its player.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(_("e-mail address"), blank=True)
    role = models.CharField(_("role"), max_length=10, choices=Role.choices, default=Role.MEMBER)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    player = models.ForeignKey(
        "league.Player", on_delete=models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    digest = models.CharField(max_length=64, blank=True, help_text="SHA-256 of the link's token")
    mail = models.ForeignKey(
        "league.OutboxMessage", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    opened_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]
        verbose_name = _("invitation")
        constraints = [
            models.UniqueConstraint(
                fields=["club", "email"],
                condition=models.Q(player__isnull=True),
                name="one_invitation_a_club_and_address",
            ),
            models.UniqueConstraint(
                fields=["digest"], condition=~models.Q(digest=""), name="invitation_digest_once"
            ),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="invitation_role_known"),
            models.CheckConstraint(
                condition=models.Q(player__isnull=True, digest="") & ~models.Q(email="")
                | models.Q(player__isnull=False) & ~models.Q(digest=""),
                name="invitation_by_address_or_link",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player or self.email}, {self.get_role_display()} of {self.club}"

    def stage(self, at: datetime) -> str:
        """How far the invitation of a player has come: joined, withdrawn, bounced, expired, opened or invited."""
        if self.used_at or (self.player and self.player.user_id):
            return "joined"
        if self.withdrawn_at:
            return "withdrawn"
        if self.mail and self.mail.given_up_at:
            return "bounced"
        if self.expires_at <= at:
            return "expired"
        return "opened" if self.opened_at else "invited"


class JoinRequest(models.Model):
    """A person asks to become a member of a club that is not open; a director agrees or not."""

    class State(models.TextChoices):
        OPEN = "open", _("waiting")
        ACCEPTED = "accepted", _("accepted")
        REFUSED = "refused", _("declined")

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="join_requests")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    message = EncryptedTextField(_("message to the directors"), max_length=300, blank=True)
    made_at = models.DateTimeField()
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    reason = EncryptedTextField(_("reason"), max_length=300, blank=True)

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["club", "user"], condition=models.Q(state="open"), name="one_open_request_a_club"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.club}"
