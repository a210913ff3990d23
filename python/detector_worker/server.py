"""The port of the worker: the WebSockets of masters, and pictures over HTTP."""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import re
from http import HTTPStatus
from urllib.parse import parse_qs, unquote, urlsplit

# Debian 12 and Ubuntu 24.04 have websockets 10. All releases since 10 have this interface.
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.legacy.protocol import broadcast
from websockets.legacy.server import WebSocketServerProtocol, serve

from .fencing import parse_term
from .metrics import METRICS_TYPE, metrics_text
from .options import Options
from .protocol import MAX_FRAME_BYTES, SUPERSEDED
from .service import Service
from .video import to_jpeg

log = logging.getLogger(__name__)

Answer = tuple[HTTPStatus, dict[str, str], bytes]

_IMAGE = re.compile(r"(?:/.*)?/camera/([^/]+)/image")
_LONGEST_NAME = 200
_STOP_TIMEOUT = 3.0  # seconds


class SocketConnection:
    """Adapts a WebSocket so that no call waits."""

    def __init__(self, socket: WebSocketServerProtocol) -> None:
        self._socket = socket
        self.confirms = _single(socket.request_headers, "X-Detector-Confirms") == "1"
        self.written = 0
        self._closing: asyncio.Task[None] | None = None

    def send(self, frame: str) -> None:
        broadcast([self._socket], frame)

    @property
    def buffered_bytes(self) -> int:
        return self._socket.transport.get_write_buffer_size()

    def close(self, code: int, reason: str) -> None:
        self._closing = asyncio.create_task(self._socket.close(code, reason))


class Server:
    """Serves one `Service` from `start` to `stop`."""

    def __init__(self, options: Options, service: Service) -> None:
        self._options = options
        self._service = service
        self._closing = False

    async def start(self) -> int:
        """
        Listens, and returns the port.
        @raises OSError when the address cannot be had
        """
        self._server = await serve(
            self._serve_master,
            self._options.host,
            self._options.port,
            process_request=self._admit,
            extra_headers={"X-Detector-Boot": self._service.boot},
            max_size=MAX_FRAME_BYTES,
            compression=None,
            close_timeout=1,
        )
        self._reports = asyncio.create_task(self._report())
        return int(next(iter(self._server.sockets)).getsockname()[1])

    async def stop(self) -> None:
        """Refuses new connections and closes the others because the worker is going away."""
        self._closing = True
        self._reports.cancel()
        self._server.close()  # with 1001
        try:
            await asyncio.wait_for(self._server.wait_closed(), _STOP_TIMEOUT)
        except asyncio.TimeoutError:
            log.warning("a master did not close its connection in time")

    async def _report(self) -> None:
        while True:
            await asyncio.sleep(self._options.report_interval / 1_000)
            self._service.report()

    async def _serve_master(self, socket: WebSocketServerProtocol) -> None:
        term = parse_term(_single(socket.request_headers, "X-Detector-Term"))
        name = (_single(socket.request_headers, "X-Detector-Master") or "unnamed")[:_LONGEST_NAME]
        if term is None or not self._service.masters.admits(term):  # another came while this one was shaking hands
            await socket.close(SUPERSEDED, f"superseded by term {self._service.masters.highest_term}")
            return
        connection = SocketConnection(socket)
        log.info("master %r connected, term %d", name, term)
        self._service.connected(connection, term)
        try:
            async for frame in socket:
                self._service.receive(connection, frame)
        except ConnectionClosed:
            pass
        finally:
            self._service.disconnected(connection)
            log.info("master %r disconnected, term %d: %s", name, term, socket.close_code)

    async def _admit(self, path: str, headers: Headers) -> Answer | None:
        """Answers requests that are not upgrades, and refuses upgrades; None accepts the upgrade."""
        parts = urlsplit(path)
        route = parts.path
        if route == "/health/live":
            return _json(HTTPStatus.OK, {"status": "ok"})
        if not self._authorised(headers):
            return _text(HTTPStatus.UNAUTHORIZED, "a bearer token is needed", {"WWW-Authenticate": "Bearer"})
        if route == "/metrics":
            return HTTPStatus.OK, {"Content-Type": METRICS_TYPE}, metrics_text(self._service).encode()
        if route == "/stats":
            return _json(HTTPStatus.OK, self._service.stats())
        image = _IMAGE.fullmatch(route)
        if image is not None:
            return await self._image(unquote(image[1]), parse_qs(parts.query).get("picture"))
        if self._closing:
            return _text(HTTPStatus.SERVICE_UNAVAILABLE, "shutting down")
        term = parse_term(_single(headers, "X-Detector-Term"))
        if term is None:
            return _text(HTTPStatus.BAD_REQUEST, "X-Detector-Term must be a decimal integer below 2^53")
        if not self._service.masters.admits(term):
            return _text(HTTPStatus.CONFLICT, f"superseded by term {self._service.masters.highest_term}")
        return None

    def _authorised(self, headers: Headers) -> bool:
        if self._options.token is None:
            return True
        scheme, _, token = (_single(headers, "Authorization") or "").partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(token.strip().encode(), self._options.token.encode())

    async def _image(self, identifier: str, picture: list[str] | None) -> Answer:
        headers = {"Content-Type": "image/jpeg", "Cache-Control": "no-store"}
        if picture is not None:
            kept = self._service.pictures.find(identifier, picture[0])
            if kept is None:
                return _text(HTTPStatus.NOT_FOUND, "this picture is not kept")
            return HTTPStatus.OK, headers, kept
        frame = self._service.subscriptions.last_frame(identifier)
        if frame is None:
            return _text(HTTPStatus.NOT_FOUND, "no such subscription, or no frame of its camera")
        jpeg = await asyncio.get_running_loop().run_in_executor(None, to_jpeg, frame)
        return HTTPStatus.OK, headers, jpeg


def _single(headers: Headers, name: str) -> str | None:
    """A repeated header is as invalid as a wrong one."""
    values = headers.get_all(name)
    return None if not values else ",".join(values)


def _text(status: HTTPStatus, reason: str, headers: dict[str, str] | None = None) -> Answer:
    return status, {"Content-Type": "text/plain; charset=utf-8", **(headers or {})}, f"{reason}\n".encode()


def _json(status: HTTPStatus, body: object) -> Answer:
    return status, {"Content-Type": "application/json"}, json.dumps(body).encode()
