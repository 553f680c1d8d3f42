"""A local web server for one page and one person: loopback, a token, the Host header checked.

```
with Server(html, {"news": news}) as server:
    print(server.url)          http://127.0.0.1:40123/#token=…
```
Who can reach a loopback port is every program and every web page open on this machine. So the page itself holds
nothing; whatever it shows it asks for with a token, which stands in the fragment of the address and is never sent in
one. A request under another host's name (DNS rebinding), from another origin, or without the token gets nothing.
"""

import contextlib
import hmac
import secrets
import threading
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import msgspec

from arena.errors import ArenaError

HOST = "127.0.0.1"
MOST_BYTES = 4096  # of a question
IDLE_S = 60.0  # an open connection that says nothing is closed
WAIT_S = 25.0  # a question may wait so long for news

Answer = Callable[[dict[str, Any]], Any]
"""A question as JSON in, the answer as JSON data out. ArenaError says what is wrong with the question."""


class Server:
    """Serves `page` at / and each of `answers` at /NAME, in threads of its own."""

    def __init__(self, page: str, answers: Mapping[str, Answer], *, port: int = 0) -> None:
        """Bind to a free port of the loopback address. Raises ArenaError where that is not possible."""
        self.token = secrets.token_urlsafe(24)
        try:
            self._server = _Listener((HOST, port), _Handler)
        except OSError as error:
            raise ArenaError(f"no local server at port {port}: {error.strerror or error}") from error
        self._server.page = page.encode()
        self._server.answers = dict(answers)
        self._server.token = self.token
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, name="web", daemon=True
        )

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        """What to open: the token is in the fragment, which browsers keep to themselves."""
        return f"http://{HOST}:{self.port}/#token={self.token}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    page: bytes
    answers: dict[str, Answer]
    token: str


class _Handler(BaseHTTPRequestHandler):
    server: _Listener
    protocol_version = "HTTP/1.1"
    server_version = "arena"
    sys_version = ""
    timeout = IDLE_S

    def do_GET(self) -> None:
        if not self._is_for_us():
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST)
        elif self.path.partition("?")[0] != "/":
            self._refuse(HTTPStatus.NOT_FOUND)
        else:
            self._send(HTTPStatus.OK, "text/html; charset=utf-8", self.server.page)

    def do_POST(self) -> None:
        answer = self.server.answers.get(self.path.removeprefix("/"))
        length = self.headers.get("Content-Length", "")
        given = self.headers.get("Authorization", "").encode()
        if not self._is_for_us():
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST)
        elif not hmac.compare_digest(given, f"Bearer {self.server.token}".encode()):
            self._refuse(HTTPStatus.FORBIDDEN)
        elif answer is None:
            self._refuse(HTTPStatus.NOT_FOUND)
        elif not (length.isascii() and length.isdigit()) or int(length) > MOST_BYTES:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        else:
            self._answer(answer, self.rfile.read(int(length)))

    def _answer(self, answer: Answer, body: bytes) -> None:
        try:
            found = answer(msgspec.json.decode(body, type=dict[str, Any]))
        except (ArenaError, msgspec.DecodeError) as error:
            self._send(HTTPStatus.BAD_REQUEST, "application/json", msgspec.json.encode({"error": str(error)}))
            return
        self._send(HTTPStatus.OK, "application/json", msgspec.json.encode(found))

    def _is_for_us(self) -> bool:
        """Whether the request names this server, and comes from its own page if it comes from any."""
        port = self.server.server_address[1]
        ours = (f"{HOST}:{port}", f"localhost:{port}")
        origin = self.headers.get("Origin")
        return self.headers.get("Host") in ours and (origin is None or origin.removeprefix("http://") in ours)

    def _refuse(self, status: HTTPStatus) -> None:
        self.close_connection = True  # the body, if any, was not read
        self._send(status, "text/plain; charset=utf-8", f"{status.phrase}\n".encode())

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self.send_response(status)
        for name, value in (
            ("Content-Type", kind),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
            ("Content-Security-Policy", "frame-ancestors 'none'"),  # what a page's own policy cannot say
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
        ):
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        with contextlib.suppress(ConnectionError):  # the page was closed meanwhile
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class calls it so
        """Say nothing: the terminal belongs to the command."""
