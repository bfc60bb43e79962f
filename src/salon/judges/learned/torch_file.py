"""Read the tensors of a PyTorch checkpoint (the serial format before zip files) with numpy alone.

A checkpoint is a pickle, and a pickle is a program. This reader's unpickler knows four names, all of them
harmless, and refuses every other one, so a checkpoint can at worst fail to load.
"""

import io
import math
import pickle
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from salon.files.untrusted import read_file

_MAGIC = 0x1950A86A20F9469CFC6C
_DTYPES = {"FloatStorage": np.dtype("<f4"), "LongStorage": np.dtype("<i8")}

Array = NDArray[Any]
MOST_BYTES = 4_000_000_000
MOST_DIMENSIONS = 16
_BROKEN = (
    *(pickle.UnpicklingError, EOFError, TypeError, AttributeError, IndexError, KeyError, RecursionError),
    *(MemoryError, OverflowError, UnicodeDecodeError, ImportError),
)
"""What an unpickler raises over bytes that are no pickle, or over one that was made to break it."""


@dataclass(frozen=True, slots=True)
class _Storage:
    key: str
    dtype: np.dtype[Any]
    length: int


@dataclass(frozen=True, slots=True)
class _Tensor:
    storage: _Storage
    offset: int
    shape: tuple[int, ...]
    stride: tuple[int, ...]

    def read(self, storages: dict[str, Array]) -> Array:
        """Raises ValueError where the tensor is not what its storage can hold: a stride of 0 makes gigabytes
        out of one number.
        """
        values = storages[self.storage.key]
        if min(self.shape, default=0) < 0 or math.prod(self.shape) > len(values):
            raise ValueError("a tensor is larger than its storage")
        if math.prod(self.shape) == 0:
            return np.zeros(self.shape, values.dtype)
        last = self.offset + sum((n - 1) * s for n, s in zip(self.shape, self.stride, strict=True))
        if self.offset < 0 or min(self.stride, default=0) < 0 or last >= len(values):
            raise ValueError("a tensor reaches outside its storage")
        strides = tuple(s * values.itemsize for s in self.stride)
        view = np.lib.stride_tricks.as_strided(values[self.offset :], self.shape, strides, writeable=False)
        return np.ascontiguousarray(view)


class _Unpickler(pickle.Unpickler):
    def find_class(self, module_name: str, global_name: str, /) -> Any:
        if (module_name, global_name) == ("collections", "OrderedDict"):
            return OrderedDict
        if (module_name, global_name) == ("torch._utils", "_rebuild_tensor_v2"):
            return _rebuild
        if module_name == "torch" and global_name in _DTYPES:
            return _DTYPES[global_name]
        raise ValueError(f"the checkpoint asks for {module_name}.{global_name}, which no tensor needs")

    def persistent_load(self, pid: Any, /) -> _Storage:
        if not isinstance(pid, tuple) or len(cast("tuple[Any, ...]", pid)) < 5:
            raise ValueError("the checkpoint holds something that is no tensor")
        kind, dtype, key, _device, length, *_ = cast("tuple[Any, ...]", pid)
        if kind != "storage" or not isinstance(dtype, np.dtype) or type(length) is not int or length < 0:
            raise ValueError("the checkpoint holds something that is no tensor")
        return _Storage(key=str(key), dtype=cast("np.dtype[Any]", dtype), length=length)


def _rebuild(storage: Any, offset: Any, shape: Any, stride: Any, *_: Any) -> _Tensor:
    sizes, steps = _numbers(shape), _numbers(stride)
    if not isinstance(storage, _Storage) or type(offset) is not int or len(sizes) != len(steps):
        raise ValueError("the checkpoint holds something that is no tensor")
    return _Tensor(storage, offset, sizes, steps)


def _numbers(given: Any) -> tuple[int, ...]:
    found = cast("tuple[Any, ...]", tuple(given) if isinstance(given, tuple | list) else (None,))
    if len(found) > MOST_DIMENSIONS or any(type(each) is not int or each < 0 for each in found):
        raise ValueError("a tensor's shape or stride is no list of sizes")
    return found


def read_state_dict(path: str | Path) -> dict[str, Array]:
    """The named tensors of a checkpoint, in its order.

    Raises:
        ValueError: the file is of another format, is cut short, or asks for anything but tensors.
    """
    stream = io.BytesIO(read_file(path, MOST_BYTES, follow=True))
    try:
        if _Unpickler(stream).load() != _MAGIC:
            raise ValueError(f"{path} is not a checkpoint of the serial format")
        _protocol, _system = _Unpickler(stream).load(), _Unpickler(stream).load()
        tensors = cast("dict[str, _Tensor]", _Unpickler(stream).load())
        keys = cast("list[str]", _Unpickler(stream).load())
    except _BROKEN as error:
        raise ValueError(f"{path} is not a checkpoint of the serial format: {error}") from error
    _check(tensors, keys)
    specs = {tensor.storage.key: tensor.storage for tensor in tensors.values()}
    storages = {key: _read_storage(stream, specs[key]) for key in keys}
    return {name: tensor.read(storages) for name, tensor in tensors.items()}


def _check(tensors: Any, keys: Any) -> None:
    """Raises ValueError where they are no named tensors, or a storage is not listed once."""
    named = isinstance(tensors, dict) and all(
        isinstance(name, str) and isinstance(tensor, _Tensor)
        for name, tensor in cast("dict[Any, Any]", tensors).items()
    )
    listed = isinstance(keys, list) and all(isinstance(key, str) for key in cast("list[Any]", keys))
    if not (named and listed):
        raise ValueError("the checkpoint holds something else than named tensors")
    storages = {tensor.storage for tensor in cast("dict[str, _Tensor]", tensors).values()}
    if sorted(each.key for each in storages) != sorted(keys):
        raise ValueError("the checkpoint's storages are not those of its tensors")


def _read_storage(stream: io.BytesIO, spec: _Storage) -> Array:
    length = int.from_bytes(stream.read(8), "little", signed=True)
    data = stream.read(spec.length * spec.dtype.itemsize)
    if length != spec.length or len(data) != spec.length * spec.dtype.itemsize:
        raise ValueError("the checkpoint is cut short")
    return np.frombuffer(data, spec.dtype)
