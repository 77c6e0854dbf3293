"""What a monitor or a load balancer asks: is this process able to serve?"""

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

import config


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 with the version when the database answers, else 503; nothing private is in it."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            cursor.fetchone()
    except DatabaseError:
        return JsonResponse(
            {"status": "unavailable", "database": False, "version": config.__version__}, status=503
        )
    return JsonResponse({"status": "ok", "database": True, "version": config.__version__})
