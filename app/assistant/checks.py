"""The first step's judgement: what this computer has against what is needed, a sentence each."""

from __future__ import annotations

from dataclasses import dataclass

from app.assistant.model import Mark
from app.computer import Computer
from app.devices import CPU, CUDA, MPS
from app.hub.model import QWEN_BYTES
from app.quantities import memory, memory_of, size
from app.texts import Text, translate
from engine.machine.errors import GpuError, MismatchError

BUILD_BYTES = 10_100_000_000
"""About what a built Qwen3.5-2B weighs on disk."""
SPARE_BYTES = 1 << 30
"""What the disk should keep free."""
FREE_MEMORY = 8 << 30
"""Free memory with which a chat with Qwen3.5-2B runs without swapping: 5 GB of weights, the machine, context, the system."""
SMALL_BYTES = 900_000_000
"""About what the small built-in model needs of memory."""
MEMORY, DISK, DEVICE, COMPILER = "memory", "disk", "device", "compiler"


@dataclass(frozen=True)
class Trial:
    """The test launch in the model that is open. tokens: 0 until it gave what it must; problem: why it did not"""

    running: bool = False
    tokens: int = 0
    seconds: float = 0.0
    problem: GpuError | None = None


@dataclass(frozen=True)
class Check:
    """One thing that was looked at. expect: what to expect if somebody continues anyway."""

    key: str
    mark: Mark
    title: Text
    sentence: Text
    value: Text | str
    expect: tuple[Text | str, ...] = ()


def checks(computer: Computer, trial: Trial, download: int, here: bool) -> tuple[Check, ...]:
    """All four. download: bytes of the language model, 0 while unknown; here: it is on this computer already."""
    disk = _disk(computer, 0 if here else download or QWEN_BYTES)
    return _memory(computer), disk, _device(computer, trial), _compiler(computer)


def _memory(computer: Computer) -> Check:
    title = translate("Assistant", "Memory")
    found, value = computer.memory, memory_of(computer.memory.available, computer.memory.total)
    value = translate("Assistant", "{amount} free").format(amount=value)
    if found.enough and found.available >= FREE_MEMORY:
        return Check(
            MEMORY, Mark.DONE, title, translate("Assistant", "Enough for Qwen3.5-2B with the GPU in its weights."), value
        )
    using = tuple(
        [
            translate("Assistant", "Using the most now: {programs}.").format(
                programs=", ".join(f"{program.name} {memory(program.memory)}" for program in computer.hungry)
            )
        ]
        if computer.hungry
        else []
    )
    expect = translate(
        "Assistant",
        "If you continue: the build works, since it never holds more than a part of the model; chats may be slow, "
        "and other apps may pause for a moment. The small model needs {size} only.",
    ).format(size=size(SMALL_BYTES))
    if not found.enough:
        sentence = translate(
            "Assistant", "This computer has {total} of memory. {needed} are recommended for Qwen3.5-2B."
        ).format(total=memory(found.total), needed=memory(found.needed))
    else:
        sentence = translate(
            "Assistant", "{free} is free. Qwen3.5-2B is comfortable with {needed}, so this may be slow."
        ).format(free=memory(found.available), needed=memory(FREE_MEMORY))
    return Check(MEMORY, Mark.WARNING, title, sentence, value, (*using, expect))


def _disk(computer: Computer, download: int) -> Check:
    title = translate("Assistant", "Disk")
    value = translate("Assistant", "{amount} free").format(amount=size(computer.free))
    if computer.unwritable is not None:
        sentence = translate("Assistant", "The folder for models cannot be written: {folder}").format(
            folder=str(computer.folder)
        )
        return Check(
            DISK,
            Mark.PROBLEM,
            title,
            sentence,
            value,
            (translate("Assistant", "Choose another folder, or change its permissions."),),
        )
    needed = download + BUILD_BYTES + SPARE_BYTES
    if computer.free < needed:
        sentence = translate("Assistant", "{needed} are needed for the download and the build.").format(needed=size(needed))
        return Check(
            DISK,
            Mark.PROBLEM,
            title,
            sentence,
            value,
            (
                translate("Assistant", "Free {missing}, or choose a folder on another disk.").format(
                    missing=size(needed - computer.free)
                ),
            ),
        )
    if not download:
        return Check(
            DISK,
            Mark.DONE,
            title,
            translate("Assistant", "Enough room for the build ({build}).").format(build=size(BUILD_BYTES)),
            value,
        )
    return Check(
        DISK,
        Mark.DONE,
        title,
        translate("Assistant", "Enough room for the download ({download}) and the build ({build}).").format(
            download=size(download), build=size(BUILD_BYTES)
        ),
        value,
    )


def _device(computer: Computer, trial: Trial) -> Check:
    title = translate("Assistant", "Device")
    sentences = {
        MPS: translate("Assistant", "Text runs on the Apple GPU."),
        CUDA: translate("Assistant", "Text runs on the NVIDIA GPU."),
        CPU: translate("Assistant", "Text runs on the processor, which is slower than a GPU. Results are the same."),
    }
    name = {MPS: f"{computer.chip} · MPS", CUDA: computer.chip, CPU: computer.chip}[computer.device]
    mark, sentence, expect = _tried(trial, sentences[computer.device])
    return Check(DEVICE, mark, title, sentence, name, expect)


def _tried(trial: Trial, device: Text) -> tuple[Mark, Text, tuple[Text | str, ...]]:
    """What the test launch says of a device, behind the sentence about it."""
    if trial.running:
        return Mark.RUNNING, translate("Assistant", "{device} A test launch is running…").format(device=device), ()
    if trial.problem is not None:
        mark = Mark.PROBLEM if isinstance(trial.problem, MismatchError) else Mark.WARNING
        failed = translate("Assistant", "The test launch failed: {problem}").format(problem=trial.problem.what)
        return mark, failed, (trial.problem.remedy,) if trial.problem.remedy else ()
    if not trial.tokens:
        return Mark.DONE, device, ()
    told = translate("Assistant", "{device} A test launch gave the exact result: {tokens} tokens in {milliseconds} ms.")
    return (Mark.DONE, told.format(device=device, tokens=trial.tokens, milliseconds=max(1, round(trial.seconds * 1000))), ())


def _compiler(computer: Computer) -> Check:
    title, found = translate("Assistant", "Compiler"), computer.compiler
    if found.problem is not None:
        sentence = translate("Assistant", "CUDA kernels cannot be compiled: {problem}").format(problem=found.problem.what)
        return Check(
            COMPILER, Mark.PROBLEM, title, sentence, found.name, (found.problem.remedy,) if found.problem.remedy else ()
        )
    return Check(
        COMPILER,
        Mark.DONE,
        title,
        translate("Assistant", "A test kernel was compiled in {milliseconds} ms.").format(
            milliseconds=max(1, round(found.seconds * 1000))
        ),
        found.name,
    )
