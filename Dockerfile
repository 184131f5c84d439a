# syntax=docker/dockerfile:1
FROM python:3.11-slim-bookworm AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/venv
COPY requirements.txt .
RUN /opt/venv/bin/pip install -r requirements.txt

FROM python:3.11-slim-bookworm
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    LIKEWISE_ENV=production \
    LIKEWISE_VAR_DIR=/var/lib/likewise \
    LIKEWISE_STATIC_ROOT=/srv/static
RUN useradd --system --uid 10001 --home-dir /var/lib/likewise --create-home likewise
COPY --from=build /opt/venv /opt/venv
WORKDIR /app
COPY . .
# A throwaway installation collects the static files; what it would keep as secrets is left in a folder of this layer's.
RUN mkdir /srv/static \
    && LIKEWISE_ENV=local LIKEWISE_VAR_DIR=/tmp/build python manage.py collectstatic --noinput \
    && rm -rf /tmp/build
USER likewise
VOLUME /var/lib/likewise
EXPOSE 8000
CMD ["python", "-m", "tools.serve", "web"]
