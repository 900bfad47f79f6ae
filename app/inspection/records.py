"""A launch record, checked down to its last word before anything of it is used: what the inspector shows.

A record is a file that somebody gives. Nothing in it is executed that is not a valid program of the machine with the very host
tokens that such a program has; sizes are bounded before anything is made of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from app.compute.launching import MAX_TOKENS, LaunchRecord
from app.compute.programs import from_plain
from app.compute.receipts import Receipt, read_receipt
from app.files import read_text, reason, replace_file
from app.inspection.arrays import Array, arrays_of
from engine.machine.errors import GpuError, InputError
from engine.machine.program import Program, prompt
from engine.machine.spec import WORD_MASK
from engine.machine.tokens import TOKENS, Token

MAX_TEXT = 4 << 20
"""Longest source or PTX that is shown, in characters."""
MAX_RECORD_BYTES = 64 << 20
REMEDY = "give a record as it was exported"
ENDINGS = ("END", "FAULT")


@dataclass(frozen=True)
class Launch:
    """One launch of a record. prompt: the host's tokens, START last; generated: the model's, END or FAULT last."""

    record: LaunchRecord
    program: Program
    prompt: tuple[Token, ...]
    generated: tuple[Token, ...]

    @property
    def faulted(self) -> bool:
        """Whether the machine stopped it: it has no outputs then."""
        return self.generated[-1].kind == "FAULT"

    @cached_property
    def arrays(self) -> tuple[Array, ...]:
        """The arrays in the machine's memory, by address."""
        return arrays_of(self.program, self.record.launch)

    @property
    def outputs(self) -> tuple[Array, ...]:
        """The arrays that the launch gives back, in the order of the arguments."""
        named = {array.name: array for array in self.arrays}
        return tuple(named[name] for name in self.record.outputs if name in named)


@dataclass(frozen=True)
class Record:
    """A launch record that has been checked. path: its file, None before it has one."""

    receipt: Receipt
    launches: tuple[Launch, ...]
    path: Path | None = None

    @property
    def title(self) -> str:
        """The expression, or the kernel's name where none was written."""
        return self.receipt.expression or (self.launches[0].record.function if self.launches else self.receipt.id)


def read_record(path: Path) -> Record:
    """The record in a file. Raises InputError that says what is wrong with it: truncated, too large, altered, no record."""
    read_text(path, MAX_RECORD_BYTES)
    return check_record(read_receipt(path), path)


def check_record(receipt: Receipt, path: Path | None = None) -> Record:
    """A receipt, checked. Raises InputError."""
    where = str(path) if path else f"record {receipt.id}"
    for name in ("id", "expression", "checkpoint", "created", "program"):
        _require(isinstance(getattr(receipt, name), str), f"'{name}' is no text", where)
    _require(isinstance(receipt.names, Mapping) and isinstance(receipt.extra, Mapping), "its names are no table", where)
    _require(isinstance(receipt.seconds, int | float), "'seconds' is no number", where)
    launches = tuple(_launch(record, f"{where}, launch {number}") for number, record in enumerate(receipt.launches, 1))
    return Record(receipt, launches, path)


def save_record(record: Record, path: Path) -> None:
    """Write a record to a file. Raises InputError when the file cannot be written."""
    try:
        replace_file(path, record.receipt.to_json().encode())
    except (OSError, ValueError) as error:
        raise InputError(f"the record cannot be written: {reason(error)}", str(path), "choose another folder") from None


def _launch(record: LaunchRecord, where: str) -> Launch:
    for field in fields(LaunchRecord):
        if field.type == "str":
            text = getattr(record, field.name)
            _require(isinstance(text, str) and len(text) <= MAX_TEXT, f"'{field.name}' is no text", where)
    _require(isinstance(record.launch, Mapping) and isinstance(record.outputs, Mapping), "its launch is no table", where)
    _require(isinstance(record.seconds, int | float), "'seconds' is no number", where)
    for name, values in record.outputs.items():
        _require(isinstance(values, Sequence) and all(map(_is_number, values)), f"output '{name}' is no array", where)
    program = _program(record, where)
    try:
        launch = Launch(record, program, _tokens(record.prompt, where), _tokens(record.generated, where))
        expected = tuple(prompt(program))
        launch.arrays  # noqa: B018  computed here, so that what is wrong with the arguments is found here
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise _damaged(f"its arguments are none ({error})", where) from None
    if launch.prompt != expected:
        index = next(
            (i for i, (a, b) in enumerate(zip(launch.prompt, expected, strict=False)) if a != b),
            min(len(launch.prompt), len(expected)),
        )
        raise _damaged(f"host token {index} is not that of its program: the record was altered", where)
    _require(bool(launch.generated), "the model's tokens are missing", where)
    return launch


def _program(record: LaunchRecord, where: str) -> Program:
    """The machine program, or InputError. `from_plain` trusts its types, so they are looked at here."""
    plain: Any = record.program
    try:
        for array in plain["arrays"]:
            name, *numbers, data = array
            _require(isinstance(name, str) and all(map(_is_count, [*numbers, *data])), "an array is none", where)
        for block in plain["blocks"]:
            _require(all(map(_is_count, block["exit"][1:])), "a block's end is none", where)
            for operation in block["operations"]:
                _, a, b, c, immediate, destination, _, _, tag, line = operation
                counts = [x for x in (a, b, c) if not isinstance(x, str)] + [immediate, tag]
                counts += [x for x in (destination, line) if x is not None]
                _require(all(map(_is_count, counts)), "an operation is none", where)
        _require(
            isinstance(plain["kernel"], str)
            and _is_count(plain["threads"])
            and plain["threads"] > 0
            and isinstance(plain["many"], bool),
            "its program is none",
            where,
        )
        return from_plain(plain)
    except InputError:
        raise
    except (GpuError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise _damaged(f"its machine program is none ({error})", where) from None


def _tokens(numbers: Sequence[int], where: str) -> tuple[Token, ...]:
    """Tokens of their numbers. Raises InputError."""
    _require(len(numbers) <= MAX_TOKENS, f"it has more than {MAX_TOKENS:,} tokens", where)
    every = TOKENS.tokens
    for index, number in enumerate(numbers):
        if not _is_count(number) or number >= len(every):
            raise _damaged(f"token {index} is none of the machine's ({str(number)[:20]})", where)
    return tuple(every[number] for number in numbers)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= WORD_MASK


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _require(holds: bool, what: str, where: str) -> None:
    if not holds:
        raise _damaged(what, where)


def _damaged(what: str, where: str) -> InputError:
    return InputError(f"the launch record is damaged: {what}", where, REMEDY)
