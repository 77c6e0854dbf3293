from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.querysets import ClubQuerySet, MembershipQuerySet
from league.zones import validate_time_zone


class Club(models.Model):
    """A card club: the owner of players, pairs and competitions."""

    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(_("address"), max_length=60, unique=True)
    time_zone = models.CharField(
        _("time zone"), max_length=60, default="Europe/London", validators=[validate_time_zone]
    )
    place = models.CharField(_("where the club meets"), max_length=200, blank=True)
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
    created_at = models.DateTimeField(auto_now_add=True)

    objects = ClubQuerySet.as_manager()

    class Meta:
        ordering = ["name"]

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
    """An owner invites the person behind an address to a club; that person may accept or not."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(_("e-mail address"))
    role = models.CharField(_("role"), max_length=10, choices=Role.choices, default=Role.MEMBER)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["club", "email"], name="one_invitation_a_club_and_address"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="invitation_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.email}, {self.get_role_display()} of {self.club}"
