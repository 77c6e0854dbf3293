"""`make messages`: collect the texts of the program into the catalogues, and compile them. Needs GNU gettext.

Prints what is left to translate: texts without a translation, and guesses that somebody has to look at ("fuzzy").
"""

import os
import sys

import django
from django.core.management import CommandError, call_command

from tests.translations import catalogues

NOT_OURS = (".venv", "var", "tests", "requirements", "staticfiles", "docs")


def main() -> int:
    """Collect, tidy, compile; 0 when nothing is left to translate."""
    languages = catalogues.languages()
    for language in languages:
        catalogues.path(language).parent.mkdir(parents=True, exist_ok=True)
    call_command(
        "makemessages",
        locale=languages,
        ignore_patterns=list(NOT_OURS),
        no_obsolete=True,
        add_location="file",
        verbosity=0,
    )
    left = 0
    for language in languages:
        catalogue = catalogues.read(language)
        catalogues.write(catalogue, language)
        open_texts = [entry for entry in catalogue if not entry.translated()]
        for entry in open_texts:
            print(f"{language}: {'look at' if entry.fuzzy else 'translate'} {entry.msgid!r}")
        print(f"{language}: {len(catalogue)} texts, {len(open_texts)} left")
        left += len(open_texts)
    return 1 if left else 0


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    try:
        sys.exit(main())
    except CommandError as fault:
        sys.exit(str(fault))
