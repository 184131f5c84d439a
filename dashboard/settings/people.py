"""Who may come in: accounts, tokens, lockout after failed logins."""

from datetime import timedelta

from dashboard import env
from dashboard.settings.root import PROXY_COUNT

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
