"""What browsers are told and whom we answer: secret, hosts, cookies, headers, the content security policy."""

import secrets

from csp.constants import NONE, SELF

from dashboard import env, stamps
from dashboard.settings.root import PRODUCTION, PROXY_COUNT, VAR_DIR

MIN_SECRET = 50


def _secret_key() -> str:
    if PRODUCTION:
        expected = f"a secret of {MIN_SECRET} characters or more, as LIKEWISE_ENV is production"
        secret = env.required("SECRET_KEY", expected)
        if len(secret) < MIN_SECRET:
            raise env.EnvError("SECRET_KEY", f"one of {len(secret)}", expected)
        return secret
    return env.text("SECRET_KEY", "") or stamps.written_once(VAR_DIR / "secret_key", secrets.token_urlsafe(64))


SECRET_KEY = _secret_key()
ALLOWED_HOSTS = env.words("LIKEWISE_ALLOWED_HOSTS") or ([] if PRODUCTION else ["localhost", "127.0.0.1", "[::1]"])
if not ALLOWED_HOSTS:
    raise env.EnvError("LIKEWISE_ALLOWED_HOSTS", None, "the host names served, as LIKEWISE_ENV is production")
CSRF_TRUSTED_ORIGINS = env.origins("LIKEWISE_CSRF_TRUSTED_ORIGINS")

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
