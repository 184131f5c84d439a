"""Where this installation's files lie and what kind of process this is: what the other settings rest on."""

from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from dashboard import env

BASE_DIR = Path(__file__).resolve().parents[2]
VAR_DIR = env.folder("LIKEWISE_VAR_DIR", BASE_DIR / "var")

PRODUCTION = env.choice("LIKEWISE_ENV", "local", {"local", "production"}) == "production"
# Which kind of process this is; it decides on connection pooling.
PROCESS = env.choice("LIKEWISE_PROCESS", "command", {"web", "worker", "beat", "command"})
DEBUG = env.boolean("LIKEWISE_DEBUG", default=False)
if PRODUCTION and DEBUG:
    raise ImproperlyConfigured("LIKEWISE_DEBUG: must not be true with LIKEWISE_ENV=production")
# How many reverse proxies stand in front and are trusted to name the client and the scheme.
PROXY_COUNT = env.integer("LIKEWISE_PROXY_COUNT", 0, least=0, most=5)
