# One image for the four kinds of process: web (the default), sockets, worker and beat. docker-compose.yml starts them.
FROM python:3.13-slim-bookworm AS packages

ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
COPY requirements/base.txt /tmp/base.txt
RUN python -m venv /venv && /venv/bin/pip install --quiet --require-hashes -r /tmp/base.txt


FROM python:3.13-slim-bookworm

ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DJANGO_SETTINGS_MODULE=config.settings.production \
    STATIC_ROOT=/srv/static \
    COMPILED=/srv/compiled \
    NUMBA_CACHE_DIR=/tmp/compiled

RUN useradd --system --home-dir /srv --shell /usr/sbin/nologin concertmaster \
    && install -d -o concertmaster -g concertmaster /srv/static /srv/compiled
COPY --from=packages /venv /venv
WORKDIR /srv/app
# What does not belong into the image is listed in .dockerignore.
COPY . .
# Compiled here, for nothing is written at a start: else each process would compile all of it again.
RUN python -m compileall -q config engine games league

USER concertmaster
# Collecting static files needs settings, but none of their secrets.
RUN SECRET_KEY=only-while-building DATABASE_URL=postgresql:///none REDIS_URL=redis://none \
    EMAIL_URL=dummymail:// ALLOWED_HOSTS=none python manage.py collectstatic --noinput --verbosity 0
# The search for best play and the expert robot are compiled here, once: a worker then has them from its first deal on.
RUN NUMBA_CACHE_DIR=$COMPILED python -m engine compile all > /dev/null

# numba takes nothing from a folder that it cannot write to, and the containers' disk is read-only but for /tmp. Where
# there is no room, or the processor is not that of the image, it is compiled again.
ENTRYPOINT ["sh", "-c", "mkdir -p \"$NUMBA_CACHE_DIR\" && cp -R \"$COMPILED/.\" \"$NUMBA_CACHE_DIR\"; exec \"$@\"", "start"]

EXPOSE 8000

# One thread a process makes the pages, the event loop collects bodies (config/wsgi.py); WEB_PROCESSES says how many.
CMD ["sh", "-c", "exec granian --interface asginl --host 0.0.0.0 --port 8000 --no-ws --workers ${WEB_PROCESSES:-2} --respawn-failed-workers --log-level warning config.wsgi:whole_requests"]
