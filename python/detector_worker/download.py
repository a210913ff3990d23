"""Downloads the file of a model: complete, of the announced size and checksum, and from allowed addresses alone."""

from __future__ import annotations

import hashlib
import http.client
import ipaddress
import os
import secrets
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

_CHUNK = 1_048_576


class DownloadFailed(Exception):
    """Says why, without the URL: it holds a signature."""


class _Forbidden(OSError):
    pass


@dataclass(frozen=True)
class Source:
    """Where a file is, and what the master knows of it."""

    url: str = field(repr=False)
    size: int | None = None
    sha256: str | None = None


@dataclass(frozen=True)
class DownloadLimits:
    """`hosts` are patterns of host names, for example `*.storage.test`; none: all hosts. `timeout` is in seconds without any progress."""

    max_bytes: int = 4 * 1024**3
    hosts: Sequence[str] = ()
    timeout: float = 30.0


def download(source: Source, file: Path, limits: DownloadLimits) -> None:
    """
    Leaves the complete file, or none.
    @raises DownloadFailed
    """
    try:
        _refuse_address(source.url, limits)
        if source.size is not None and source.size > limits.max_bytes:
            raise DownloadFailed(f"larger than {limits.max_bytes} bytes")
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_name(f"{file.name}.{secrets.token_hex(4)}.part")
        try:
            _fetch(source, part, limits)
            os.replace(part, file)  # a file with this name is always complete
        finally:
            part.unlink(missing_ok=True)
    except HTTPError as error:
        raise DownloadFailed(f"HTTP {error.code}") from None
    except URLError as error:
        cause = error.reason
        raise DownloadFailed(str(cause) if isinstance(cause, _Forbidden) else _named(cause)) from None
    except _Forbidden as error:
        raise DownloadFailed(str(error)) from None
    except (OSError, HTTPException, ValueError) as error:  # their messages may repeat the URL
        raise DownloadFailed(_named(error)) from None


def _refuse_address(url: str, limits: DownloadLimits) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise DownloadFailed("modelUrl must be an http or https address")
    if limits.hosts and not any(fnmatchcase(parts.hostname, pattern.lower()) for pattern in limits.hosts):
        raise DownloadFailed("the host of modelUrl is not among the allowed ones")


def _fetch(source: Source, part: Path, limits: DownloadLimits) -> None:
    opener = urllib.request.build_opener(_NoRedirects, _Http, _Https)
    digest = hashlib.sha256()
    size = 0
    with opener.open(source.url, timeout=limits.timeout) as answer, part.open("wb") as target:
        expected = answer.length
        if expected is not None and expected > limits.max_bytes:
            raise DownloadFailed(f"larger than {limits.max_bytes} bytes")
        while chunk := answer.read(_CHUNK):
            size += len(chunk)
            if size > limits.max_bytes:
                raise DownloadFailed(f"larger than {limits.max_bytes} bytes")
            digest.update(chunk)
            target.write(chunk)
    if expected is not None and size != expected:
        raise DownloadFailed(f"ended after {size} of {expected} bytes")
    if source.size is not None and size != source.size:
        raise DownloadFailed(f"has {size} bytes, the master announced {source.size}")
    if source.sha256 is not None and digest.hexdigest() != source.sha256:
        raise DownloadFailed("its SHA-256 is not the one that the master announced")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect could lead to an address of the internal network."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _refuse_peer(connection: http.client.HTTPConnection) -> None:
    """
    A name may resolve to any address. Link-local ones have no stores of models; there, clouds give credentials to the
    machine that asks. Nothing has been sent yet.
    """
    address = ipaddress.ip_address(connection.sock.getpeername()[0].partition("%")[0])
    mapped = getattr(address, "ipv4_mapped", None)
    if (mapped or address).is_link_local:
        connection.close()
        raise _Forbidden("modelUrl leads to a link-local address")


class _HttpConnection(http.client.HTTPConnection):
    def connect(self) -> None:
        super().connect()
        _refuse_peer(self)


class _HttpsConnection(http.client.HTTPSConnection):
    def connect(self) -> None:
        super().connect()
        _refuse_peer(self)


class _Http(urllib.request.HTTPHandler):
    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_HttpConnection, request)


class _Https(urllib.request.HTTPSHandler):
    def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_HttpsConnection, request)  # type: ignore[arg-type] # typeshed knows only one form


def _named(error: object) -> str:
    return f"no connection ({type(error).__name__})" if isinstance(error, OSError) else type(error).__name__
