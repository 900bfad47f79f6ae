"""The messages between the app and its worker process: JSON objects, one a line, each a frozen dataclass here.

A request names its operation in "op", a reply its kind in "event"; a result says in "op" what it is the result of. Every reply
but `Ready` carries the id of its request, and every request but `Stop` and `Shutdown` ends with exactly one `Result` or
`Error`. A stopped chat ends with a `ChatResult` that holds what was written; any other stopped request with an `Error` of kind
"cancelled". Numbers of type float are seconds unless said otherwise. Both sides are Python, so a kernel's NaN and infinity
are written as Python writes them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import PurePath
from typing import Any, ClassVar, Literal

import msgspec

from engine.machine.errors import GpuError, UsageError

PROTOCOL = 1
"""Raised whenever a message changes its meaning; both sides are of one version, so a difference is a broken installation."""
EMBEDDED = "embedded"
"""Names the small built-in model where a folder is asked for."""
STOPPED = "cancelled"
"""The kind of an `Error` that ends a request which was stopped."""
DIED = "worker"
"""The kind of an `Error` that ends a request whose worker is gone."""

Json = Mapping[str, Any]
Source = Literal["sampled", "forced", "computed"]
Part = Literal["text", "thinking", "call"]
Device = Literal["auto", "cpu", "mps", "cuda"]
Ended = Literal["complete", "stopped", "length"]


# ---------------------------------------------------------------- requests
@dataclass(frozen=True)
class Request:
    """What the app asks for. id: chosen by the app, in every reply to it."""

    op: ClassVar[str]
    id: str

    def to_json(self) -> str:
        """The message as one line, without its end."""
        return _line({"id": self.id, "op": self.op}, self)


@dataclass(frozen=True)
class Sampling:
    """How the next token of a text is chosen; temperature 0 takes the likeliest. The same seed gives the same text."""

    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    seed: int = 0


@dataclass(frozen=True)
class Load(Request):
    """Open a checkpoint, freeing the one before. Ends: LoadResult.

    checkpoint: a folder, or "embedded"; None is the user's own, else the embedded one
    """

    op: ClassVar[str] = "load"
    checkpoint: str | None = None
    device: Device = "auto"


@dataclass(frozen=True)
class Chat(Request):
    """Answer a text after the messages of a branch, as `app.conversation.messages` writes them.

    Told by Token, Attempt, LaunchProgress, Said and Note; ends: ChatResult.
    """

    op: ClassVar[str] = "chat"
    text: str
    messages: tuple[Json, ...] = ()
    advanced: bool = False
    thinking: bool = False
    system: str = ""
    sampling: Sampling = Sampling()


@dataclass(frozen=True)
class Launch(Request):
    """Run a kernel: CUDA or PTX by its file name; launch: LAUNCH.json. Told by LaunchProgress; ends: LaunchResult."""

    op: ClassVar[str] = "launch"
    source: str
    filename: str
    launch: Json


@dataclass(frozen=True)
class Compile(Request):
    """Compile a kernel's source. kernel: the template instantiation that is wanted, such as "poly<3, int>".

    Ends: CompileResult, or an Error whose `where` and facts carry lines of the source.
    """

    op: ClassVar[str] = "compile"
    source: str
    filename: str
    kernel: str | None = None


@dataclass(frozen=True)
class Build(Request):
    """Make a checkpoint. base: a folder or "embedded"; out None: the user's folder for checkpoints. Ends: BuildResult."""

    op: ClassVar[str] = "build"
    base: str
    out: str | None = None


@dataclass(frozen=True)
class Verify(Request):
    """Check a checkpoint (None: the one that is used) or redo a receipt with it. Ends: VerifyResult."""

    op: ClassVar[str] = "verify"
    checkpoint: str | None = None
    receipt: str | None = None


@dataclass(frozen=True)
class Download(Request):
    """Fetch a repository into a folder, going on where it was stopped. Ends: DownloadResult.

    The app fetches by itself (`app.hub`), with its own settings of mirror and token; this takes those of the environment.
    """

    op: ClassVar[str] = "download"
    repository: str
    folder: str


@dataclass(frozen=True)
class Stop(Request):
    """End another request; that one's own end is the answer. One that has ended already is left alone."""

    op: ClassVar[str] = "stop"
    target: str


@dataclass(frozen=True)
class Shutdown(Request):
    """Stop everything and end the process."""

    op: ClassVar[str] = "shutdown"


# ---------------------------------------------------------------- replies
@dataclass(frozen=True)
class Event:
    """What the worker tells."""

    event: ClassVar[str]

    def to_json(self) -> str:
        """The message as one line, without its end."""
        return _line({"event": self.event}, self)


@dataclass(frozen=True)
class Ready(Event):
    """The first message: the worker takes requests. Nothing heavy is loaded yet."""

    event: ClassVar[str] = "ready"
    version: str
    protocol: int = PROTOCOL


@dataclass(frozen=True)
class Note(Event):
    """Something that the user should know but need not act on."""

    event: ClassVar[str] = "note"
    id: str
    text: str


@dataclass(frozen=True)
class Progress(Event):
    """A unit of work is done. stage: what kind of work; done of total in the stage's own unit (total 0: not known);

    bytes: moved in this stage; eta: seconds left, None while unknown; layer: which of the merged model's, while one is written.
    """

    event: ClassVar[str] = "progress"
    id: str
    stage: str
    done: int = 0
    total: int = 0
    bytes: int = 0
    eta: float | None = None
    layer: int | None = None


@dataclass(frozen=True)
class Token(Event):
    """A stretch of a reply. launch: the record that computed it."""

    event: ClassVar[str] = "token"
    id: str
    text: str
    source: Source
    launch: str | None = None
    part: Part = "text"


@dataclass(frozen=True)
class Attempt(Event):
    """A kernel that the model wrote in advanced mode. number: from 1; error: why it was not taken; launch: LAUNCH.json;

    record: the launch record's id, where the machine stopped the launch
    """

    event: ClassVar[str] = "attempt"
    id: str
    number: int
    source: str
    error: str | None = None
    launch: str = ""
    record: str | None = None


@dataclass(frozen=True)
class LaunchProgress(Event):
    """A launch is running, told at most 25 times a second.

    launch: the id that its record will have; expression: or the kernel's name; block: of the program, None during the prompt;
    tokens: fed and generated so far, over all launches of the value; prompt: those of them that the host fed
    """

    event: ClassVar[str] = "launch"
    id: str
    launch: str
    expression: str
    block: int | None
    warp: int | None
    tokens: int
    prompt: int


@dataclass(frozen=True)
class Said(Event):
    """A message of the running turn is finished: a crash behind it does not lose it."""

    event: ClassVar[str] = "message"
    id: str
    message: Json


@dataclass(frozen=True)
class Error(Event):
    """A request's bad end. kind: as on the command line, or `DIED`; message: what was wrong; facts: line, limit, needed .."""

    event: ClassVar[str] = "error"
    id: str
    kind: str
    message: str
    where: str = ""
    remedy: str = ""
    facts: Json = field(default_factory=dict)

    @classmethod
    def of(cls, request: str, error: GpuError) -> Error:
        """The reply that tells a named error; what JSON cannot hold of its facts is told as text."""
        facts = json.loads(json.dumps(dict(error.extra), default=str))
        return cls(request, error.kind, error.what, error.where, error.remedy, facts)


# ---------------------------------------------------------------- results
@dataclass(frozen=True)
class Result(Event):
    """A request's good end."""

    event: ClassVar[str] = "result"
    op: ClassVar[str]
    id: str

    def to_json(self) -> str:
        """The message as one line, without its end."""
        return _line({"event": self.event, "op": self.op}, self)


@dataclass(frozen=True)
class CheckpointInfo:
    """The opened checkpoint. hash: of its weights; name: of the language model; layers: compiled, the language model's."""

    path: str
    hash: str
    kind: Literal["embedded", "built"]
    name: str
    layers: tuple[int, int]


@dataclass(frozen=True)
class LoadResult(Result):
    """device: of the text; machine_device: of the launches; context_limit: tokens that the model reads."""

    op: ClassVar[str] = "load"
    checkpoint: CheckpointInfo
    device: str
    machine_device: str
    context_limit: int


@dataclass(frozen=True)
class Segment:
    """A stretch of a reply with its source."""

    text: str
    source: Source
    launch: str | None = None
    part: Part = "text"


@dataclass(frozen=True)
class Summary:
    """A launch record in short. The whole lies in the user's data folder, `launches/ID.json`.

    title: expression or kernel; tokens: generated; prompt: tokens of it; passes: forward passes; outputs: a short text of them
    overflow: what did not fit, where something did not
    """

    id: str
    title: str
    tokens: int
    prompt: int
    passes: int
    replay: str
    outputs: str
    seconds: float
    overflow: str | None = None


@dataclass(frozen=True)
class Context:
    """used, limit: tokens that the model has read and can read; dropped: messages at the beginning that it no longer reads."""

    used: int
    limit: int
    dropped: int = 0


@dataclass(frozen=True)
class ChatResult(Result):
    """messages: the new ones, the user's included; segments: the reply with the source of every stretch."""

    op: ClassVar[str] = "chat"
    messages: tuple[Json, ...]
    segments: tuple[Segment, ...]
    launches: tuple[Summary, ...]
    context: Context
    tokens_per_second: float
    ended: Ended


@dataclass(frozen=True)
class LaunchResult(Result):
    """outputs: the final content of every pointer argument, by name."""

    op: ClassVar[str] = "launch"
    launch: Summary
    outputs: Json


@dataclass(frozen=True)
class Kernel:
    """A kernel of a compiled source. params: types in PTX's words, in order."""

    name: str
    params: tuple[str, ...]


@dataclass(frozen=True)
class CompileResult(Result):
    """The kernels of a source, and its PTX."""

    op: ClassVar[str] = "compile"
    kernels: tuple[Kernel, ...]
    ptx: str


@dataclass(frozen=True)
class BuildResult(Result):
    """checkpoint: its folder, now the user's default; report: `build_report.json`."""

    op: ClassVar[str] = "build"
    checkpoint: str
    report: Json


@dataclass(frozen=True)
class VerifyResult(Result):
    """verdict: "exact"; a difference is an Error of kind "mismatch". found: what was looked at."""

    op: ClassVar[str] = "verify"
    verdict: str
    found: Json


@dataclass(frozen=True)
class DownloadResult(Result):
    """folder: the complete repository; size: bytes of all its files; files: how many."""

    op: ClassVar[str] = "download"
    folder: str
    size: int
    files: int


REQUESTS = {kind.op: kind for kind in (Load, Chat, Launch, Compile, Build, Verify, Download, Stop, Shutdown)}
RESULTS = {
    kind.op: kind for kind in (LoadResult, ChatResult, LaunchResult, CompileResult, BuildResult, VerifyResult, DownloadResult)
}
EVENTS = {kind.event: kind for kind in (Ready, Note, Progress, Token, Attempt, LaunchProgress, Said, Error)}
LAST = (Result, Error)
"""What a request ends with."""


# ---------------------------------------------------------------- lines
def read_request(line: str | bytes) -> Request:
    """The request in a line. Raises UsageError saying what is wrong with it."""
    return _read(line, lambda value: REQUESTS.get(str(value.pop("op", None))), "a request of a known operation")


def read_event(line: str | bytes) -> Event:
    """The reply in a line. Raises UsageError saying what is wrong with it."""

    def kind(value: dict[str, Any]) -> type[Event] | None:
        event = str(value.pop("event", None))
        return RESULTS.get(str(value.pop("op", None))) if event == Result.event else EVENTS.get(event)

    return _read(line, kind, "a known event")


def id_of(line: str | bytes) -> str:
    """The id that a line carries, "" where none can be read: even a refusal should reach who asked."""
    try:
        value = json.loads(line)
    except ValueError:
        return ""
    found = value.get("id") if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def _line(head: dict[str, Any], message: Any) -> str:
    return json.dumps(head | msgspec.to_builtins(message, enc_hook=_plain), separators=(",", ":"))


def _plain(value: Any) -> str:
    """Paths may stand where a message holds the text of one."""
    if isinstance(value, PurePath):
        return str(value)
    raise TypeError(f"a message cannot hold a {type(value).__name__}")


def _read(line: str | bytes, kind_of: Any, expected: str) -> Any:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"a line is not JSON: {error}", "worker protocol", _REINSTALL) from None
    kind = kind_of(value) if isinstance(value, dict) else None
    if kind is None:
        raise UsageError(f"a line is not {expected}: {line[:80]!r}", "worker protocol", _REINSTALL)
    unknown = sorted(set(value) - _names(kind))
    if unknown:
        raise UsageError(f"{kind.__name__} has no field '{unknown[0]}'", "worker protocol", _REINSTALL)
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise UsageError(f"{kind.__name__}: {error}", "worker protocol", _REINSTALL) from None


@cache
def _names(kind: type) -> frozenset[str]:
    return frozenset(item.name for item in fields(kind))


_REINSTALL = "install the program again: its parts are of different versions"
