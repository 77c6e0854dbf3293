"""Divisions, rounds and the draw's seed hang on a stage; every competition gets one, in the format that it has."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import OuterRef, Subquery

from league.storage.append_only import AWARDS, AWARDS_WITHOUT_STAGES, BOARD_DRAWS

WAYS = {
    "round_robin": ("round_robin", {"meetings": 1}),
    "double_round_robin": ("round_robin", {"meetings": 2}),
    "evening": ("evening", {}),
}
NAMES = {(key, options.get("meetings")): name for name, (key, options) in WAYS.items()}


def guards_off(_apps, schema_editor):
    """They ask tables that change, and SQLite makes such tables again."""
    for guard in (AWARDS, BOARD_DRAWS):
        guard.drop(schema_editor.connection)


def guards_on(_apps, schema_editor):
    for guard in (AWARDS, BOARD_DRAWS):
        guard.create(schema_editor.connection)


def guards_as_before(_apps, schema_editor):
    for guard in (AWARDS_WITHOUT_STAGES, BOARD_DRAWS):
        guard.create(schema_editor.connection)


def make_stages(apps, _schema_editor):
    stage = apps.get_model("league", "Stage")
    rows = []
    for competition in apps.get_model("league", "Competition").objects.order_by("pk"):
        key, options = WAYS[competition.format]
        rows.append(
            stage(
                competition=competition,
                format=key,
                options=options,
                state=competition.state,
                draw_seed=competition.draw_seed,
            )
        )
    stage.objects.bulk_create(rows)
    of_the_row = Subquery(stage.objects.filter(competition=OuterRef("competition")).values("pk"))
    for model in ("Division", "Round"):
        apps.get_model("league", model).objects.update(stage=of_the_row)


def unmake_stages(apps, _schema_editor):
    for stage in apps.get_model("league", "Stage").objects.select_related("competition"):
        stage.competition.format = NAMES[stage.format, stage.options.get("meetings")]
        stage.competition.draw_seed = stage.draw_seed
        stage.competition.save(update_fields=["format", "draw_seed"])
        stage.divisions.update(competition=stage.competition)
        stage.rounds.update(competition=stage.competition)


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0018_on_whose_word"),
        # Whose guards ask these tables.
        ("games", "0022_only_director_deals"),
    ]

    operations = [
        migrations.RunPython(guards_off, guards_as_before),
        migrations.CreateModel(
            name="Stage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("order", models.PositiveSmallIntegerField(default=1)),
                (
                    "format",
                    models.CharField(
                        choices=[("round_robin", "round_robin"), ("evening", "evening")],
                        max_length=30,
                        verbose_name="format",
                    ),
                ),
                (
                    "options",
                    models.JSONField(
                        default=dict, help_text="what can be chosen of the format: see league.formats"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("draft", "being set up"), ("running", "running"), ("finished", "finished")],
                        default="draft",
                        max_length=10,
                    ),
                ),
                (
                    "draw_seed",
                    models.CharField(
                        blank=True,
                        help_text="the seed of the draw, kept so that it can be repeated",
                        max_length=64,
                    ),
                ),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stages",
                        to="league.competition",
                    ),
                ),
            ],
            options={
                "ordering": ["competition", "order"],
                "constraints": [
                    models.UniqueConstraint(fields=("competition", "order"), name="stage_order_once"),
                    models.CheckConstraint(
                        condition=models.Q(("format__in", ["round_robin", "evening"])),
                        name="stage_format_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["draft", "running", "finished"])),
                        name="stage_state_known",
                    ),
                ],
            },
        ),
        *(
            migrations.AddField(
                model_name=name,
                name="stage",
                field=models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name=f"{name}s",
                    to="league.stage",
                ),
            )
            for name in ("division", "round")
        ),
        # So that it can be taken back: what is taken away below comes back without values first.
        *(
            migrations.AlterField(
                model_name=name,
                name="competition",
                field=models.ForeignKey(
                    null=True,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name=f"{name}s",
                    to="league.competition",
                ),
            )
            for name in ("division", "round")
        ),
        migrations.RunPython(make_stages, unmake_stages),
        migrations.AlterModelOptions(name="division", options={"ordering": ["stage_id", "level"]}),
        migrations.AlterModelOptions(name="round", options={"ordering": ["stage", "number"]}),
        migrations.RemoveConstraint(model_name="division", name="one_division_a_level"),
        migrations.RemoveConstraint(model_name="division", name="division_name_once"),
        migrations.RemoveConstraint(model_name="round", name="round_number_once"),
        *(
            migrations.AlterField(
                model_name=name,
                name="stage",
                field=models.ForeignKey(
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name=f"{name}s",
                    to="league.stage",
                ),
            )
            for name in ("division", "round")
        ),
        migrations.AddConstraint(
            model_name="division",
            constraint=models.UniqueConstraint(fields=("stage", "level"), name="one_division_a_level"),
        ),
        migrations.AddConstraint(
            model_name="division",
            constraint=models.UniqueConstraint(fields=("stage", "name"), name="division_name_once"),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.UniqueConstraint(fields=("stage", "number"), name="round_number_once"),
        ),
        migrations.RemoveField(model_name="division", name="competition"),
        migrations.RemoveField(model_name="round", name="competition"),
        migrations.RemoveField(model_name="competition", name="draw_seed"),
        migrations.RemoveField(model_name="competition", name="format"),
        migrations.RunPython(guards_on, guards_off),
    ]
