"""The measure: exact calls and false calls, on requests that the training never saw."""

import json
import random
import re
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import torch

from builder.embedded.chat import Turn, call_pieces, encode, render
from builder.embedded.decode import Speaker, grammar_of
from builder.embedded.dialogue import answer, make_dialogue, make_single
from builder.embedded.expressions import Call, ExpressionError, parse
from builder.embedded.numbers import ORDINALS, WORDS, NumberSource, is_held_out

HELD_OUT = Path(__file__).resolve().parents[2] / "tests" / "data" / "embedded"
_NUMBER = re.compile(r"0x[0-9a-f]+|\d[\d,]*\d|\d|\b(?:" + "|".join((*WORDS, *ORDINALS)) + r")\b", re.IGNORECASE)


@dataclass(frozen=True)
class Case:
    """A question with what went before it, and the calls that answer it; none where it wants no call."""

    text: str
    calls: tuple[str, ...]
    turns: tuple[Turn, ...] = ()


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    name: str
    right: int
    total: int
    target: float | None
    free: int | None = None

    def __str__(self) -> str:
        share = f"{100 * self.right / self.total:5.1f} % of {self.total}"
        target = f", target {100 * self.target:.0f} %" if self.target else ""
        free = f", without the grammar {100 * self.free / self.total:.1f} %" if self.free is not None else ""
        return f"{self.name:<58} {share}{target}{free}"


def skeleton(text: str) -> str:
    """A wording without its numbers and capitals, to tell whether two are the same."""
    return re.sub(r"[^\w#]+", " ", _NUMBER.sub("#", text.lower())).strip()


def training_skeletons(dialogues: int = 40_000, seed: int = 5) -> set[str]:
    """Skeletons of a large sample of training questions."""
    source = NumberSource(random.Random(seed))
    return {skeleton(turn.user) for _ in range(dialogues) for turn in make_dialogue(source)}


def read_cases(path: Path) -> list[Case]:
    """The cases of a held-out file."""
    cases = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        turns: tuple[Turn, ...] = ()
        if "first" in row:
            turns = (_first_turn(row["first"], row["call"], row["result"]),)
        cases.append(Case(row["text"], tuple(row["calls"]), turns))
    return cases


def _first_turn(text: str, call: str | None, result: str | None) -> Turn:
    if call is None:
        # What the model said there hardly matters; a greeting stands for it.
        return Turn(text, "Hello! I am the small built-in model. Ask me for exact whole-number maths, such as: sort 5, 3, 9.")
    return Turn(text, answer(text, call).turn.reply, call, result or "")


def _has_held_out(call: str) -> bool:
    return any(is_held_out(int(number)) for number in re.findall(r"\d+", call))


def generated_cases(count: int, seed: int) -> list[Case]:
    """Requests in training wordings, each with a number that training never shows."""
    source = NumberSource(random.Random(seed), held_out=True)
    cases: list[Case] = []
    while len(cases) < count:
        turn = make_single(source).turn
        if _has_held_out(turn.call):
            cases.append(Case(turn.user, (turn.call,)))
    return cases


def replace_all(pattern: re.Pattern[str], new: dict[str, str], text: str) -> str:
    """The text with every match exchanged for what stands for it."""
    return pattern.sub(lambda match: new[match[0]], text)


def with_held_out_numbers(cases: list[Case], seed: int) -> list[Case]:
    """The same wordings with their numbers of two digits and more replaced by held-out ones; others are left out."""
    source = NumberSource(random.Random(seed), held_out=True)
    replaced = []
    for case in cases:
        numbers = {
            n for n in re.findall(r"(?<![\dx,.])\d{2,4}(?![\d,.]\d|\d)", case.text) if re.search(rf"\b{n}\b", case.calls[0])
        }
        others = {number: str(source.of_digits(max(3, len(number)))) for number in sorted(numbers)}
        if not others:
            continue
        pattern = re.compile(r"(?<!\d)(" + "|".join(others) + r")(?!\d)")
        text, *calls = (replace_all(pattern, others, old) for old in (case.text, *case.calls))
        replaced.append(Case(text, tuple(calls)))
    return replaced


def second_turns(count: int, seed: int) -> list[Case]:
    """Fresh requests with held-out numbers behind another one that was answered."""
    source = NumberSource(random.Random(seed), held_out=True)
    firsts = NumberSource(random.Random(seed + 1))
    cases: list[Case] = []
    while len(cases) < count:
        first, turn = make_single(firsts), make_single(source).turn
        if first.value is not None and len(first.turn.result) < 60 and _has_held_out(turn.call):
            cases.append(Case(turn.user, (turn.call,), (first.turn,)))
    return cases


@torch.no_grad()
def exact(speaker: Speaker, case: Case) -> tuple[bool, bool]:
    """Whether the greedy call is an accepted one: with the grammar, and without."""
    before = encode(speaker.tokenizer, render(list(case.turns), case.text))
    if not case.calls:
        logits = speaker.model(input_ids=torch.tensor([before]), use_cache=False).logits[0, -1]
        silent = int(logits.argmax()) != speaker.call
        return silent, silent
    grammar = grammar_of(list(case.turns), case.text)
    held = free = False
    for call in case.calls:
        tokens = encode(speaker.tokenizer, call_pieces(call)[:3])
        logits = speaker.model(input_ids=torch.tensor([before + tokens]), use_cache=False).logits[0, len(before) - 1 : -1]
        likeliest = logits.argmax(-1).tolist()
        if likeliest[0] != speaker.call:
            return False, False
        free = free or likeliest == tokens
        prefix, same = "", True
        for token, scores in zip(tokens[1:], logits[1:], strict=True):
            same = same and speaker.choose(scores, prefix, grammar) == token
            if not same:
                break
            prefix += speaker.spelling[token]
        held = held or same
        if held:
            break
    return held, free


class Judge:
    """Judges every case once, however many rows it counts in."""

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker
        self._judged: dict[Case, tuple[bool, bool]] = {}

    def row(self, name: str, cases: list[Case], target: float | None = None) -> Row:
        """One row of the table."""
        results = [self._result(case) for case in cases]
        free = sum(free for _, free in results) if any(case.calls for case in cases) else None
        return Row(name, sum(held for held, _ in results), len(cases), target, free)

    def wrong(self, cases: list[Case]) -> list[Case]:
        """The cases that were answered wrongly."""
        return [case for case in cases if not self._result(case)[0]]

    def _result(self, case: Case) -> tuple[bool, bool]:
        if case not in self._judged:
            self._judged[case] = exact(self._speaker, case)
        return self._judged[case]


def operation(call: str) -> str:
    """The outermost function of a call."""
    try:
        tree = parse(call)
    except ExpressionError:
        return "?"
    return tree.name if isinstance(tree, Call) else "?"


@dataclass(frozen=True)
class Report:
    """The table, what went wrong, which operations are taken for which, and how fast it was."""

    rows: list[Row]
    mistakes: list[tuple[Case, str]]
    confusion: Counter[tuple[str, str]]
    tokens_a_second: float

    def __str__(self) -> str:
        lines = [str(row) for row in self.rows]
        lines.append(f"{'tokens a second of one core, greedy with cache':<58} {self.tokens_a_second:5.0f}")
        lines.append(
            "operations taken for others: " + ", ".join(f"{a} -> {b}: {n}" for (a, b), n in self.confusion.most_common(30))
        )
        return "\n".join(lines)


def measure(speaker: Speaker, generated: int = 300, explained: int = 1000) -> Report:
    """Every line of the table, on frozen files and on generated requests with held-out numbers; some mistakes spelled out."""
    torch.set_num_threads(1)
    known = training_skeletons()
    requests = read_cases(HELD_OUT / "requests.jsonl")
    unseen = [case for case in requests if skeleton(case.text) not in known]
    out = [case for case in read_cases(HELD_OUT / "outofscope.jsonl") if skeleton(case.text) not in known]
    numbered = [case for case in out if any(letter.isdigit() for letter in case.text)]
    plain = [case for case in out if case not in numbered]
    follow = read_cases(HELD_OUT / "secondturn.jsonl")
    judge = Judge(speaker)
    rows = [
        judge.row("held-out numbers, training wordings", generated_cases(generated, 101), 0.97),
        judge.row("held-out wordings", unseen, 0.92),
        judge.row("held-out wordings with held-out numbers", with_held_out_numbers(unseen, 102), 0.90),
        judge.row("frozen requests, all", requests),
        judge.row("out of scope with numbers: no call", numbered),
        judge.row("out of scope without numbers: no call", plain),
        judge.row("out of scope: no call", out, 0.97),
        judge.row("second turn, history kept, held-out numbers", second_turns(generated // 2, 103), 0.95),
        judge.row("second turn that leans on the first, held-out wordings", follow),
    ]
    mistakes: list[tuple[Case, str]] = []
    confusion: Counter[tuple[str, str]] = Counter()
    for case in judge.wrong(requests + out + follow)[:explained]:
        reply = speaker.reply(list(case.turns), case.text)
        mistakes.append((case, reply.call))
        got, wanted = operation(reply.call) if reply.call else "none", operation(case.calls[0]) if case.calls else "none"
        if got != wanted:
            confusion[(wanted, got)] += 1
    return Report(rows, mistakes, confusion, speed(speaker, requests[:40]))


def speed(speaker: Speaker, cases: list[Case]) -> float:
    """Tokens a second of one core's time, greedy with the cache; prompts take time but do not count."""
    tokens, seconds = 0, 0.0
    for case in cases:
        started = time.process_time()
        reply = speaker.reply([], case.text)
        seconds += time.process_time() - started
        tokens += len(speaker.tokenizer.encode(reply.call or reply.text).ids) + 2
    return tokens / seconds
