"""Against a real server: identical uploads at once, and a body that comes in chunks."""

import http.client
import json
import socket
import uuid
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

from tests import live
from tests.builders import windowed_result


def request(
    server: live.Server, method: str, path: str, body: bytes = b"", **headers: str
) -> tuple[int, dict[str, object]]:
    link = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=60)
    link.request(
        method, f"/api/v1{path}", body or None, {name.replace("_", "-"): value for name, value in headers.items()}
    )
    answer = link.getresponse()
    found = json.loads(answer.read() or b"{}")
    link.close()
    return answer.status, found


def token(server: live.Server) -> str:
    login = {"username": server.admin_username, "password": server.admin_password, "scopes": ["read", "write", "jobs"]}
    status, body = request(server, "POST", "/auth/login", json.dumps(login).encode(), Content_Type="application/json")
    assert status == 201
    return f"Token {body['token']}"


def test_identical_uploads_at_once_make_one_run(server: live.Server) -> None:
    authorization = token(server)
    content = windowed_result(model_id=f"example/{uuid.uuid4().hex}")
    body = b'--x\r\nContent-Disposition: form-data; name="file"; filename="r.json"\r\n\r\n' + content + b"\r\n--x--\r\n"

    def upload(_number: int) -> tuple[int, dict[str, object]]:
        kind = "multipart/form-data; boundary=x"
        return request(server, "POST", "/uploads", body, Content_Type=kind, Authorization=authorization)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(upload, range(8)))
    assert sorted(status for status, _body in answers) == [200] * 7 + [201]
    assert len({body["runs"][0]["id"] for _status, body in answers}) == 1  # type: ignore[index]


def test_a_chunked_body_is_asked_for_its_length(server: live.Server) -> None:
    parts = urlsplit(server.url)
    head = (
        f"POST /api/v1/uploads HTTP/1.1\r\nHost: {parts.netloc}\r\nAuthorization: {token(server)}\r\n"
        "Content-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        "5\r\nhello\r\n0\r\n\r\n"
    )
    with socket.create_connection((parts.hostname or "", parts.port or 80), timeout=30) as link:
        link.sendall(head.encode())
        answer = b""
        while piece := link.recv(65536):
            answer += piece
    assert answer.startswith(b"HTTP/1.1 411")
    assert b'"code":"length_required"' in answer
