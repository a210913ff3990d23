"""The process of one model: it calls the author's functions, so that their crashes end this process alone."""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import socket
import sys
import time
import traceback
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

import numpy

from .boxes import clip, suppress
from .channel import Channel
from .contract import Context, Frame, ModelInfo, Plan, Refuse, Stream, WrongShape, one_line, read_results

log = logging.getLogger(__name__)

VARIABLE = "DETECTOR_WORKER_CHANNEL"
MAX_TRACEBACK = 8_000  # characters: a message may repeat a whole tensor
MEMORY_KEPT = 300.0  # seconds for which the memory of a stream without frames is kept
_PR_SET_PDEATHSIG = 1


def serve_if_asked(plan: Plan) -> None:
    """Does not return if this process was started for a model: then it is one until its worker ends it."""
    descriptor = os.environ.pop(VARIABLE, None)
    if descriptor is not None:
        _serve(Channel(socket.socket(fileno=int(descriptor))), plan)


def _serve(channel: Channel, plan: Plan) -> NoReturn:
    _end_with_the_worker()
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    status = 0
    try:
        ModelServer(channel, plan).run()
    except (ConnectionError, KeyboardInterrupt):
        pass  # the worker has ended, or does not need this model any more
    except BaseException:
        log.error("the process of a model ends: %s", _traceback())
        status = 1
    # Threads and exit handlers of the author's code could keep the process alive.
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _end_with_the_worker() -> None:
    """Signals of a terminal or a supervisor are for the worker. If it is killed, so is this process, also in a call that hangs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


class ModelServer:
    """Answers the messages of a `ModelProcess`."""

    def __init__(self, channel: Channel, plan: Plan) -> None:
        self._channel = channel
        self._plan = plan
        self._memories = StreamMemories()
        self._raised = False

    def run(self) -> None:
        """@raises ConnectionError at the end"""
        header, _ = self._channel.receive()
        info = ModelInfo(header["id"], header["name"], header["version"])
        self._channel.send(self._load(header["file"], info))
        while True:
            header, frames = self._channel.receive()
            self._channel.send(self._detect(header["streams"], frames, info))

    def _load(self, file: str | None, info: ModelInfo) -> dict[str, Any]:
        self._model: Any = None
        if self._plan.load is None or file is None:
            return {"kind": "ready"}
        try:
            self._model = self._plan.load(Path(file), info)
        except Refuse as refusal:
            return {"kind": "refused", "reason": one_line(str(refusal)) or "load refused the file"}
        except Exception as error:
            log.error("load: %s", _traceback())
            return {"kind": "raised", "reason": one_line(f"load raised {_named(error)}")}
        return {"kind": "ready"}

    def _detect(self, rows: Sequence[dict[str, Any]], raw: Sequence[Any], info: ModelInfo) -> dict[str, Any]:
        frames: list[Frame] = [numpy.frombuffer(content, numpy.uint8).reshape(shape) for shape, content in raw]
        now = time.monotonic()
        streams = [self._memories.stream(row, now) for row in rows]
        try:
            results = read_results(self._plan.detect(frames, self._model, Context(info, streams)), len(frames))
        except WrongShape as error:
            return {"kind": "raised", "reason": one_line(str(error))}
        except Exception as error:
            if not self._raised:  # it may raise the same for every frame
                log.error("detect: %s", _traceback())
            self._raised = True
            return {"kind": "raised", "reason": one_line(f"detect raised {_named(error)}")}
        self._raised = False
        boxes = [
            suppress(clip(found, frame.shape[1], frame.shape[0]), self._plan.overlap)
            for frame, found in zip(frames, results)
        ]
        return {"kind": "results", "boxes": [[vars(box) for box in found] for found in boxes]}


class StreamMemories:
    """What the author keeps for each stream."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[str, dict[str, Any], float]] = {}  # run of the stream, memory, last use

    def stream(self, row: dict[str, Any], now: float) -> Stream:
        """`now` is in seconds of a clock that does not jump."""
        identifier, run = row["identifier"], row["run"]
        known = self._kept.get(identifier)
        memory: dict[str, Any] = known[1] if known is not None and known[0] == run else {}
        self._kept[identifier] = (run, memory, now)
        for old in [name for name, (_, _, used) in self._kept.items() if now - used > MEMORY_KEPT]:
            del self._kept[old]
        display, _, camera = identifier.partition(";")
        return Stream(display, camera, datetime.fromisoformat(row["at"]), memory)


def _traceback() -> str:
    text = traceback.format_exc()
    return text if len(text) <= MAX_TRACEBACK else text[:MAX_TRACEBACK] + "…"


def _named(error: Exception) -> str:
    text = str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
