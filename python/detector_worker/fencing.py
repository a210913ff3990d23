"""Which masters may send commands: those with the highest term ever seen. The newest of them gets detections."""

from __future__ import annotations

from typing import Generic, TypeVar

from .protocol import MAX_INTEGER

Socket = TypeVar("Socket")


def parse_term(header: str | None) -> int | None:
    """Term of an upgrade's `X-Detector-Term`: 0 without the header, None if it is not a decimal integer below 2^53."""
    if header is None:
        return 0
    if not (header.isascii() and header.isdecimal() and len(header) <= 16):
        return None
    term = int(header)
    return term if term <= MAX_INTEGER else None


class Masters(Generic[Socket]):
    """The open connections and their terms."""

    def __init__(self) -> None:
        self._terms: dict[Socket, int] = {}  # in order of arrival
        self._highest = 0

    @property
    def highest_term(self) -> int:
        """The highest term seen, also of masters that have disconnected."""
        return self._highest

    def __len__(self) -> int:
        return len(self._terms)

    def admits(self, term: int) -> bool:
        return term >= self._highest

    def add(self, socket: Socket, term: int) -> list[Socket]:
        """Adds a connection, and returns those that it supersedes. The caller closes them."""
        self._terms[socket] = term
        self._highest = max(self._highest, term)
        return [other for other, its_term in self._terms.items() if its_term < self._highest]

    def remove(self, socket: Socket) -> None:
        self._terms.pop(socket, None)

    def commands(self, socket: Socket) -> bool:
        """Whether the worker obeys this connection. Commands of a superseded master are ignored."""
        return self._terms.get(socket, -1) >= self._highest

    def ruling(self) -> Socket | None:
        """The connection that gets detections and patches."""
        rulers = [socket for socket, term in self._terms.items() if term == self._highest]
        return rulers[-1] if rulers else None

    def all(self) -> list[Socket]:
        return list(self._terms)
