"""Which devices this computer offers for the language model's text: Apple's GPU, CUDA, the CPU."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from engine.machine.errors import EnvironmentProblem

CPU, MPS, CUDA = "cpu", "mps", "cuda"
PREFERENCE = (MPS, CUDA, CPU)


def available(torch: ModuleType | None = None) -> tuple[str, ...]:
    """The usable devices, best first. torch: the module to ask."""
    torch = torch or import_module("torch")
    usable = {MPS: torch.backends.mps.is_available(), CUDA: torch.cuda.is_available(), CPU: True}
    return tuple(device for device in PREFERENCE if usable[device])


def choose_device(wanted: str = "auto", torch: ModuleType | None = None) -> str:
    """The device to use. Raises EnvironmentProblem for one that is not there."""
    usable = available(torch)
    if wanted == "auto":
        return usable[0]
    if wanted not in usable:
        raise EnvironmentProblem(
            f"device '{wanted}' is not available on this computer", "--device", f"available here: auto, {', '.join(usable)}"
        )
    return wanted
