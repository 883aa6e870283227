"""Runs WebAssembly with the library of the package `wasmtime`, through a dozen functions of its C interface.

The package itself is not imported, because that takes 95 ms, and each of its calls 20 µs, while a call here takes 1 µs.
"""

from __future__ import annotations

import ctypes
import hashlib
import weakref
from collections.abc import Callable, Iterable
from contextlib import suppress
from ctypes import byref, c_bool, c_char_p, c_int64, c_size_t, c_uint8, c_uint64, c_void_p
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from satjudge.base.imports import MissingPackageError
from satjudge.base.platforms import is_mine_alone, user_cache
from satjudge.base.resources import write_atomically

_PAGE = 1 << 16
_FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "wasm_engine_new": (c_void_p,),
    "wasmtime_module_new": (c_void_p, c_void_p, c_char_p, c_size_t, c_void_p),
    "wasmtime_module_serialize": (c_void_p, c_void_p, c_void_p),
    "wasmtime_module_deserialize": (c_void_p, c_void_p, c_char_p, c_size_t, c_void_p),
    "wasmtime_store_new": (c_void_p, c_void_p, c_void_p, c_void_p),
    "wasmtime_store_context": (c_void_p, c_void_p),
    "wasmtime_store_delete": (None, c_void_p),
    "wasmtime_instance_new": (c_void_p, c_void_p, c_void_p, c_void_p, c_size_t, c_void_p, c_void_p),
    "wasmtime_instance_export_get": (c_bool, c_void_p, c_void_p, c_char_p, c_size_t, c_void_p),
    "wasmtime_memory_data": (c_void_p, c_void_p, c_void_p),
    "wasmtime_memory_data_size": (c_size_t, c_void_p, c_void_p),
    "wasmtime_memory_grow": (c_void_p, c_void_p, c_void_p, c_uint64, c_void_p),
    "wasmtime_func_call_unchecked": (c_void_p, c_void_p, c_void_p, c_void_p, c_size_t, c_void_p),
    "wasmtime_error_message": (None, c_void_p, c_void_p),
    "wasmtime_error_delete": (None, c_void_p),
    "wasm_trap_message": (None, c_void_p, c_void_p),
    "wasm_trap_delete": (None, c_void_p),
    "wasm_byte_vec_delete": (None, c_void_p),
}
"""The functions of the library, each with the type of its result and those of its parameters."""


class SandboxError(RuntimeError):
    """WebAssembly that could not be loaded, or that stopped, for example at an index out of bounds."""


class _Bytes(ctypes.Structure):
    _fields_ = (("size", c_size_t), ("data", c_void_p))


class _Export(ctypes.Structure):
    _fields_ = (("kind", c_uint8), ("of", c_uint64 * 8))


class _Raw(ctypes.Structure):
    """One number that is passed to a function; each takes 16 bytes."""

    _fields_ = (("number", c_int64), ("rest", c_int64))


def is_installed() -> bool:
    """Return whether the package wasmtime is installed, even if it does not work."""
    try:
        return find_spec("wasmtime") is not None
    except ValueError:
        return True


@cache
def _load_library() -> ctypes.CDLL:
    """Load wasmtime's library; raise `MissingPackageError` without the package, `SandboxError` if it does not work here."""
    found = find_spec("wasmtime")
    places = [Path(place) for place in (found.submodule_search_locations if found else None) or ()]
    files = [file for place in places for file in sorted(place.glob("*-*/*wasmtime.*"))]
    if not found:
        raise MissingPackageError("the compiled kernel", ["wasmtime"])
    if not files:
        raise SandboxError("the package wasmtime has no library for this machine")
    try:
        library = ctypes.CDLL(str(files[0]))
        for name, (result, *parameters) in _FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, parameters
    except (OSError, AttributeError) as error:
        raise SandboxError(f"the library of wasmtime cannot be used: {error}") from None
    return library


_engines: list[int] = []


def _load_engine() -> int:
    """Return the address of this process's engine, which all threads share, since a module works only with its own engine."""
    if not _engines:
        _engines.append(_load_library().wasm_engine_new())  # if two threads are first, one engine stays unused
    return _engines[0]


@cache
def _load_module(code: bytes) -> int:
    """Return the address of a module, which each process loads once: from kept machine code, or by compiling it."""
    version = _find_version()
    stored = read_machine_code(version, code)
    if stored is not None:
        with suppress(SandboxError):  # machine code of another processor, for example
            return _make_module("wasmtime_module_deserialize", stored)
    module = _make_module("wasmtime_module_new", code)
    machine_code = _Bytes()
    if not (error := _load_library().wasmtime_module_serialize(module, byref(machine_code))):
        keep_machine_code(version, code, ctypes.string_at(machine_code.data, machine_code.size))
        _load_library().wasm_byte_vec_delete(byref(machine_code))
    else:
        _load_library().wasmtime_error_delete(error)
    return module


def _make_module(function: str, data: bytes) -> int:
    found = c_void_p()
    _check(getattr(_load_library(), function)(_load_engine(), data, len(data), byref(found)))
    return found.value or 0


def _find_version() -> str:
    """Return the name and version of wasmtime from its `.dist-info` folder, which is faster than reading the metadata."""
    found = find_spec("wasmtime")
    places = [Path(place).parent for place in (found.submodule_search_locations if found else None) or ()]
    return next((path.stem for place in places for path in place.glob("wasmtime-*.dist-info")), "wasmtime")


def _check(error: int | None, trap: c_void_p | None = None) -> None:
    """Raise `SandboxError` for an error or a trap that a function of the library returned; do nothing if there is none."""
    stopped = trap.value if trap else None
    if not error and not stopped:
        return
    library, message = _load_library(), _Bytes()
    kind, pointer = ("wasm_trap", stopped) if stopped else ("wasmtime_error", error)
    getattr(library, f"{kind}_message")(pointer, byref(message))
    text = ctypes.string_at(message.data, message.size).decode("utf-8", "replace").rstrip("\0")
    library.wasm_byte_vec_delete(byref(message))
    getattr(library, f"{kind}_delete")(pointer)
    raise SandboxError(text)


class _Store:
    """The store of an instance; the instance's functions and memory refer to it, so that none outlives it."""

    def __init__(self) -> None:
        self.address = _load_library().wasmtime_store_new(_load_engine(), None, None)
        # a process that ends frees the memory anyway, and a thread may still be using it
        weakref.finalize(self, _load_library().wasmtime_store_delete, self.address).atexit = False


class Sandbox:
    """An instance of a module with its own memory, for one thread at a time."""

    def __init__(self, code: bytes) -> None:
        self._library = _load_library()
        module = _load_module(code)
        self._store = _Store()
        self._context = self._library.wasmtime_store_context(self._store.address)
        self._instance, self._trap = (c_uint64 * 4)(), c_void_p()
        _check(
            self._library.wasmtime_instance_new(self._context, module, None, 0, self._instance, byref(self._trap)), self._trap
        )
        self._exports: dict[str, ctypes.Array[c_uint64]] = {}
        self._memory = self._export("memory")
        self.memory = self._view_memory()
        """The bytes of the memory; this view changes when the memory grows."""

    def _export(self, name: str) -> ctypes.Array[c_uint64]:
        """Return the handle of an exported function or of the memory; raise `SandboxError` if nothing has that name."""
        if name not in self._exports:
            found, text = _Export(), name.encode()
            if not self._library.wasmtime_instance_export_get(self._context, self._instance, text, len(text), byref(found)):
                raise SandboxError(f"the module has no export {name}")
            self._exports[name] = found.of
            self._exports[name].store = self._store  # type: ignore[attr-defined]
        return self._exports[name]

    def _view_memory(self) -> memoryview:
        size = self._library.wasmtime_memory_data_size(self._context, self._memory)
        address = self._library.wasmtime_memory_data(self._context, self._memory)
        memory = (c_uint8 * size).from_address(address)
        memory.store = self._store
        return memoryview(memory).cast("B")

    def grow_memory(self, size: int) -> None:
        """Grow the memory to this many bytes if it has fewer.

        Raises `SandboxError` if there is not enough memory.
        """
        if (missing := size - len(self.memory)) > 0:
            before = c_uint64()
            pages = -(-missing // _PAGE)
            _check(self._library.wasmtime_memory_grow(self._context, self._memory, pages, byref(before)))
            self.memory = self._view_memory()

    def call(self, name: str, numbers: Iterable[int] = ()) -> int:
        """Call an exported function with these whole numbers, and return its result.

        Raises `SandboxError` if it traps.
        """
        return self.prepare_call(name, numbers)()

    def prepare_call(self, name: str, numbers: Iterable[int]) -> Callable[..., int]:
        """Return a function that calls an exported function with these numbers; its argument, if any, replaces the first."""
        given = list(numbers)
        raw = (_Raw * max(len(given), 1))()
        for slot, number in zip(raw, given, strict=False):
            slot.number = number
        call, context, function, trap = (
            self._library.wasmtime_func_call_unchecked,
            self._context,
            self._export(name),
            self._trap,
        )
        size, first, stopped = len(raw), raw[0], byref(trap)

        def call_function(number: int = given[0] if given else 0) -> int:
            first.number = number
            error = call(context, function, raw, size, stopped)
            if error or trap.value:
                trap_pointer, trap.value = c_void_p(trap.value), None
                _check(error, trap_pointer)
            return first.number  # type: ignore[no-any-return]

        return call_function


# ---- machine code for the next process ----
#
# Machine code runs outside any sandbox. Therefore it is read only from the user's own cache, from a file and a folder that
# nobody else can write, and only if the same version of wasmtime wrote it there for the same module.

_MOST = 8
"""The largest number of files that are kept; the oldest ones are deleted."""


def read_machine_code(version: str, module: bytes) -> bytes | None:
    """Return the machine code that an earlier process kept for a module; None if there is none that can be trusted."""
    with suppress(OSError, RuntimeError):  # there may be no home directory
        path = _code_file(version, module)
        if not (is_mine_alone(path.parent) and is_mine_alone(path) and path.is_file()):
            return None
        data = path.read_bytes()
        size = hashlib.sha256().digest_size
        return data[size:] if hashlib.sha256(data[size:]).digest() == data[:size] else None
    return None


def keep_machine_code(version: str, module: bytes, code: bytes) -> None:
    """Store a module's machine code in the user's cache, if possible, and delete all but the newest `_MOST` files there."""
    with suppress(OSError, RuntimeError):
        path = _code_file(version, module)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if is_mine_alone(path.parent):
            write_atomically(path, hashlib.sha256(code).digest() + code)
            for old in sorted(path.parent.glob("*.cwasm"), key=lambda file: file.stat().st_mtime)[:-_MOST]:
                old.unlink()


def _code_file(version: str, module: bytes) -> Path:
    return user_cache() / "kernel" / f"{version}-{hashlib.sha256(module).hexdigest()[:32]}.cwasm"
