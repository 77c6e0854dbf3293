"""PostgreSQL, Redis and several processes behind one HTTPS proxy. docs/production.md lists the variables."""

import os
import socket
from pathlib import Path

import prometheus_client.values
from prometheus_client.values import MultiProcessValue

from config.operating.faults import report_faults
from config.operating.logs import json_logging
from config.settings.base import *  # noqa: F403
from config.settings.base import METRICS_FOLDER, REST_FRAMEWORK, database, env

SECRET_KEY = env.str("SECRET_KEY")
# Without one nobody can seal boards; config.checks says so at the start.
BOARD_KEYS: list[str] = env.list("BOARD_KEYS", default=[])
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS")
# A mail is written by a worker, which no visitor's address leads to: so what its links begin with is said here.
_first_name = next(iter(ALLOWED_HOSTS), "localhost").lstrip(".")
SITE_URL = env.str("SITE_URL", default="").rstrip("/") or f"https://{_first_name}"

DATABASES = {"default": database(env.str("DATABASE_URL"))}

REDIS_URL = env.str("REDIS_URL")
# All our keys begin with this, so that several installations can share one Redis.
REDIS_KEY_PREFIX = env.str("REDIS_KEY_PREFIX", default="concertmaster")
CACHES = {
    "default": {
        "BACKEND": "config.web.caches.ForgetfulRedisCache",
        "LOCATION": REDIS_URL,
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 2},
        "KEY_PREFIX": REDIS_KEY_PREFIX,
    },
    # A page is drawn sooner than a Redis is waited for that does not answer.
    "pages": {
        "BACKEND": "config.web.caches.ForgetfulRedisCache",
        "LOCATION": REDIS_URL,
        "OPTIONS": {"socket_connect_timeout": 0.2, "socket_timeout": 0.2},
        "KEY_PREFIX": f"{REDIS_KEY_PREFIX}:pages",
    },
}

CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "games.tables.socket.layers.GroupsOnlyLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": f"{REDIS_KEY_PREFIX}:tables"},
    }
}

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.web.static_files.HashedFiles"},
}

vars().update(env.email_url("EMAIL_URL"))

# The proxy ends HTTPS and says so in this header; it must strip the header from what visitors send.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# Requests are counted by the visitor's address as the nearest of these proxies names it.
ALLAUTH_TRUSTED_PROXY_COUNT = REST_FRAMEWORK["NUM_PROXIES"] = env.int("PROXIES", default=1)
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
# A monitor inside the network asks by plain HTTP.
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=365 * 24 * 3600)
# What other names of the domain do is not for this service to decide: off, unless its owner says so.
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("SECURE_HSTS_INCLUDE_SUBDOMAINS", default=False)
SECURE_HSTS_PRELOAD = env.bool("SECURE_HSTS_PRELOAD", default=False)
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
LANGUAGE_COOKIE_SECURE = True
# Browsers take cookies of these names from this very host alone, by HTTPS: no other name of the domain plants one.
SESSION_COOKIE_NAME = "__Host-sessionid"
CSRF_COOKIE_NAME = "__Host-csrftoken"
DEVICE_COOKIE_NAME = "__Host-device"
GUEST_COOKIE_PREFIX = "__Host-table-guest-"

CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = 15 * 60
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# By which the containers' health is asked (`celery inspect ping`).
CELERY_WORKER_ENABLE_REMOTE_CONTROL = True
CELERY_BEAT_ENABLE_REMOTE_CONTROL = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "global_keyprefix": f"{REDIS_KEY_PREFIX}:",
    # Longer than the longest task, or a task still running would be handed out a second time.
    "visibility_timeout": 30 * 60,
    "unacked_restore_interval": 10,
    # A page that gives a hint waits no longer than this for a broker that is down; the sweep finds what was lost.
    # The worker asks for messages in turns of one second, so it is well within.
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.2,
    "interval_max": 0.2,
    "socket_connect_timeout": 1,
    "socket_timeout": 2,
}

LOGGING = json_logging(level=env.str("LOG_LEVEL", default="INFO"))

if METRICS_FOLDER:
    # Containers that share the folder each have a process 1.
    prometheus_client.values.ValueClass = MultiProcessValue(lambda: f"{socket.gethostname()}-{os.getpid()}")
    # A process that was killed left its sockets open.
    _gauges = f"gauge_livesum_{socket.gethostname()}-"
    for _left in Path(METRICS_FOLDER).glob(f"{_gauges}*.db"):
        _pid = _left.stem.removeprefix(_gauges)
        if _pid == str(os.getpid()) or not Path("/proc", _pid).exists():
            _left.unlink(missing_ok=True)

# Faults of ours are told to the operator's own collector, where there is one.
report_faults(env.str("SENTRY_DSN", default=""))
