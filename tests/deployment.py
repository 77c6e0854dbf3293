"""Django's checks for deployment, with the production settings and made-up values for what these require."""

import os
import secrets
import subprocess
import sys

REQUIRED = {
    "DJANGO_SETTINGS_MODULE": "config.settings.production",
    "SECRET_KEY": secrets.token_hex(40),
    "BOARD_KEYS": secrets.token_hex(32),
    "DATABASE_URL": "postgresql:///none",
    "REDIS_URL": "redis://none",
    "EMAIL_URL": "dummymail://",
    "ALLOWED_HOSTS": "league.example.org",
}

if __name__ == "__main__":
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    sys.exit(subprocess.run(command, env={**os.environ, **REQUIRED}, check=False).returncode)
