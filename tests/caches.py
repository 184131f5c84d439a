"""The cache of one installation under test."""

from django.conf import settings
from django.core.cache import cache


def forget() -> None:
    """Empties this installation's cache alone. ``cache.clear`` would empty the whole Redis database, which another
    worker of the tests, or somebody's own Likewise, uses too."""
    if not settings.REDIS_URL:
        cache.clear()
        return
    client = cache._cache.get_client(write=True)  # type: ignore[attr-defined]
    for key in client.scan_iter(match=f"{settings.NAMESPACE}:*"):
        client.delete(key)
