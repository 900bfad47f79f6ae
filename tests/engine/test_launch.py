"""Launch, trace and replay on an engine that needs no weights; what they do with engines and kernels that err."""

from __future__ import annotations

import json

import programs
import pytest
from interpreted import WORD_MAP, InterpretedRuntime

from engine.launch import launch
from engine.machine.errors import Cancelled, FaultError, InputError, MismatchError
from engine.machine.state_map import StateMap, WordMap
from engine.machine.tokens import Token
from engine.replay import first_difference, require_exact
from engine.state import decode_word
from engine.trace import Follower, read_trace, redo


def test_a_dot_product_is_read_from_the_state():
    program = programs.dot([1, 2, 3], [4, 5, 6])
    result = launch(InterpretedRuntime(program), program)
    assert result.memory == {"a": (1, 2, 3), "b": (4, 5, 6), "out": (32,)}
    assert len(result.generated) <= 20
    assert result.generated[-1] == Token("END")
    assert result.passes == -(-len(result.prompt) // 16) + len(result.generated) - 1
    assert require_exact(program, result.generated) == "exact"


def test_negative_words_and_words_never_written():
    program = programs.dot([-3 % 2**32, 2**31], [5, 1])
    assert launch(InterpretedRuntime(program), program).memory["out"] == ((2**31 - 15) % 2**32,)
    untouched = programs.stores(0, threads=2)
    assert launch(InterpretedRuntime(untouched), untouched).memory["other"] == (0, 0, 0, 0)


def test_the_runtime_is_afterwards_what_it_was():
    program = programs.dot([1], [2])
    runtime = InterpretedRuntime(program)
    before = runtime.snapshot()
    launch(runtime, program)
    assert runtime.interpreter.memory == before.memory
    with pytest.raises(FaultError):
        launch(runtime, programs_with_loop(runtime), max_tokens=3)
    assert runtime.interpreter.memory == before.memory


def programs_with_loop(runtime):
    program = programs.endless()
    runtime.interpreter.learn(program.blocks)
    return program


def test_trace_lines_tell_block_warp_mask_and_writes(tmp_path):
    program = programs.stepping(8)
    lines = []
    result = launch(InterpretedRuntime(program), program, on_token=lines.append)
    assert [line.i for line in lines] == list(range(len(result.prompt) + len(result.generated)))
    assert [line.token for line in lines] == [str(token) for token in (*result.prompt, *result.generated)]
    assert {line.source for line in lines[: len(result.prompt)]} == {"host"}
    assert all(line.block is None and line.mask is None for line in lines[: len(result.prompt)])
    executed = [line for line in lines if line.token.startswith("EXEC(2,")]
    assert {(line.block, line.warp, line.mask) for line in executed} == {(2, 0, 15), (2, 1, 15)}
    registers = [write for line in lines for write in line.writes if write[0] == "register"]
    assert ("register", 1, 3, 2, 1007) in registers  # thread 6 reads the word of thread 1
    memory = {}
    for line in lines:
        memory.update({write[1]: write[2] for write in line.writes if write[0] == "memory"})
    assert tuple(memory[i] for i in range(8)) == result.memory["out"] == (7014,) * 8

    path = tmp_path / "trace.jsonl"
    path.write_text("".join(line.to_json() + "\n" for line in lines))
    assert read_trace(path) == lines
    assert list(json.loads(path.read_text().splitlines()[0])) == [
        "i",
        "id",
        "token",
        "source",
        "block",
        "warp",
        "mask",
        "writes",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"i": 0}',
        '{"i": 3, "id": 1, "token": "PAD", "source": "host", "block": null, "warp": null, "mask": null, "writes": []}',
    ],
)
def test_a_line_that_is_no_trace_is_named(tmp_path, text):
    path = tmp_path / "trace.jsonl"
    path.write_text(text + "\n")
    with pytest.raises(InputError, match=r"trace\.jsonl:1"):
        read_trace(path)


def test_a_trace_is_redone_and_the_first_difference_named():
    program = programs.dot([1, 2, 3], [4, 5, 6])
    lines = []
    launch(InterpretedRuntime(program), program, on_token=lines.append)
    assert redo(InterpretedRuntime(program), lines) is None
    wrong = InterpretedRuntime(program, lie=lambda answer, truth: Token("PAD") if answer == 5 else truth)
    line, got = redo(wrong, lines)
    assert line.source == "model" and sum(x.source == "model" for x in lines[: line.i + 1]) == 5
    assert got == 1000


def test_following_a_stream_agrees_with_the_interpreter():
    program = programs.stepping(16)
    result = launch(InterpretedRuntime(program), program)
    follower, judge = Follower(program), InterpretedRuntime(program).interpreter
    for token in (*result.prompt, *result.generated):
        judge.step(token)
        assert follower.follow(token) == tuple(judge.writes)


# ---------------------------------------------------------------- engines that err
def test_the_first_wrong_token_is_named():
    program = programs.dot([1, 2, 3], [4, 5, 6])
    right = launch(InterpretedRuntime(program), program)
    wrong = [*right.generated]
    wrong[2] = Token("VAL", (2, 2, 0, 11))
    difference = first_difference(program, wrong)
    assert (difference.index, difference.got, difference.expected) == (len(right.prompt) + 2, wrong[2], right.generated[2])
    with pytest.raises(MismatchError, match=r"token \d+ is VAL\(2,2,0,11\), the interpreter expects VAL\(2,2,0,10\)") as caught:
        require_exact(program, wrong)
    assert caught.value.exit_code == 4
    assert caught.value.extra["block"] == 0


def test_a_wrong_answer_that_leads_nowhere_is_a_mismatch_and_no_fault():
    program = programs.dot([1, 2, 3], [4, 5, 6])
    for lie in (Token("FAULT", (0,)), Token("EXEC", (0, 1))):
        runtime = InterpretedRuntime(program, lie=lambda answer, truth, lie=lie: lie if answer >= 4 else truth)
        with pytest.raises(MismatchError, match="the interpreter expects"):
            launch(runtime, program, max_tokens=50)


def test_a_state_that_is_not_what_the_tokens_record_is_a_mismatch():
    program = programs.dot([1, 2, 3], [4, 5, 6])
    runtime = InterpretedRuntime(program)
    honest = runtime.recurrent_state

    def flipped(layer, head):
        state = honest(layer, head)
        place, row, dims = WORD_MAP.place(8)
        if head == place:
            state[row, dims[1]] *= -1
        return state

    runtime.recurrent_state = flipped
    with pytest.raises(MismatchError, match="word 8: the recurrent state holds 34, the token stream recorded 32"):
        launch(runtime, program)


def test_an_answer_outside_the_machine_is_a_mismatch():
    program = programs.dot([1], [2])
    runtime = InterpretedRuntime(program)
    runtime.feed = lambda tokens: -7
    with pytest.raises(MismatchError, match="token 993, which is not the machine's"):
        launch(runtime, program)


# ---------------------------------------------------------------- kernels that err
@pytest.mark.parametrize(("index", "thread", "word"), [(2, 2, 4), (-1, 0, -1), (5000, 0, 5000), (-9, 0, -9)])
def test_an_access_outside_its_array_is_named(index, thread, word):
    program = programs.stores(index)
    with pytest.raises(FaultError) as caught:
        launch(InterpretedRuntime(program), program)
    error = caught.value
    assert str(error).startswith(
        f"thread {thread} writes word {word} of array out, which has 4 words - kernel stores, block 0, line {programs.LINE}"
    )
    assert error.extra == {
        "kernel": "stores",
        "array": "out",
        "index": word,
        "thread": thread,
        "cta": 0,
        "block": 0,
        "line": programs.LINE,
        "address": (8 + word) % 2**32,
        "stage": 0,
    }
    assert error.exit_code == 3


def test_a_thread_of_a_later_warp_is_named():
    program = programs.stores(0, threads=12, words=9)
    with pytest.raises(FaultError, match="thread 9 writes word 9 of array out, which has 9 words"):
        launch(InterpretedRuntime(program), program)


def test_a_barrier_that_cannot_complete_is_named():
    program = programs.split_barrier()
    with pytest.raises(FaultError, match="cannot complete: thread 0 at cta barrier 1, thread 1 at cta barrier 0") as caught:
        launch(InterpretedRuntime(program), program)
    assert caught.value.extra["waiting"] == list(range(8))


def test_an_endless_loop_meets_the_token_limit():
    program = programs.endless()
    with pytest.raises(FaultError, match="has not ended after 25 tokens") as caught:
        launch(InterpretedRuntime(program), program, max_tokens=25)
    assert caught.value.extra["available"] == 25


def test_a_limit_that_is_just_enough_is_enough():
    program = programs.dot([1, 2, 3], [4, 5, 6])
    needed = len(launch(InterpretedRuntime(program), program).generated)
    assert launch(InterpretedRuntime(program), program, max_tokens=needed).memory["out"] == (32,)
    with pytest.raises(FaultError):
        launch(InterpretedRuntime(program), program, max_tokens=needed - 1)


@pytest.mark.parametrize("passes", [0, 2, 9])
def test_a_launch_stops_before_the_next_pass(passes):
    program = programs.dot([1, 2, 3], [4, 5, 6])
    runtime = InterpretedRuntime(program)
    asked = iter([False] * passes)
    with pytest.raises(Cancelled) as caught:
        launch(runtime, program, cancelled=lambda: next(asked, True))
    assert caught.value.exit_code == 130
    assert next(asked, None) is None
    assert runtime.interpreter.memory == [0] * runtime.machine.spec.words


def test_progress_counts_the_prompt():
    program = programs.dot([1, 2, 3], [4, 5, 6])
    seen = []
    result = launch(InterpretedRuntime(program), program, on_progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(result.prompt), len(result.prompt))
    assert seen == sorted(set(seen))


# ---------------------------------------------------------------- state map
def test_a_state_map_survives_its_file():
    state = StateMap(WORD_MAP)
    assert StateMap.from_json(state.to_json()) == state
    assert WORD_MAP.words == 2048
    assert len({WORD_MAP.place(word) for word in range(2048)}) == 2048
    with pytest.raises(IndexError):
        WORD_MAP.place(2048)


def test_a_map_that_puts_two_bits_into_one_place_is_refused():
    with pytest.raises(ValueError, match="two bits"):
        WordMap(7, 2, 128, ((0, 0),), (tuple(range(32)), tuple(range(31, 63))))
    with pytest.raises(ValueError, match="32 dims"):
        WordMap(7, 1, 128, ((0,),), (tuple(range(31)),))


def test_a_state_between_two_bits_is_no_word():
    place = WORD_MAP.place(5)
    assert place == (1, 1, tuple(range(32, 64)))
    state = InterpretedRuntime(programs.endless()).recurrent_state(7, 0)[0, :32]
    assert decode_word(state, 0) is None
    state[:] = -0.25
    state[31] = 0.25
    assert decode_word(state, 0) == 2**31
    state[3] = 0.2500001
    with pytest.raises(MismatchError, match="word 0 of the memory is no word"):
        decode_word(state, 0)
