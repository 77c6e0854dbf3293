"""Matches that were played at a table before robots were written down say now in which hands one acted for somebody."""

import logging
from collections import Counter

from django.db import migrations

from engine import game
from games.tables.state.log import Line, fold

log = logging.getLogger(__name__)


def write_down(apps, _schema_editor):
    """The log of the table has it; whatever was corrected in a sheet afterwards, it was so at the table."""
    robots = apps.get_model("games", "Action").objects.exclude(robot="")
    tables = apps.get_model("games", "Table").objects.filter(pk__in=robots.values("deal__table"))
    rows = sum(
        len(write_down_one(apps, table))
        for table in tables.exclude(sheet=None).select_related("sheet").order_by("pk")
    )
    log.info("games_robothand: %s hands of robots", rows)


def write_down_one(apps, table):
    """For the sheet that the table made, and every later one of the match."""
    robot_hands = apps.get_model("games", "RobotHand")
    sheets = apps.get_model("games", "Scoresheet").objects
    records = dict(table.sheet.deals.values_list("number", "record"))
    finished = table.deals.filter(finished_at__isnull=False).order_by("number")
    hands = {
        number: list(hands_of(table, deal, records[number])) for number, deal in enumerate(finished, start=1)
    }
    rows = [
        robot_hands(deal=deal, **hand)
        for sheet in sheets.filter(match=table.sheet.match_id, version__gte=table.sheet.version)
        for deal in sheet.deals.all()
        for hand in hands.get(deal.number, ())
    ]
    return robot_hands.objects.bulk_create(rows, ignore_conflicts=True)


def hands_of(table, deal, record):
    offered = game.get(table.game)
    lines = [
        Line(row.number, row.seat, row.token, row.back_to, row.at, robot=row.robot)
        for row in deal.actions.order_by("number")
    ]
    folded = fold(
        game_key=table.game,
        deal=offered.records.known_deal(offered.records.read_record(record)),
        dealer=deal.dealer,
        options=table.options,
        started_at=deal.started_at,
        lines=lines,
    )
    done = Counter(
        (len(offered.view(state, None).as_json()["hands"]) + 1, line.seat, line.robot)
        for line, state in zip(folded.counting, folded.before, strict=False)
        if line.robot
    )
    sides = {seat: offered.side_of(seat) for seat in offered.seats()}
    for (number, seat, robot), actions in sorted(done.items()):
        yield {"seat": seat, "side": sides[seat], "number": number, "robot": robot, "actions": actions}


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0019_half_a_minute"),
    ]

    operations = [
        migrations.RunPython(write_down, migrations.RunPython.noop),
    ]
