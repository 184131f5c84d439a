"""How often one address tried a passphrase lately. Nothing of the address is kept but a keyed digest, for an hour."""

import ipaddress

from django.core.cache import cache
from django.utils.crypto import salted_hmac

MAX_TRIES_OF_ADDRESS = 10
"""Wrong passphrases, of any shares together, that one address has in an hour before it must wait."""

SECONDS = 3600
PREFIX = "tries"


def count_try(address: str) -> bool:
    """Counts one; False where the address has had its tries. Counted before anything is looked at.

    Where the cache is files, two at the same moment may count as one: what bounds guessing for certain is the limit of
    the share itself, in the database.
    """
    key = key_of(address)
    cache.add(key, 0, timeout=SECONDS)
    try:
        return cache.incr(key) <= MAX_TRIES_OF_ADDRESS
    except ValueError:
        return True  # ran out this very moment


def may_try(address: str) -> bool:
    return int(cache.get(key_of(address), 0)) < MAX_TRIES_OF_ADDRESS


def take_back(address: str) -> None:
    """The right passphrase was no wrong one."""
    try:
        cache.decr(key_of(address))
    except ValueError:
        return


def key_of(address: str) -> str:
    """By a digest under the installation's secret. A network of IPv6 counts as one: its hosts are for the taking."""
    try:
        found = ipaddress.ip_address(address.strip())
    except ValueError:
        named = "unknown"
    else:
        named = str(ipaddress.ip_network((found, 64), strict=False) if found.version == 6 else found)
    return f"{PREFIX}:{salted_hmac('likewise.tries', named, algorithm='sha256').hexdigest()}"
