"""Vouches, participations and rulings as rows."""

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from league.storage.append_only import AWARDS


def unguard(apps, schema_editor):
    """SQLite makes the table of plays again, and a guard of awards asks it."""
    AWARDS.drop(schema_editor.connection)


def guard(apps, schema_editor):
    AWARDS.create(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0011_sheet_photos"),
        ("league", "0008_said_in_any_language"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunPython(unguard, guard),
        migrations.AddField(
            model_name="duplicate",
            name="open_after_days",
            field=models.PositiveSmallIntegerField(
                default=14,
                help_text="Boards that wait for a neutral official's word only are opened so many days after the round's last day.",
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(365),
                ],
                verbose_name="days until boards open",
            ),
        ),
        migrations.AddField(
            model_name="fixtureboard",
            name="is_proven",
            field=models.BooleanField(
                default=False,
                help_text="whether it is proven that the sheet that counts was played with its cards",
            ),
        ),
        migrations.AddField(
            model_name="fixtureboard",
            name="settled",
            field=models.CharField(
                blank=True,
                choices=[
                    ("sides", "confirmed by all sides"),
                    ("table", "played at the table in the browser"),
                    ("neutral", "by a neutral official's word"),
                    ("consent", "by consent of all sides of the match"),
                    ("time", "by the time that has passed"),
                    ("earlier", "decided before the site asked for more"),
                ],
                help_text="why this match no longer keeps the board shut; empty: it does",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="scoresheet",
            name="entered_as",
            field=models.CharField(
                choices=[
                    ("person", "by a side"),
                    ("official", "by an official"),
                    ("code", "by the code on the paper"),
                    ("table", "by the table in the browser"),
                ],
                default="person",
                help_text="in what capacity: a code is a way in, and speaks for nobody",
                max_length=10,
            ),
        ),
        migrations.CreateModel(
            name="EarlyPlay",
            fields=[
                (
                    "fixture",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="early_play",
                        serialize=False,
                        to="league.fixture",
                    ),
                ),
                ("reason", models.CharField(max_length=300, verbose_name="reason")),
                ("given_at", models.DateTimeField()),
                (
                    "given_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["fixture"],
            },
        ),
        migrations.CreateModel(
            name="NeutralInvitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "digest",
                    models.CharField(help_text="SHA-256 of the link's token", max_length=64, unique=True),
                ),
                ("name", models.CharField(max_length=120, verbose_name="name")),
                ("made_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "fixture",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="neutral_invitations",
                        to="league.fixture",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "used_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["fixture", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Ruling",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("status", models.CharField(help_text="of the match from then on", max_length=12)),
                ("is_neutral", models.BooleanField()),
                ("at", models.DateTimeField()),
                (
                    "actor",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "fixture",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="rulings",
                        to="league.fixture",
                    ),
                ),
            ],
            options={
                "ordering": ["fixture", "pk"],
            },
        ),
        migrations.CreateModel(
            name="BoardConsent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "actor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="league.entry"
                    ),
                ),
                (
                    "fixture",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="board_consents",
                        to="league.fixture",
                    ),
                ),
            ],
            options={
                "ordering": ["fixture", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("fixture", "entry"), name="a_side_consents_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="Participation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("played", "played it"),
                            ("drew", "took the cards out"),
                            ("shown", "was shown a scoresheet"),
                            ("named", "was named to play it"),
                            ("linked", "an account was linked"),
                            ("allowed", "may play it all the same"),
                        ],
                        max_length=10,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=300)),
                ("at", models.DateTimeField()),
                (
                    "board",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="games.board",
                    ),
                ),
                (
                    "board_set",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="games.boardset",
                    ),
                ),
                (
                    "competition",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="participations",
                        to="league.competition",
                    ),
                ),
                (
                    "fixture",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="league.fixture",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="league.player",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [
                    models.Index(fields=["competition", "kind"], name="participation_event"),
                    models.Index(fields=["board", "kind"], name="participation_board"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("player__isnull", False), ("user__isnull", False), _connector="OR"
                        ),
                        name="participation_of_somebody",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Vouch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("side", "a side"),
                            ("official", "an official"),
                            ("second", "a second official"),
                            ("paper", "paper signed by all sides"),
                            ("silence", "silence"),
                            ("table", "the table in the browser"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "is_neutral",
                    models.BooleanField(
                        default=False, help_text="an official who had no part in the event at that moment"
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "actor",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        blank=True,
                        help_text="of a side",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="league.entry",
                    ),
                ),
                (
                    "sheet",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="vouches",
                        to="games.scoresheet",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "vouches",
                "ordering": ["sheet", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("kind", "side")),
                        fields=("sheet", "entry"),
                        name="a_side_vouches_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("entry__isnull", False), ("kind", "side")),
                            models.Q(models.Q(("kind", "side"), _negated=True), ("entry__isnull", True)),
                            _connector="OR",
                        ),
                        name="a_side_vouches_by_its_entry",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("kind__in", ["side", "official", "second", "paper", "silence", "table"])
                        ),
                        name="vouch_kind_known",
                    ),
                ],
            },
        ),
        migrations.RunPython(guard, unguard),
    ]
