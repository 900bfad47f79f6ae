"""The conformance document, from result files alone: what is proven, replayed, sampled, and not claimed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.conformance import results
from tests.fakes.tables import TABLES

HEAD = """# Conformance

<!-- Written by `python -m tests.conformance` from `tests/conformance/results/`; run the checks and that command again. -->

Whether integer CUDA kernels give on this machine what they give on a GPU, and how that is known. Four words are used with care:

- **proven**: checked for every value that can occur, by the builder, on exactly these sources (`builder/proven.json`);
- **replayed**: every launch of the product is judged afterwards, token by token, and has no result otherwise;
- **sampled**: compared on the operands, kernels and launches that are counted below, no others, and for the sources whose hash
  is given (`python -m tests.conformance.results` prints that of the present ones);
- **not claimed**: at the end.

The engines share no code where they disagree about meaning: the *reference interpreter* runs machine programs; the *PTX
interpreter* (`tests/truth/ptxsim.py`) runs PTX a thread at a time and knows no machine; *native* is the source compiled for the
CPU with one fiber a thread (`tests/truth/native`), no PTX involved; *compact* executes the weights; *transformers* is the stock
model.
"""

NOT_CLAIMED = """
## Not claimed

- Floating-point arithmetic, textures, surfaces, inline assembly, dynamic parallelism, recursion, calls through pointers:
  refused by name.
- Member masks that leave out threads of the warp or are computed, `__activemask()` in divergent code, named barriers: refused
  by name.
- Kernels with data races: they may give other results here than on any GPU, as they may there from run to run.
- Memory that is read before it is written: zeros here, whatever a GPU has there. `qwengpu run` warns of shared and local
  memory, and of plain reads of arrays given by size, by the word: not of single bytes, nor of what an earlier block of the
  grid left.
- Speed: see `tests/bench/`.
"""


def document(folder: Path = results.FOLDER) -> tuple[str, int]:
    """(the text, how many lines say that something is wrong)."""
    sections = [section(folder) for section in SECTIONS]
    wrong = sum(count for _, count in sections)
    verdict = "**No check that was run found anything wrong.**" if not wrong else f"**{wrong} things are wrong; see below.**"
    return "\n".join([HEAD, verdict, *(text for text, _ in sections), NOT_CLAIMED]).rstrip() + "\n", wrong


def stamp(found: dict[str, Any], command: str) -> str:
    """Which sources a result holds for, and how to get it again."""
    return f"Holds for the sources `{found['sources']}`. Again: `python -m {command}`."


def table(columns: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    """A Markdown table; numbers with separators."""
    cell = lambda value: f"{value:,}" if isinstance(value, int) else str(value)  # noqa: E731
    lines = [columns, ("---",) * len(columns), *rows]
    return "\n".join("| " + " | ".join(cell(value) for value in line) + " |" for line in lines)


def missing(title: str, command: str) -> tuple[str, int]:
    """A check that nobody has run."""
    return f"\n## {title}\n\nNot run. `python -m {command}`\n", 0


def proof(folder: Path) -> tuple[str, int]:
    """What the builder proved."""
    proven = json.loads((results.ROOT / "builder" / "proven.json").read_text(encoding="utf-8"))
    numbers = ("lanes", "stages", "registers", "blocks", "words", "threads")
    spec = ", ".join(f"{name} {proven['spec'][name]:,}" for name in numbers)
    text = (
        "\n## Proven: the circuits\n\nEvery sum, product, row and norm of the compiled layers is exact in bf16, for the "
        f"builder's sources `{proven['builder'][:12]}` and the machine of {spec}. Again: `python -m builder`.\n"
    )
    return text, 0


def by_compiler(launches: list[dict[str, Any]]) -> tuple[list[tuple[object, ...]], list[tuple[str, int, str]], int]:
    """(rows of a table, launches that are not exact with their verdicts, how many are wrong) of recorded launches.

    One that does not say more is a small one of clang's.
    """
    rows: list[tuple[object, ...]] = []
    bad = 0
    for compiler in ("clang", "nvcc"):
        for tiny in (True, False):
            mine = [e for e in launches if (e.get("compiler", "clang"), e.get("tiny", True)) == (compiler, tiny)]
            if not mine:
                continue
            verdicts = Counter(e["verdict"].split(":")[0] for e in mine)
            refused = verdicts["refused"] + verdicts["unsupported"]
            wrong = len(mine) - verdicts["exact"] - refused
            tokens, bad = sum(e["tokens"] for e in mine), bad + wrong
            rows.append((compiler, "small" if tiny else "large", len(mine), verdicts["exact"], refused, wrong, tokens))
    return rows, sorted({(e["kernel"], e["launch"], e["verdict"]) for e in launches if e["verdict"] != "exact"}), bad


def recorded(folder: Path) -> tuple[str, int]:
    """The recorded kernels."""
    found = results.load("recorded", folder)
    if found is None:
        return missing("Sampled: recorded kernels", "tests.conformance.recorded")
    rows, others, wrong = by_compiler(found["launches"])
    lines = "\n".join(f"- {kernel}, launch {launch}: {verdict}" for kernel, launch, verdict in others)
    head = ("PTX of", "launches", "number", "exact", "refused", "wrong", "generated tokens")
    text = ("\n## Sampled: recorded kernels\n\nKernels of `tests/truth/kernels` whose final arrays native execution and a "
            "formula agree on, lowered and run on the reference interpreter.\n\n"
            f"{table(head, rows)}\n\nNot exact:\n\n{lines or '- none'}\n\n"
            + stamp(found, "tests.conformance.recorded") + "\n")  # fmt: skip
    return text, wrong


def random_kernels(folder: Path) -> tuple[str, int]:
    """Random kernels and their variants."""
    paths = sorted(folder.glob("random*.json"))
    if not paths:
        return missing("Sampled: random kernels", "tests.conformance.random_kernels 0 5000 --variants")
    launches: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    kernels = failures = too_long = 0
    stamps = []
    for path in paths:
        found = results.load(path.stem, folder)
        assert found is not None
        launches.update(found["launches"])
        refused.update(found["refused"])
        kernels, failures = kernels + found["kernels"], failures + len(found["failures"])
        too_long += found["too long"]
        first, behind = found["seeds"]
        stamps.append(f"Seeds {first} to {behind - 1}: " + stamp(found, "tests.conformance.random_kernels"))
    limits = ", ".join(f"{name} {count}" for name, count in refused.most_common()) or "none"
    rows: list[tuple[object, ...]] = list(launches.items())
    text = (f"\n## Sampled: random kernels\n\n{kernels:,} kernels, compared with the PTX interpreter; native and variants with "
            f"the same arrays. Refused by a limit of the machine: {limits}. Longer than a check is worth: {too_long}. "
            f"Failures: {failures}.\n\n{table(('engine or variant', 'launches that agree or fail'), rows)}\n\n"
            + "\n\n".join(stamps) + "\n")  # fmt: skip
    return text, failures


def instructions(folder: Path) -> tuple[str, int]:
    """PTX forms."""
    found = results.load("instructions", folder)
    if found is None:
        return missing("Sampled: instructions", "tests.conformance.instructions")
    refused = ", ".join(f"`{name}`" for name in found["refused"])
    bad = "".join(f"\n- `{name}`: {verdict}" for name, verdict in found["bad"].items())
    text = (f"\n## Sampled: instructions\n\n{len(found['exact'])} PTX forms are exact on {found['operands']}; "
            f"{len(found['refused'])} are refused by name: {refused}.\n{bad}\n\n"
            + stamp(found, "tests.conformance.instructions") + "\n")  # fmt: skip
    return text, len(found["bad"])


def mutation(folder: Path) -> tuple[str, int]:
    """Changed sources and weights."""
    found = results.load("mutation", folder)
    if found is None:
        return missing("Mutation", "tests.conformance.mutation")
    kinds = Counter((m["kind"], m["verdict"]) for m in found["mutations"])
    names = sorted({kind for kind, _ in kinds})
    rows: list[tuple[object, ...]] = [(n, kinds[n, "caught"], kinds[n, "equivalent"], kinds[n, "missed"]) for n in names]
    why = "".join(f"\n- {m['what']}: {m['verdict']}, {m['why']}" for m in found["mutations"] if m["verdict"] != "caught")
    text = (f"\n## Mutation\n\nRandom changes, and whether the checks notice.\n\n"
            f"{table(('what was changed', 'caught', 'equivalent', 'missed'), rows)}\n{why}\n\n"
            + stamp(found, "tests.conformance.mutation") + "\n")  # fmt: skip
    return text, 0


def compact(folder: Path) -> tuple[str, int]:
    """The weights themselves."""
    found = results.load("compact", folder)
    if found is None:
        return missing("Sampled: the compiled layers", f"tests.conformance.compiled_layers {FILE}")
    rows, others, wrong = by_compiler(found["launches"])
    lines = "".join(f"\n- {kernel}, launch {number}: {verdict}" for kernel, number, verdict in others)
    head = ("PTX of", "launches", "number", "exact", "refused", "wrong", "generated tokens")
    text = (f"\n## Sampled: the compiled layers\n\nThe same launches in the weights of machine `{found['machine']}`, each "
            f"judged by replay and by the recorded arrays.\n\n{table(head, rows)}\n{lines}\n\n"
            + stamp(found, f"tests.conformance.compiled_layers {FILE}") + "\n")  # fmt: skip
    return text, wrong


def machine(folder: Path) -> tuple[str, int]:
    """The machine's own instructions in the weights."""
    found = results.load("machine", folder)
    if found is None:
        return missing("Sampled: the machine's instructions in the compiled layers", f"tests.conformance.machine {FILE}")
    bad = [entry for entry in found["programs"] if entry["verdict"] != "exact"]
    lines = "".join(f"\n- {entry['kind']}, {entry['name']}: {entry['verdict']}" for entry in bad)
    rows: list[tuple[object, ...]] = []
    for kind, (what, programs) in TRIED.items():
        mine = [entry for entry in found["programs"] if entry["kind"] == kind]
        rows.append(
            (what, f"{len(mine)} of {programs}", sum(e["verdict"] == "exact" for e in mine), sum(e["tokens"] for e in mine))
        )
    text = ("\n## Sampled: the machine's instructions in the compiled layers\n\nMachine "
            f"`{found['machine']}`. Every token is the interpreter's; every register that the tokens write and every word of "
            f"the memory is what numpy says.\n\n{table(('what', 'programs run', 'exact', 'generated tokens'), rows)}{lines}\n\n"
            f"Again: `python -m tests.conformance.machine {FILE}`.\n")  # fmt: skip
    return text, len(bad)


TRIED = {
    "corners": ("an instruction at every stage that has it: all pairs of corner values, 1,024 random pairs and those of a "
                "corner and a random word", 30),
    "pairs": ("every instruction in front of every other in one block, which reads what the first gave (884 pairs; 16 have no "
              "two stages that allow them)", 4),
    "overwriting": ("results that take the place of an operand which is read once more", 1),
    "masks": ("all instructions under each of the 16 lane masks, with stores", 2),
    "memory": ("every word stored, and loaded by another thread", 1),
    "copies": ("every line of the memory loaded by every lane at every stage; every register of every warp read as every "
               "operand at every stage; an operation at every stage of every block", 3),
}  # fmt: skip
"""Kinds of programs in `machine.json`: what they try, how many there are."""
FILE = "MACHINE.safetensors"


def margins(folder: Path) -> tuple[str, int]:
    """Distances from thresholds."""
    found = results.load("margins", folder)
    if found is None:
        return missing("Measured: margins", f"tests.conformance.margins {FILE}")
    rows: list[tuple[object, ...]] = []
    tipped = []
    for name, (value, threshold, looked) in found["nearest"].items():
        rows.append((name, f"{value:.6g}", f"{threshold:g}", looked))
        below = threshold in (-89.0, -103.0, 2.0**-9) or "rounded away" in name
        if "first layer, rounded" not in name and (value > threshold if below else value <= threshold):
            tipped.append(name)
    head = ("what", "nearest seen", "threshold", "values looked at")
    text = (f"\n## Measured: margins\n\nThe nearest that anything came to what would tip it, over {found['tokens']:,} "
            f"tokens of machine `{found['machine']}`, prompts included. A silu is exactly 0 "
            "below -89 and exactly its argument above 6.25; a decay is exactly 1 below -103 and exactly 0 above 104; a norm "
            "leaves bf16 numbers alone while its factor is within 2^-9 of 1. The first layer turns the scaled embedding into "
            "exact lanes, so its own sums may be rounded. Logits are those of the machine's tokens.\n\n"
            f"{table(head, rows)}\n\nPrograms and kernels: {', '.join(found['programs'])}.\n\n"
            + "".join(f"- beyond its threshold: {name}\n" for name in tipped)
            + f"Again: `python -m tests.conformance.margins {FILE}`.\n")  # fmt: skip
    return text, len(tipped)


def endurance(folder: Path) -> tuple[str, int]:
    """A long launch."""
    found = results.load("endurance", folder)
    if found is None:
        return missing("Sampled: a long launch", f"tests.conformance.endurance {FILE}")
    levels = ", ".join(f"{level:g}" for level in found["levels"])
    wrong = "".join(f"\n\nWrong: {name}" for name in found["wrong"])
    text = (f"\n## Sampled: a long launch\n\nOne launch of {found['tokens']:,} generated tokens behind {found['prompt']:,} of "
            f"prompt, in the weights of machine `{found['machine']}`: 32 threads for {found['rounds']:,} rounds of a "
            "generator, two barriers and an atomic, so that every value hangs on all before it. The final arrays are "
            f"Python's, every token is the interpreter's. Magnitudes in the states of all heads afterwards: "
            f"{levels}; nothing has drifted.{wrong}\n\nAgain: `python -m tests.conformance.endurance {FILE}`.\n")  # fmt: skip
    return text, len(found["wrong"])


def agreement(folder: Path) -> tuple[str, int]:
    """All engines on the same launches."""
    found = results.load("agreement", folder)
    if found is None:
        return missing("Sampled: five engines", f"tests.conformance.agreement {FILE}")
    names = list(found["launches"][0]["verdicts"])
    rows: list[tuple[object, ...]] = [
        (entry["kernel"], entry["launch"], entry["tokens"], *("exact" if entry["verdicts"][n] else "wrong" for n in names))
        for entry in found["launches"]
    ]
    text = ("\n## Sampled: five engines\n\nThe arrays that native execution gave, again from four other engines. Stock "
            "transformers reads prompt and answer a layer at a time: behind every token the argmax of its logits is the token "
            f"that follows, and its recurrent states hold the arrays. Machine `{found['machine']}`.\n\n"
            f"{table(('kernel', 'launch', 'tokens', *names), rows)}\n\n"
            + stamp(found, f"tests.conformance.agreement {FILE}") + "\n")  # fmt: skip
    return text, sum(not same for entry in found["launches"] for same in entry["verdicts"].values())


def identity(folder: Path) -> tuple[str, int]:
    """Ways to compute the same."""
    found = results.load("identity", folder)
    if found is None:
        return missing("Sampled: threads, chunks, batches", f"tests.conformance.identity {FILE}")
    ways = "; ".join(found["ways"])
    wrong = "".join(f"\n- differs: {what}" for what in found["wrong"])
    text = (f"\n## Sampled: threads, chunks, batches\n\n{len(found['layers'])} of 45 compiled layers as stock modules on a "
            f"stream of {found['length']} tokens ({found['alone']} where they go one by one), machine `{found['machine']}`: "
            f"{ways}. Output and recurrent state are the compact runtime's, bit for bit. The compact runtime gives the same "
            "states for prompts in pieces of 1, 7, 64 and 500 tokens, and without its compiled loop the same answers on 1, 2 "
            f"and 8 threads.{wrong}\n\nAgain: `python -m tests.conformance.identity {FILE}`.\n")  # fmt: skip
    return text, len(found["wrong"])


MUTE = """
## Measured: text and the compiled layers

When a base is merged, every row of its embedding is decided: *muted* (provably untouched by the compiled layers), *guarded* (no
direction mutes it together with the others; it provably loses its value on one axis and nothing else), or *undecided* (named in
the build report with its measured effect, in lengths of the row). The tables here are made; that of a real base is decided on
the user's computer. The compact runtime leaves the compiled layers out on text, so none of this concerns it.

A random base of {own} layers and width {hidden} behind a machine of {front} layers with {axes} axes for the mute. KL of the
next token from the base's, in nats, mean / largest, on texts in which every eighth token cannot be muted: with the guard,
without it, and, as a yardstick, of the base itself with other tokens in their place. On texts of muted rows alone the logits
are the base's, bit for bit, for {exact} of {tables} tables.

{small}

The real machine `{machine}`, width {width}, {lanes} axes:

{full}

{looked}{wrong}

Again: `python -m tests.conformance.mute {file}`.
"""


def mute(folder: Path) -> tuple[str, int]:
    """Text in front of the compiled layers."""
    found = results.load("mute", folder)
    if found is None:
        return missing("Measured: text and the compiled layers", f"tests.conformance.mute {FILE}")
    small, full = found["small"], found["full"]
    entries = small["tables"] + full["tables"]
    head = ("table", "rows", "guarded", "undecided, median / largest", "lost by guarded, mean / largest")
    more = ("KL, guard", "KL, no guard", "KL, other tokens", "change of a row, no guard")
    looked = (
        f'One of the texts of "{TABLES[e["kind"]][0]}", guarded rows in it, went through all compiled layers as stock modules, '
        "and a launch ran from the fitted file: both as claimed, bit for bit."
        for e in full["tables"]
        if "launch" in e and not e["wrong"]
    )
    text = MUTE.format(
        own=small["layers"][1],
        front=small["layers"][0],
        hidden=small["hidden"],
        axes=small["axes"],
        exact=sum(e["silent"]["largest"] == 0 for e in small["tables"]),
        tables=len(small["tables"]),
        small=table(head + more, [(TABLES[e["kind"]][0], *outcome(e), *told(e)) for e in small["tables"]]),
        machine=found["machine"],
        width=full["hidden"],
        lanes=full["axes"],
        full=table(head, [(TABLES[e["kind"]][0], *outcome(e)) for e in full["tables"]]),
        looked=" ".join(looked),
        wrong="".join(f"\n- {e['kind']}: {what}" for e in entries for what in e["wrong"]),
        file=FILE,
    )
    return text, sum(len(e["wrong"]) for e in entries)


def outcome(entry: dict[str, Any]) -> tuple[object, ...]:
    """What became of a table's rows: all, guarded, undecided, what guarded ones lose."""
    mean, largest = entry["loss"]
    lost = f"{100 * mean:.1f} % / {100 * largest:.1f} %" if entry["guarded"] else "nothing"
    median, most = entry["effect"]
    undecided = f"{entry['undecided']}, changed by {median:.2g} / {most:.2g}" if entry["undecided"] else "0"
    return entry["rows"], entry["guarded"], undecided, lost


def told(entry: dict[str, Any]) -> tuple[str, ...]:
    """What texts with such rows lose: with the guard, without, with other tokens; and what a row without a guard becomes."""
    if "mixed" not in entry:
        return "-", "-", "-", "-"
    kl = [
        f"{found['mean']:.2g} / {found['largest']:.2g}" for found in (entry["mixed"], entry["bare"]["mixed"], entry["replaced"])
    ]
    return *kl, f"{entry['bare']['effect'][0]:.1g} times its length"


def silicon(folder: Path) -> tuple[str, int]:
    """GPUs."""
    paths = sorted(folder.glob("silicon-*.json"))
    if not paths:
        return "\n## Silicon\n\n**Not compared with silicon.** Where there is a CUDA GPU: `python -m tests.silicon.run`\n", 0
    text, wrong = "\n## Silicon\n", 0
    for path in paths:
        found = json.loads(path.read_text(encoding="utf-8"))
        bad = [entry for entry in found["launches"] if not entry.get("exact")]
        lines = "".join(f"\n- {e['kernel']}, {e['way']}: {e.get('error', 'other arrays')}" for e in bad)
        wrong += len(bad)
        count, gpu = len(found["launches"]), f"{found['gpu']} (compute {found['compute']}, driver {found['driver']})"
        ways = ", ".join(found["ways"])
        text += f"\n{count - len(bad)} of {count} launches on {gpu} give the recorded arrays ({ways}).{lines}\n"
    return text, wrong


SECTIONS: tuple[Callable[[Path], tuple[str, int]], ...] = (
    proof, recorded, random_kernels, instructions, compact, agreement, machine, endurance, identity, margins, mute,
    mutation, silicon,
)  # fmt: skip
