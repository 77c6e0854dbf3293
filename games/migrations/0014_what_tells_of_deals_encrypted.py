"""What tells of cards, or of points deal by deal, is written encrypted from here on, and what is there already, too."""

import json

from django.db import migrations
from django.db.models import F

import league.storage.encrypted_fields
from league.storage import board_keys
from league.storage.append_only import (
    ACTIONS,
    AWARDS_WITHOUT_STAGES,
    PLAYED_DEALS,
    SCORESHEETS,
)
from league.storage.rewriting import encrypt_column
from league.idempotency import canonical

GUARDS = (SCORESHEETS, PLAYED_DEALS, ACTIONS, AWARDS_WITHOUT_STAGES)
COLUMNS = {
    "Action": ("reason", "token"),
    "Analysis": ("record",),
    "Award": ("content", "reason"),
    "Comparison": ("content", "digest"),
    "EventRanking": ("content", "digest"),
    "PlayedDeal": ("record", "score"),
    "Scoresheet": ("content", "digest", "suspicious", "verdict_reason"),
    "ScoresheetDraft": ("content",),
    "Table": ("fault",),
    "TableDeal": ("score",),
    "TableRequest": ("answer", "text"),
}


def guards_off(_apps, schema_editor):
    """PostgreSQL changes no column that a trigger names, and SQLite drops the triggers of a table that it changes."""
    for guard in GUARDS:
        guard.drop(schema_editor.connection)


def guards_on(_apps, schema_editor):
    for guard in GUARDS:
        guard.drop(schema_editor.connection)
        guard.create(schema_editor.connection)


def encrypt(apps, _schema_editor):
    for model, columns in COLUMNS.items():
        for column in columns:
            encrypt_column(apps.get_model("games", model), column)
    encrypt_column(apps.get_model("games", "Analysis"), "content", answer_encrypted)


def answer_encrypted(text):
    """An analysis of a sealed board was encrypted before, within its JSON."""
    content = json.loads(text)
    if set(content) == {"locked"}:
        return board_keys.reencrypt(content["locked"])
    return league.storage.encrypted_fields.EncryptedJSONField.encrypted(text)


def hide_figures(apps, _schema_editor):
    """Figures of sealed boards are not added up yet: they wait, encrypted, for the release."""
    sides = apps.get_model("games", "PlayedSide").objects
    board = "deal__sheet__match__fixture__boards"
    sealed = sides.filter(**{f"{board}__board__released_at": None, f"{board}__position": F("deal__number")})
    for side in sealed.distinct().prefetch_related("hands"):
        hands = sorted(side.hands.all(), key=lambda hand: hand.number)
        side.sealed = {
            "given_away": side.given_away,
            "hands": [(hand.number, hand.value, hand.points) for hand in hands],
        }
        side.given_away = None
        side.save(update_fields=["sealed", "given_away"])
        side.hands.all().delete()


def name_analyses(apps, _schema_editor):
    """The name of a question could be tried out: from here on the key is in it."""
    for analysis in apps.get_model("games", "Analysis").objects.iterator():
        analysis.digest = board_keys.digests(canonical({"game": analysis.game, **analysis.record}))[0]
        analysis.save(update_fields=["digest"])


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0013_what_was_vouched_for"),
    ]

    operations = [
        migrations.RunPython(guards_off, guards_on),
        migrations.AddField(
            model_name="playedside",
            name="sealed",
            field=league.storage.encrypted_fields.EncryptedJSONField(
                blank=True,
                help_text='until its board is released, what stands in the other columns: {"given_away", "hands"}',
                null=True,
            ),
        ),
        migrations.AlterField(
            model_name="action",
            name="reason",
            field=league.storage.encrypted_fields.EncryptedTextField(blank=True, max_length=300),
        ),
        migrations.AlterField(
            model_name="action",
            name="token",
            field=league.storage.encrypted_fields.EncryptedTextField(
                blank=True, help_text="as the game reads it", max_length=8
            ),
        ),
        migrations.AlterField(
            model_name="analysis",
            name="content",
            field=league.storage.encrypted_fields.EncryptedJSONField(
                blank=True, help_text="as the game's analysis gives it", null=True
            ),
        ),
        migrations.AlterField(
            model_name="analysis",
            name="record",
            field=league.storage.encrypted_fields.EncryptedJSONField(
                help_text="the deal and its hands, as the game reads them"
            ),
        ),
        migrations.AlterField(
            model_name="award",
            name="content",
            field=league.storage.encrypted_fields.EncryptedJSONField(),
        ),
        migrations.AlterField(
            model_name="award",
            name="reason",
            field=league.storage.encrypted_fields.EncryptedTextField(max_length=300, verbose_name="reason"),
        ),
        migrations.AlterField(
            model_name="comparison",
            name="content",
            field=league.storage.encrypted_fields.EncryptedJSONField(
                help_text="the figures of every table and both sides, as exact text"
            ),
        ),
        migrations.AlterField(
            model_name="comparison",
            name="digest",
            field=league.storage.encrypted_fields.EncryptedTextField(),
        ),
        migrations.AlterField(
            model_name="eventranking",
            name="content",
            field=league.storage.encrypted_fields.EncryptedJSONField(),
        ),
        migrations.AlterField(
            model_name="eventranking",
            name="digest",
            field=league.storage.encrypted_fields.EncryptedTextField(),
        ),
        migrations.AlterField(
            model_name="playeddeal",
            name="record",
            field=league.storage.encrypted_fields.EncryptedJSONField(help_text="the deal as it was written down"),
        ),
        migrations.AlterField(
            model_name="playeddeal",
            name="score",
            field=league.storage.encrypted_fields.EncryptedJSONField(help_text="the engine's score of the record"),
        ),
        migrations.AlterField(
            model_name="scoresheet",
            name="content",
            field=league.storage.encrypted_fields.EncryptedJSONField(
                help_text='{"deals": [record, ...]} as the game reads it'
            ),
        ),
        migrations.AlterField(
            model_name="scoresheet",
            name="digest",
            field=league.storage.encrypted_fields.EncryptedTextField(
                help_text="of the content: what is confirmed is exactly this"
            ),
        ),
        migrations.AlterField(
            model_name="scoresheet",
            name="suspicious",
            field=league.storage.encrypted_fields.EncryptedJSONField(
                default=list, help_text="what the engine found odd: shown to the director"
            ),
        ),
        migrations.AlterField(
            model_name="scoresheet",
            name="verdict_reason",
            field=league.storage.encrypted_fields.EncryptedTextField(blank=True, max_length=500),
        ),
        migrations.AlterField(
            model_name="scoresheetdraft",
            name="content",
            field=league.storage.encrypted_fields.EncryptedJSONField(default=dict),
        ),
        migrations.AlterField(
            model_name="table",
            name="fault",
            field=league.storage.encrypted_fields.EncryptedTextField(
                blank=True, help_text="why it became no result", max_length=300
            ),
        ),
        migrations.AlterField(
            model_name="tabledeal",
            name="score",
            field=league.storage.encrypted_fields.EncryptedJSONField(
                blank=True, help_text="the game's score, once it is over", null=True
            ),
        ),
        migrations.AlterField(
            model_name="tablerequest",
            name="answer",
            field=league.storage.encrypted_fields.EncryptedTextField(blank=True, max_length=300),
        ),
        migrations.AlterField(
            model_name="tablerequest",
            name="text",
            field=league.storage.encrypted_fields.EncryptedTextField(blank=True, max_length=300),
        ),
        migrations.RunPython(encrypt),
        migrations.RunPython(hide_figures),
        migrations.RunPython(name_analyses),
        migrations.RunPython(guards_on, guards_off),
    ]
