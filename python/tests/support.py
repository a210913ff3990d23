"""Helpers for several tests."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeVar

import numpy
from jsonschema import Draft202012Validator

from detector_worker.protocol import Subscription
from detector_worker.video import cv2

SCHEMAS = Path(
    os.environ.get("WORKER_PROTOCOL_SCHEMAS")
    or Path(__file__).resolve().parents[2] / "libs" / "worker-protocol" / "schemas"
)
TIMEOUT = 60.0  # seconds: no test measures time by it

Value = TypeVar("Value")


@cache
def _validator(folder: str, kind: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((SCHEMAS / folder / f"{kind}.schema.json").read_text(encoding="utf-8")))


def schema_errors(folder: str, kind: str, message: Any) -> list[str]:
    """Errors by the published schema of `commands` or `messages`."""
    return [error.message for error in _validator(folder, kind).iter_errors(message)]


def subscribe_payload(
    identifier: str, url: str = "rtsp://user:secret@camera.test:8554/main?key=secret"
) -> dict[str, Any]:
    return {
        "subscriptionIdentifier": identifier,
        "rtspUrl": url,
        "modelUrl": "http://models.test/motion?signature=secret",
        "modelName": "motion",
        "modelId": 12,
    }


def subscription(identifier: str, url: str, **more: Any) -> Subscription:
    return Subscription(identifier=identifier, rtsp_url=url, model_id=12, model_name="motion", **more)


def eventually(what: str, read: Callable[[], Value]) -> Value:
    """Returns the result of `read` as soon as it is true."""
    deadline = time.monotonic() + TIMEOUT
    while True:
        value = read()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {TIMEOUT:.0f} s for {what}; last: {value!r}")
        time.sleep(0.02)


async def eventually_async(what: str, read: Callable[[], Value]) -> Value:
    """The same, without blocking the event loop."""
    deadline = time.monotonic() + TIMEOUT
    while True:
        value = read()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {TIMEOUT:.0f} s for {what}; last: {value!r}")
        await asyncio.sleep(0.02)


def calls_of(action: Callable[[], object]) -> int:
    """How many functions the action calls in this thread: a measure of its cost that does not depend on the machine."""
    calls: Counter[str] = Counter()
    sys.setprofile(lambda frame, event, of: calls.update([event]))
    try:
        action()
    finally:
        sys.setprofile(None)
    return calls["call"] + calls["c_call"]


WIDTH, HEIGHT, SIDE = 320, 240, 40


def picture(x: int | None, y: int = 100) -> Any:
    """A textured wall with a white square at this corner; without a corner, only the wall."""
    columns, rows = numpy.meshgrid(numpy.arange(WIDTH), numpy.arange(HEIGHT))
    wall = (60 + 30 * ((columns // 16 + rows // 16) % 2)).astype(numpy.uint8)
    frame = numpy.dstack([wall, wall, wall])
    if x is not None:
        frame[y : y + SIDE, max(0, x) : max(0, x + SIDE)] = 255
    return frame


@cache
def video(frames: int = 3_000) -> bytes:
    """A Motion JPEG file: 20 frames of the wall, then a square that moves to the right by 4 pixels a frame."""
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "video.avi")
        writer = cv2.VideoWriter(file, cv2.VideoWriter_fourcc(*"MJPG"), 25, (WIDTH, HEIGHT))
        for _ in range(20):
            writer.write(picture(None))
        track = [picture(x) for x in range(0, WIDTH - SIDE, 4)]
        for number in range(frames - 20):
            writer.write(track[number % len(track)])
        writer.release()
        return Path(file).read_bytes()


class VideoServer:
    """
    Serves one video over HTTP, until a test has it refuse: in parts of a 600th of it, with `pace` seconds after each. So
    it does not end within a test, unless that is wanted. The pace does not change, so a worker that was paused finds as
    much as before.
    """

    def __init__(self, content: bytes, pace: float = 0.05) -> None:
        self.requests = 0
        self.open = 0
        self.refusing = False
        server = self
        lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                with lock:
                    server.requests += 1
                if server.refusing:
                    self.send_error(503)
                    return
                with lock:
                    server.open += 1
                try:
                    self.send_response(200)
                    self.send_header("Content-Type", "video/x-msvideo")
                    self.send_header("Connection", "close")
                    self.end_headers()
                    step = len(content) // 600
                    for start in range(0, len(content), step):
                        if server.refusing:
                            return
                        self.wfile.write(content[start : start + step])
                        wait_until = time.monotonic() + pace
                        while time.monotonic() < wait_until and not server.refusing:
                            time.sleep(0.01)
                except OSError:
                    pass
                finally:
                    with lock:
                        server.open -= 1

            def log_message(self, format: str, *arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://user:secret@127.0.0.1:{self._server.server_address[1]}/video.avi"

    def close(self) -> None:
        self.refusing = True
        self._server.shutdown()
        self._server.server_close()


class Store:
    """Serves files of models; `requests` counts by path."""

    def __init__(self) -> None:
        self.requests: Counter[str] = Counter()
        self.closed = threading.Event()
        self.released = threading.Event()
        self.files = {"/a": b"works first", "/b": b"works second"}
        store = self
        lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path = self.path.partition("?")[0]
                with lock:
                    store.requests[path] += 1
                content = store.files.get(path)
                if path == "/slow":
                    store.closed.wait()
                    return
                if path == "/held":
                    store.released.wait()
                if path == "/moved":
                    self.send_response(302)
                    self.send_header("Location", "/a")
                    self.end_headers()
                elif path == "/endless":
                    self.send_response(200)
                    self.end_headers()
                    try:
                        while True:
                            self.wfile.write(b"endless " * 10_000)
                    except OSError:
                        pass
                elif path == "/cut":
                    self.send_response(200)
                    self.send_header("Content-Length", "10")
                    self.end_headers()
                    self.wfile.write(b"first")
                elif content is None:
                    self.send_error(404)
                else:
                    self.send_response(200)
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)

            def log_message(self, format: str, *arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self.closed.set()
        self.released.set()
        self._server.shutdown()
        self._server.server_close()
