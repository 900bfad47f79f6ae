"""What a worker can do: one function an operation, from its request to its result."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from app.worker.desk import Desk, preparing
from app.worker.protocol import (
    Attempt,
    Build,
    BuildResult,
    Chat,
    ChatResult,
    Compile,
    CompileResult,
    Download,
    DownloadResult,
    Kernel,
    Launch,
    LaunchProgress,
    LaunchResult,
    Load,
    LoadResult,
    Result,
    Said,
    Token,
    Verify,
    VerifyResult,
)
from app.worker.ticket import Ticket

if TYPE_CHECKING:
    from app.conversation.messages import Message, Segment
    from app.conversation.options import Attempt as Round
    from app.conversation.options import Listener
    from app.conversation.options import Progress as Launching


LOOK = 0.05
"""Seconds between two looks for a stop, where nothing else would look."""


@dataclass(frozen=True)
class Operation:
    """lane: requests of one lane are worked on one after the other; work: raises GpuError."""

    lane: str
    work: Callable[[Any, Desk, Ticket], Result]


# ---------------------------------------------------------------- the model
def load(request: Load, desk: Desk, ticket: Ticket) -> LoadResult:
    """Open a checkpoint."""
    return desk.open(Path(request.checkpoint) if request.checkpoint else None, request.device, ticket)


def chat(request: Chat, desk: Desk, ticket: Ticket) -> ChatResult:
    """Answer a text."""
    from app.conversation.messages import messages_of
    from app.conversation.options import Options, Sampling

    branch = messages_of(request.messages)
    options = Options(request.advanced, request.thinking, request.system, Sampling(**msgspec.to_builtins(request.sampling)))
    reply = desk.opened(ticket).talk.answer(branch, request.text, options, listener(ticket))
    return _result(ChatResult, request.id, reply.to_json(), ("attempts", "failures"))


def launch(request: Launch, desk: Desk, ticket: Ticket) -> LaunchResult:
    """Launch a kernel that the user wrote."""
    from app.conversation.messages import Kernel as Written
    from app.conversation.reply import summary

    talk = desk.opened(ticket).talk
    written = Written(request.source, json.dumps(request.launch))
    reply = talk.launch(written, request.filename, f"Launch {request.filename}.", listener=listener(ticket))
    (receipt,) = reply.receipts
    return _result(LaunchResult, request.id, {"launch": summary(receipt), "outputs": dict(receipt.outputs)})


def verify(request: Verify, desk: Desk, ticket: Ticket) -> VerifyResult:
    """Check a checkpoint or a receipt."""
    from app.verifying import verify_checkpoint, verify_receipt

    session = desk.session(Path(request.checkpoint) if request.checkpoint else None, ticket)
    if request.receipt is not None:
        found = verify_receipt(Path(request.receipt), session, lambda done, total: ticket.progress("tokens", done, total))
        return VerifyResult(request.id, "exact", found)
    found = verify_checkpoint(session, lambda now: ticket.progress(now.stage, now.done, now.total, now.bytes))
    return VerifyResult(request.id, "exact", found)


def listener(ticket: Ticket) -> Listener:
    """Who tells the app about a turn."""
    from app.conversation.options import Listener

    def segment(part: Segment) -> None:
        ticket.tell(Token(ticket.id, part.text, part.source, part.launch, part.part))

    def message(said: Message) -> None:
        ticket.tell(Said(ticket.id, said.to_json()))

    def launching(now: Launching) -> None:
        if ticket.often():
            ticket.tell(LaunchProgress(ticket.id, now.launch, now.title, now.block, now.warp, now.tokens, now.prompt))

    def attempt(made: Round) -> None:
        ticket.tell(Attempt(ticket.id, made.number, made.source, made.error, made.launch, made.record))

    return Listener(segment, message, launching, attempt, ticket.note, ticket.cancelled)


# ---------------------------------------------------------------- the compiler
def compile_source(request: Compile, desk: Desk, ticket: Ticket) -> CompileResult:
    """Compile a source and say which kernels it has."""
    from toolchain.compiler import CompiledPtx, compile_cuda
    from toolchain.ptx import parse_ptx

    is_ptx = request.filename.lower().endswith(".ptx")
    compiled = (
        CompiledPtx(request.source, "given", None)
        if is_ptx
        else compile_cuda(request.source, request.filename, instantiate=request.kernel, cancelled=ticket.cancelled)
    )
    kernels = (
        Kernel(entry.demangled.name, entry.demangled.parameters or tuple(item.type for item in entry.parameters))
        for entry in parse_ptx(compiled.ptx, compiled.source_name).entries
    )
    return CompileResult(request.id, tuple(kernels), compiled.ptx)


# ---------------------------------------------------------------- the builder
def build(request: Build, desk: Desk, ticket: Ticket) -> BuildResult:
    """Make a checkpoint and make it the user's default."""
    from app.building import adopt, build_checkpoint, default_folder
    from app.checkpoints import embedded

    embedded(desk.paths, preparing(ticket), ticket.note)
    out = Path(request.out) if request.out else default_folder(request.base, desk.paths)
    report = build_checkpoint(
        request.base,
        out.absolute(),
        desk.paths,
        lambda now: ticket.progress(now.stage, now.done, now.total, now.bytes, now.layer),
        ticket.cancelled,
        ticket.note,
    )
    adopt(out.absolute(), desk.paths)
    return BuildResult(request.id, str(out.absolute()), report.as_json())


# ---------------------------------------------------------------- the hub
def download(request: Download, desk: Desk, ticket: Ticket) -> DownloadResult:
    """Fetch a repository."""
    return asyncio.run(fetch(request, ticket))


async def fetch(request: Download, ticket: Ticket) -> DownloadResult:
    """A download in a loop of its own, which looks for a stop now and then. What was fetched stays."""
    from app.hub.download import Download as Fetching
    from app.hub.model import Progress, Source

    def told(now: Progress) -> None:
        ticket.progress(now.state.value, now.have, now.size, now.have)

    fetching = Fetching(Path(request.folder), Source(request.repository), told)
    fetching.start()
    finished = asyncio.ensure_future(fetching.finished())
    while not (await asyncio.wait((finished,), timeout=LOOK))[0]:
        if ticket.cancelled():
            fetching.pause()
    return DownloadResult(request.id, str(finished.result()), fetching.progress.size, len(fetching.progress.files))


def _result(kind: type[Any], request: str, found: Mapping[str, Any], without: tuple[str, ...] = ()) -> Any:
    """A result of what another room writes as JSON."""
    return msgspec.convert({"id": request} | {name: value for name, value in found.items() if name not in without}, kind)


OPERATIONS: Mapping[str, Operation] = {
    "load": Operation("model", load),
    "chat": Operation("model", chat),
    "launch": Operation("model", launch),
    "verify": Operation("model", verify),
    "compile": Operation("compiler", compile_source),
    "build": Operation("builder", build),
    "download": Operation("hub", download),
}
