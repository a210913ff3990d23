"""A worker in this process, and masters that connect to it."""

from __future__ import annotations

import asyncio
import http.client
import json
import sys
import unittest
from typing import Any

from websockets.exceptions import ConnectionClosed, InvalidStatusCode
from websockets.legacy.client import WebSocketClientProtocol, connect

from detector_worker.options import Options
from detector_worker.server import Server
from detector_worker.service import Service

from . import square
from .support import TIMEOUT, eventually_async, schema_errors


class Master:
    """Connects to the worker, stores its frames, and validates each against its schema."""

    def __init__(self, socket: WebSocketClientProtocol) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for frame in self.socket:
                message = json.loads(frame)
                errors = schema_errors("messages", message["type"], message)
                assert errors == [], errors
                self.heard.append(message)
        except ConnectionClosed:
            pass

    async def say(self, kind: str, **payload: Any) -> None:
        message = {"type": kind, "payload": payload} if payload else {"type": kind}
        assert schema_errors("commands", kind, message) == []
        await self.socket.send(json.dumps(message))

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.heard if message["type"] == kind]

    def freeze(self) -> None:
        """Stops reading, like a frozen process."""
        self.socket.transport.pause_reading()

    def abort(self) -> None:
        """Disconnects without a close frame."""
        self.socket.transport.abort()

    async def held(self) -> dict[str, bool]:
        """Lists the subscriptions of the answer to `requestState`, each with whether it is online."""
        before = len(self.of("stateReport"))
        await self.say("requestState")
        await eventually_async("a report", lambda: len(self.of("stateReport")) > before)
        return {row["subscriptionIdentifier"]: row["online"] for row in self.rows()}

    def rows(self) -> list[dict[str, Any]]:
        """Of the latest report."""
        rows: list[dict[str, Any]] = self.of("stateReport")[-1]["cameraConnections"]
        return rows

    async def closed(self) -> int | None:
        await asyncio.wait_for(self._reading, TIMEOUT)
        self._reading.result()
        return self.socket.close_code


class Case(unittest.IsolatedAsyncioTestCase):
    author: Any = square

    async def begin(self, **options: Any) -> None:
        # A periodic report would come between the requested ones.
        given = {
            "host": "127.0.0.1",
            "port": 0,
            "name": "w",
            "report_interval": 3_600_000,
            **options,
        }
        self.options = Options(**given)
        self.service = Service(self.options, self.author.worker._plan(), [sys.executable, self.author.__file__])
        self.server = Server(self.options, self.service)
        self.port = await self.server.start()
        self.addAsyncCleanup(self.end)

    async def end(self) -> None:
        await self.server.stop()
        self.assertTrue(self.service.stop(20))

    async def dial(self, term: str | int | None = None, **headers: str) -> Master:
        if term is not None:
            headers["X-Detector-Term"] = str(term)
        socket = await connect(f"ws://127.0.0.1:{self.port}/", extra_headers=headers, compression=None)
        self.addAsyncCleanup(socket.close)
        master = Master(socket)
        await eventually_async("the report that comes unasked", lambda: master.of("stateReport"))
        return master

    async def refusal(self, term: str | int | None = None, **headers: str) -> int:
        with self.assertRaises(InvalidStatusCode) as caught:
            await self.dial(term, **headers)
        return caught.exception.status_code

    async def get(self, path: str, **headers: str) -> tuple[int, str, bytes]:
        def ask() -> tuple[int, str, bytes]:
            client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
            try:
                client.request("GET", path, headers=headers)
                answer = client.getresponse()
                return answer.status, answer.headers.get_content_type(), answer.read()
            finally:
                client.close()

        return await asyncio.get_running_loop().run_in_executor(None, ask)
