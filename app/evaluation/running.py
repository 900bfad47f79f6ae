"""An evaluation: every question in every way, each outcome appended to a file as soon as it is there, so that it can go on."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app.compute.evaluating import Computed
from app.compute.launching import Watch
from app.conversation.loop import Services, TextModel, take_turn
from app.conversation.options import Listener, Options
from app.evaluation.judging import Outcome, Share, judge
from app.evaluation.questions import Question, QuestionSet
from app.expressions.errors import ExpressionError
from app.expressions.tree import Statement, Value
from app.files import reason
from engine.machine.errors import Cancelled, EnvironmentProblem

WAYS = {"alone": "the model alone", "python": "with a Python tool on the host", "machine": "with the machine"}
MAX_TOKENS = 20_000
"""Generated tokens of a launch in an evaluation."""


@dataclass(frozen=True)
class Result:
    """A question's outcome in one way: a line of the file."""

    id: str
    way: str
    verdict: str
    launched: bool
    text: str
    calls: tuple[str, ...]
    seconds: float


class OnHost(Services):
    """Services whose expressions Python computes, to compare with. Nothing but an evaluation uses this."""

    def compute(self, statement: Statement, names: Mapping[str, Value], watch: Watch) -> Computed:
        """The value of a checked statement, by Python."""
        from builder.embedded.expressions import ExpressionError as Impossible
        from builder.embedded.expressions import evaluate

        try:
            return Computed(evaluate(_tree(statement.expression)), {}, (), 0.0)
        except (Impossible, ZeroDivisionError) as error:
            raise ExpressionError(str(error) or "division by zero") from None


def _tree(expression: Any) -> Any:
    """An expression of the application as one of the builder's."""
    from builder.embedded.expressions import Call

    match expression:
        case _ if hasattr(expression, "function"):
            return Call(expression.function, tuple(map(_tree, expression.arguments)))
        case _ if hasattr(expression, "items"):
            return [_tree(item) for item in expression.items]
    return expression.value


def run(
    questions: QuestionSet,
    ways: Sequence[str],
    model: TextModel,
    services: Services,
    file: Path,
    on_result: Callable[[Result, int, int], None] = lambda result, done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> list[Result]:
    """Ask what the file does not hold yet; all results of the set, in order.

    on_result: told every new result, how many there are now, and how many there will be
    Raises Cancelled (what is done is kept), EnvironmentProblem (the file), MismatchError.
    """
    found = read_results(file)
    total = len(questions.questions) * len(ways)
    by_way = {
        "alone": services,
        "machine": services,
        "python": OnHost(services.functions, services.machine, services.program, services.max_tokens),
    }
    for way in ways:
        for question in questions.questions:
            if (question.id, way) in found:
                continue
            result = ask(question, way, questions.name == "advanced", model, by_way[way], cancelled)
            append(file, result)
            found[question.id, way] = result
            on_result(result, sum(1 for _, done in found if done in ways), total)
    return [found[question.id, way] for way in ways for question in questions.questions]


def ask(
    question: Question, way: str, advanced: bool, model: TextModel, services: Services, cancelled: Callable[[], bool]
) -> Result:
    """One question in one way. Raises Cancelled, MismatchError, EnvironmentProblem."""
    began = time.perf_counter()
    options = Options(advanced=advanced and way == "machine", alone=way == "alone")
    reply = take_turn(model, [], question.text, services, options, Listener(cancelled=cancelled))
    if reply.ended == "stopped":
        raise Cancelled("the evaluation was stopped", "", "run it again to go on where it stopped")
    outcome: Outcome = judge(question, reply)
    calls = (*(receipt.title for receipt in reply.receipts), *(call for call, _ in reply.failures))
    return Result(question.id, way, outcome.verdict, outcome.launched, reply.text, calls, round(time.perf_counter() - began, 2))


# ---------------------------------------------------------------- the file
def read_results(file: Path) -> dict[tuple[str, str], Result]:
    """What a file holds so far; a line that was torn when the program ended is asked again."""
    if not file.is_file():
        return {}
    found = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            entry = json.loads(line)
            result = Result(**{**entry, "calls": tuple(entry["calls"])})
        except (ValueError, TypeError, KeyError):
            continue
        found[result.id, result.way] = result
    return found


def append(file: Path, result: Result) -> None:
    """Write one more line. Raises EnvironmentProblem."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        torn = file.is_file() and file.stat().st_size and not file.read_bytes().endswith(b"\n")
        with file.open("a", encoding="utf-8") as out:
            out.write(("\n" if torn else "") + json.dumps(asdict(result), ensure_ascii=False) + "\n")
    except OSError as error:
        raise EnvironmentProblem(
            f"the results cannot be written: {reason(error)}", str(file), "free some space or choose --out"
        ) from error


# ---------------------------------------------------------------- the table
@dataclass(frozen=True)
class Row:
    """The results of one way, or of a part of its questions."""

    way: str
    part: str
    exact: Share
    launched: Share
    wrong: Share
    refused: Share

    def as_json(self) -> dict[str, Any]:
        """The numbers with their intervals."""
        shares = {name: getattr(self, name) for name in ("exact", "launched", "wrong", "refused")}
        return {
            "way": self.way,
            "questions": self.part,
            **{
                name: {"count": share.count, "total": share.total, "interval": [round(end, 4) for end in share.interval()]}
                for name, share in shares.items()
            },
        }


def table(questions: QuestionSet, results: Iterable[Result]) -> list[Row]:
    """Three rows a way: questions to compute, questions with nothing to compute, all."""
    listed = list(results)
    silent = {question.id for question in questions.questions if question.answer is None}
    rows = []
    for way in dict.fromkeys(result.way for result in listed):
        mine = [result for result in listed if result.way == way]
        parts = {
            "to compute": [result for result in mine if result.id not in silent],
            "nothing to compute": [result for result in mine if result.id in silent],
            "all": mine,
        }
        rows += [_row(way, part, some) for part, some in parts.items() if some]
    return rows


def _row(way: str, part: str, results: Sequence[Result]) -> Row:
    verdicts = [result.verdict for result in results]
    exact, wrong, refused = (Share(verdicts.count(name), len(results)) for name in ("exact", "wrong", "refused"))
    return Row(way, part, exact, Share(sum(result.launched for result in results), len(results)), wrong, refused)


def described(rows: Sequence[Row]) -> list[str]:
    """The table for people."""
    lines = [f"{'way':<32}{'questions':<20}{'exact':<22}{'launched':<22}{'wrong':<22}refused"]
    return lines + [
        f"{WAYS[row.way]:<32}{row.part:<20}{row.exact!s:<22}{row.launched!s:<22}{row.wrong!s:<22}{row.refused}" for row in rows
    ]
