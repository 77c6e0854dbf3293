"""A pair becomes a lineup, which has as many members as a side of the game has players."""

import django.db.models.deletion
from django.db import migrations, models

from league.storage.append_only import AWARDS, BOARD_DRAWS


def guards_off(_apps, schema_editor):
    """They ask tables that change, and SQLite makes such tables again."""
    for guard in (AWARDS, BOARD_DRAWS):
        guard.drop(schema_editor.connection)


def guards_on(_apps, schema_editor):
    for guard in (AWARDS, BOARD_DRAWS):
        guard.create(schema_editor.connection)


def key_of(players):
    return "-".join(map(str, sorted(players)))


def fill(apps, _schema_editor):
    Lineup, Member = apps.get_model("league", "Lineup"), apps.get_model("league", "LineupMember")
    lineups = list(Lineup.objects.order_by("pk"))
    for lineup in lineups:
        lineup.members_key = key_of([lineup.player_a_id, lineup.player_b_id])
    Lineup.objects.bulk_update(lineups, ["members_key"], batch_size=500)
    members = Member.objects.bulk_create(
        Member(lineup=lineup, player_id=player, order=order)
        for lineup in lineups
        for order, player in enumerate((lineup.player_a_id, lineup.player_b_id), start=1)
    )
    seats = {}
    for member in members:
        seats.setdefault(member.lineup_id, {})[member.pk] = member.player_id
    rewrite_merges(apps, seats)


def rewrite_merges(apps, seats):
    """What undoing a merge needs: the newest first, each seen from the rows as they were right after it."""
    for merge in apps.get_model("league", "PlayerMerge").objects.order_by("-pk"):
        moved, done = [], set()
        for label, pk, field, old, new in merge.moved:
            if label != "league.partnership":
                moved.append([label, pk, field, old, new])
            elif field not in ("player_a_id", "player_b_id"):
                moved.append(["league.lineup", pk, field, old, new])
            elif pk not in done:
                done.add(pk)
                moved += put_in(seats.get(pk, {}), pk, merge)
        merge.moved = moved
        if "league.partnership" in merge.newest:
            merge.newest["league.lineup"] = merge.newest.pop("league.partnership")
        merge.save(update_fields=["moved", "newest"])


def put_in(seat, lineup, merge):
    """The kept player takes the duplicate's place."""
    of = merge.merged_id if merge.undone_at else merge.kept_id
    place = next((key for key, player in seat.items() if player == of), None)
    if place is None:
        return []
    before, after = ({**seat, place: player} for player in (merge.merged_id, merge.kept_id))
    if not merge.undone_at:
        seat[place] = merge.merged_id
    return [
        ["league.lineupmember", place, "player_id", merge.merged_id, merge.kept_id],
        ["league.lineup", lineup, "members_key", key_of(before.values()), key_of(after.values())],
    ]


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0019_stages"),
        # Whose rows point at pairs, and whose guards ask these tables.
        ("games", "0023_tokens_of_200"),
    ]

    operations = [
        migrations.RunPython(guards_off, guards_on),
        migrations.RemoveConstraint(model_name="entry", name="a_pair_enters_once"),
        migrations.RemoveConstraint(model_name="partnership", name="a_pair_exists_once"),
        migrations.RemoveConstraint(model_name="partnership", name="pair_in_order_of_keys"),
        migrations.RenameModel("Partnership", "Lineup"),
        migrations.RenameField("entry", "partnership", "lineup"),
        migrations.AlterField(
            model_name="lineup",
            name="club",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="lineups", to="league.club"
            ),
        ),
        migrations.AddField(
            model_name="lineup",
            name="members_key",
            field=models.CharField(
                default="",
                editable=False,
                help_text='the players\' keys in order, such as "12-47"',
                max_length=200,
            ),
            preserve_default=False,
        ),
        migrations.CreateModel(
            name="LineupMember",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("order", models.PositiveSmallIntegerField()),
                (
                    "lineup",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to="league.lineup",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="places", to="league.player"
                    ),
                ),
            ],
            options={"ordering": ["lineup_id", "order"], "verbose_name": "pair"},
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.UniqueConstraint(fields=("competition", "lineup"), name="a_lineup_enters_once"),
        ),
        migrations.AddConstraint(
            model_name="lineupmember",
            constraint=models.UniqueConstraint(fields=("lineup", "order"), name="lineup_order_once"),
        ),
        migrations.AddConstraint(
            model_name="lineupmember",
            constraint=models.UniqueConstraint(fields=("lineup", "player"), name="player_once_in_a_lineup"),
        ),
        migrations.RunPython(guards_on, guards_off),
        migrations.RunPython(fill),
    ]
