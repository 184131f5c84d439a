"""Mail: a job's end to whoever started it, a message through a share to its owner."""

from dashboard import env

# Without a host nothing is sent: what would be in a mail stands in the job or the inbox anyway.
EMAIL_HOST = env.text("LIKEWISE_MAIL_HOST", "")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'dummy'}.EmailBackend"
EMAIL_PORT = env.integer("LIKEWISE_MAIL_PORT", 587, least=1, most=65_535)
EMAIL_HOST_USER = env.text("LIKEWISE_MAIL_USER", "")
EMAIL_HOST_PASSWORD = env.text("LIKEWISE_MAIL_PASSWORD", "")
EMAIL_USE_TLS = env.boolean("LIKEWISE_MAIL_TLS", default=True)
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = env.text("LIKEWISE_MAIL_FROM", "likewise@localhost")
# How pages are reached from outside, for links in mails.
LIKEWISE_PUBLIC_URL = env.text("LIKEWISE_PUBLIC_URL", "http://127.0.0.1:8000").rstrip("/")
