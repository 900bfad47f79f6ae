"""From packs and registers to the machine's program.

Blocks are numbered in the order of the pieces, loops contiguous: the machine runs the lowest block first, so that lanes which
took different ways meet again where the ways do. In a grid of several blocks, block 1 counts up the block index.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.machine.program import ADVANCE_BLOCK, Access, Block, Exit, Operation, Program, Register, Source, Special, Terminator
from toolchain.ir import Block as GraphBlock
from toolchain.ir import Graph, loops, reverse_postorder
from toolchain.layout import MemoryMap, MemoryObject
from toolchain.machine_ir import Code, Compare, Op, Operand, Piece, Thread, Value
from toolchain.regalloc import Traffic
from toolchain.schedule import Pack


def block_order(graph: Graph) -> list[GraphBlock]:
    """Every block before its successors except along back edges, and no block between those of a loop that is not in it."""
    nests = loops(graph)
    order = reverse_postorder(graph.blocks[0])
    position = {block: number for number, block in enumerate(order)}
    placed: list[GraphBlock] = []
    waiting = set(order)
    open_loops: list[set[GraphBlock]] = []
    while waiting:
        open_loops = [body for body in open_loops if body & waiting]
        ready = [b for b in waiting if all(p not in waiting or position[p] >= position[b] for p in b.preds)]
        if open_loops:
            ready = [b for b in ready if b in open_loops[-1]]
        block = min(ready, key=lambda b: position[b])
        waiting.discard(block)
        placed.append(block)
        if block in nests:
            open_loops.append(nests[block])
    return placed


@dataclass(frozen=True, slots=True)
class Names:
    """Where values are: the register of each variable, the variable of each value, what is live behind each pack."""

    registers: dict[Value, int]
    variable: dict[Value, Value]
    traffic: dict[Pack, Traffic]

    def destination(self, value: Value | None, pack: Pack) -> int | None:
        """The register that takes a result, None when nobody reads it later."""
        name = self.variable.get(value, value) if value is not None else None
        return self.registers[name] if name is not None and name in self.traffic[pack].writes else None


def assemble(code: Code, packs: dict[Piece, list[Pack]], names: Names, memory: MemoryMap, threads: int,
             grid: tuple[int, int, int], indices: dict[int, MemoryObject]) -> Program:  # fmt: skip
    """The program: numbered blocks, the advance block of a grid, the arrays."""
    many = any(size > 1 for size in grid)
    entry = _through(code.pieces[0], packs)
    flat = [pack for piece in code.pieces for pack in packs[piece]]
    first = packs[entry][0]
    flat.remove(first)
    flat.insert(0, first)
    numbers = {pack: number + (1 if many and number >= ADVANCE_BLOCK else 0) for number, pack in enumerate(flat)}
    following = {pack: after for piece in code.pieces for pack, after in zip(packs[piece], packs[piece][1:], strict=False)}
    blocks = {}
    for pack in flat:
        blocks[numbers[pack]] = _block(pack, numbers, following.get(pack), packs, names)
    if many:
        extra = len(flat) + 1
        for number, block in zip(
            (ADVANCE_BLOCK, *range(extra, extra + 3)), _advance_blocks(grid, indices, extra), strict=False
        ):
            blocks[number] = block
    ordered = tuple(blocks[number] for number in sorted(blocks))
    return Program(code.kernel, ordered, memory.allocations(), threads, many)


def _through(piece: Piece, packs: dict[Piece, list[Pack]]) -> Piece:
    """The piece that a jump to `piece` reaches: empty ones are skipped."""
    seen = set()
    while not packs[piece] and piece not in seen:
        seen.add(piece)
        piece = piece.ending.targets[0]
    return piece


def _block(pack: Pack, numbers: dict[Pack, int], following: Pack | None, packs: dict[Piece, list[Pack]], names: Names) -> Block:
    stages: dict[Value, int] = {}
    operations = []
    for stage, placed in enumerate(pack.placed):
        if placed.op is not None:
            operations.append(_operation(placed.op, stages, names, pack))
            if placed.op.result is not None:
                stages[placed.op.result] = stage
        elif placed.compare is not None:
            operations.append(_setp(placed.compare, stages, names))
        else:
            operations.append(Operation("nop"))
    ending, number = pack.ending, numbers[pack]
    if ending is None:
        assert following is not None
        end = Terminator(Exit.JUMP, numbers[following])
    else:
        targets = [numbers[packs[_through(target, packs)][0]] for target in ending.targets]
        taken, other, *_ = [*targets, 0, 0]
        end = Terminator(ending.exit, taken, other, ending.site)
    ways = {Exit.JUMP: (end.taken,), Exit.BRANCH: (end.taken, end.other)}.get(end.exit, ())
    piece = pack.piece
    waits = any(way <= number for way in ways) and piece is not None and piece.waits
    yields = waits or (following is not None and piece is not None and piece.joined)
    return Block(tuple(operations), end, pack.serial, yields)


def _source(operand: Operand, stages: dict[Value, int], names: Names) -> Source:
    if isinstance(operand, Thread):
        return Special.THREAD
    if isinstance(operand, int):
        return Special.ZERO if operand == 0 else Special.ONE if operand == 1 else Special.IMMEDIATE
    if operand in stages:
        return (Special.T0, Special.T1, Special.T2)[stages[operand]]
    return Register(names.registers[names.variable.get(operand, operand)])


def _immediate(operands: tuple[Operand | None, ...]) -> int:
    found = {o for o in operands if isinstance(o, int) and o not in (0, 1)}
    if len(found) > 1:
        raise AssertionError(f"two immediates in one operation: {found}")
    return found.pop() if found else 0


def _operation(op: Op, stages: dict[Value, int], names: Names, pack: Pack) -> Operation:
    sources = [_source(o, stages, names) for o in op.operands]
    a, b, third = (*sources, Special.ZERO, Special.ZERO, Special.ZERO)[:3]
    c = _source(op.c, stages, names) if op.c is not None else third
    return Operation(
        op.mnemonic,
        a,
        b,
        c,
        _immediate((*op.operands, op.c)),
        names.destination(op.result, pack),
        op.access,
        op.guarded,
        op.tag,
        op.line,
    )


def _setp(compare: Compare, stages: dict[Value, int], names: Names) -> Operation:
    a, b = (_source(o, stages, names) for o in (compare.a, compare.b))
    return Operation(compare.mnemonic, a, b, immediate=_immediate((compare.a, compare.b)))


def _advance_blocks(grid: tuple[int, int, int], indices: dict[int, MemoryObject], extra: int) -> list[Block]:
    """Count up the block index like an odometer: block 1 the first axis that is longer than 1, `extra` .. the carries."""
    axes = [axis for axis in range(3) if grid[axis] > 1]
    again = extra + len(axes) - 1
    blocks = []
    for position, axis in enumerate(axes):
        place, last = indices[axis], position == len(axes) - 1
        operations = (
            Operation("mov", Special.IMMEDIATE, immediate=place.base, access=Access.LOAD, tag=place.tag),
            Operation("setp.lt.u", Special.T0, Special.IMMEDIATE, immediate=grid[axis] - 1),
            Operation("add", Special.T0, Special.ONE),
            Operation(
                "selp", Special.T2, Special.ZERO, Special.IMMEDIATE, place.base, access=Access.STORE_SWAPPED, tag=place.tag
            ),
        )
        end = Terminator(Exit.NEXT_CTA) if last else Terminator(Exit.BRANCH, again, extra + position)
        blocks.append(Block(operations, end))
    if len(axes) > 1:
        always = Operation("setp.eq", Special.ZERO, Special.ZERO)
        blocks.append(Block((always,), Terminator(Exit.NEXT_CTA)))
    return blocks
