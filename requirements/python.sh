#!/bin/sh
# Prints the Python that the environment is made with: the first of these that is new enough.
for candidate in "${PYTHON:-python3}" python3 python3.13 python3.12 python3.11 python3.14 python; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        command -v "$candidate"
        exit 0
    fi
done
echo "Concertmaster needs Python 3.11 or newer, and none was found (python3 is: $(python3 --version 2>&1))." >&2
echo "Install one (Debian: apt install python3 python3-venv) or name it: make PYTHON=/path/to/python3.12 ..." >&2
exit 1
