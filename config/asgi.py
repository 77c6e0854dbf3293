"""The ASGI entry point: the embedded server runs on it, with the background worker in the same process."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.embedded")

application = get_asgi_application()
