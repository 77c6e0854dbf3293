from django.conf import settings
from django.db import models


class LearningProgress(models.Model):
    """What an account has learnt of a game: its lessons, once one of them is done. A visitor's stay on their device."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    game = models.CharField(max_length=30)
    done = models.JSONField(default=list, help_text="the keys of the lessons")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "game"], name="one_progress_a_person_and_game")
        ]

    def __str__(self) -> str:
        return f"{self.user_id}, {self.game}"
