"""``python -m builder.embedded train | evaluate | ask | pad``."""

import argparse
import json
import sys
from pathlib import Path

from transformers.utils import logging

from builder.embedded.card import read_log, write_card
from builder.embedded.chat import CALL, CALL_END
from builder.embedded.checkpoint import digest, load, save
from builder.embedded.decode import Speaker
from builder.embedded.files import FOLDER, LOG, WEIGHTS
from builder.embedded.limits import refusal
from builder.embedded.measure import measure
from builder.embedded.padding import pad
from builder.embedded.tokenizer import train_tokenizer
from builder.embedded.train import STAGES, sources_digest, train


def _train(arguments: argparse.Namespace) -> None:
    arguments.out.mkdir(parents=True, exist_ok=True)
    tokenizer = train_tokenizer()
    log = arguments.out / LOG
    states = [arguments.state.with_suffix(f".{number}.pt") for number, _ in enumerate(STAGES, 1)]
    if not any(state.exists() for state in states):
        log.unlink(missing_ok=True)
    before = None
    for settings, state in zip(STAGES, states, strict=True):
        print("sha256", save(train(tokenizer, settings, log, state, before), tokenizer, arguments.out))
        # What goes on is what was saved, bfloat16 and all, so that a stage can also start from a kept checkpoint.
        before, _ = load(arguments.out)
    for state in states:
        state.unlink()


def _evaluate(arguments: argparse.Namespace) -> None:
    model, tokenizer = load(arguments.out)
    report = measure(Speaker(model, tokenizer), arguments.generated, arguments.explained)
    print(report)
    if arguments.mistakes:
        for case, call in report.mistakes:
            print(json.dumps({"text": case.text, "wanted": case.calls, "got": call}, ensure_ascii=False))
    stages = read_log(arguments.out / LOG)
    print("trained by these sources" if stages[-1].sources == sources_digest() else "trained by other sources than these")
    parameters = sum(parameter.numel() for parameter in model.parameters())
    card = write_card(report, stages, parameters, digest(arguments.out / WEIGHTS))
    (arguments.out / "README.md").write_text(card, encoding="utf-8")


def _ask(arguments: argparse.Namespace) -> None:
    if why := refusal(arguments.text):
        print(why)
        return
    reply = Speaker(*load(arguments.out)).reply([], arguments.text)
    print(f"{CALL}{reply.call}{CALL_END}" if reply.call else reply.text)


def _pad(arguments: argparse.Namespace) -> None:
    model, tokenizer = load(arguments.out)
    save(pad(model), tokenizer, arguments.to)


def main(words: list[str]) -> None:
    """Runs one command."""
    logging.set_verbosity_error()
    parser = argparse.ArgumentParser(prog="python -m builder.embedded", description=__doc__)
    parser.add_argument("--out", type=Path, default=FOLDER, help="the model's folder")
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("train", help="tokenizer and weights from scratch, or on from a kept state")
    command.add_argument("--state", type=Path, default=Path("embedded-training.pt"), help="kept every 25 steps")
    command.set_defaults(run=_train)
    command = commands.add_parser("evaluate", help="print the table and write the model card")
    command.add_argument("--generated", type=int, default=300, help="how many requests to make with held-out numbers")
    command.add_argument("--explained", type=int, default=1000, help="at most so many mistakes go into the confusion")
    command.add_argument("--mistakes", action="store_true", help="print every mistake")
    command.set_defaults(run=_evaluate)
    command = commands.add_parser("ask", help="one question; prints the call or the reply")
    command.add_argument("text")
    command.set_defaults(run=_ask)
    command = commands.add_parser("pad", help="write the model in stock dimensions")
    command.add_argument("to", type=Path)
    command.set_defaults(run=_pad)
    arguments = parser.parse_args(words)
    arguments.run(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
