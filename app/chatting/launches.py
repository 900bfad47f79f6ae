"""The launches of a reply as its row shows them: running, exact, failed, stopped; and what a value's tooltip says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from app.chats.model import Message
from app.texts import Text, translate
from app.worker.protocol import LaunchProgress

State = Literal["running", "exact", "fault", "differs", "stopped"]
EXACT = "exact"


@dataclass(frozen=True)
class Launched:
    """One launch. id: of its record, "" where there is none; detail: what went wrong, or why there is no value."""

    id: str
    title: str
    state: State
    tokens: int = 0
    prompt: int = 0
    outputs: str = ""
    seconds: float = 0.0
    block: int | None = None
    warp: int | None = None
    detail: str = ""

    @property
    def function(self) -> str:
        """The function or kernel that ran."""
        return self.title.split("(", 1)[0].strip() or self.title

    @property
    def status(self) -> Text:
        """What the row says at its right, without the count of tokens."""
        if self.state == "running":
            return translate("Launches", "running")
        if self.state == "exact":
            return translate("Launches", "replay exact")
        if self.state == "stopped":
            return translate("Launches", "stopped after {tokens} tokens").format(tokens=f"{self.tokens:,}")
        if self.state == "differs":
            return translate("Launches", "replay differs")
        return Text("Launches", "{detail}", {"detail": self.detail}) if self.detail else translate("Launches", "failed")


def launches_of(message: Message, progress: Mapping[str, LaunchProgress], running: bool) -> tuple[Launched, ...]:
    """The launches of a reply in order. progress: the last that was heard of each; running: the reply is being written."""
    finished = {summary["id"]: _finished(summary) for summary in message.launches}
    known = list(finished.values())
    for number, heard in progress.items():
        if number not in finished:
            computed = any(segment.launch == number for segment in message.segments)
            known.append(
                Launched(
                    number,
                    heard.expression,
                    "exact" if computed else "running" if running else "stopped",
                    max(0, heard.tokens - heard.prompt),
                    heard.prompt,
                    block=heard.block,
                    warp=heard.warp,
                )
            )
    return (*known, *_failed(message.turn))


def launched_at_all(message: Message, progress: Mapping[str, LaunchProgress]) -> bool:
    """Whether there is a row to show."""
    return bool(message.launches or progress or any(True for _ in _failed(message.turn)))


def row_state(launches: Sequence[Launched]) -> State:
    """What the row as a whole says: the worst, or that something runs."""
    order: tuple[State, ...] = ("running", "differs", "fault", "stopped", "exact")
    return next(state for state in order if any(launch.state == state for launch in launches))


def row_title(launches: Sequence[Launched]) -> str:
    """The expressions, one after the other."""
    return ", ".join(launch.title for launch in launches)


def row_detail(launches: Sequence[Launched]) -> Text:
    """Count of launches and tokens: "14 tokens", "4 launches · 55 tokens"."""
    tokens = sum(launch.tokens for launch in launches)
    counted = (translate("Launches", "{tokens} tokens") if tokens != 1 else translate("Launches", "{tokens} token")).format(
        tokens=f"{tokens:,}"
    )
    if len(launches) == 1:
        return counted
    return translate("Launches", "{count} launches · {tokens}").format(count=len(launches), tokens=counted)


def running_detail(launch: Launched) -> Text:
    """Where a running launch is."""
    if launch.block is None:
        return translate("Launches", "reading {tokens} tokens").format(tokens=f"{launch.prompt:,}")
    where = (
        translate("Launches", "{tokens} tokens · block {block}")
        if launch.warp is None
        else translate("Launches", "{tokens} tokens · block {block} · warp {warp}")
    )
    return where.format(tokens=f"{launch.tokens:,}", block=launch.block, warp=launch.warp)


def tooltip_of(launch: Launched | None) -> tuple[Text, ...]:
    """The lines of a computed value's tooltip, the first the most important."""
    if launch is None or launch.state == "running":
        return (translate("Launches", "Computed, not worked out again yet"),)
    if launch.state == "differs":
        return (translate("Launches", "The replay differs. Do not rely on this value."),)
    return (
        translate("Launches", "Computed in the weights"),
        translate("Launches", "{function} · {tokens} tokens · replay exact").format(
            function=launch.function, tokens=f"{launch.tokens:,}"
        ),
        translate("Launches", "Click to see how"),
    )


def spoken_value(text: str, launch: Launched | None) -> Text:
    """A computed value for people who listen."""
    if launch is None or launch.state == "running":
        return translate("Launches", "{value}, computed in the weights, not worked out again yet").format(value=text)
    if launch.state == "differs":
        return translate("Launches", "{value}, computed by {function}, but the replay differs").format(
            value=text, function=launch.function
        )
    return translate("Launches", "{value}, computed in the weights by {function}, replay exact").format(
        value=text, function=launch.function
    )


def _finished(summary: Mapping[str, Any]) -> Launched:
    exact = summary.get("replay") == EXACT
    overflow = summary.get("overflow") or ""
    state: State = "fault" if overflow else "exact" if exact else "differs"
    return Launched(
        summary["id"],
        summary.get("title", ""),
        state,
        summary.get("tokens", 0),
        summary.get("prompt", 0),
        summary.get("outputs", ""),
        summary.get("seconds", 0.0),
        detail=overflow,
    )


def _failed(turn: Sequence[Mapping[str, Any]]) -> Iterable[Launched]:
    """Calls of the turn that gave no value."""
    call = ""
    for entry in turn:
        call = entry.get("call") or call
        if entry.get("role") == "tool" and not entry.get("launch") and call:
            yield Launched("", call, "fault", detail=str(entry.get("text", "")).removeprefix("error: "))
            call = ""
