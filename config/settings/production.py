"""PostgreSQL, Redis and several processes behind one HTTPS proxy. docs/production.md lists the variables."""

from config.logs import json_logging
from config.settings.base import *  # noqa: F403
from config.settings.base import REST_FRAMEWORK, database, env

SECRET_KEY = env.str("SECRET_KEY")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS")

DATABASES = {"default": database(env.str("DATABASE_URL"))}

REDIS_URL = env.str("REDIS_URL")
CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}}

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

vars().update(env.email_url("EMAIL_URL"))

# The proxy ends HTTPS and says so in this header; it must strip the header from what visitors send.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# Requests are counted by the visitor's address as the nearest of these proxies names it.
REST_FRAMEWORK["NUM_PROXIES"] = env.int("PROXIES", default=1)
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
# A monitor inside the network asks by plain HTTP.
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=365 * 24 * 3600)
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("SECURE_HSTS_INCLUDE_SUBDOMAINS", default=True)
SECURE_HSTS_PRELOAD = env.bool("SECURE_HSTS_PRELOAD", default=True)
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True

CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = 15 * 60
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Longer than the longest task, or a task still running would be handed out a second time.
    "visibility_timeout": 30 * 60,
    "unacked_restore_interval": 10,
}

LOGGING = json_logging(level=env.str("LOG_LEVEL", default="INFO"))
