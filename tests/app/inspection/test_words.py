"""What tokens do in plain words, which layers they concern, and which lines belong to them, on launches known by hand."""

import pytest

from app.inspection.finding import Index, read_query
from app.inspection.layers import activity
from app.inspection.ledger import Verdict, fingerprints, ledger, verify_command
from app.inspection.lines import connect
from app.inspection.listing import block_text, ending_text
from app.inspection.timeline import Timeline
from app.inspection.words import chip, describe, written
from engine.machine.errors import InputError
from engine.machine.program import Access, Block, Exit, Operation, Register, Special, Terminator
from engine.machine.tokens import Token
from tests.app.inspection.made import barriers, counting, dot


@pytest.fixture(scope="module")
def told():
    """Every token of the dot product, in words."""
    launch = dot().launches[0]
    timeline = Timeline(launch.program, launch.prompt, launch.generated)
    return [str(describe(timeline.moment(i), launch.program, launch.arrays)) for i in range(len(timeline))], timeline


def test_the_dot_product_in_words(told):
    lines, timeline = told
    assert lines[timeline.host - 1] == "The host starts the launch with 3 threads."
    assert lines[timeline.host : timeline.host + 2] == [
        "Block 0 runs on lanes 0, 1 and 2 (line 4).",
        "Register r0 of lane 0 becomes 4.",
    ]
    assert lines[-2:] == ["Lane 2 writes 32 into out[0]. It held 14.", "Every thread has exited. The launch is over."]
    assert "The host writes 1, 2 and 3 into a[0] to a[2]." in lines
    assert any(line.startswith("The host marks which words belong to a, b and out") for line in lines)
    assert any("← load a[thread]" in line for line in lines)


def test_a_grid_with_barriers_in_words():
    launch = barriers().launches[0]
    timeline = Timeline(launch.program, launch.prompt, launch.generated)
    lines = [str(describe(timeline.moment(i), launch.program, launch.arrays)) for i in range(len(timeline))]
    assert "Threads 4 to 7 take their turn." in lines
    assert "Every thread has reached the barrier. All go on." in lines
    assert "Every thread of this block of the grid has exited." in lines and "The next block of the grid begins." in lines
    assert all(line[0].isupper() and line.endswith(".") for line in lines)


def test_chips_and_full_names():
    assert chip(Token("EXEC", (12, 5))) == ("EXEC", "12·02")
    assert chip(Token("VAL", (3, 0, 1, 9))) == ("VAL.1", "all=9")
    assert chip(Token("MEM1", (2, 520))) == ("MEM1", "[520]") and written(Token("MEM1", (2, 520))) == "MEM1(2, 520)"


def test_machine_code_as_it_is_read():
    arrays = dot().launches[0].arrays
    out = next(a for a in arrays if a.name == "out")
    block = Block(
        (
            Operation("add", Special.THREAD, Special.IMMEDIATE, immediate=arrays[0].base + 1, access=Access.LOAD, tag=1),
            Operation("setp.lt.s", Special.THREAD, Special.IMMEDIATE, immediate=3),
            Operation("mov", Special.IMMEDIATE, c=Register(2), immediate=out.base, access=Access.STORE, guarded=True),
            Operation("mad", Special.T0, Register(1), Special.ONE, destination=5),
        ),
        Terminator(Exit.BRANCH, 2, 5),
        serial=True,
    )
    assert block_text(block, arrays) == [
        "T0 ← load a[thread + 1]",
        "P ← thread < 3",
        "store r2 to out[0] if P",
        "r5 ← T0 × r1 + 1",
    ]
    assert ending_text(block) == "P ? block 2 : block 5 · serial: one lane at a time"


def test_layers_of_each_kind_of_token(told):
    _, timeline = told
    kinds = {}
    for i in range(len(timeline)):
        kinds[timeline.tokens[i].kind] = activity(timeline.moment(i), timeline.tokens[i + 1] if i + 1 < len(timeline) else None)
    assert kinds["MEM1"].writes == {7, 12, 19, 27, 34}
    assert str(kinds["MEM1"].summary) == "wrote memory in 7, 12, 19, 27, 34 · chose END in 38–43"
    assert kinds["TAGROW"].writes == {13, 20, 28, 35}
    assert 26 not in kinds["EXEC"].takes_part and {5, 6, 11, 12} <= kinds["EXEC"].takes_part
    assert all(what.writes <= what.takes_part <= set(range(45)) for what in kinds.values())


def test_lines_that_belong_together():
    launch = dot().launches[0]
    lines = connect(launch.program, launch.record.ptx)
    text = launch.record.ptx.splitlines()
    assert lines.cuda(0) == {4} and lines.blocks(frozenset({4})) == {0, 1}
    marked = [text[number - 1].strip() for number in lines.ptx(frozenset({4}))]
    assert any(line.startswith("atom") for line in marked) and not any(line.startswith(".loc") for line in marked)


def test_finding_the_token_that_wrote_a_cell():
    launch = dot().launches[0]
    tokens = (*launch.prompt, *launch.generated)
    index, host = Index(launch.program, tokens), len(launch.prompt)
    out = read_query("out[0]", launch.arrays, launch.program, len(tokens)).place
    writers = [i for i, t in enumerate(tokens) if t.kind == "MEM1"]
    assert [index.after(out, host), index.after(out, writers[0]), index.before(out, writers[2])] == [*writers[:2], writers[1]]
    assert index.after(out, writers[2]) is None
    block = read_query("block 1", launch.arrays, launch.program, len(tokens)).place
    assert index.after(block, 0) == tokens.index(Token("EXEC", (1, 7)))
    assert read_query("token 7", launch.arrays, launch.program, len(tokens)).position == 6


@pytest.mark.parametrize("asked", ["nothing", "out[1]", "c[0]", "block 9", "r16", "word 5000", "0", "1000000", "", "out[-1]"])
def test_what_is_not_there_is_said(asked):
    launch = dot().launches[0]
    with pytest.raises(InputError) as error:
        read_query(asked, launch.arrays, launch.program, 72)
    assert error.value.remedy


def test_the_ledger_and_the_fingerprints():
    record = dot()
    launch = record.launches[0]
    entries = ledger(record, launch, Verdict(14, 14))
    assert [entry.who for entry in entries] == ["Host", "Host", "Model", "Model", "Replay", "Host"]
    assert all(entry.holds for entry in entries)
    assert str(entries[2].details) == "4 EXEC, 6 VAL" and "3 times, then END" in str(entries[3].what)
    assert ledger(record, launch, Verdict(3, 14))[4].holds is None
    sums = dict((str(name), value) for name, value in fingerprints(record, launch))
    assert len(sums["Token stream"]) == 64 and sums["Checkpoint"] == "f" * 64
    assert sums["Token stream"] != dict((str(n), v) for n, v in fingerprints(record, counting(3).launches[0]))["Token stream"]


def test_the_command_quotes_the_path(tmp_path):
    command = verify_command(tmp_path / "a b.json", stock=True)
    assert command.startswith("qwengpu verify --receipt '") and command.endswith("--runtime transformers")
