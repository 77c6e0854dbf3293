"""How production serves pages (docs/production.md): by WSGI, in few threads, once a request has arrived whole.

A WSGI server reads the body in the thread that makes the page: one slow body a thread and the site is gone. Here the
event loop collects bodies, as many as come, and answers with kept pages; the thread is only asked to make pages.
"""

import sys
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config.web.bodies import limited
from config.web.hostile import largest_request
from engine.thinking import think_apart

#: While a page is drawn the event loop has its turn after so many seconds. 0.005, the usual, is as long as ten answers.
SWITCH_SECONDS = 0.0005
sys.setswitchinterval(SWITCH_SECONDS)
application = get_wsgi_application()
# By name, since they need the models, which exist only now.
kept_in_front = import_module("config.web.kept_in_front")
by_threads = import_module("config.web.threads").by_threads
think_apart()
# The first decision of a process takes its robots a second or two: before anybody waits for it.
import_module("games.tables.services.practice").warm_up_later()
whole_requests = kept_in_front.with_kept_pages(
    limited(by_threads(application), limit=largest_request, seconds=settings.REQUEST_BODY_SECONDS),
    kept_in_front.by_wsgi,
)
