"""The log."""

import logging

from dashboard import env, logs
from dashboard.settings.root import PRODUCTION

LOG_FORMAT = env.choice("LIKEWISE_LOG_FORMAT", "json" if PRODUCTION else "console", {"json", "console"})
LOG_LEVEL = env.choice("LIKEWISE_LOG_LEVEL", "INFO", {"DEBUG", "INFO", "WARNING", "ERROR"})
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = logging.DEBUG  # one line a request is enough
LOGGING = logs.configuration(form=LOG_FORMAT, level=LOG_LEVEL)
