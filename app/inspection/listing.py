"""Machine code as it is read: "T0 ← load out[0]", "P ← thread < 3", "if P: block 2, else block 5"."""

from __future__ import annotations

from collections.abc import Sequence

from app.inspection.arrays import Array, array_at
from engine.machine.instructions import BY_MNEMONIC, signed
from engine.machine.program import RESULTS, Access, Block, Exit, Operation, Register, Source, Special

COMPARISONS = {"setp.eq": "=", "setp.ne": "≠", "setp.lt.s": "<", "setp.lt.u": "<", "setp.le.s": "≤", "setp.le.u": "≤"}
CONSTANTS = {Special.ZERO: 0, Special.ONE: 1}
INFIX = {"add": "+", "sub": "−", "mul": "×", "and": "&", "or": "|", "xor": "^", "shl": "<<", "shr": ">>", "sar": ">>"}


def block_text(block: Block, arrays: Sequence[Array]) -> list[str]:
    """The operations of a block."""
    return [operation_text(block.operations, stage, arrays) for stage in range(len(block.operations))]


def operation_text(operations: Sequence[Operation], stage: int, arrays: Sequence[Array]) -> str:
    """One operation of a block. Loads and stores name their array."""
    operation = operations[stage]
    if operation.mnemonic == "nop":
        return "nop"
    guard = " if P" if operation.guarded else ""
    if operation.access is Access.LOAD:
        return f"{_target(operation, stage)} ← load {_address(operations, stage, arrays)}{guard}"
    if operation.access is Access.STORE:
        return f"store {_operand(operation.c, operation)} to {_address(operations, stage, arrays)}{guard}"
    if operation.access is Access.STORE_SWAPPED:
        return f"store {_result(operation)} to {_address(operations, stage, arrays)}{guard}"
    if operation.mnemonic in COMPARISONS:
        return f"P ← {_operand(operation.a, operation)} {COMPARISONS[operation.mnemonic]} {_operand(operation.b, operation)}"
    return f"{_target(operation, stage)} ← {_result(operation)}"


def ending_text(block: Block) -> str:
    """How a block ends."""
    end = block.terminator
    text = {
        Exit.EXIT: "exit",
        Exit.JUMP: f"then block {end.taken}",
        Exit.BRANCH: f"P ? block {end.taken} : block {end.other}",
        Exit.CTA_BARRIER: f"barrier, then block {end.taken}",
        Exit.WARP_BARRIER: f"warp barrier, then block {end.taken}",
        Exit.NEXT_CTA: "next block of the grid if P",
    }[end.exit]
    return text + (" · serial: one lane at a time" if block.serial else "") + (" · yields" if block.yields else "")


def source_text(source: Source, immediate: int) -> str:
    """An operand: r3, T0, 7, thread."""
    if isinstance(source, Register):
        return f"r{source.number}"
    return {Special.IMMEDIATE: str(signed(immediate)), Special.THREAD: "thread", Special.ONE: "1", Special.ZERO: "0"}.get(
        source, source.name
    )


def _operand(source: Source, operation: Operation) -> str:
    return source_text(source, operation.immediate)


def _target(operation: Operation, stage: int) -> str:
    return f"r{operation.destination}" if operation.destination is not None else f"T{stage}"


def _result(operation: Operation) -> str:
    """What an operation computes."""
    a, b, c = (_operand(s, operation) for s in (operation.a, operation.b, operation.c))
    match operation.mnemonic:
        case "mov":
            return a
        case "mad":
            return f"{a} × {b} + {c}"
        case "selp":
            return f"P ? {a} : {b}"
        case "addp":
            return f"{a} + {b} + P"
        case "subp":
            return f"{a} − {b} − P"
        case name if name in INFIX:
            return f"{a} {INFIX[name]} {b}"
        case name:
            texts = {"a": a, "b": b, "c": c, "p": "P"}
            return f"{name} {', '.join(texts[o] for o in BY_MNEMONIC[name].operands)}"


def _address(operations: Sequence[Operation], stage: int, arrays: Sequence[Array]) -> str:
    """Where an access goes: "a[thread]" where base and index can be told apart, else array and address."""
    operation = operations[stage]
    bound = next((array for array in arrays if operation.tag and array.tag == operation.tag), None)
    if operation.access is Access.STORE_SWAPPED:
        pointer, immediate = operation.c, operation.immediate
    elif operation.mnemonic == "mov":
        pointer, immediate = operation.a, operation.immediate
    else:
        return _indexed(operation, bound, arrays) or _somewhere(_result(operation), bound)
    if pointer in CONSTANTS or pointer is Special.IMMEDIATE:
        address = CONSTANTS.get(pointer, immediate)  # type: ignore[arg-type]
        found = array_at(arrays, address)
        return found.label(address) if found else f"[{address}]"
    if pointer in RESULTS and (indexed := _indexed(operations[pointer.value], bound, arrays)):  # type: ignore[union-attr]
        return indexed
    return _somewhere(source_text(pointer, immediate), bound)


def _indexed(operation: Operation, bound: Array | None, arrays: Sequence[Array]) -> str | None:
    """The element at base + index, where an operation adds those."""
    index = {operation.a: operation.b, operation.b: operation.a}.get(Special.IMMEDIATE)
    found = array_at(arrays, operation.immediate)
    if operation.mnemonic != "add" or index is None or found is None or bound not in (None, found):
        return None
    offset = operation.immediate - found.base
    return f"{found.name}[{_operand(index, operation)}{f' + {offset}' if offset else ''}]"


def _somewhere(address: str, bound: Array | None) -> str:
    return f"{bound.name}, at {address}" if bound else f"[{address}]"
