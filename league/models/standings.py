from django.db import models

from league.models.competitions import Division


class StandingsTable(models.Model):
    """A division's whole table as a worker computed it from the results of one version.

    `after_round` 0 is the current table; n is the table that the results of rounds 1..n alone make.
    """

    division = models.ForeignKey(Division, on_delete=models.CASCADE, related_name="tables")
    after_round = models.PositiveSmallIntegerField(default=0)
    results_version = models.PositiveIntegerField()
    content = models.JSONField(help_text="engine.contest Table as JSON; entries are named by key")
    digest = models.CharField(max_length=64)
    results_counted = models.PositiveIntegerField(default=0)
    computed_at = models.DateTimeField()

    class Meta:
        ordering = ["division", "after_round"]
        constraints = [models.UniqueConstraint(fields=["division", "after_round"], name="one_table_a_round")]

    def __str__(self) -> str:
        return f"{self.division}, {self.after_round}, version {self.results_version}"
