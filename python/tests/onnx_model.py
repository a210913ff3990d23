"""A model file in ONNX, made without a library: the mean of each square of the picture, by one convolution."""

from __future__ import annotations

import struct

CELL = 8
FLOAT, INT, INTS = 1, 2, 7


def onnx_model(width: int, height: int) -> bytes:
    """A grey picture in, the mean of each square of 8 pixels out."""
    kernel = struct.pack("<f", 1 / CELL**2) * CELL**2
    weights = _ints(1, 1, 1, CELL, CELL) + _int(2, FLOAT) + _text(8, "kernel") + _bytes(9, kernel)
    convolution = b"".join(
        [_text(1, "picture"), _text(1, "kernel"), _text(2, "means"), _text(4, "Conv")]
        + [_bytes(5, _text(1, name) + _ints(8, CELL, CELL) + _int(20, INTS)) for name in ("kernel_shape", "strides")]
    )
    graph = b"".join(
        [
            _bytes(1, convolution),
            _text(2, "means"),
            _bytes(5, weights),
            _bytes(11, _value("picture", 1, 1, height, width)),
            _bytes(12, _value("means", 1, 1, height // CELL, width // CELL)),
        ]
    )
    return _int(1, 7) + _bytes(7, graph) + _bytes(8, _text(1, "") + _int(2, 11))


def _value(name: str, *shape: int) -> bytes:
    dimensions = b"".join(_bytes(1, _int(1, size)) for size in shape)
    return _text(1, name) + _bytes(2, _bytes(1, _int(1, FLOAT) + _bytes(2, dimensions)))


# Fields of Protocol Buffers.


def _varint(value: int) -> bytes:
    low, rest = value & 0x7F, value >> 7
    return bytes([low]) if rest == 0 else bytes([low | 0x80]) + _varint(rest)


def _int(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _ints(field: int, *values: int) -> bytes:
    return b"".join(_int(field, value) for value in values)


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode())
