"""The WSGI entry point: production serves pages with it (docs/production.md)."""

from django.core.wsgi import get_wsgi_application

application = get_wsgi_application()
