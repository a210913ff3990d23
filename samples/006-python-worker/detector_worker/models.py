"""The files of models: each version of a file is downloaded once."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import threading
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, build_opener

from .protocol import ModelState, Subscription

log = logging.getLogger(__name__)

TIMEOUT = 30.0  # seconds without any progress
MAX_BYTES = 4 * 1024**3
_CHUNK = 1_048_576


@dataclass(frozen=True)
class Model(ModelState):
    """One version of a model's file. Its reason never repeats a URL."""

    file: Path | None = None


class _Failure(Exception):
    pass


class _NoRedirects(HTTPRedirectHandler):
    """A redirect could lead to an address of the internal network."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Models:
    """Keeps files by model and version in a folder, also from run to run. Used in the thread of the event loop."""

    def __init__(self, folder: Path | None, loop: asyncio.AbstractEventLoop) -> None:
        """Without a folder nothing is downloaded."""
        self._folder = folder
        self._loop = loop
        self._models: dict[tuple[int, str | None], Model] = {}

    def need(self, subscription: Subscription) -> None:
        """A subscription needs its file. A file that has failed is tried again."""
        key = (subscription.model_id, subscription.model_version)
        known = self._models.get(key)
        if self._folder is None or (known is not None and known.state != "failed"):
            return
        file = self._folder / _name(*key)
        # Without a version, nothing says whether a file of a former run is still the right one.
        if subscription.model_version is not None and file.is_file():
            self._models[key] = Model("ready", file=file)
            return
        self._models[key] = Model("loading")
        threading.Thread(target=self._load, args=(key, subscription.model_url, file), daemon=True).start()

    def find(self, subscription: Subscription) -> Model | None:
        """None: nothing is downloaded."""
        return self._models.get((subscription.model_id, subscription.model_version))

    def stats(self) -> list[dict[str, Any]]:
        return [
            {"modelId": model_id, "modelVersion": version, "state": model.state, "reason": model.reason}
            for (model_id, version), model in self._models.items()
        ]

    def _load(self, key: tuple[int, str | None], url: str, file: Path) -> None:
        try:
            _download(url, file)
            model = Model("ready", file=file)
        except _Failure as failure:
            model = Model("failed", str(failure))
        except HTTPError as error:
            model = Model("failed", f"HTTP {error.code}")
        except (OSError, HTTPException, ValueError) as error:  # their messages may repeat the URL
            model = Model("failed", type(error).__name__)
        if model.reason is not None:
            log.warning("the file of model %d, version %s: %s", *key, model.reason)
        try:
            self._loop.call_soon_threadsafe(self._models.__setitem__, key, model)
        except RuntimeError:
            pass  # the loop has ended


def _name(model_id: int, version: str | None) -> str:
    return f"{model_id}-" + ("unversioned" if version is None else hashlib.sha256(version.encode()).hexdigest())


def _download(url: str, file: Path) -> None:
    if urlsplit(url).scheme not in ("http", "https"):
        raise _Failure("modelUrl must be an http or https address")
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        with build_opener(_NoRedirects).open(url, timeout=TIMEOUT) as answer, part.open("wb") as target:
            expected = answer.length
            size = 0
            while chunk := answer.read(_CHUNK):
                size += len(chunk)
                if size > MAX_BYTES:
                    raise _Failure(f"larger than {MAX_BYTES} bytes")
                target.write(chunk)
            if expected is not None and size != expected:
                raise _Failure(f"ended after {size} of {expected} bytes")
        os.replace(part, file)  # a file with this name is always complete
    finally:
        part.unlink(missing_ok=True)
