"""Writes `docs/machine.md` from the definition: `python -m engine.machine.docs`.

Numbers, instructions, tokens and bit positions are read from the modules beside this one; only the rules that the
interpreter executes as code are told in words here. A test compares the file with what this module renders.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Final

from . import program as layout
from .instructions import INSTRUCTIONS, Instruction
from .spec import BYTES_PER_WORD, SPEC, WORD_BITS, MachineSpec
from .tokens import BARRIER_FAULT, CODE_BITS, MEM1_POSITION, MEMV_POSITION, TokenKind, TokenSet

NUMBERS: Final[dict[str, str]] = {
    "layers": "compiled layers in front of the language model's own",
    "lanes": "threads that one forward pass executes together, a *hardware warp*",
    "warp_size": "threads of a CUDA warp, what kernels see (`warpSize`, shuffles, votes)",
    "stages": "operations of a block, one a pipeline stage",
    "registers": "32-bit registers of a thread",
    "blocks": "blocks of a program",
    "words": "32-bit words of the one memory that global, shared, constant, local and system arrays share",
    "threads": "threads of one CTA; a grid has any number of CTAs, run one after another",
    "tags": "values of the array id that every word carries; 0 means unallocated",
    "sites": "distinct `__syncthreads` places that the barrier can tell apart",
    "hidden": "width of the residual stream",
    "intermediate": "neurons of a layer's MLP",
    "heads": "linear-attention heads of a layer",
    "head_dim": "rows, and width of a row, of a head's recurrent state",
    "conv_kernel": "taps of the convolution in front of a head",
    "code_lanes": "residual axes of the token code",
    "mute_axes": "residual axes that no machine token and no circuit ever touches; the mute direction lives there",
    "warps": "hardware warps of a full CTA",
    "cuda_warps": "CUDA warps of a full CTA, each with its own `__syncwarp` barrier",
    "lines": "memory lines: one word a lane, the unit of a coalesced store",
    "address_bits": "bits of a word address",
    "tag_rows": "TAGROW tokens that cover the memory",
    "usable_axes": "residual axes that circuits may use",
}
"""What each number means: the fields of `MachineSpec`, then those derived from them."""

PATH: Final = Path(__file__).parents[2] / "docs" / "machine.md"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    cells = [[str(cell).replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in [list(head), ["---"] * len(head), *cells])


def numbers(spec: MachineSpec) -> str:
    """The table of the machine's numbers."""
    missing = {entry.name for entry in fields(spec)} - set(NUMBERS)
    if missing:
        raise AssertionError(f"numbers without a meaning: {sorted(missing)}")
    return table(
        ("number", "value", "meaning"),
        ((f"`{name}`", f"{getattr(spec, name):,}", meaning) for name, meaning in NUMBERS.items()),
    )


def instructions(spec: MachineSpec) -> str:
    """The table of the instruction set."""
    return table(
        ("no.", "mnemonic", "reads", "gives", "meaning", "PTX that lowers to it alone", "stages"),
        (_instruction(number, entry, spec) for number, entry in enumerate(INSTRUCTIONS)),
    )


def _instruction(number: int, entry: Instruction, spec: MachineSpec) -> tuple[object, ...]:
    gives = "nothing" if entry.mnemonic == "nop" else "predicate" if entry.predicate else "word"
    stages = "all" if entry.stages is None else ", ".join(map(str, entry.stages))
    return (
        number,
        f"`{entry.mnemonic}`",
        " ".join(entry.operands) or "-",
        gives,
        entry.doc,
        " ".join(f"`{form}`" for form in entry.ptx) or "-",
        stages,
    )


def tokens(spec: MachineSpec) -> str:
    """The table of the token kinds, in the order of their ids."""
    first, rows = 0, []
    for kind in TokenSet(spec).kinds.values():
        count = sum(1 for _ in kind.tokens())
        rows.append(
            (
                f"`{kind.name}`",
                f"{first}..{first + count - 1}" if count > 1 else first,
                f"0x{kind.base:04X}",
                _fields(kind),
                kind.doc,
            )
        )
        first += count
    return table(("token", f"ids ({first:,} in all)", "code base", "fields", "what it does"), rows)


def _fields(kind: TokenKind) -> str:
    return (
        "; ".join(
            f"`{field.name}` {field.first}..{field.first + field.count - 1} at {_bits(field.low, field.width)}"
            for field in kind.fields
        )
        or "-"
    )


def _bits(low: int, width: int) -> str:
    return f"bit {low}" if width == 1 else f"bits {low}..{low + width - 1}"


def rows(spec: MachineSpec) -> str:
    """The tables of the program rows' bits."""
    sources = ", ".join(f"{layout.REGISTER_BITS + 1 + source.value} {source.name.lower()}" for source in layout.Special)
    exits = ", ".join(f"{layout.EXIT_SHIFT + way.value} {way.name.lower().replace('_', ' ')}" for way in layout.Exit)
    operation = table(
        ("word", "bits", "content"),
        (
            (0, _bits(0, WORD_BITS), "immediate"),
            (layout.OPCODE_WORD, _bits(0, len(INSTRUCTIONS)), "instruction, one-hot by its number"),
            (layout.OPERAND_WORD, _bits(layout.A_SHIFT, layout.OPERAND_BITS), "operand a"),
            (layout.OPERAND_WORD, _bits(layout.B_SHIFT, layout.OPERAND_BITS), "operand b"),
            (layout.OPERAND_WORD, _bits(layout.DESTINATION_SHIFT, layout.REGISTER_BITS), "destination register"),
            (layout.OPERAND_WORD, _bits(layout.LIVE_BIT, 1), "1: the destination counts"),
            (layout.MEMORY_WORD, _bits(layout.C_SHIFT, layout.OPERAND_BITS), "operand c"),
            (layout.MEMORY_WORD, _bits(layout.LOAD_BIT, 1), "load [result]"),
            (layout.MEMORY_WORD, _bits(layout.STORE_BIT, 1), "store"),
            (layout.MEMORY_WORD, _bits(layout.SWAP_BIT, 1), "with store: store result at [c] instead of c at [result]"),
            (layout.MEMORY_WORD, _bits(layout.GUARD_BIT, 1), "the access happens only where the predicate holds"),
            (
                layout.MEMORY_WORD,
                _bits(layout.TAG_SHIFT, (spec.tags - 1).bit_length()),
                "array id that the word must carry; 0 accepts any allocated word",
            ),
        ),
    )
    terminator = table(
        ("word", "bits", "content"),
        (
            (0, _bits(layout.TAKEN_SHIFT, 8), "target; of a branch, where the predicate holds"),
            (0, _bits(layout.OTHER_SHIFT, 8), "a branch's other target"),
            (0, _bits(layout.EXIT_SHIFT, len(layout.Exit)), f"way to leave, one-hot: {exits}"),
            (0, _bits(layout.SERIAL_BIT, 1), "serial"),
            (0, _bits(layout.YIELD_BIT, 1), "yields"),
            (0, _bits(layout.SITE_SHIFT, (spec.sites - 1).bit_length()), "which `__syncthreads` of the source this is"),
        ),
    )
    return (
        f"An operation's row:\n\n{operation}\n\nAn operand is {layout.OPERAND_BITS} bits: "
        f"{layout.REGISTER_BITS} of register number, bit {layout.REGISTER_BITS} says that it is a register, then one-hot: "
        f"{sources}.\n\nA block's terminator row (its other words are 0):\n\n{terminator}"
    )


PROGRAM_RULES: Final = """\
A program is at most {blocks} blocks. A block is at most {stages} operations, one a stage, and a terminator.

- An operation reads registers *as they were at block entry*, words of earlier operations of its block (t0, t1, t2; loads
  included), its immediate, the thread's number in its CTA (`thread`), one or zero.
- The predicate is 0 at block entry; a comparison sets it for what follows in its block. `selp`, `addp`, `subp`, guards and
  branches read it.
- A load or store is an operation whose result is the word address; a load's own result is the loaded word. A load that its
  guard forbids gives 0.
- One store a block. The stored word travels as result 3, so beside a store in an earlier stage operation 3 has no
  destination. No two operations of a block have the same destination. A predicate is neither destination nor address.
- A *serial* block holds back lanes whose store address equals that of a lower active lane; they run the block again, which
  makes any read-modify-write atomic. It must not overwrite a register that it reads.
- Blocks are numbered so that running the lowest first lets lanes meet again. Block 0 is the entry. In a grid of several CTAs
  block {advance} runs on lane 0 after each CTA, counts up, and leaves with `next cta` where the predicate says that another
  CTA follows.
- An array begins at a multiple of {lanes} words, and all its words carry its id.
"""

WRITE_OUT: Final = """\
EXEC computes a block in one pass; the tokens behind it carry the results to where they are kept.

1. Results with a destination, and the word of a store, are sent as VAL(result, lane, byte, value) in ascending order of
   {result_step} * result + {lane_step} * lane + byte. Lane 0 stands for all lanes, 1 + j is lane j.
2. Of a word, only the bytes are sent that sign extension and zero do not give: bytes above the highest sent byte are its sign,
   unsent bytes below it are 0. Where no lane of a result needs a byte, VAL(result, 0, 0, 0) is sent all the same. In a serial
   block byte 0 is always sent.
3. One VAL serves all lanes where every lane takes part, all need that byte, it is the same in all of them, and the block is not
   serial.
4. The stores follow: one MEMV (place {memv}) where at least two lanes store, every active lane does, lane j stores to word j
   of one common line, and the block is not serial; otherwise MEM1 for lane j at place {mem1} + j.
5. The first VAL behind a token that committed (PROG, TAGROW, MEMV, MEM1), and every EXEC, forgets the bytes staged before.
6. The host writes program rows, array ids and data with the same records, as result 3; PAD clears the convolution first.
"""

SCHEDULING: Final = """\
Every lane has its own next block. Which token follows is decided in this order:

1. An access outside its array stops the launch: FAULT(4 * stage + lane), lowest lane first, then lowest stage. An access is
   allowed where the word carries an id, and that of the operation unless the operation names none.
2. The rest of the write-out.
3. After CTAEND, EXEC(1, 1); when block 1 has left: RESTART if another CTA follows, else END.
4. Lanes of the current warp that can run: EXEC of the lowest block among them, for those that stand there. After a block that
   *yields*, only lanes at higher blocks go on at once.
5. The next warp above the current one, cyclically, that can run (WARP). A warp that was never current can run.
6. Nobody can run: CTAEND (END in a grid of one CTA) when all have exited; else BAR(1 + g) for the lowest CUDA warp g of which
   some wait at the warp barrier and none at the CTA barrier; else FAULT({barrier}) when some still wait at a warp barrier, or
   lanes wait at different `__syncthreads` sites; else BAR(0).

A barrier is a phase bit: a lane waits while its scope's phase is what it was on arrival, BAR flips it. Lanes that have exited
count for no barrier.
"""


def render(spec: MachineSpec = SPEC) -> str:
    """The whole document."""
    write_out = WRITE_OUT.format(
        result_step=BYTES_PER_WORD * (spec.lanes + 1), lane_step=BYTES_PER_WORD, memv=MEMV_POSITION, mem1=MEM1_POSITION
    )
    rules = PROGRAM_RULES.format(blocks=spec.blocks, stages=spec.stages, advance=layout.ADVANCE_BLOCK, lanes=spec.lanes)
    sections = (
        ("Numbers", numbers(spec)),
        ("Instructions", "Operands are unsigned 32-bit words a, b, c and the lane's predicate p.\n\n" + instructions(spec)),
        (
            "Tokens",
            f"A token's code has {CODE_BITS} bits: its base with its fields. Its id counts from the first row behind "
            "the base model's vocabulary.\n\n" + tokens(spec),
        ),
        ("Program rows", "A row is four 32-bit words, staged by VAL tokens and committed by PROG.\n\n" + rows(spec)),
        ("Rules of a program", rules.rstrip()),
        ("Write-out", write_out.rstrip()),
        ("Scheduling", SCHEDULING.format(barrier=BARRIER_FAULT).rstrip()),
    )
    head = (
        "# The machine\n\n<!-- Written by `python -m engine.machine.docs`; change the definition in `engine/machine/`, "
        "not this file. -->\n"
    )
    return "\n".join([head, *(f"## {title}\n\n{text}\n" for title, text in sections)])


def main() -> None:
    """Write the document."""
    PATH.parent.mkdir(exist_ok=True)
    PATH.write_text(render(), encoding="utf-8")


if __name__ == "__main__":
    main()
