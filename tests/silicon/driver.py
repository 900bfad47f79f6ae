"""The few calls of the CUDA driver that launching a kernel needs, through ctypes: no toolkit, only the GPU's own driver.

`library` may be anything with the same functions, which is how the tests run without a GPU.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from typing import Any

JIT_OPTIMIZATION_LEVEL = 7
"""CUjit_option: 0 (none) to 4 (all optimisations) when PTX is translated."""
COMPUTE_MAJOR, COMPUTE_MINOR = 75, 76
"""CUdevice_attribute."""


class DriverError(Exception):
    """A call of the driver failed: which, and why in the driver's words."""


def load_library() -> Any:
    """The driver's library. Raises DriverError where there is none."""
    name = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
    try:
        return ctypes.CDLL(name)
    except OSError as error:
        raise DriverError(f"no CUDA driver: {error}") from None


class Gpu:
    """The first GPU, with its primary context."""

    def __init__(self, library: Any) -> None:
        self.library = library
        self.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        text = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", text, len(text), device)
        self.name = text.value.decode()
        major, minor, version = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(major), COMPUTE_MAJOR, device)
        self.call("cuDeviceGetAttribute", ctypes.byref(minor), COMPUTE_MINOR, device)
        self.call("cuDriverGetVersion", ctypes.byref(version))
        self.compute, self.driver = f"{major.value}{minor.value}", version.value
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name: str, *arguments: Any) -> None:
        """One call. Raises DriverError unless it returns CUDA_SUCCESS."""
        status = getattr(self.library, name)(*arguments)
        if status:
            text = ctypes.c_char_p()
            self.library.cuGetErrorString(status, ctypes.byref(text))
            raise DriverError(f"{name}: {text.value.decode() if text.value else status}")

    def load(self, image: bytes, level: int) -> ctypes.c_void_p:
        """A module from PTX (translated at an optimisation level) or from a cubin."""
        module = ctypes.c_void_p()
        options = (ctypes.c_int * 1)(JIT_OPTIMIZATION_LEVEL)
        values = (ctypes.c_void_p * 1)(level)
        self.call("cuModuleLoadDataEx", ctypes.byref(module), ctypes.c_char_p(image + b"\0"), 1, options, values)
        return module

    def unload(self, module: ctypes.c_void_p) -> None:
        """Forget a module."""
        self.call("cuModuleUnload", module)

    def launch(self, module: ctypes.c_void_p, entry: str, grid: Sequence[int], block: Sequence[int], shared: int,
               parameters: Sequence[bytes | bytearray]) -> list[bytes]:  # fmt: skip
        """Run a kernel; a bytearray is an array on the GPU, bytes a value. The arrays' contents afterwards, in order."""
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, entry.encode())
        places: list[tuple[ctypes.c_uint64, int]] = []
        values: list[Any] = []
        try:
            for parameter in parameters:
                if isinstance(parameter, bytearray):
                    place = ctypes.c_uint64()
                    self.call("cuMemAlloc_v2", ctypes.byref(place), ctypes.c_size_t(max(1, len(parameter))))
                    places.append((place, len(parameter)))
                    self.call("cuMemcpyHtoD_v2", place, bytes(parameter), ctypes.c_size_t(len(parameter)))
                    values.append(place)
                else:
                    values.append(ctypes.create_string_buffer(bytes(parameter), len(parameter)))
            pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
            self.call("cuLaunchKernel", function, *grid, *block, shared, None, pointers, None)
            self.call("cuCtxSynchronize")
            return [self.read(place, size) for place, size in places]
        finally:
            for place, _ in places:
                self.call("cuMemFree_v2", place)

    def read(self, place: ctypes.c_uint64, size: int) -> bytes:
        """An array's content."""
        content = ctypes.create_string_buffer(max(1, size))
        self.call("cuMemcpyDtoH_v2", content, place, ctypes.c_size_t(size))
        return content.raw[:size]
