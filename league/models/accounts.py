from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from league.storage.encrypted_fields import EncryptedTextField
from league.words import public_names
from league.words.public_names import PersonsName, Shown


class UserManager(BaseUserManager["User"]):
    """Makes accounts whose login is an e-mail address."""

    use_in_migrations = True

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        if not email:
            raise ValueError("An account needs an e-mail address.")
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """An account made on the computer itself: its address needs no mail to be confirmed."""
        user = self.create_user(email, password, **{"is_staff": True, "is_superuser": True, **fields})
        addresses: Any = user.emailaddress_set  # type: ignore[attr-defined]  # allauth's
        addresses.create(email=user.email, primary=True, verified=True)
        return user

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email__iexact=username)


class User(AbstractUser):
    """A person who can log in. Players are another model; a claim links the two."""

    username = None  # type: ignore[assignment]
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    email = models.EmailField(_("e-mail address"), unique=True)
    name = PersonsName(_("name"), max_length=120, blank=True)
    public_name = models.CharField(
        max_length=8,
        choices=public_names.CHOICES,
        blank=True,
        default="",
        help_text="how the name is shown outside the person's clubs",
    )
    language = models.CharField(
        max_length=10, blank=True, help_text="in which mails are written; empty for the site's own"
    )

    USERNAME_FIELD = "email"
    # What `createsuperuser` asks for beside address and password.
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]
    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("email"), name="user_email_whatever_case"),
            models.CheckConstraint(
                condition=models.Q(public_name__in=["", *Shown.values]), name="user_public_name_known"
            ),
        ]

    def __str__(self) -> str:
        # Without dots: a mail program makes a link of "example.com", and so of the beginning of an address.
        return self.name or public_names.shown(self, self.email.partition("@")[0].replace(".", " "))

    @property
    def shown_as(self) -> str:
        """How the name is shown outside the person's clubs."""
        return self.public_name or Shown.FULL

    def get_full_name(self) -> str:
        return str(self)

    def get_short_name(self) -> str:
        return str(self).partition(" ")[0]


class Contact(models.Model):
    """How a person can be reached, for the directors of their clubs; where `is_shared`, also for those whom they play
    with and against. No row: they gave nothing, or took it back."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="contact")
    telephone = EncryptedTextField(_("telephone"), max_length=40, blank=True)
    address = EncryptedTextField(_("postal address"), max_length=300, blank=True)
    is_shared = models.BooleanField(default=False)

    def __str__(self) -> str:
        return str(self.user)


class DayAway(models.Model):
    """A day on which a person cannot play. Others learn of the days, not whose they are; directors who draw do."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="days_away")
    day = models.DateField(_("day"))

    class Meta:
        ordering = ["day"]
        constraints = [models.UniqueConstraint(fields=["user", "day"], name="a_day_away_once")]

    def __str__(self) -> str:
        return f"{self.user}, {self.day}"
