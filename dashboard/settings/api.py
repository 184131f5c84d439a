"""The API and its description."""

from dashboard import env
from dashboard.settings.root import PROXY_COUNT

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
    "PATH_CONVERTER_OVERRIDES": {"row": {"type": "integer", "minimum": 0, "maximum": 10**18 - 1}},
    "COMPONENT_SPLIT_REQUEST": True,
}
