"""A stand-in for an inference server, and it says so: it streams made-up tokens at a set pace, with no model behind.

It serves the one model ``likewise-simulator`` by the OpenAI-compatible routes that benchmark clients use. Runs made
against it are marked simulated and never compared as measured.
"""

import argparse
import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

MODEL = "likewise-simulator"
SAYS = "Likewise simulator: no model, no GPU; tokens at a set pace"
MOST_TOKENS = 4096
MOST_BODY = 4 * 1024 * 1024


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    first_token_s: ClassVar[float] = 0.05
    token_s: ClassVar[float] = 0.01

    def do_GET(self) -> None:
        if self.path.split("?")[0] == "/v1/models":
            listed = [{"id": MODEL, "object": "model", "created": 0, "owned_by": SAYS}]
            self._answer(200, {"object": "list", "data": listed})
        elif self.path in ("/", "/health"):
            self._answer(200, {"status": SAYS})
        else:
            self._answer(404, {"error": {"message": "unknown path", "type": "not_found"}})

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        if not 0 < length <= MOST_BODY:
            self._answer(413, {"error": {"message": "a JSON body of at most 4 MiB", "type": "invalid"}})
            return
        try:
            asked = json.loads(self.rfile.read(length))
        except ValueError:
            asked = None
        chat = self.path.split("?")[0] == "/v1/chat/completions"
        if not isinstance(asked, dict) or not (chat or self.path.split("?")[0] == "/v1/completions"):
            self._answer(400, {"error": {"message": "unknown request", "type": "invalid"}})
            return
        self._complete(asked, chat=chat)

    def _complete(self, asked: dict[str, Any], *, chat: bool) -> None:
        wanted = asked.get("max_completion_tokens") or asked.get("max_tokens") or 16
        tokens = max(1, min(MOST_TOKENS, int(wanted)))
        words = _length(asked)
        usage = {"prompt_tokens": words, "completion_tokens": tokens, "total_tokens": words + tokens}
        if not asked.get("stream"):
            time.sleep(self.first_token_s + tokens * self.token_s)
            part = {"message": {"role": "assistant", "content": "a" * tokens}} if chat else {"text": "a" * tokens}
            choice = {"index": 0, "finish_reason": "length", **part}
            self._answer(200, self._body(chat, [choice], stream=False) | {"usage": usage})
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("X-Likewise-Simulator", SAYS)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self._stream(asked, tokens, usage, chat=chat)

    def _stream(self, asked: dict[str, Any], tokens: int, usage: dict[str, int], *, chat: bool) -> None:
        due = time.monotonic() + self.first_token_s
        for number in range(tokens):
            time.sleep(max(0.0, due - time.monotonic()))
            due += self.token_s
            end = "length" if number == tokens - 1 else None
            part: dict[str, Any] = {"delta": {"content": "a"}} if chat else {"text": "a"}
            self._event(self._body(chat, [{"index": 0, "finish_reason": end, **part}], stream=True))
        if (asked.get("stream_options") or {}).get("include_usage"):
            self._event(self._body(chat, [], stream=True) | {"usage": usage})
        self._chunk(b"data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def _body(self, chat: bool, choices: list[dict[str, Any]], *, stream: bool) -> dict[str, Any]:
        kind = ("chat.completion" if chat else "text_completion") + (".chunk" if stream and chat else "")
        return {"id": "simulated", "object": kind, "created": 0, "model": MODEL, "choices": choices}

    def _event(self, body: dict[str, Any]) -> None:
        self._chunk(b"data: " + json.dumps(body).encode() + b"\n\n")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _answer(self, status: int, body: dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("X-Likewise-Simulator", SAYS)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments: Any) -> None:
        """Quiet: a benchmark sends thousands of requests."""


def _length(asked: dict[str, Any]) -> int:
    """A prompt's length in bytes, which are the tokens of the byte-level tokenizer that the demo's client uses."""
    messages = asked.get("messages")
    parts = [one.get("content") for one in messages if isinstance(one, dict)] if isinstance(messages, list) else []
    return len("".join(str(part) for part in parts or [asked.get("prompt", "")]).encode())


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512

    def handle_error(self, *arguments: Any) -> None:
        """A client that hangs up is no news."""


def main() -> None:
    parser = argparse.ArgumentParser(description=SAYS)
    parser.add_argument("--port", type=int, default=8791)
    parser.add_argument("--first-token-ms", type=float, default=50)
    parser.add_argument("--token-ms", type=float, default=10)
    given = parser.parse_args()
    Handler.first_token_s, Handler.token_s = given.first_token_ms / 1000, given.token_ms / 1000
    Server(("127.0.0.1", given.port), Handler).serve_forever()


if __name__ == "__main__":
    main()
