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
    NUMBA_CACHE_DIR=/srv/compiled

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
# The search for best play is compiled here, once: a worker then has it from its first deal on.
RUN echo '[{"hands": ["AKQJ.T98.765.432", "T98.AKQJ.432.765"]}]' | python -m engine par - > /dev/null

EXPOSE 8000

# One thread a process was the fastest (docs/production.md); WEB_PROCESSES says how many processes.
CMD ["sh", "-c", "exec granian --interface wsgi --host 0.0.0.0 --port 8000 --no-ws --workers ${WEB_PROCESSES:-2} --blocking-threads 1 --respawn-failed-workers --log-level warning config.wsgi:application"]
