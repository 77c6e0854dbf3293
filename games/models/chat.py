from django.conf import settings
from django.db import models

from games.models.guests import TableGuest, called
from games.models.querysets import ChatLineQuerySet
from games.models.tables import SEAT, Table
from league.storage.encrypted_fields import EncryptedTextField

LONGEST_LINE = 300


class ChatLine(models.Model):
    """Something that was said at a casual table, for those who sit there. It is deleted after a day, a reported one
    after thirty."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="chat")
    seat = models.CharField(max_length=SEAT)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    guest = models.ForeignKey(TableGuest, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    guests_read = models.BooleanField(default=False, help_text="said while the host let guests take part")
    is_guests = models.BooleanField(default=False, help_text="said by somebody without an account")
    name = EncryptedTextField(max_length=200, help_text="as it was then")
    text = EncryptedTextField(max_length=LONGEST_LINE)
    said_at = models.DateTimeField(db_index=True)
    reported_at = models.DateTimeField(null=True, blank=True, db_index=True)
    reported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    reported_seat = models.CharField(max_length=SEAT, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = ChatLineQuerySet.as_manager()

    class Meta:
        ordering = ["table_id", "pk"]

    def __str__(self) -> str:
        return f"{self.table}, {self.seat}"

    @property
    def speaker(self) -> str:
        """Who said it, as the table read it."""
        return called(self.name) if self.is_guests else self.name
