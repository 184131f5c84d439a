"""Who asks the server: a program with a token, a person with a session. One kept connection each."""

import http.client
import io
import json
import re
from collections.abc import Sequence
from http.cookies import SimpleCookie
from urllib.parse import urlencode, urlsplit

from tests import live


class Client:
    """One kept connection."""

    def __init__(self, server: live.Server) -> None:
        self.http = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=120)
        self.headers: dict[str, str] = {}

    def ask(self, method: str, path: str, body: bytes | None = None, kind: str = "", status: int = 200) -> bytes:
        headers = {**self.headers, **({"Content-Type": kind} if kind else {})}
        self.http.request(method, path, body, headers)
        self.answer = self.http.getresponse()
        content = self.answer.read()
        if self.answer.status != status:
            raise AssertionError(f"{method} {path}: {self.answer.status} {content[:500]!r}")
        return content

    def get(self, path: str) -> bytes:
        return self.ask("GET", path)


class Program(Client):
    """Logged in by token."""

    def __init__(self, server: live.Server) -> None:
        super().__init__(server)
        login = json.dumps({"username": server.admin_username, "password": server.admin_password}).encode()
        token = json.loads(self.ask("POST", "/api/v1/auth/login", login, "application/json", 201))["token"]
        self.headers = {"Authorization": f"Token {token}"}

    def json(self, path: str) -> dict[str, list[dict[str, object]]]:
        found: dict[str, list[dict[str, object]]] = json.loads(self.get(path))
        return found


class Person(Client):
    """Logged in through the form, with a session."""

    def __init__(self, server: live.Server) -> None:
        super().__init__(server)
        page = self.get("/login/").decode()
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        self._keep_cookies()
        form = {"username": server.admin_username, "password": server.admin_password,
                "csrfmiddlewaretoken": token[1] if token else ""}  # fmt: skip
        self.ask("POST", "/login/", urlencode(form).encode(), "application/x-www-form-urlencoded", 302)
        self._keep_cookies()

    def _keep_cookies(self) -> None:
        jar = SimpleCookie(self.headers.get("Cookie", ""))
        for given in self.answer.headers.get_all("Set-Cookie") or ():
            jar.update(SimpleCookie(given))
        self.headers = {"Cookie": "; ".join(f"{name}={one.value}" for name, one in jar.items())}


def multipart(parts: Sequence[tuple[str, str, bytes]]) -> bytes:
    body = io.BytesIO()
    for name, file, content in parts:
        named = f'; filename="{file}"' if file else ""
        body.write(f'--bench\r\nContent-Disposition: form-data; name="{name}"{named}\r\n\r\n'.encode())
        body.write(content)
        body.write(b"\r\n")
    body.write(b"--bench--\r\n")
    return body.getvalue()
