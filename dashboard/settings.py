"""Every setting, in one place. What differs between installations comes from the environment (README, "Settings")."""

import logging
import os
import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any

import django_stubs_ext
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from dashboard import catalogues, env, filebroker, logs, stamps

django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = env.folder("LIKEWISE_VAR_DIR", BASE_DIR / "var")

PRODUCTION = env.choice("LIKEWISE_ENV", "local", {"local", "production"}) == "production"
# Which kind of process this is; it decides on connection pooling.
PROCESS = env.choice("LIKEWISE_PROCESS", "command", {"web", "worker", "beat", "command"})
DEBUG = env.boolean("LIKEWISE_DEBUG", default=False)
if PRODUCTION and DEBUG:
    raise ImproperlyConfigured("LIKEWISE_DEBUG: must not be true with LIKEWISE_ENV=production")


def _secret_key() -> str:
    if PRODUCTION:
        return env.required("SECRET_KEY", "a secret of 50 characters or more, as LIKEWISE_ENV is production")
    return env.text("SECRET_KEY", "") or stamps.written_once(VAR_DIR / "secret_key", secrets.token_urlsafe(64))


SECRET_KEY = _secret_key()
ALLOWED_HOSTS = env.words("LIKEWISE_ALLOWED_HOSTS") or ([] if PRODUCTION else ["localhost", "127.0.0.1", "[::1]"])
if not ALLOWED_HOSTS:
    raise env.EnvError("LIKEWISE_ALLOWED_HOSTS", None, "the host names served, as LIKEWISE_ENV is production")
CSRF_TRUSTED_ORIGINS = env.origins("LIKEWISE_CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "dashboard.apps.DashboardConfig",
    "runs",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "dashboard.apps.StaticFiles",
    "rest_framework",
    "knox",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_htmx",
    "csp",
    "axes",
    "django_structlog",
    "django_celery_beat",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "dashboard.private.PrivateMiddleware",
    "dashboard.plain.PlainAddressMiddleware",
    "csp.middleware.CSPMiddleware",
    "dashboard.health.HealthMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "dashboard.access.AccessMiddleware",
    "dashboard.language.LanguageMiddleware",
    "dashboard.actor.ActorMiddleware",
    "django_structlog.middlewares.RequestMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "dashboard.urls"
WSGI_APPLICATION = "dashboard.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "dashboard.context.reader",
            ],
        },
    },
]

# --- Database, cache, broker ------------------------------------------------------------------------------------------


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

# --- Remote benchmarks ------------------------------------------------------------------------------------------------

LIKEWISE_JOB_POLL_S = env.integer("LIKEWISE_JOB_POLL_MS", 1000, least=50, most=60_000) / 1000
# How long one task watches a job before it lets another target's have its worker.
LIKEWISE_JOB_SLICE_S = env.integer("LIKEWISE_JOB_SLICE_S", 5, least=1, most=60)
# How long a worker may be silent before another takes its job up, and a target before its job is lost.
LIKEWISE_JOB_LEASE_S = env.integer("LIKEWISE_JOB_LEASE_S", 60, least=1, most=3600)
LIKEWISE_JOB_LOST_S = env.integer("LIKEWISE_JOB_LOST_S", 900, least=1, most=86_400)
LIKEWISE_JOB_GRACE_S = env.integer("LIKEWISE_JOB_GRACE_S", 10, least=0, most=600)
LIKEWISE_JOB_SAMPLE_S = env.integer("LIKEWISE_JOB_SAMPLE_MS", 1000, least=100, most=60_000) / 1000
LIKEWISE_JOB_CLOCK_S = env.integer("LIKEWISE_JOB_CLOCK_MS", 2000, least=10, most=60_000) / 1000
LIKEWISE_JOB_CONNECT_S = env.integer("LIKEWISE_JOB_CONNECT_S", 10, least=1, most=120)
LIKEWISE_JOB_OUTPUT_BYTES = env.integer("LIKEWISE_JOB_OUTPUT_BYTES", 16 * 1024**2, least=1024, most=1024**3)
LIKEWISE_SIMULATOR_PORT = env.integer("LIKEWISE_SIMULATOR_PORT", 8791, least=1, most=65_535)
CELERY_BEAT_SCHEDULE = {
    "jobs: look after silent ones": {
        "task": "runs.tasks.sweep_jobs",
        "schedule": float(env.integer("LIKEWISE_JOB_SWEEP_S", 15, least=1, most=600)),
        # A sweep that waited in the queue longer than this is one too many.
        "options": {"expires": 60},
    },
}
CELERY_BEAT_MAX_LOOP_INTERVAL = 1

# --- People, tokens, protection ---------------------------------------------------------------------------------------

AUTH_USER_MODEL = "runs.User"
# Whoever reaches the server may read runs and comparisons without a login; changing anything still needs one.
LIKEWISE_PUBLIC_READ = env.boolean("LIKEWISE_PUBLIC_READ", default=False)
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"

# Its migrations make a table for the token model that ours replaces: unused, and in the way of a flush on PostgreSQL.
MIGRATION_MODULES = {"knox": None}
KNOX_TOKEN_MODEL = "runs.ApiToken"  # noqa: S105
REST_KNOX = {"TOKEN_TTL": timedelta(days=90), "AUTH_HEADER_PREFIX": "Token", "TOKEN_PREFIX": "lw_"}

# How many reverse proxies stand in front and are trusted to name the client and the scheme.
PROXY_COUNT = env.integer("LIKEWISE_PROXY_COUNT", 0, least=0, most=5)
AXES_VERBOSE = False
AXES_FAILURE_LIMIT = 10
AXES_LOCKOUT_CALLABLE = "dashboard.lockout.locked_out"
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True
AXES_IPWARE_PROXY_COUNT = PROXY_COUNT
# Without a proxy the client could name any address of its own in these headers.
AXES_IPWARE_META_PRECEDENCE_ORDER = ["HTTP_X_FORWARDED_FOR"] if PROXY_COUNT else ["REMOTE_ADDR"]

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = PRODUCTION
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
if PRODUCTION:
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True
if PROXY_COUNT:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# Plotly inserts one <style> for its maps, on every page that loads it; a test recomputes this from the pinned package.
PLOTLY_MAP_STYLE = "'sha256-ji27qzEtxXZW+7dun6UwjHXJ18e6WAin1VvNtkzIE/o='"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF, PLOTLY_MAP_STYLE],
        "img-src": [SELF, "data:", "blob:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    },
}

# --- Mail -------------------------------------------------------------------------------------------------------------

# Without a host nothing is sent: what would be in a mail stands in the inbox anyway.
EMAIL_HOST = env.text("LIKEWISE_EMAIL_HOST", "")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'dummy'}.EmailBackend"
EMAIL_PORT = env.integer("LIKEWISE_EMAIL_PORT", 587, least=1, most=65535)
EMAIL_HOST_USER = env.text("LIKEWISE_EMAIL_USER", "")
EMAIL_HOST_PASSWORD = env.text("LIKEWISE_EMAIL_PASSWORD", "")
EMAIL_USE_TLS = env.boolean("LIKEWISE_EMAIL_TLS", default=True)
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = env.text("LIKEWISE_EMAIL_FROM", "likewise@localhost")
# How pages are reached from outside, for links in mails.
LIKEWISE_URL = env.text("LIKEWISE_URL", "http://127.0.0.1:8000").rstrip("/")

# --- API --------------------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "dashboard.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_RENDERER_CLASSES": ["dashboard.api.codecs.JsonRenderer"],
    "DEFAULT_PARSER_CLASSES": ["dashboard.api.codecs.JsonParser"],
    "EXCEPTION_HANDLER": "dashboard.api.errors.handle",
    "URL_FORMAT_OVERRIDE": None,
    "DEFAULT_THROTTLE_CLASSES": [
        "rest_framework.throttling.UserRateThrottle",
        "rest_framework.throttling.AnonRateThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "user": env.text("LIKEWISE_THROTTLE_USER", "1200/minute"),
        "anon": env.text("LIKEWISE_THROTTLE_ANONYMOUS", "60/minute"),
    },
    "NUM_PROXIES": PROXY_COUNT,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Likewise",
    "DESCRIPTION": "Published and measured LLM-inference benchmark runs, with every caveat on every number.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "OAS_VERSION": "3.1.1",
    "POSTPROCESSING_HOOKS": ["dashboard.api.schema.add_shapes"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
}

# --- Files ------------------------------------------------------------------------------------------------------------

LIKEWISE_MAX_FILE_BYTES = env.integer("LIKEWISE_MAX_FILE_BYTES", 256 * 1024**2, least=1024, most=64 * 1024**3)
# All files of one upload together.
LIKEWISE_MAX_UPLOAD_BYTES = env.integer(
    "LIKEWISE_MAX_UPLOAD_BYTES", 4 * LIKEWISE_MAX_FILE_BYTES, least=1024, most=256 * 1024**3
)
# What an archive may unpack to.
LIKEWISE_MAX_ARCHIVE_BYTES = env.integer("LIKEWISE_MAX_ARCHIVE_BYTES", 1024**4, least=1024, most=1024**5)
FILE_UPLOAD_TEMP_DIR = VAR_DIR / "uploads"
FILE_UPLOAD_TEMP_DIR.mkdir(mode=0o700, exist_ok=True)

STATIC_URL = "static/"
STATIC_ROOT = Path(env.text("LIKEWISE_STATIC_ROOT", str(VAR_DIR / "static"))).resolve()
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "dashboard.staticfiles.PlotlyFinder",
]
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
STORAGES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": VAR_DIR / "media"}},
    "staticfiles": {"BACKEND": "dashboard.staticfiles.StaticStorage"},
    # Any django-storages back end, by its dotted path and a JSON object of options.
    "artifacts": {
        "BACKEND": env.text("LIKEWISE_ARTIFACTS_BACKEND", "django.core.files.storage.FileSystemStorage"),
        "OPTIONS": env.json_object("LIKEWISE_ARTIFACTS_OPTIONS") or {"location": str(VAR_DIR / "artifacts")},
    },
}

# Pictures are drawn by matplotlib, which keeps a list of fonts.
os.environ.setdefault("MPLCONFIGDIR", str(VAR_DIR / "matplotlib"))

# --- Language, time, log ----------------------------------------------------------------------------------------------

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("nl", "Nederlands")]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SECURE = PRODUCTION
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
catalogues.compile_all(BASE_DIR / "locale")

LOG_FORMAT = env.choice("LIKEWISE_LOG_FORMAT", "json" if PRODUCTION else "console", {"json", "console"})
LOG_LEVEL = env.choice("LIKEWISE_LOG_LEVEL", "INFO", {"DEBUG", "INFO", "WARNING", "ERROR"})
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = logging.DEBUG  # one line a request is enough
LOGGING = logs.configuration(form=LOG_FORMAT, level=LOG_LEVEL)
