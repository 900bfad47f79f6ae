"""Who did what in a launch: the host wrote, the model computed, the replay checked; and fingerprints that name each part."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from app.inspection.records import Launch, Record
from app.texts import Text, translate
from engine.replay import Difference

Who = Literal["Host", "Model", "Replay"]


@dataclass(frozen=True)
class Entry:
    """A line of the ledger: who, what, and the details below it. holds: None while that is not known."""

    who: Who
    what: Text
    details: Text
    holds: bool | None = True


@dataclass(frozen=True)
class Verdict:
    """What the replay has found so far: checked of total model tokens, and the first difference if there is one."""

    checked: int
    total: int
    difference: Difference | None = None

    @property
    def exact(self) -> bool | None:
        """None until everything is checked."""
        return False if self.difference else True if self.checked == self.total else None


def ledger(record: Record, launch: Launch, verdict: Verdict) -> list[Entry]:
    """The lines of a launch, in the order in which they happened."""
    generated = Counter(token.kind for token in launch.generated)
    program_tokens = max((i for i, t in enumerate(launch.prompt) if t.kind == "PROG"), default=-1) + 1
    stored = generated["MEM1"] + generated["MEMV"]
    began = (
        translate("Proof", "Read the expression and chose the kernel {name}")
        if record.receipt.expression
        else translate("Proof", "Compiled the kernel {name}")
    )
    return [
        Entry("Host", began.format(name=launch.record.function), _size(launch)),
        Entry(
            "Host",
            translate("Proof", "Wrote the program, the arrays and START"),
            translate("Proof", "{program} program tokens, {rest} for data, array ids and start").format(
                program=program_tokens, rest=len(launch.prompt) - program_tokens
            ),
        ),
        Entry(
            "Model",
            translate("Proof", "Ran {blocks} blocks and said their results").format(blocks=f"{generated['EXEC']:,}"),
            translate("Proof", "{exec} EXEC, {val} VAL").format(exec=f"{generated['EXEC']:,}", val=f"{generated['VAL']:,}"),
        ),
        Entry(
            "Model",
            translate("Proof", "Wrote memory {stores} times, then {end}").format(
                stores=f"{stored:,}", end=launch.generated[-1].kind
            ),
            _kinds(generated),
        ),
        Entry(
            "Replay",
            translate("Proof", "Worked out the same {total} tokens").format(total=f"{verdict.total:,}")
            if verdict.exact is not False
            else translate("Proof", "Found another token than the model's"),
            _checked(verdict),
            verdict.exact,
        ),
        Entry(
            "Host",
            translate("Proof", "Read nothing: the launch was stopped")
            if launch.faulted
            else translate("Proof", "Read {names} from the memory").format(names=", ".join(launch.record.outputs)),
            translate("Proof", "no conversion, no rounding"),
        ),
    ]


def _size(launch: Launch) -> Text:
    grid, block = launch.record.launch.get("grid", [1]), launch.record.launch.get("block", [1])
    return translate("Proof", "grid {grid}, block {block}, {blocks} machine blocks").format(
        grid=" × ".join(map(str, grid)), block=" × ".join(map(str, block)), blocks=len(launch.program.blocks)
    )


def _kinds(counted: Counter[str]) -> Text:
    rest = [f"{count:,} {kind}" for kind, count in counted.items() if kind not in ("EXEC", "VAL")]
    return translate("Proof", "{kinds}").format(kinds=", ".join(rest))


def _checked(verdict: Verdict) -> Text:
    if verdict.difference:
        return translate("Proof", "token {index}: model {got}, replay {expected}").format(
            index=verdict.difference.index + 1, got=str(verdict.difference.got), expected=str(verdict.difference.expected)
        )
    return translate("Proof", "{checked} of {total} compared, no difference").format(
        checked=f"{verdict.checked:,}", total=f"{verdict.total:,}"
    )


def fingerprints(record: Record, launch: Launch) -> list[tuple[Text, str]]:
    """Names and sha256 sums (hex): the weights as the record names them, what was compiled, the whole token stream."""
    program = json.dumps(launch.record.program, sort_keys=True, separators=(",", ":"))
    tokens = json.dumps([*launch.record.prompt, *launch.record.generated], separators=(",", ":"))
    return [
        (translate("Proof", "Checkpoint"), record.receipt.checkpoint),
        (translate("Proof", "Kernel source"), _sha(launch.record.cuda)),
        (translate("Proof", "Machine program"), _sha(program)),
        (translate("Proof", "Token stream"), _sha(tokens)),
    ]


def grouped(digest: str) -> str:
    """The beginning and the end of a sum, in groups of four."""
    if len(digest) <= 24:
        return digest
    groups = [digest[i : i + 4] for i in range(0, len(digest), 4)]
    return " ".join([*groups[:4], "…", *groups[-2:]])


def verify_command(path: Path | None, stock: bool) -> str:
    """The command that redoes a record; `stock` lets unmodified transformers run the checkpoint instead of our runtime."""
    return " ".join(
        [
            "qwengpu",
            "verify",
            "--receipt",
            shlex.quote(str(path or "record.json")),
            *(["--runtime", "transformers"] if stock else []),
        ]
    )


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
