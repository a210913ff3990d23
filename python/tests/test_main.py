"""The process: its start and its end."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import unittest
from pathlib import Path

from websockets.legacy.client import connect

from .support import TIMEOUT, eventually_async, subscribe_payload

SQUARE = str(Path(__file__).with_name("square.py"))


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, SQUARE, "--host", "127.0.0.1", *arguments],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def children(pid: int) -> list[str]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [child for task in tasks for child in task.read_text().split()]


class SilentCamera:
    """Accepts connections and stays silent, like a camera that hangs."""

    def __init__(self) -> None:
        self.called = threading.Event()
        self._taken: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._take, daemon=True).start()

    def _take(self) -> None:
        try:
            while True:
                self._taken.append(self._listener.accept()[0])
                self.called.set()
        except OSError:
            pass

    @property
    def url(self) -> str:
        return f"rtsp://user:secret@127.0.0.1:{self._listener.getsockname()[1]}/main"

    def close(self) -> None:
        self._listener.close()
        for taken in self._taken:
            taken.close()


class Process(unittest.IsolatedAsyncioTestCase):
    def ended(self, process: subprocess.Popen[str]) -> str:
        """Waits for a regular end of the process and returns its output."""
        _, said = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 0, said)
        self.assertIn("shutting down", said)
        self.assertNotIn("Traceback", said)
        return said

    async def test_sigterm_ends_it_also_while_a_camera_hangs(self) -> None:
        camera = SilentCamera()
        self.addCleanup(camera.close)
        process = start("--port", "0")
        self.addCleanup(process.kill)
        port = json.loads(process.stdout.readline())["listening"]
        async with connect(f"ws://127.0.0.1:{port}/", extra_headers={"X-Detector-Term": "1"}) as master:
            payload = subscribe_payload("d;c", camera.url)
            await master.send(json.dumps({"type": "subscribe", "payload": payload}))
            self.assertTrue(camera.called.wait(TIMEOUT))
            process.send_signal(signal.SIGTERM)
            await master.wait_closed()
            self.assertEqual(master.close_code, 1001)
        self.assertNotIn("secret", self.ended(process))

    async def test_a_worker_that_is_killed_leaves_no_process_of_a_model_behind(self) -> None:
        process = start("--port", "0")
        self.addCleanup(process.kill)
        port = json.loads(process.stdout.readline())["listening"]
        async with connect(f"ws://127.0.0.1:{port}/", extra_headers={"X-Detector-Term": "1"}) as master:
            payload = subscribe_payload("d;c", "rtsp://127.0.0.1:9/")
            await master.send(json.dumps({"type": "subscribe", "payload": payload}))
            (child,) = await eventually_async("the process of the model", lambda: children(process.pid))
            process.kill()
            await eventually_async("its end", lambda: not Path(f"/proc/{child}").exists())
        process.communicate(timeout=TIMEOUT)

    def test_ctrl_c_ends_it(self) -> None:
        process = start("--port", "0")
        self.addCleanup(process.kill)
        self.assertIn("listening", process.stdout.readline())
        process.send_signal(signal.SIGINT)
        self.ended(process)

    def test_a_port_that_is_taken_is_named(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            process = start("--port", str(port))
            _, said = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 1)
        self.assertIn(f"cannot listen on 127.0.0.1:{port}", said)
        self.assertNotIn("Traceback", said)


if __name__ == "__main__":
    unittest.main()
