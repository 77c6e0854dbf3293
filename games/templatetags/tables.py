"""What every page says of a person's tables."""

from typing import Any

from django import template

from games.models import Table
from league.models import User

register = template.Library()


@register.simple_tag
def calling_table(user: Any) -> Table | None:
    """The open table of this person's match at which they do not sit yet; one query."""
    if not isinstance(user, User):
        return None
    found: Table | None = Table.objects.calling(user).order_by("-seen_at", "-pk").first()
    return found
