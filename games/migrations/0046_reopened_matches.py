"""Matches that a director had reopened were "disputed", though nobody disagreed."""

from django.db import migrations
from django.db.models import OuterRef, Subquery


def tell_apart(apps, _schema_editor):
    sheets = apps.get_model("games", "Scoresheet").objects.filter(match__fixture=OuterRef("pk"))
    last = sheets.order_by("-version").values("verdict")[:1]
    fixtures = apps.get_model("league", "Fixture").objects.filter(status="disputed")
    fixtures.annotate(last=Subquery(last)).filter(last="reopened").update(status="reopened")


def together(apps, _schema_editor):
    apps.get_model("league", "Fixture").objects.filter(status="reopened").update(status="disputed")


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0045_adjusted_scores'),
        ('league', '0057_reopened_fixtures'),
    ]

    operations = [migrations.RunPython(tell_apart, together)]
