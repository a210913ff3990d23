"""Options of the command line. If a flag is missing, its environment variable applies."""

from __future__ import annotations

import argparse
import os
import socket
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .download import DownloadLimits


def _cache() -> Path:
    """The folder that a user's programs cache files in; that of all users where the user has no home."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(home if os.path.isabs(home) else tempfile.gettempdir()) / "detector-worker"


@dataclass(frozen=True)
class Options:
    """Durations are in milliseconds. Without `frames_per_second`, the author's `fps` applies. `model_memory` is in MiB."""

    host: str = "0.0.0.0"
    port: int = 8000
    name: str = "python-worker"
    token: str | None = field(default=None, repr=False)
    max_cameras: int = 16
    frames_per_second: float | None = None
    report_interval: int = 2_000
    linger: int = 15_000
    patch_sessions: bool = False
    model_folder: Path = field(default_factory=_cache)
    download_limits: DownloadLimits = DownloadLimits()
    load_timeout: int = 300_000
    detect_timeout: int = 10_000
    model_memory: int = 4_096


class _Fault(Exception):
    pass


def parse_options(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> Options:
    """Reads the command line. If it is invalid, prints the reason on standard error and exits with status 2."""

    def preset(variable: str, default: object) -> str:
        return environment.get(variable) or str(default)

    d = Options()
    parser = argparse.ArgumentParser(description="A detector worker of detector-cluster.")
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
        default=environment.get("FRAMES_PER_SECOND") or None,
        help="frames of each camera that are looked at, per second (FRAMES_PER_SECOND; what the worker's author chose)",
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
        help="send the session of a display when something begins to be seen there (PATCH_SESSIONS=on)",
    )
    add(
        "--model-folder",
        type=Path,
        default=preset("MODEL_FOLDER", d.model_folder),
        help="for the files of models, from run to run (MODEL_FOLDER, %(default)s)",
    )
    add(
        "--model-hosts",
        type=_patterns,
        default=preset("MODEL_HOSTS", ""),
        help="hosts that files of models may come from, for example *.storage.test,minio (MODEL_HOSTS; all)",
    )
    add(
        "--max-model-size",
        type=_whole(1, 1_048_576),
        default=preset("MAX_MODEL_SIZE", d.download_limits.max_bytes >> 20),
        help="MiB of the largest file of a model (MAX_MODEL_SIZE, %(default)s)",
    )
    add(
        "--model-memory",
        type=_whole(16, 16_777_216),
        default=preset("MODEL_MEMORY", d.model_memory),
        help="MiB that the process of a model may hold; beyond that it is replaced (MODEL_MEMORY, %(default)s)",
    )
    add(
        "--load-timeout",
        type=_whole(100, 86_400_000),
        default=preset("LOAD_TIMEOUT", d.load_timeout),
        help="ms that loading a model may take (LOAD_TIMEOUT, %(default)s)",
    )
    add(
        "--detect-timeout",
        type=_whole(100, 86_400_000),
        default=preset("DETECT_TIMEOUT", d.detect_timeout),
        help="ms that a model may take for a batch of frames (DETECT_TIMEOUT, %(default)s)",
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
        report_interval=given.report_interval,
        linger=given.linger,
        patch_sessions=patch_sessions,
        model_folder=given.model_folder,
        download_limits=DownloadLimits(given.max_model_size << 20, given.model_hosts),
        load_timeout=given.load_timeout,
        detect_timeout=given.detect_timeout,
        model_memory=given.model_memory,
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


def _patterns(text: str) -> tuple[str, ...]:
    return tuple(pattern.strip() for pattern in text.split(",") if pattern.strip())


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1_000:
        raise argparse.ArgumentTypeError(f"{text!r} must be a number above 0, at most 1000")
    return value
