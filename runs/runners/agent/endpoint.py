"""Whether an endpoint answers and serves a model, asked from the target, where its address means something."""

from __future__ import annotations

import ipaddress
import json
import socket
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlsplit

METADATA = ("fd00:ec2::254", "100.100.100.200", "168.63.129.16", "192.0.0.192", "fd20:ce::254")
NAMES = ("metadata.google.internal", "metadata.goog", "metadata", "instance-data", "instance-data.ec2.internal")
# Networks whose last four bytes are an IPv4 address: as a translator (NAT64) and the old "compatible" form write it.
CARRIERS = tuple(ipaddress.ip_network(one) for one in ("64:ff9b::/96", "64:ff9b:1::/48", "::/96"))
MAX_ANSWER = 4 * 1024 * 1024


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


def forbidden(address: str) -> bool:
    """Whether an address is link-local or a cloud's metadata service, also written as IPv4 in IPv6."""
    try:
        found = ipaddress.ip_address(address.split("%", maxsplit=1)[0])
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None) or getattr(found, "sixtofour", None)
    if mapped is None and any(found in network for network in CARRIERS):
        mapped = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
    return found.is_link_local or str(found) in METADATA or (mapped is not None and forbidden(str(mapped)))


def addresses(host: str, port: int) -> list[str]:
    return sorted({str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)})


def check(url: str, model: str, allow_link_local: bool, timeout_s: float) -> dict[str, Any]:
    """``ok`` with the models served, or a reason in words."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    try:
        found = addresses(host, port)
    except OSError as error:
        return _no(f"the name {host!r} has no address on the target: {error}")
    banned = [one for one in found if forbidden(one)]
    if (banned or host.lower().rstrip(".") in NAMES) and not allow_link_local:
        return _no(f"{host!r} is a link-local or metadata address ({', '.join(banned) or host}); the target forbids it")
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirect)
    try:
        with opener.open(f"{url.rstrip('/')}/v1/models", timeout=timeout_s) as answer:
            told = json.loads(answer.read(MAX_ANSWER))
            simulator = answer.headers.get("X-Likewise-Simulator", "")
    except (OSError, ValueError, urllib.error.URLError) as error:
        return _no(f"{url}/v1/models does not answer as a server should: {error}")
    listed = told.get("data") if isinstance(told, dict) else None
    models = listed if isinstance(listed, list) else []
    names = [str(one.get("id", ""))[:300] for one in models if isinstance(one, dict)]
    if model not in names:
        return {**_no(f"the endpoint does not serve {model!r}; it serves: {', '.join(names[:20]) or 'nothing'}"),
                "models": names[:100]}  # fmt: skip
    return {"ok": True, "reason": "", "models": names[:100], "simulator": simulator[:200]}


def _no(reason: str) -> dict[str, Any]:
    return {"ok": False, "reason": reason[:600], "models": [], "simulator": ""}
