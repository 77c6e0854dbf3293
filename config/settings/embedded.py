"""One process with SQLite, for a club with one computer: the default of `make run`. All data lies in var/."""

from config.operating.logs import plain_logging
from config.secret import keep_to_owner, kept_secret
from config.settings.base import *  # noqa: F403
from config.settings.base import MIDDLEWARE, VAR_DIR, database, env

# The database, keys and mails of a club are nobody else's on the same computer.
keep_to_owner(VAR_DIR)

SECRET_KEY = env.str("SECRET_KEY", default="") or kept_secret(VAR_DIR / "secret_key")
# Lock sealed boards away. They lie beside the database and not in it, one a line, the newest first (docs/boards.md).
BOARD_KEYS = env.list("BOARD_KEYS", default=[]) or kept_secret(VAR_DIR / "board_key").split()
PUSH_KEY = env.str("PUSH_KEY", default="") or kept_secret(VAR_DIR / "push_key")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", ".localhost", "127.0.0.1", "[::1]"])

DATABASES = {
    "default": database(env.str("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'concertmaster.sqlite3'}"))
}
# Apart from each other: visitors' pages push no count of wrong passwords out.
CACHES = {
    name: {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": name,
        "OPTIONS": {"MAX_ENTRIES": most},
    }
    for name, most in (("default", 300), ("pages", 2000))
}

# Static files are served straight from the sources: nothing to collect, nothing to build.
WHITENOISE_USE_FINDERS = True
STATIC_ROOT = None
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.web.static_files.EditionFiles"},
}
MIDDLEWARE = [
    "config.web.static_files.WholeFiles" if name == "whitenoise.middleware.WhiteNoiseMiddleware" else name
    for name in MIDDLEWARE
]

# Without a mail server, mails become files that the computer's owner can open.
EMAIL_CONFIG = env.email_url("EMAIL_URL", default="filemail://")
EMAIL_FILE_PATH = VAR_DIR / "mail"
vars().update({name: value for name, value in EMAIL_CONFIG.items() if value and name != "EMAIL_FILE_PATH"})
MAILS_ON_SITE = True
ACCOUNT_EMAIL_VERIFICATION = "optional"
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = True

# A computer that is on in the evening only does at its start what was to be done at night.
CELERY_BEAT_SCHEDULER = "celery.beat.PersistentScheduler"
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "last_runs")

CELERY_BROKER_URL = "memory://localhost/"
# Without this a task waits up to a second before the worker looks for it.
CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.02}

LOGGING = plain_logging(level=env.str("LOG_LEVEL", default="WARNING"))
