"""Load scripts: each starts a production of its own, whose commands are read with the settings of the tests."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
