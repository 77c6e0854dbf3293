"""A fixture's sides are its appearances in order, with what each made of it; home, away and the results' rows go."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

from league.storage.append_only import AWARDS, BOARD_DRAWS

OUTCOMES = {
    "played": ("played", "played"),
    "walkover_home": ("won_by_walkover", "lost_by_walkover"),
    "walkover_away": ("lost_by_walkover", "won_by_walkover"),
    "double_forfeit": ("lost_by_walkover", "lost_by_walkover"),
}
KINDS = {outcomes: kind for kind, outcomes in OUTCOMES.items()}
DECIDED = ("confirmed", "walkover")


def guards_off(_apps, schema_editor):
    """They ask tables that change, and SQLite makes such tables again."""
    for guard in (AWARDS, BOARD_DRAWS):
        guard.drop(schema_editor.connection)


def guards_on(_apps, schema_editor):
    for guard in (AWARDS, BOARD_DRAWS):
        guard.create(schema_editor.connection)


def check_references_now(_apps, schema_editor):
    """PostgreSQL changes no table whose rows have references that are still to be checked."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        schema_editor.execute("SET CONSTRAINTS ALL DEFERRED")


def to_sides(apps, _schema_editor):
    appearance, fixture = apps.get_model("league", "Appearance"), apps.get_model("league", "Fixture")
    appearance.objects.filter(fixture=None).update(outcome="bye")
    results = {row.fixture_id: row for row in apps.get_model("league", "FixtureResult").objects.all()}
    there = {(row.fixture_id, row.entry_id): row for row in appearance.objects.exclude(fixture=None)}
    changed, made, decided = [], [], []
    for each in fixture.objects.order_by("pk"):
        result = results.get(each.pk) if each.status in DECIDED else None
        if result is not None:
            each.decided_at = result.recorded_at
            decided.append(each)
        for order, entry in enumerate((each.home_id, each.away_id), start=1):
            side = there.pop((each.pk, entry), None)
            # Whose place in the round another match had taken stands beside the void one again.
            (made if side is None else changed).append(
                side := side or appearance(round_id=each.round_id, entry_id=entry, fixture_id=each.pk)
            )
            side.order = order
            _write(side, order, result, is_void=each.status == "void")
    appearance.objects.filter(pk__in=[row.pk for row in there.values()]).delete()
    appearance.objects.bulk_update(changed, ["order", "outcome", "score", "rank"], batch_size=200)
    appearance.objects.bulk_create(made, batch_size=200)
    fixture.objects.bulk_update(decided, ["decided_at"], batch_size=200)


def _write(side, order, result, *, is_void):
    if is_void:
        side.outcome = "void"
    elif result is not None:
        side.outcome = OUTCOMES[result.kind][order - 1]
        if result.kind == "played":
            own, other = (result.home_score, result.away_score)[:: 1 if order == 1 else -1]
            side.score, side.rank = own, 2 if other > own else 1


def to_home_and_away(apps, _schema_editor):
    appearance, fixture = apps.get_model("league", "Appearance"), apps.get_model("league", "Fixture")
    result = apps.get_model("league", "FixtureResult")
    sides = {}
    for row in appearance.objects.exclude(fixture=None).order_by("fixture_id", "order"):
        sides.setdefault(row.fixture_id, []).append(row)
    changed, made = [], []
    for each in fixture.objects.order_by("pk"):
        home, away = sides[each.pk]  # games of other numbers of sides cannot go back
        each.home_id, each.away_id = home.entry_id, away.entry_id
        changed.append(each)
        kind = KINDS.get((home.outcome, away.outcome))
        if kind is not None:
            made.append(
                result(fixture=each, kind=kind, home_score=home.score or 0, away_score=away.score or 0)
            )
    fixture.objects.bulk_update(changed, ["home", "away"], batch_size=200)
    result.objects.bulk_create(made, batch_size=200)
    for each in changed:
        result.objects.filter(fixture=each).update(recorded_at=each.decided_at)
    taken = set(appearance.objects.exclude(outcome="void").values_list("round_id", "entry_id"))
    for row in appearance.objects.filter(outcome="void").order_by("pk"):
        if (row.round_id, row.entry_id) in taken:
            row.delete()
        taken.add((row.round_id, row.entry_id))


def entry_column(name, *, null):
    return models.ForeignKey(
        null=null,
        on_delete=django.db.models.deletion.PROTECT,
        related_name=f"{name}_fixtures",
        to="league.entry",
    )


class Migration(migrations.Migration):
    dependencies = [("league", "0021_lineups_without_pairs")]

    operations = [
        migrations.RunPython(guards_off, guards_on),
        migrations.AddField("appearance", "order", models.PositiveSmallIntegerField(default=1)),
        migrations.AddField(
            "appearance",
            "outcome",
            models.CharField(
                blank=True,
                choices=[
                    ("played", "played"),
                    ("won_by_walkover", "won by walkover"),
                    ("lost_by_walkover", "lost by walkover"),
                    ("void", "void"),
                    ("bye", "bye"),
                ],
                default="",
                help_text="empty while nothing is decided",
                max_length=16,
            ),
            preserve_default=False,
        ),
        migrations.AddField("appearance", "score", models.IntegerField(blank=True, null=True)),
        migrations.AddField("appearance", "rank", models.PositiveSmallIntegerField(blank=True, null=True)),
        migrations.AddField(
            "fixture",
            "decided_at",
            models.DateTimeField(
                blank=True, help_text="when its result was recorded; empty while there is none", null=True
            ),
        ),
        migrations.RunPython(check_references_now, migrations.RunPython.noop),
        migrations.RemoveConstraint("appearance", "no_pair_twice_in_a_round"),
        migrations.RemoveConstraint("fixture", "fixture_of_two_pairs"),
        # So that it can be taken back: what is taken away below comes back without values first.
        migrations.AlterField("fixture", "home", entry_column("home", null=True)),
        migrations.AlterField("fixture", "away", entry_column("away", null=True)),
        migrations.RunPython(migrations.RunPython.noop, check_references_now),
        migrations.RunPython(to_sides, to_home_and_away),
        migrations.RunPython(check_references_now, migrations.RunPython.noop),
        migrations.AlterField(
            "appearance",
            "entry",
            models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="appearances", to="league.entry"
            ),
        ),
        migrations.AddConstraint(
            "appearance",
            models.UniqueConstraint(
                condition=~Q(outcome="void"), fields=("round", "entry"), name="no_pair_twice_in_a_round"
            ),
        ),
        migrations.AddConstraint(
            "appearance", models.UniqueConstraint(fields=("fixture", "order"), name="side_order_once")
        ),
        migrations.AddConstraint(
            "appearance", models.UniqueConstraint(fields=("fixture", "entry"), name="no_pair_meets_itself")
        ),
        migrations.AddConstraint(
            "appearance",
            models.CheckConstraint(
                condition=Q(outcome__in=["", "played", "won_by_walkover", "lost_by_walkover", "void", "bye"]),
                name="outcome_known",
            ),
        ),
        migrations.AddConstraint(
            "appearance",
            models.CheckConstraint(
                condition=Q(outcome="played", score__isnull=False, rank__isnull=False)
                | (~Q(outcome="played") & Q(score__isnull=True, rank__isnull=True)),
                name="score_of_what_was_played",
            ),
        ),
        migrations.AddConstraint(
            "appearance",
            models.CheckConstraint(
                condition=Q(fixture__isnull=True, outcome="bye")
                | (Q(fixture__isnull=False) & ~Q(outcome="bye")),
                name="bye_without_a_fixture",
            ),
        ),
        migrations.AddConstraint(
            "fixture",
            models.CheckConstraint(
                condition=Q(status__in=["confirmed", "walkover"]) | Q(decided_at__isnull=True),
                name="decided_with_a_result",
            ),
        ),
        migrations.RemoveField("fixture", "home"),
        migrations.RemoveField("fixture", "away"),
        migrations.DeleteModel("FixtureResult"),
        migrations.RunPython(guards_on, guards_off),
    ]
