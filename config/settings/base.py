"""What all ways to run have in common. What differs between installations is read from the environment."""

from ipaddress import ip_network
from pathlib import Path
from typing import Any

import environ
from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

#: Mail by SMTP has an end.
SMTP_BACKEND = "config.mail.EmailBackend"


class Env(environ.Env):
    """With our way of SMTP."""

    EMAIL_SCHEMES = environ.Env.EMAIL_SCHEMES | dict.fromkeys(
        ("smtp", "smtps", "smtp+tls", "smtp+ssl"), SMTP_BACKEND
    )


env = Env()

BASE_DIR = Path(__file__).resolve().parents[2]
VAR_DIR = Path(env.str("VAR_DIR", default=str(BASE_DIR / "var")))

# Former secret keys: links and logins made with them hold on, and what they encrypted can be read.
SECRET_KEY_FALLBACKS: list[str] = env.list("SECRET_KEY_FALLBACKS", default=[])
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", default=[])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.forms",
    "config",
    "league",
    "games",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "csp",
    "django_filters",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
]

MIDDLEWARE = [
    "config.operating.observing.Observe",
    # Before all that makes a page: what it keeps is whole.
    "config.web.kept_pages.KeepPagesOfVisitors",
    "django.middleware.security.SecurityMiddleware",
    # Before what says how pages may be used: each of its headers would go with each file.
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.web.headers.EmbedWithoutCookies",
    "config.web.headers.GuardAnswers",
    "csp.middleware.CSPMiddleware",
    # Pads each page by chance, so that its length tells nothing of the secrets in it (BREACH).
    "django.middleware.gzip.GZipMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "config.web.hostile.RefuseHostileRequests",
    "config.web.contention.TryAgain",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.accounts.readers.ReadNamesAsTheVisitor",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.web.refusals.ExplainWrongMethod",
    "config.web.offline.SayWhoseThePageIs",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates", *sorted((BASE_DIR / "games").glob("*/templates"))],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
            ],
        },
    },
]

# Forms are drawn by templates/django/forms/, like the rest of the page.
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

SQLITE_OPTIONS: dict[str, Any] = {
    # A write takes its lock at once instead of failing half-way; readers go on meanwhile (WAL).
    "transaction_mode": "IMMEDIATE",
    "timeout": 30,
    # NORMAL: after a power cut the last seconds may be gone, and nothing is damaged. FULL: nothing is gone, and each
    # write waits for the disk.
    "init_command": "PRAGMA journal_mode=WAL; "
    f"PRAGMA synchronous={'FULL' if env.bool('SQLITE_FULL', default=False) else 'NORMAL'};",
}


def database(url: str) -> dict[str, Any]:
    """Connection settings for a database address, with what makes that kind of database robust."""
    settings: dict[str, Any] = env.db_url_config(url)
    if settings["ENGINE"] == "django.db.backends.sqlite3":
        # Each request has a thread of its own, and a connection kept there would only be left behind.
        # Opening one costs a fraction of a millisecond while the main thread keeps one open (`serve`).
        return {**settings, "OPTIONS": dict(SQLITE_OPTIONS), "CONN_MAX_AGE": 0}
    # A server that is away is told of soon, and one that went away without a word is noticed.
    patience = {"connect_timeout": 5, "tcp_user_timeout": 15_000}
    options = {**patience, **settings.get("OPTIONS", {})}
    return {**settings, "OPTIONS": options, "CONN_MAX_AGE": 60, "CONN_HEALTH_CHECKS": True}


# People

AUTH_USER_MODEL = "league.User"
# One, or a wrong password would take longer than a right one: each backend hashes it in turn.
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["email", "name"]},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/my/"

ACCOUNT_ADAPTER = "config.accounts.adapters.AccountAdapter"
MFA_ADAPTER = "config.accounts.adapters.MFAAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_SESSION_REMEMBER = True
# With nothing but a session (a shared computer, a stolen cookie) nobody can change what opens the account.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_MAX_EMAIL_ADDRESSES = 3
# Behind one address a whole club logs in at seven o'clock; guesses are counted by account (config.accounts.adapters).
ACCOUNT_RATE_LIMITS = {
    "login": "100/m/ip",
    "signup": "60/m/ip",
    "login_failed": "30/m/ip,5/300s/key",
    "login_failed_anywhere": "200/h/key",
    "login_failed_device": "5/300s/key",
    "reset_password": "60/m/ip,5/m/key",
    "reset_password_from_key": "60/m/ip",
}
# By it a device that has logged in before is known again: others' guesses do not keep it out.
DEVICE_COOKIE_NAME = "device"
# Of somebody without an account at a table, whose key follows: games.tables.guest_keys.
GUEST_COOKIE_PREFIX = "table-guest-"
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_FORMS = {
    "login": "config.accounts.forms.LoginForm",
    "signup": "config.accounts.forms.SignupForm",
    "add_email": "config.accounts.forms.AddEmailForm",
    "change_password": "config.accounts.forms.ChangePasswordForm",
    "set_password": "config.accounts.forms.SetPasswordForm",
    "reset_password": "config.accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "config.accounts.forms.ResetPasswordKeyForm",
    "reauthenticate": "config.accounts.forms.ReauthenticateForm",
}
MFA_FORMS = {
    "activate_totp": "config.accounts.forms.ActivateTOTPForm",
    "authenticate": "config.accounts.forms.AuthenticateForm",
    "reauthenticate": "config.accounts.forms.ReauthenticateCodeForm",
    "add_webauthn": "config.accounts.forms.AddPasskeyForm",
    "authenticate_webauthn": "config.accounts.forms.AuthenticatePasskeyForm",
    "login_webauthn": "config.accounts.forms.LoginPasskeyForm",
    "reauthenticate_webauthn": "config.accounts.forms.ReauthenticatePasskeyForm",
}
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_RATE_LIMITS = {"webauthn_login": "100/m/ip"}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_TOTP_ISSUER = "Concertmaster"

# Where people reach this site: the address that mails name.
SITE_URL = env.str("SITE_URL", default="http://localhost:8000").rstrip("/")
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Concertmaster <concertmaster@localhost>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
# Seconds that the sender of mails waits for a mail server's next word.
EMAIL_TIMEOUT = env.int("EMAIL_TIMEOUT", default=15)
# And for all of them together: less than half of the outbox's lease.
EMAIL_DELIVERY_SECONDS = env.int("EMAIL_DELIVERY_SECONDS", default=120)

# Whether who runs the site reads its mails on the site, and enters the account through which it sends them: on a
# computer of their own, where EMAIL_URL names no mail server.
MAILS_ON_SITE = False
# Where mails become files, if they do.
EMAIL_FILE_PATH: Path | None = None

# Webhooks and pushes go to public addresses only; and to these networks, such as 10.1.0.0/16, of yours.
# The secret behind the key by which browsers know our pushes; another one ends all of them. Without it: SECRET_KEY.
PUSH_KEY = env.str("PUSH_KEY", default="")
OUTGOING_ALLOWED = [ip_network(each) for each in env.list("OUTGOING_ALLOWED", default=[])]

# Languages and times

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("de", _("German"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# Static files

STATIC_URL = "static/"
# A game brings its own below games/<key>/static/<key>/.
STATICFILES_DIRS = [BASE_DIR / "static", *sorted((BASE_DIR / "games").glob("*/static"))]
STATICFILES_FINDERS = [
    "config.web.bundles.BundleFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
]
WHITENOISE_ALLOW_ALL_ORIGINS = False
STATIC_ROOT: Path | None = Path(env.str("STATIC_ROOT", default=str(BASE_DIR / "staticfiles")))

# Whether public pages are kept for a second for all visitors (config/web/kept_pages.py), in the cache named "pages".
KEEP_PAGES = env.bool("KEEP_PAGES", default=True)

# What a browser may do with our pages: only what comes from this site, and no script or style within a page.

CONTENT_SECURITY_POLICY: dict[str, Any] = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "manifest-src": [SELF],
        "worker-src": [SELF],
    },
}
X_FRAME_OPTIONS = "DENY"
SESSION_ENGINE = "config.web.sessions"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"

# What a request may weigh: forms and JSON, and a whole request with its files.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000
DATA_UPLOAD_MAX_NUMBER_FILES = 10
REQUEST_MAX_SIZE = 4 * 1024 * 1024
# A form of somebody who is not logged in: a guest's scoresheet is the largest.
STRANGERS_FORM_MAX_SIZE = 32 * 1024
# Photos of paper scoresheets: one a request, to these addresses, and so much of them for a club.
PHOTO_MAX_SIZE = 8 * 1024 * 1024
PHOTO_QUOTA = env.int("PHOTO_QUOTA_MB", default=200) * 1024 * 1024
# The file of a whole club.
CLUB_FILE_MAX_SIZE = 16 * 1024 * 1024
LARGER_REQUESTS = {
    r"(/api/v1)?/matches/\d+/photos/": PHOTO_MAX_SIZE + 64 * 1024,
    r"/clubs/import/|/api/v1/club-imports/": CLUB_FILE_MAX_SIZE + 64 * 1024,
}
# A body that has not arrived by then is given up. Behind the proxy, which collects it first, none takes a second.
REQUEST_BODY_SECONDS = env.float("REQUEST_BODY_SECONDS", default=60.0)

# Tables in the browser: sockets say that there is something new, and never what.

CHANNEL_LAYERS: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "games.tables.socket.layers.OwnProcessLayer"}
}
# Threads that ask the database for the sockets, and how often every connection is told its table's version.
LIVE_THREADS = env.int("LIVE_THREADS", default=4)
LIVE_BEAT_SECONDS = env.float("LIVE_BEAT_SECONDS", default=3.0)

# How many proxies of ours stand before the service: only what they add to X-Forwarded-For is believed.
PROXIES = env.int("PROXIES", default=0)
ALLAUTH_TRUSTED_PROXY_COUNT = PROXIES

# The API

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "league.api.requests.PersonalToken",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["league.api.requests.StorableJSON"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
    "PAGE_SIZE": 50,
    "DEFAULT_SCHEMA_CLASS": "league.api.schema.Schema",
    "EXCEPTION_HANDLER": "league.api.envelope.answer",
    "DEFAULT_THROTTLE_CLASSES": [
        "rest_framework.throttling.AnonRateThrottle",
        "rest_framework.throttling.UserRateThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "anon": env.str("API_RATE_ANONYMOUS", default="120/min"),
        "user": env.str("API_RATE_PERSON", default="600/min"),
        "token": env.str("API_RATE_TOKEN", default="10/hour"),
    },
    "NUM_PROXIES": PROXIES,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Concertmaster",
    "DESCRIPTION": "Card leagues: clubs, competitions, standings, matches, scoresheets.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "ENUM_NAME_OVERRIDES": {
        "SeatEnum": "games.api.serializers.SEATS",
        "SideEnum": "engine.seats.Side",
        "HomeOrAwayEnum": "games.comparisons.reckoning.columns.SIDES",
        "ResultKindEnum": "league.models.FixtureResult.Kind",
        "OriginEnum": "games.models.Scoresheet.Origin",
        "BoardSetOriginEnum": "games.models.BoardSet.Origin",
        "FixtureStatusEnum": "league.models.Fixture.Status",
        "TableStateEnum": "games.models.Table.State",
        "DelayedKindEnum": "games.api.serializers.DELAYED_KINDS",
        "TableKindEnum": "games.models.Table.Kind",
        "MovementKindEnum": "games.api.evenings.KINDS",
        "CompetitionStateEnum": "league.models.Competition.State",
        "AnswerEnum": "league.api.dates.ANSWERS",
        "SubstituteAnswerEnum": "league.models.Substitution.Answer",
        "ClaimStateEnum": "league.models.PlayerClaim.State",
        "JoinRequestStateEnum": "league.models.JoinRequest.State",
        "ProposalStateEnum": "league.models.DateProposal.State",
        "ImportStateEnum": "league.models.ImportBatch.State",
        "ImportKindEnum": "league.models.ImportBatch.Kind",
        "ShownAsEnum": "league.words.public_names.Shown",
        "LeagueFormatEnum": "league.formats.LEAGUE_CHOICES",
        "CompetitionFormatEnum": "league.formats.CHOICES",
    },
    # The documentation page's own files come with the service: no request leaves it.
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

# Where the ways to run have one: for messages, the cache and the bell of the tables.
REDIS_URL = ""

# Who may read /metrics (config/operating/observing.py): nobody, unless the operator names a token.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
METRICS_FOLDER = env.str("PROMETHEUS_MULTIPROC_DIR", default="")

# Background work: rows are the promises, messages are hints, so no result is kept and a task may run twice.

CELERY_TIMEZONE = "UTC"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A worker waits for Redis as long as it takes.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# Results wait for nothing else: neither for a mail server that hangs, nor for prints, best play or robots. Each of
# them has a queue of its own, so that an installation can give each as many processes as it needs.
CELERY_TASK_DEFAULT_QUEUE = "results"
CELERY_TASK_ROUTES = {
    f"{room}.tasks.{name}": {"queue": queue}
    for queue, room, names in (
        ("mail", "league", "deliver_outbox deliver_webhooks deliver_pushes"),
        (
            "papers",
            "games",
            "make_paper sweep_papers import_club sweep_club_files prepare_photo sweep_photos",
        ),
        ("papers", "games", "verify_everything verify_competition"),
        ("analyses", "games", "analyse sweep_analyses"),
        ("thinking", "games", "play_robots"),
    )
    for name in names.split()
}
#: The parts of the service that take tasks, by their queues.
WORKERS = {
    "worker": "results",
    "mail_worker": "mail",
    "paper_worker": "papers",
    "analysis_worker": "analyses",
    "robot_worker": "thinking",
}
# A clock that runs all day needs no file of last runs: what was missed is found again in the rows.
CELERY_BEAT_SCHEDULER = "celery.beat.Scheduler"
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    # One into each queue: by them /readyz knows that somebody takes what is in it.
    **{
        f"heartbeat of {name}": {
            "task": "config.tasks.heartbeat",
            "schedule": 15.0,
            "args": [name],
            "options": {"expires": 15, "queue": queue},
        }
        for name, queue in WORKERS.items()
    },
    # What people wait for after a server was away: every few seconds. The others can wait.
    "sweep standings": {"task": "league.tasks.sweep_standings", "schedule": 5.0, "options": {"expires": 5}},
    "sweep line-ups": {"task": "league.tasks.sweep_line_ups", "schedule": 60.0, "options": {"expires": 60}},
    "sweep analyses": {"task": "games.tasks.sweep_analyses", "schedule": 30.0, "options": {"expires": 30}},
    "sweep comparisons": {
        "task": "games.tasks.sweep_comparisons",
        "schedule": 5.0,
        "options": {"expires": 5},
    },
    "sweep boards": {"task": "games.tasks.sweep_boards", "schedule": 60.0, "options": {"expires": 60}},
    "sweep grades": {"task": "games.tasks.sweep_grades", "schedule": 60.0, "options": {"expires": 60}},
    "sweep ladders": {"task": "league.tasks.sweep_ladders", "schedule": 300.0, "options": {"expires": 300}},
    "deliver outbox": {"task": "league.tasks.deliver_outbox", "schedule": 5.0, "options": {"expires": 5}},
    "deliver pushes": {"task": "league.tasks.deliver_pushes", "schedule": 30.0, "options": {"expires": 30}},
    "deliver webhooks": {
        "task": "league.tasks.deliver_webhooks",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "remind": {"task": "league.tasks.remind", "schedule": 900.0, "options": {"expires": 900}},
    "tell invited": {"task": "league.tasks.tell_invited", "schedule": 900.0, "options": {"expires": 900}},
    "sweep papers": {"task": "games.tasks.sweep_papers", "schedule": 30.0, "options": {"expires": 30}},
    "sweep club files": {
        "task": "games.tasks.sweep_club_files",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "sweep silence": {"task": "games.tasks.sweep_silence", "schedule": 60.0, "options": {"expires": 60}},
    "sweep photos": {"task": "games.tasks.sweep_photos", "schedule": 60.0, "options": {"expires": 60}},
    "sweep chat": {"task": "games.tasks.sweep_chat", "schedule": 600.0, "options": {"expires": 600}},
    "sweep tables": {"task": "games.tasks.sweep_tables", "schedule": 5.0, "options": {"expires": 5}},
    "sweep daily deals": {"task": "games.tasks.sweep_daily", "schedule": 60.0, "options": {"expires": 60}},
    "purge": {"task": "league.tasks.purge", "schedule": crontab(hour=2, minute=30)},
    "forget guests": {"task": "games.tasks.forget_guests", "schedule": crontab(hour=2, minute=45)},
    # Again and again in the same night: what a lost message left out is asked for once more.
    "verify everything": {
        "task": "games.tasks.verify_everything",
        "schedule": crontab(hour="3-6", minute="0,30"),
    },
}
