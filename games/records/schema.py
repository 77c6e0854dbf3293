"""A deal of a scoresheet as the API takes it, in the form that every game reads."""

from typing import Any

from rest_framework import serializers


class TotalsRecordSerializer(serializers.Serializer[Any]):
    """One deal by its totals."""

    dealer = serializers.CharField(required=False, help_text="Follows from the match.")
    total = serializers.DictField(child=serializers.IntegerField(), required=False, help_text="By side.")
