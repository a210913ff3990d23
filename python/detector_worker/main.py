"""Runs the worker until a signal ends it."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
from collections.abc import Sequence

from .contract import Plan
from .options import Options, parse_options
from .server import Server
from .service import Service

log = logging.getLogger(__name__)

TIMEOUT = 1.0  # seconds for the streams and models to notice that it is over


def main(plan: Plan, arguments: Sequence[str] | None = None) -> int:
    """Returns the exit status: 0 after SIGTERM or SIGINT, 1 if it cannot listen."""
    options = parse_options(sys.argv[1:] if arguments is None else arguments)
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("websockets").setLevel(logging.CRITICAL)  # it logs every dial that is given up
    status, ended = asyncio.run(_run(options, plan))
    if not ended:
        # A thread still waits for a frame in FFmpeg. It would crash if the interpreter were unloaded.
        logging.shutdown()
        sys.stdout.flush()
        os._exit(status)
    return status


async def _run(options: Options, plan: Plan) -> tuple[int, bool]:
    """Returns the exit status, and whether all threads have ended."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    # The process of a model runs the author's script again, up to `worker.run()`.
    service = Service(options, plan, [sys.executable, *sys.orig_argv[1:]])
    server = Server(options, service)
    try:
        port = await server.start()
    except OSError as error:
        log.error("cannot listen on %s:%d: %s", options.host, options.port, error.strerror or error)
        return 1, True
    print(json.dumps({"listening": port}), flush=True)
    await stopped.wait()
    log.info("shutting down")
    await server.stop()
    return 0, service.stop(TIMEOUT)
