"""Options of the command line. If a flag is missing, its environment variable applies."""

from __future__ import annotations

import argparse
import os
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Options:
    """Durations are in milliseconds, areas in pixels."""

    host: str = "0.0.0.0"
    port: int = 8000
    name: str = "python-worker"
    token: str | None = field(default=None, repr=False)
    max_cameras: int = 16
    frames_per_second: float = 5.0
    min_area: int = 400
    report_interval: int = 2_000
    linger: int = 15_000
    patch_sessions: bool = False
    model_folder: Path | None = None


class _Fault(Exception):
    pass


def parse_options(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> Options:
    """Reads the command line. If it is invalid, prints the reason on standard error and exits with status 2."""

    def preset(variable: str, default: object) -> str:
        return environment.get(variable) or str(default)

    d = Options()
    parser = argparse.ArgumentParser(prog="worker.py", description="A detector worker that sees motion.")
    add = parser.add_argument
    add("--port", type=_whole(0, 65_535), default=preset("PORT", d.port), help="0 takes a free one (PORT, %(default)s)")
    add("--host", default=preset("HOST", d.host), help="address to listen on (HOST, %(default)s)")
    add(
        "--name",
        default=preset("WORKER_NAME", socket.gethostname()),
        help="of this worker, in its detections (WORKER_NAME, host's name)",
    )
    add(
        "--token-file",
        type=Path,
        default=environment.get("WORKER_TOKEN_FILE") or None,
        help="file with the bearer token that masters must show (WORKER_TOKEN_FILE, or WORKER_TOKEN with the token; none)",
    )
    add(
        "--max-cameras",
        type=_whole(1, 10_000),
        default=preset("MAX_CAMERAS", d.max_cameras),
        help="streams at once; subscriptions beyond are not taken (MAX_CAMERAS, %(default)s)",
    )
    add(
        "--fps",
        type=_positive,
        default=preset("FRAMES_PER_SECOND", d.frames_per_second),
        help="frames of each camera that are looked at, per second (FRAMES_PER_SECOND, %(default)s)",
    )
    add(
        "--min-area",
        type=_whole(1, 100_000_000),
        default=preset("MIN_AREA", d.min_area),
        help="pixels of the smallest thing that counts as moving (MIN_AREA, %(default)s)",
    )
    add(
        "--report-interval",
        type=_whole(10, 86_400_000),
        default=preset("STATE_REPORT_INTERVAL", d.report_interval),
        help="ms between state reports (STATE_REPORT_INTERVAL, %(default)s)",
    )
    add(
        "--linger",
        type=_whole(0, 86_400_000),
        default=preset("LINGER_MS", d.linger),
        help="ms for which streams outlive the last connection (LINGER_MS, %(default)s)",
    )
    add(
        "--patch-sessions",
        action="store_true",
        default=None,
        help="send the session of a display when motion begins there (PATCH_SESSIONS=on)",
    )
    add(
        "--model-folder",
        type=Path,
        default=environment.get("MODEL_FOLDER") or None,
        help="download the files of models into this folder (MODEL_FOLDER; none)",
    )
    given = parser.parse_args(arguments)
    try:
        token = _token(given.token_file, environment)
        patch_sessions = given.patch_sessions or _switch("PATCH_SESSIONS", environment)
    except _Fault as fault:
        parser.error(str(fault))
    return Options(
        host=given.host,
        port=given.port,
        name=given.name,
        token=token,
        max_cameras=given.max_cameras,
        frames_per_second=given.fps,
        min_area=given.min_area,
        report_interval=given.report_interval,
        linger=given.linger,
        patch_sessions=patch_sessions,
        model_folder=given.model_folder,
    )


def _switch(variable: str, environment: Mapping[str, str]) -> bool:
    value = environment.get(variable) or "off"
    if value not in ("on", "off"):
        raise _Fault(f"{variable} must be on or off")
    return value == "on"


def _token(file: Path | None, environment: Mapping[str, str]) -> str | None:
    # The token itself has no flag, because every user of the machine can read the flags of a process.
    if file is None:
        token = environment.get("WORKER_TOKEN") or None
    else:
        try:
            token = Path(file).read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise _Fault(f"--token-file: cannot be read: {error}") from error
    if token is not None and (not token.isascii() or not token.isprintable() or " " in token or token == ""):
        raise _Fault("the token must be printable ASCII without spaces, and not empty")
    return token


def _whole(least: int, most: int) -> Callable[[str], int]:
    def whole(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and len(text) < 12 and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(f"{text!r} must be a whole number from {least} to {most}")
        return int(text)

    return whole


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1_000:
        raise argparse.ArgumentTypeError(f"{text!r} must be a number above 0, at most 1000")
    return value
