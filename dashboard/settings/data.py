"""Database, cache and broker; Celery's ways with messages."""

from typing import Any

from dashboard import env, filebroker
from dashboard.settings.root import PROCESS, VAR_DIR


def _database() -> dict[str, Any]:
    found = env.database("DATABASE_URL")
    if found is None:
        # IMMEDIATE: a transaction that begins as a reader and then writes fails at once, whatever the timeout.
        pragmas = "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL"
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": VAR_DIR / "likewise.sqlite3",
            "CONN_MAX_AGE": None,
            "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": pragmas},
        }
    # Persistent connections run out under many web threads; a pool in a prefork worker would be shared by its children.
    found["CONN_MAX_AGE"] = 0
    if PROCESS == "web":
        found.setdefault("OPTIONS", {})["pool"] = {"min_size": 2, "max_size": 8, "timeout": 20}
    return found


DATABASES = {"default": _database()}

REDIS_URL = env.redis("REDIS_URL")
# Keeps two installations on one Redis apart.
NAMESPACE = env.text("LIKEWISE_NAMESPACE", "likewise")
if REDIS_URL:
    CACHES: dict[str, dict[str, Any]] = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": NAMESPACE,
        },
    }
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {"global_keyprefix": f"{NAMESPACE}:"}
else:
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
            "LOCATION": VAR_DIR / "cache",
            "OPTIONS": {"MAX_ENTRIES": 2000},
        },
    }
    CELERY_BROKER_URL = "filesystem://localhost//"
    CELERY_BROKER_TRANSPORT = "dashboard.filebroker:Transport"
    CELERY_BROKER_TRANSPORT_OPTIONS = filebroker.transport_options(VAR_DIR / "broker")
    # Broadcasts would pile up as files for every worker that ever was.
    CELERY_WORKER_ENABLE_REMOTE_CONTROL = False

# A message only wakes a worker; what is to be done stands in a row (docs/decisions).
CELERY_TASK_ACKS_LATE = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "likewise"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 5.0
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BEAT_SCHEDULER = "django_celery_beat.schedulers:DatabaseScheduler"
CELERY_TIMEZONE = "UTC"
