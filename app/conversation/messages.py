"""What was said and computed, its JSON, and how a chat template writes it.

A user's text is never part of what the template's special tokens are read from: the template is rendered with placeholders, and
what they stand for is encoded as text, whatever it looks like.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from app.expressions.tree import Value
from engine.machine.errors import InputError

MAX_PROMPT = 100_000
"""Longest text of a user, in characters."""
TOOL, PARAMETER = "compute", "expression"
KERNEL_TOOL, SOURCE, LAUNCH = "launch", "source", "launch"
CALL_BEGIN = "<tool_call>\n"
CALL_OPEN = f"{CALL_BEGIN}<function={TOOL}>\n<parameter={PARAMETER}>\n"
KERNEL_OPEN = f"{CALL_BEGIN}<function={KERNEL_TOOL}>\n<parameter={SOURCE}>\n"
KERNEL_BETWEEN = f"\n</parameter>\n<parameter={LAUNCH}>\n"
PARAMETER_END = "\n</parameter>"
# The letter shows whether a template writes what was said in small letters, as the built-in model's does.
_PLACEHOLDER = re.compile("\ue0f0([Pp])(\\d+)\ue0f1")

Role = Literal["user", "assistant", "tool"]
Source = Literal["sampled", "forced", "computed"]
Part = Literal["text", "thinking", "call"]


@dataclass(frozen=True)
class Kernel:
    """A kernel that was written in a conversation. launch: the text that describes the launch, as LAUNCH.json has it."""

    source: str
    launch: str


@dataclass(frozen=True)
class Message:
    """One message of a branch.

    thinking: what an assistant thought before it wrote; call, kernel: what an assistant's message asks to have computed
    launch: id of the record behind a tool's message; name, value: what it computed, and what later expressions call it
    A tool's message without a value says why there is none.
    """

    role: Role
    text: str = ""
    call: str | None = None
    kernel: Kernel | None = None
    thinking: str | None = None
    launch: str | None = None
    name: str | None = None
    value: Value | None = None

    def to_json(self) -> dict[str, Any]:
        """The object that files and processes exchange; what is not there is left out."""
        entry: dict[str, Any] = {"role": self.role, "text": self.text}
        for key in ("thinking", "call", "launch", "name", "value"):
            if getattr(self, key) is not None:
                entry[key] = getattr(self, key)
        if self.kernel is not None:
            entry["kernel"] = {"source": self.kernel.source, "launch": self.kernel.launch}
        return entry

    @classmethod
    def from_json(cls, entry: Any) -> Message:
        """The message that `to_json` wrote. Raises InputError naming what is wrong."""
        if not isinstance(entry, Mapping):
            raise _damaged("a message is no object")
        fields = dict(entry)
        kernel = fields.pop("kernel", None)
        value = fields.pop("value", None)
        unknown = fields.keys() - {"role", "text", "thinking", "call", "launch", "name"}
        if unknown:
            raise _damaged(f"a message has an unknown field '{sorted(unknown)[0]}'")
        if fields.get("role") not in ("user", "assistant", "tool"):
            raise _damaged(f"a message has the role {json.dumps(fields.get('role'))[:40]}")
        wrong = next((name for name, text in fields.items() if not isinstance(text, str)), None)
        if wrong is not None:
            raise _damaged(f"'{wrong}' of a message is no text")
        if value is not None and not _is_value(value):
            raise _damaged("'value' of a message is no integer, list or matrix of integers")
        return cls(**fields, value=value, kernel=None if kernel is None else _kernel(kernel))


def _kernel(entry: Any) -> Kernel:
    if not isinstance(entry, Mapping) or set(entry) != {SOURCE, LAUNCH} or not all(isinstance(v, str) for v in entry.values()):
        raise _damaged("'kernel' of a message is no source with a launch")
    return Kernel(entry[SOURCE], entry[LAUNCH])


def _is_value(value: Any, depth: int = 0) -> bool:
    if isinstance(value, list):
        return depth < 2 and all(_is_value(item, depth + 1) for item in value)
    return isinstance(value, int) and not isinstance(value, bool)


def _damaged(what: str) -> InputError:
    return InputError(what, "conversation", "the conversation is damaged; begin a new one")


def messages_of(entries: Any) -> list[Message]:
    """The messages of a JSON list. Raises InputError."""
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        raise _damaged("the messages are no list")
    return [Message.from_json(entry) for entry in entries]


def names_of(messages: Iterable[Message]) -> dict[str, Value]:
    """What was computed in a branch, by name; a name that was given twice means the later value."""
    return {message.name: message.value for message in messages if message.name is not None and message.value is not None}


def next_name(names: Mapping[str, Value]) -> str:
    """What the next value is called when nobody named it."""
    return next(name for number in range(len(names) + 1, 2 * len(names) + 2) if (name := f"v{number}") not in names)


@dataclass(frozen=True)
class Segment:
    """A stretch of a reply.

    source: the model sampled it, the host forced it, a launch computed it; launch: the record of that launch
    part: the reply's text, the thinking before it, or a call (which is not shown as text)
    """

    text: str
    source: Source
    launch: str | None = None
    part: Part = "text"

    def to_json(self) -> dict[str, Any]:
        """The object that processes exchange."""
        return {"text": self.text, "source": self.source, "launch": self.launch, "part": self.part}


def check_prompt(text: str) -> str:
    """A user's text. Raises InputError for none, broken or far too much text."""
    if not text.strip():
        raise InputError("the prompt is empty", "prompt", "ask something")
    if len(text) > MAX_PROMPT:
        raise InputError(f"the prompt has {len(text):,} characters", "prompt", f"write at most {MAX_PROMPT:,}")
    broken = next((place for place, letter in enumerate(text) if 0xD800 <= ord(letter) < 0xE000), None)
    if broken is not None:
        raise InputError(
            "the prompt holds a broken character (a lone surrogate)", f"prompt, character {broken + 1}", "remove it"
        )
    return text


# ---------------------------------------------------------------- for a chat template
@dataclass(frozen=True)
class Piece:
    """A stretch of a prompt; in a literal one nothing is a special token."""

    text: str
    literal: bool


def template_messages(
    messages: Sequence[Message], system: str = "", named: bool = False
) -> tuple[list[dict[str, Any]], list[str]]:
    """Messages as chat templates take them, with placeholders, and what the placeholders stand for.

    named: tell with every result what later expressions call it. Thinking is handed over behind the last question only.
    """
    contents: list[str] = []

    def held(text: str) -> str:
        if not text:
            return ""
        contents.append(text)
        return f"\ue0f0P{len(contents) - 1}\ue0f1"

    plain: list[dict[str, Any]] = [{"role": "system", "content": held(system)}] if system else []
    asked = max((place for place, message in enumerate(messages) if message.role == "user"), default=0)
    for place, message in enumerate(messages):
        told = f"{message.name} = {message.text}" if named and message.name is not None else message.text
        entry: dict[str, Any] = {"role": message.role, "content": held(told)}
        if message.thinking and place > asked:
            entry["reasoning_content"] = held(message.thinking)
        if message.call is not None:
            entry["tool_calls"] = [_tool_call(TOOL, {PARAMETER: held(message.call)})]
        if message.kernel is not None:
            entry["tool_calls"] = [
                _tool_call(KERNEL_TOOL, {SOURCE: held(message.kernel.source), LAUNCH: held(message.kernel.launch)})
            ]
        plain.append(entry)
    return plain, contents


def _tool_call(name: str, arguments: Mapping[str, str]) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "arguments": arguments}}


def pieces_of(rendered: str, contents: Sequence[str]) -> list[Piece]:
    """A rendered template with the placeholders replaced."""
    pieces, place = [], 0
    for found in _PLACEHOLDER.finditer(rendered):
        said = contents[int(found[2])]
        pieces += [Piece(rendered[place : found.start()], False), Piece(said.lower() if found[1] == "p" else said, True)]
        place = found.end()
    return [piece for piece in (*pieces, Piece(rendered[place:], False)) if piece.text]


def tool_description(usages: Sequence[str]) -> dict[str, Any]:
    """The tool for expressions, as chat templates take it."""
    about = (
        "Computes exactly with whole numbers. Write one expression of these functions; arguments are integers (decimal, "
        "hex), lists [1, 2], matrices [[1, 2], [3, 4]], names of earlier results, or calls: " + ", ".join(usages)
    )
    return _described(TOOL, about, {PARAMETER: "for example dot([1, 2, 3], [4, 5, 6])"})


KERNEL_RULES = (
    "Compiles a CUDA C++ kernel and launches it. Integers of 8 to 64 bits, shared memory, barriers, atomics and warp "
    "operations work; floating point, host code, printf and malloc do not. There are 2,048 words of memory in all. Results are "
    "returned in arrays."
)
LAUNCH_RULES = (
    'JSON: {"kernel": "NAME", "grid": [1], "block": [THREADS], "args": [{"name": "a", "type": "int32*", "value": [1, 2]}, '
    '{"name": "n", "type": "int32", "value": 2}, {"name": "out", "type": "int32*", "size": 1}]}; one entry per parameter, in '
    "order; results are the arrays given by size, which begin as zeros"
)


def kernel_tool_description() -> dict[str, Any]:
    """The tool for kernels, as chat templates take it."""
    return _described(KERNEL_TOOL, KERNEL_RULES, {SOURCE: "the CUDA source with one __global__ function", LAUNCH: LAUNCH_RULES})


def _described(name: str, about: str, parameters: Mapping[str, str]) -> dict[str, Any]:
    properties = {parameter: {"type": "string", "description": text} for parameter, text in parameters.items()}
    return {
        "type": "function",
        "function": {
            "name": name,
            "description": about,
            "parameters": {"type": "object", "properties": properties, "required": list(parameters)},
        },
    }
