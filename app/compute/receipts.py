"""The record of a computed value as a file, and its replay on another computer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from app.compute.evaluating import Computed, Evaluation
from app.compute.launching import MAX_TOKENS, Launcher, LaunchRecord, numbers_of, read_words
from app.compute.library import Function
from app.compute.planning import Planned
from app.compute.programs import from_plain
from app.expressions.parser import parse
from app.expressions.tree import Value, write
from app.files import MAX_JSON_BYTES, read_json, replace_file
from engine.machine.errors import InputError, MismatchError
from engine.machine.program import Program, prompt
from engine.machine.tokens import TOKENS
from engine.replay import LaunchFault
from toolchain.launch import parse_launch

FORMAT = "qwengpu launch record 1"


@dataclass(frozen=True)
class Receipt:
    """A computed value with everything that is needed to compute it again.

    expression: "" for a kernel that was written in the conversation, which is one launch
    names: the values that the expression's names stood for; value: None for a kernel without exactly one array of integers
    checkpoint: the hash of the weights; created: when, in UTC; program: the version of this program
    """

    id: str
    expression: str
    names: Mapping[str, Value]
    value: Value | None
    extra: Mapping[str, int]
    launches: tuple[LaunchRecord, ...]
    checkpoint: str
    created: str
    program: str
    seconds: float

    @property
    def title(self) -> str:
        """What was computed, in a few words."""
        return self.expression or self.launches[0].function

    @property
    def outputs(self) -> Mapping[str, Any]:
        """Every result by name."""
        return {"result": self.value, **self.extra} if self.expression else self.launches[0].outputs

    @property
    def text(self) -> str:
        """The results as a reply shows them: one without its name, several with theirs."""
        if self.expression and self.value is not None:
            return " ".join([write(self.value), *(f"{name} {number}" for name, number in self.extra.items())])
        texts = {name: write(values[0] if len(values) == 1 else list(values)) for name, values in self.outputs.items()}
        return next(iter(texts.values())) if len(texts) == 1 else ", ".join(f"{name} = {text}" for name, text in texts.items())

    def to_json(self) -> str:
        """The text of the file."""
        launches = [vars(launch) for launch in self.launches]  # asdict would copy every token
        return json.dumps({"format": FORMAT, **vars(self), "launches": launches}, separators=(",", ":")) + "\n"

    def write(self, path: Path) -> None:
        """Save it; the file is whole or not there. OSError passes."""
        replace_file(path, self.to_json().encode())


def receipt_of(
    number: str, expression: str, names: Mapping[str, Value], computed: Computed, checkpoint: str, created: str, program: str
) -> Receipt:
    """The record of a computed value."""
    return Receipt(
        number,
        expression,
        dict(names),
        computed.value,
        computed.extra,
        computed.launches,
        checkpoint,
        created,
        program,
        computed.seconds,
    )


def is_receipt(path: Path) -> bool:
    """Whether a file begins as a record does; a trace of one launch begins otherwise."""
    try:
        with path.open("rb") as file:
            return FORMAT.encode() in file.read(80)
    except OSError:
        return False


def read_receipt(path: Path) -> Receipt:
    """The record in a file. Raises InputError."""
    content = read_json(path, MAX_JSON_BYTES * 4)
    remedy = "give a record as it was exported"
    if not isinstance(content, dict) or content.pop("format", None) != FORMAT:
        raise InputError("the file is no launch record", str(path), remedy)
    try:
        launches = tuple(_launch(entry) for entry in content.pop("launches"))
        return Receipt(**content, launches=launches)
    except (TypeError, KeyError, AttributeError) as error:
        raise InputError(f"the launch record is damaged: {error}", str(path), remedy) from None


def _launch(entry: Mapping[str, Any]) -> LaunchRecord:
    known = {field.name for field in fields(LaunchRecord)}
    if set(entry) != known:
        raise TypeError(f"a launch has {sorted(set(entry) ^ known)[0]} or lacks it")
    return LaunchRecord(**{**entry, "prompt": tuple(entry["prompt"]), "generated": tuple(entry["generated"])})


def replay(receipt: Receipt, functions: Mapping[str, Function], launcher: Launcher) -> None:
    """Compute a record's expression again, each launch from its own program.

    Raises MismatchError naming the first difference.
    """
    if not receipt.expression:
        for record in receipt.launches:
            _redo(record, f"kernel {record.function}", launcher)
        return
    recorded = iter(enumerate(receipt.launches, 1))
    evaluation = Evaluation(functions, receipt.names, lambda planned: _again(planned, recorded, launcher))
    value = evaluation.value(parse(receipt.expression).expression)
    if next(recorded, None) is not None:
        raise _differs("the record has launches that the expression does not need", receipt.id)
    if value != receipt.value:
        raise _differs("the recorded value is not what the launches give", receipt.id)


def _again(planned: Planned, recorded: Iterator[tuple[int, LaunchRecord]], launcher: Launcher) -> LaunchRecord:
    number, record = next(recorded, (0, None))
    if record is None:
        raise _differs("the expression needs a launch that the record lacks", planned.function.name)
    where = f"launch {number}, {record.function}"
    if record.launch != planned.document:
        raise _differs("the recorded arguments are not those of the expression", where)
    _redo(record, where, launcher)
    return record


def _redo(record: LaunchRecord, where: str, launcher: Launcher) -> None:
    """Launch a recorded program again and compare all of it; one that faulted must fault again, and has no outputs."""
    program = _program(record, where)
    _compare(record.prompt, numbers_of(prompt(program)), 0, where)
    try:
        launched = launcher.launch(program, MAX_TOKENS)
    except LaunchFault as fault:
        generated, outputs = fault.generated, {}
    else:
        generated, outputs = launched.generated, read_words(record.launch, record.program, launched.words)
    _compare(record.generated, numbers_of(generated), len(record.prompt), where)
    if outputs != record.outputs:
        raise _differs("the recorded outputs are not what the machine's memory holds", where)


def _program(record: LaunchRecord, where: str) -> Program:
    """The recorded program, with the arguments in it."""
    try:
        program = from_plain(record.program)
    except (ValueError, KeyError, TypeError) as error:
        raise _differs(f"the machine program is none: {error}", where) from None
    arrays = {array.name: array.content for array in parse_launch(record.launch, where).arrays}
    for allocation in program.allocations:
        content = b"".join(word.to_bytes(4, "little") for word in allocation.data)
        if content.rstrip(b"\0") != arrays.get(allocation.name, b"").rstrip(b"\0"):
            raise _differs(f"the program's array '{allocation.name}' is not the recorded argument", where)
    return program


def _compare(recorded: tuple[int, ...], found: tuple[int, ...], first: int, where: str) -> None:
    """The first token that differs, if any."""
    for index, (old, new) in enumerate(zip(recorded, found, strict=False), first):
        if old != new:
            raise _differs(f"token {index} is {_token(old)}, this machine says {_token(new)}", where)
    if len(recorded) != len(found):
        raise _differs(f"{len(recorded)} tokens are recorded, this machine says {len(found)}", where)


def _token(number: int) -> str:
    return str(TOKENS.tokens[number]) if 0 <= number < len(TOKENS.tokens) else f"no token of the machine ({number})"


def _differs(what: str, where: str) -> MismatchError:
    return MismatchError(what, where, "the record was altered, or made by another version")
