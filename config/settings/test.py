"""The tests' settings: DATABASE_URL's database (else SQLite in a file), background tasks done on the spot."""

import os
import tempfile
from pathlib import Path

from config.operating.logs import plain_events
from config.settings.base import *  # noqa: F403
from config.settings.base import REST_FRAMEWORK, SQLITE_OPTIONS, database, env

plain_events()
SECRET_KEY = "only-for-the-tests-" + "0" * 40
BOARD_KEYS = ["only-for-the-boards-of-the-tests-" + "0" * 40]
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "testserver"]

# A file and not memory: the server under test and the test itself are two connections, as in real life.
# The process number keeps runs that go on at the same time apart.
_scratch = Path(tempfile.gettempdir()) / f"concertmaster-test-{os.getpid()}.sqlite3"
DATABASES = {"default": database(env.str("DATABASE_URL", default="") or f"sqlite:///{_scratch}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["TEST"] = {"NAME": str(_scratch)}
    # Nothing of a test survives it, so nothing need reach the disk.
    DATABASES["default"]["OPTIONS"] = {
        **SQLITE_OPTIONS,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;",
    }
else:
    DATABASES["default"]["TEST"] = {
        "NAME": env.str("TEST_DATABASE_NAME", default=f"test_concertmaster_{os.getpid()}")
    }
    DATABASES["default"]["CONN_MAX_AGE"] = 0
    DATABASES["default"]["OPTIONS"] = {
        **DATABASES["default"].get("OPTIONS", {}),
        "options": "-c synchronous_commit=off",
    }

CACHES = {
    name: {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": name}
    for name in ("default", "pages")
}
# Tests change something and look at once; those of kept pages keep them.
KEEP_PAGES = False
REDIS_URL = env.str("REDIS_URL", default="")

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_AUTOREFRESH = False
WHITENOISE_USE_FINDERS = True
STATIC_ROOT = None

EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

CELERY_BROKER_URL = "memory://localhost/"
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True

# Tests ask as often as they like; those of the throttles set rates of their own.
REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"] = {"anon": None, "user": None, "token": None}
