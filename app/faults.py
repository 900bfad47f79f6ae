"""What a card says when something stopped: what happened, what is safe, what to do. Made from what is known; no widgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from app.computer import Program
from app.quantities import memory
from app.texts import Text, translate
from app.worker.death import Death
from app.worker.protocol import Error


class Remedy(Enum):
    """What a card offers to do."""

    RESTART = "restart"
    SMALL_MODEL = "small model"
    TRY_AGAIN = "try again"
    SETTINGS = "settings"
    COPY = "copy"


@dataclass(frozen=True)
class Fault:
    """A card. safe: what is not lost; facts: name and value; advice: what to do; technical: one line for who looks closer.

    remedies: the first one is the card's one primary action; details: everything for "Copy details"
    """

    title: Text | str
    safe: Text | str
    advice: Text | str = ""
    facts: tuple[tuple[Text, str], ...] = ()
    remedies: tuple[Remedy, ...] = (Remedy.COPY,)
    technical: Text | str = ""
    details: str = ""


@dataclass(frozen=True)
class Surroundings:
    """What was known when a worker ended. held, free: bytes; small: the small model was the one that ran."""

    held: int | None = None
    free: int | None = None
    hungry: Sequence[Program] = field(default=())
    small: bool = False


SMALL_MODEL_BYTES = 900 << 20
"""About what the small built-in model needs."""


def of_death(death: Death, around: Surroundings = Surroundings()) -> Fault | None:
    """The card for a worker that is gone; None when it was asked to go."""
    if death.kind == "cancelled":
        return None
    remedies = (Remedy.RESTART, *(() if around.small else (Remedy.SMALL_MODEL,)), Remedy.COPY)
    technical = death.detail
    details = "\n\n".join(part for part in (f"{death.kind}: {death.detail}", death.remedy, death.stderr.strip()) if part)
    if death.kind == "out of memory":
        advice = (
            translate("Faults", "Close something large, then restart.")
            if around.small
            else translate(
                "Faults", "Close something large, then restart. Or go on with the small built-in model, which needs {size}."
            ).format(size=memory(SMALL_MODEL_BYTES))
        )
        return Fault(
            translate("Faults", "The model stopped: the computer ran out of memory"),
            translate("Faults", "Your chat and your question are saved. Nothing needs to be typed again."),
            advice,
            _memory_facts(around),
            remedies,
            technical,
            details,
        )
    if death.kind == "killed":
        return Fault(
            translate("Faults", "The model was ended from outside"),
            translate("Faults", "Your chat is saved."),
            translate("Faults", "Somebody or the system ended its process. Restart and continue."),
            (),
            remedies,
            technical,
            details,
        )
    return Fault(
        translate("Faults", "The model stopped unexpectedly"),
        translate("Faults", "Your chat is saved."),
        translate("Faults", "Restart and continue. If it happens again, copy the details."),
        (),
        remedies,
        technical,
        details,
    )


def _memory_facts(around: Surroundings) -> tuple[tuple[Text, str], ...]:
    facts = []
    if around.held is not None:
        facts.append((translate("Faults", "The model held"), memory(around.held)))
    if around.free is not None:
        facts.append((translate("Faults", "Free when it stopped"), memory(around.free)))
    if around.hungry:
        facts.append(
            (
                translate("Faults", "Using the most now"),
                ", ".join(f"{program.name} {memory(program.memory)}" for program in around.hungry),
            )
        )
    return tuple(facts)


TITLES = {
    "compile": translate("Faults", "The kernel does not compile"),
    "unsupported": translate("Faults", "The kernel does not fit the machine"),
    "fault": translate("Faults", "The launch was stopped: it did something that is not allowed"),
    "mismatch": translate("Faults", "A check found a difference"),
    "environment": translate("Faults", "Something is missing on this computer"),
    "input": translate("Faults", "Something that was given cannot be used"),
    "usage": translate("Faults", "The app asked for something impossible"),
    "worker": translate("Faults", "The model stopped unexpectedly"),
}


def of_error(error: Error) -> Fault:
    """The card for a request that ended badly; its own words stand below the title."""
    where = f" ({error.where})" if error.where else ""
    again = (Remedy.RESTART,) if error.kind == "worker" else (Remedy.TRY_AGAIN,)
    return Fault(
        TITLES.get(error.kind, translate("Faults", "An unexpected error")),
        f"{_sentence(error.message)}{where}",
        _sentence(error.remedy),
        (),
        (*again, Remedy.COPY),
        translate("Faults", "kind: {kind}").format(kind=error.kind),
        "\n".join(part for part in (error.kind, error.message, error.where, error.remedy) if part),
    )


def _sentence(text: str) -> str:
    """A remark of the logic as a sentence: with a capital and a full stop."""
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
