"""What a load balancer asks, and what a monitor does: can this process serve, and is all that it needs at work?"""

from django.db import Error, connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

import config
from config.operating import readiness


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer 200 with the version when the database answers, else 503; nothing private is in it."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            cursor.fetchone()
    except Error:
        return JsonResponse(
            {"status": "unavailable", "database": False, "version": config.__version__}, status=503
        )
    return JsonResponse({"status": "ok", "database": True, "version": config.__version__})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Answer 200 when every part is at work, else 503, with each part's state and age in seconds and nothing else."""
    parts = readiness.parts_in_time()
    is_ready = all(part.state == readiness.OK for part in parts)
    at = timezone.now()
    answer = {
        "status": "ok" if is_ready else "unavailable",
        "parts": {
            part.name: {
                "state": part.state,
                "age": max(round((at - part.at).total_seconds()), 0) if part.at else None,
            }
            for part in parts
        },
    }
    return JsonResponse(answer, status=200 if is_ready else 503)
