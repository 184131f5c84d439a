"""Structured logging: readable lines while developing, JSON lines in production."""

import re
from typing import Any

import structlog

SHARE_TOKEN = re.compile(r"/s/[^/\s?'\"]+")


def hide_tokens(_logger: Any, _name: str, event: structlog.types.EventDict) -> structlog.types.EventDict:
    """A share's address is its key: whoever reads the log must not be able to open it."""
    for key, value in event.items():
        if isinstance(value, str) and "/s/" in value:
            event[key] = SHARE_TOKEN.sub("/s/…", value)
    return event


SHARED: list[structlog.types.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    hide_tokens,
]
RENDERERS: dict[str, list[structlog.types.Processor]] = {
    "json": [structlog.processors.dict_tracebacks, structlog.processors.JSONRenderer()],
    "console": [structlog.dev.ConsoleRenderer(colors=False)],
}


def configuration(*, form: str, level: str) -> dict[str, Any]:
    """Sets structlog up and returns what Django's LOGGING needs to send the standard library's records the same way."""
    structlog.configure(
        processors=[*SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    structured = {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": SHARED,
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *RENDERERS[form]],
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"structured": structured},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "structured"}},
        "root": {"handlers": ["console"], "level": level},
        # django_structlog logs every request itself, with its id and user.
        "loggers": {"django.request": {"level": "ERROR"}, "axes": {"level": "WARNING"}},
    }
