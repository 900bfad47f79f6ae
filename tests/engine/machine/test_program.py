"""Programs: what is refused and how it is called, rows decoded independently, prompts staged independently."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.machine.errors import LimitExceeded
from engine.machine.instructions import INSTRUCTIONS
from engine.machine.interpreter import Interpreter
from engine.machine.program import (
    Access,
    Allocation,
    Block,
    Exit,
    Operation,
    Program,
    Register,
    Special,
    Terminator,
    disassemble,
    operation_row,
    prompt,
    record_values,
    sent_bytes,
    terminator_row,
    validate,
)
from engine.machine.spec import SPEC
from engine.machine.tokens import TOKENS, Token

EXIT = Terminator(Exit.EXIT)
WORDS = st.one_of(
    st.integers(0, 2**32 - 1),
    st.integers(-300, 300).map(lambda value: value % 2**32),
    st.sampled_from([0, 0x80, 0xFF, 0x100, 0x7F00, 0xFF00, 0x80000000, 0xFFFFFF80, 0xFFFF0000, 0x00FF00FF]),
)
SOURCES = st.one_of(st.integers(0, 15).map(Register), st.sampled_from(Special))
OPERATIONS = st.builds(
    Operation,
    st.sampled_from([i.mnemonic for i in INSTRUCTIONS]),
    SOURCES,
    SOURCES,
    SOURCES,
    WORDS,
    st.one_of(st.none(), st.integers(0, 15)),
    st.sampled_from(Access),
    st.booleans(),
    st.integers(0, 15),
)
BLOCKS = st.builds(
    Block,
    st.just(()),
    st.builds(Terminator, st.sampled_from(Exit), st.integers(0, 255), st.integers(0, 255), st.integers(0, 15)),
    st.booleans(),
    st.booleans(),
)


def program(*operations, terminator=EXIT, allocations=(), threads=4, **flags):
    return Program("k", (Block(tuple(operations), terminator, **flags),), tuple(allocations), threads)


def add(**fields):
    return Operation("add", Register(0), Register(1), **fields)


# ---------------------------------------------------------------- rows
def source_of(bits):
    """An operand field read back: independent of `operand_field`."""
    if bits & 16:
        assert bits >> 5 == 0
        return Register(bits & 15)
    assert bits & 31 == 0 and (bits >> 5).bit_count() == 1
    return list(Special)[(bits >> 5).bit_length() - 1]


@given(OPERATIONS)
def test_an_operation_row_holds_every_field(operation):
    immediate, opcode, operands, memory = operation_row(operation)
    assert immediate == operation.immediate and opcode.bit_count() == 1
    assert INSTRUCTIONS[opcode.bit_length() - 1].mnemonic == operation.mnemonic
    assert source_of(operands & 0xFFF) == operation.a and source_of(operands >> 12 & 0xFFF) == operation.b
    assert source_of(memory & 0xFFF) == operation.c
    assert (operands >> 24 & 15 if operands >> 28 else None) == operation.destination and operands >> 29 == 0
    load, store, swap, guard = (bool(memory >> bit & 1) for bit in (12, 13, 14, 15))
    assert (load, store, swap) == (operation.access is Access.LOAD, operation.stores, operation.access is Access.STORE_SWAPPED)
    assert guard == operation.guarded and memory >> 16 == operation.tag


@given(BLOCKS)
def test_a_terminator_row_holds_every_field(block):
    word, *rest = terminator_row(block)
    end = block.terminator
    assert rest == [0, 0, 0] and word >> 28 == 0
    assert (word & 255, word >> 8 & 255, word >> 24) == (end.taken, end.other, end.site)
    assert word >> 16 & 63 == 1 << list(Exit).index(end.exit)
    assert (bool(word >> 22 & 1), bool(word >> 23 & 1)) == (block.serial, block.yields)


# ---------------------------------------------------------------- records
def staged(tokens, lanes):
    """The words that VAL tokens stand for, by the documented rule alone."""
    parts = [{} for _ in range(lanes)]
    for _, (result, lane, byte, value) in tokens:
        assert result == 3
        for j in range(lanes) if lane == 0 else [lane - 1]:
            assert byte not in parts[j], "a byte sent twice"
            parts[j][byte] = value
    words = []
    for sent in parts:
        top = max(sent, default=-1)
        raw = bytes(sent.get(i, 0) for i in range(top + 1))
        words.append(int.from_bytes(raw, "little", signed=True) % 2**32 if raw else 0)
    return words


@given(st.lists(WORDS, min_size=4, max_size=4))
def test_a_record_stands_for_its_words(words):
    tokens = record_values(words)
    assert tokens and {token.kind for token in tokens} == {"VAL"}
    assert staged(tokens, 4) == words


@pytest.mark.parametrize(
    ("word", "count"),
    [
        (0, 0),
        (1, 1),
        (127, 1),
        (128, 2),
        (255, 2),
        (256, 1),
        (0xFFFFFFFF, 1),
        (0xFFFFFF80, 1),
        (0xFFFFFF7F, 2),
        (0x80000000, 1),
        (0x12345678, 4),
        (0x00010000, 1),
        (0x7FFF0000, 2),
        (0x00800000, 2),
    ],
)
def test_only_bytes_that_sign_and_zero_do_not_give_are_sent(word, count):
    assert sum(sent_bytes(word)) == count


# ---------------------------------------------------------------- prompts
def loaded(subject):
    machine = Interpreter()
    machine.load(subject)
    return machine


ARRAYS = st.lists(st.lists(WORDS, max_size=11), min_size=1, max_size=5)


@settings(max_examples=25, deadline=None)
@given(ARRAYS)
def test_a_prompt_loads_arrays_and_their_ids(arrays):
    allocations = [Allocation(f"array {i}", 16 * i, len(data) + 1, i + 1, tuple(data)) for i, data in enumerate(arrays)]
    machine = loaded(program(Operation("nop"), allocations=allocations))
    want, tags = [0] * SPEC.words, [0] * SPEC.words
    for allocation in allocations:
        want[allocation.base : allocation.base + len(allocation.data)] = allocation.data
        tags[allocation.base : allocation.base + allocation.words] = [allocation.tag] * allocation.words
    assert machine.memory == want and machine.tags == tags


def test_a_prompt_loads_every_row_of_the_program():
    blocks = (
        Block((add(destination=2), Operation("mov", Special.THREAD, destination=3)), Terminator(Exit.JUMP, 1)),
        Block((Operation("setp.lt.s", Register(2), Special.IMMEDIATE, immediate=7),), Terminator(Exit.BRANCH, 0, 2)),
        Block((), Terminator(Exit.EXIT), yields=True),
    )
    machine = loaded(Program("k", blocks, (), 4))
    assert machine.program == {
        (number, stage): operation for number, block in enumerate(blocks) for stage, operation in enumerate(block.operations)
    }
    assert machine.terminators == dict(enumerate(blocks))


def test_a_prompt_begins_with_padding_and_ends_with_start():
    tokens = prompt(program(add(destination=1), threads=9))
    assert tokens[:3] == [Token("PAD")] * 3 and tokens[3].kind == "VAL"
    assert tokens[-1] == Token("START", (9, 0)) and tokens.count(tokens[-1]) == 1
    assert all(token in TOKENS.ids for token in tokens)
    assert prompt(replace(program(), many=True))[-1] == Token("START", (4, 1))


def test_zero_data_costs_no_token():
    empty, zeros = (prompt(program(allocations=[Allocation("a", 0, 64, 1, data)])) for data in ((), (0,) * 64))
    assert empty == zeros


# ---------------------------------------------------------------- what is refused
@pytest.mark.parametrize(
    ("subject", "limit", "needed", "available"),
    [
        (Program("k", (Block((), EXIT),) * 257, (), 4), "program blocks", 257, 256),
        (program(threads=65), "threads of a block", 65, 64),
        (program(allocations=[Allocation("a", 2044, 5, 1)]), "memory words", 2049, 2048),
        (program(allocations=[Allocation("a", 0, 4, 16)]), "arrays", 16, 15),
        (program(*[add()] * 5), "operations of a block", 5, 4),
        (program(terminator=Terminator(Exit.CTA_BARRIER, site=16)), "__syncthreads sites", 17, 16),
    ],
)
def test_a_number_exceeded_is_named(subject, limit, needed, available):
    with pytest.raises(LimitExceeded) as refused:
        validate(subject)
    assert refused.value.extra == {"limit": limit, "needed": needed, "available": available}


STORE = add(access=Access.STORE)


@pytest.mark.parametrize(
    ("subject", "message"),
    [
        (program(terminator=Terminator(Exit.JUMP, 1)), "jumps to block 1 of 1"),
        (program(terminator=Terminator(Exit.BRANCH, 0, 7)), "jumps to block 7 of 1"),
        (program(STORE, STORE), "two stores in one block"),
        (program(STORE, add(), add(), add(destination=1)), "operation 3 cannot have a destination"),
        (program(add(destination=1), add(destination=1)), "two results for one register"),
        (program(Operation("frob")), "no instruction 'frob'"),
        (program(Operation("mulhi.u", destination=1)), "mulhi.u exists in stages"),
        (program(Operation("setp.eq", destination=1)), "gives no word"),
        (program(Operation("setp.eq", access=Access.LOAD)), "gives no word"),
        (program(Operation("nop", access=Access.STORE)), "gives no word"),
        (program(add(access=Access.STORE, destination=1)), "a store has no destination"),
        (program(add(destination=16)), "register 16"),
        (program(Operation("mov", Register(16))), "register 16"),
        (program(add(immediate=1 << 32)), "immediate"),
        (program(add(immediate=-1)), "immediate"),
        (program(add(tag=16)), "tag 16"),
        (program(Operation("mov", Special.T0)), "reads T0, which holds no word"),
        (program(Operation("setp.eq"), Operation("mov", Special.T0)), "reads T0, which holds no word"),
        (program(STORE, Operation("mov", Special.T0)), "reads T0, which holds no word"),
        (program(Operation("nop"), Operation("mov", Special.T0)), "reads T0, which holds no word"),
        (program(add(), add(), Operation("mov", Special.T2)), "reads T2, which holds no word"),
        (program(Operation("add", Register(1), Register(2), destination=1), serial=True), "a serial block overwrites"),
        (program(allocations=[Allocation("a", 2, 4, 1)]), "array a"),
        (program(allocations=[Allocation("a", 0, 4, 0)]), "array a"),
        (program(allocations=[Allocation("a", 0, 1, 1, (1, 2))]), "array a"),
    ],
)
def test_a_rule_that_is_broken_is_named(subject, message):
    with pytest.raises(ValueError, match=message):
        validate(subject)


def test_what_the_rules_allow():
    validate(
        program(
            add(),
            Operation("mov", Special.T0, destination=3),
            Operation("mulhi.s", Special.T1, Special.ONE),
            Operation("mov", Special.T2, c=Register(1), access=Access.STORE),
        )
    )
    validate(program(STORE, add(destination=1), add(destination=2)))
    validate(program(Operation("add", Register(1), Special.ONE, destination=2), serial=True, yields=True))
    validate(program(allocations=[Allocation("a", 2044, 4, 15, (1, 2, 3, 4))], threads=64))


def test_disassembly_reads_like_the_program():
    text = disassemble(
        program(
            Operation("add", Register(1), Special.IMMEDIATE, immediate=8, destination=2),
            Operation("setp.lt.u", Special.T0, Special.THREAD),
            Operation("mov", Special.T0, c=Register(3), access=Access.STORE, guarded=True),
            Operation("mov", Special.T0, destination=4, access=Access.LOAD),
            terminator=Terminator(Exit.BRANCH, 0, 0),
            yields=True,
        )
    )
    assert text.splitlines() == [
        "block 0: yields",
        "  t0: add r1, #8 -> r2",
        "  t1: setp.lt.u t0, tid",
        "  t2: if p: store r3 at [mov t0]",
        "  t3: load [mov t0] -> r4",
        "  if p: 0 else 0",
    ]
