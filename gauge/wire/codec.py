"""msgpack with openpi's array extension: bounded, without pickle, safe for bytes from anyone.

The shape of the extension is openpi's (`packages/openpi-client/src/openpi_client/msgpack_numpy.py`):
an array is `{b"__ndarray__": True, b"data": bytes, b"dtype": "<f4", b"shape": [...]}` and a scalar is
`{b"__npgeneric__": True, b"data": number, b"dtype": "<f4"}`.
"""

import math
import re
from typing import Any

import msgpack
import numpy as np
from numpy.typing import NDArray

from gauge.errors import GaugeError

MAX_MESSAGE_BYTES = 64 * 2**20
MAX_DIMENSIONS = 8
# A container costs far more memory than the byte that announces it, so entries are counted as well as bytes.
MAX_LENGTH = 4096
MAX_ENTRIES = 100_000

_DTYPE = re.compile(r"[<>|](b1|[iu][1248]|f[248])")
_DTYPES = "bool, int, uint and float"


def encode(message: Any) -> bytes:
    """The bytes of a message made of dicts, lists, text, bytes, numbers and numpy arrays.

    Raises:
        GaugeError: something in it cannot be sent, or it is larger than `MAX_MESSAGE_BYTES`.
    """
    try:
        data = msgpack.packb(message, default=_pack)
    except (TypeError, ValueError, OverflowError) as error:
        raise GaugeError(f"this message cannot be sent: {error}") from error
    if not isinstance(data, bytes) or len(data) > MAX_MESSAGE_BYTES:
        raise GaugeError(f"this message is too large to send; at most {MAX_MESSAGE_BYTES} bytes are allowed")
    return data


def decode(data: bytes) -> Any:
    """The message behind `data`; arrays are writable copies and tuples come back as lists.

    Raises:
        GaugeError: the bytes are no complete message, or hold more or other than the protocol allows.
    """
    if len(data) > MAX_MESSAGE_BYTES:
        raise GaugeError(f"a message of {len(data)} bytes arrived; at most {MAX_MESSAGE_BYTES} are allowed")
    hooks = _Hooks()
    try:
        return msgpack.unpackb(
            data,
            object_hook=hooks.mapping,
            list_hook=hooks.sequence,
            ext_hook=_refuse_extension,
            max_array_len=MAX_LENGTH,
            max_map_len=MAX_LENGTH,
        )
    except GaugeError:
        raise
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException) as error:
        reason = str(error) or type(error).__name__
        raise GaugeError(f"the bytes that arrived are no openpi message: {reason}") from error


def _pack(value: Any) -> Any:
    """What msgpack writes in place of a numpy value."""
    if not isinstance(value, np.ndarray | np.generic):
        raise TypeError(f"{type(value).__name__} is not part of the protocol")
    if not _DTYPE.fullmatch(value.dtype.str):
        raise TypeError(f"dtype {value.dtype} is not part of the protocol; allowed are {_DTYPES}")
    if isinstance(value, np.ndarray):
        return {b"__ndarray__": True, b"data": value.tobytes(), b"dtype": value.dtype.str, b"shape": value.shape}
    return {b"__npgeneric__": True, b"data": value.item(), b"dtype": value.dtype.str}


class _Hooks:
    """The decoder's callbacks for one message; they count its entries and rebuild arrays."""

    def __init__(self) -> None:
        self._entries = 0

    def mapping(self, value: dict[Any, Any]) -> Any:
        self._count(len(value))
        if b"__ndarray__" in value:
            return array_of(value)
        if b"__npgeneric__" in value:
            return _scalar(value)
        return value

    def sequence(self, value: list[Any]) -> list[Any]:
        self._count(len(value))
        return value

    def _count(self, entries: int) -> None:
        self._entries += entries + 1
        if self._entries > MAX_ENTRIES:
            raise GaugeError(f"a message with more than {MAX_ENTRIES} entries arrived; send numbers as arrays")


def _refuse_extension(code: int, _data: bytes) -> Any:
    raise GaugeError(f"msgpack extension {code} is not part of the protocol")


def array_of(value: dict[Any, Any]) -> NDArray[Any]:
    """The array behind openpi's map of it.

    Raises:
        GaugeError: shape, dtype and data do not fit each other, or the dtype is not allowed.
    """
    dtype, shape, data = dtype_of(value), value.get(b"shape"), value.get(b"data")
    if not isinstance(shape, list) or len(shape) > MAX_DIMENSIONS:
        raise GaugeError(f"an array arrived without a shape of at most {MAX_DIMENSIONS} numbers")
    if not all(type(n) is int and 0 <= n <= MAX_MESSAGE_BYTES for n in shape):
        raise GaugeError(f"an array arrived with the impossible shape {str(shape)[:100]}")
    if not isinstance(data, bytes) or len(data) != math.prod(shape) * dtype.itemsize:
        raise GaugeError(f"an array of shape {shape} and dtype {dtype} arrived with data of another length")
    return np.ndarray(shape=shape, dtype=dtype, buffer=data).copy()


def _scalar(value: dict[Any, Any]) -> Any:
    dtype, data = dtype_of(value), value.get(b"data")
    if not isinstance(data, bool | int | float):
        raise GaugeError(f"a scalar of dtype {dtype} arrived without a number")
    return dtype.type(data)


def dtype_of(value: dict[Any, Any]) -> np.dtype[Any]:
    """The dtype of such a map, one of bool, int, uint and float.

    Raises:
        GaugeError: it is another, or none.
    """
    name = value.get(b"dtype")
    if not isinstance(name, str) or not _DTYPE.fullmatch(name):
        raise GaugeError(f"dtype {str(name)[:40]!r} is not part of the protocol; allowed are {_DTYPES}")
    return np.dtype(name)
