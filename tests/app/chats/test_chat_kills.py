"""A process that writes chats is killed at random moments: whatever it was told is saved is there."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from app.chats.store import ChatStore

ROOT = Path(__file__).parents[3]
WRITER = """
import itertools, sys
from pathlib import Path
from app.chats.model import Segment
from app.chats.store import ChatStore

def tell(*words):
    print(*words, flush=True)

store = ChatStore.open(Path(sys.argv[1]), Path(sys.argv[2]))
store.later._seconds = 0.01
chat = store.chat(sys.argv[3]) if len(sys.argv) > 3 else store.create()
for number in itertools.count(sum(message.role == "user" for message in chat.state)):
    question = chat.ask(f"question {number}")
    tell("asked", chat.state.id, number)
    reply = chat.reply(question.id)
    for word in range(200):
        reply.add(Segment(f"{number}.{word} "))
        chat.keep_draft(f"draft {number}.{word}")
        if word % 50 == 49:
            store.later.flush()
            tell("saved", number, word)
    reply.stop()
    tell("ended", number)
    if number % 3 == 2:
        other = store.create()
        other.ask(f"other {number}")
        store.delete(other.state.id)
        tell("deleted", other.state.id)
"""


def run_and_kill(folder, chat, lines):
    """Let the writer write until it told so many lines, then kill it; what it told."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder / "chats"), str(folder / "index"), *([chat] if chat else [])],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    told = [process.stdout.readline() for _ in range(lines)]
    process.kill()
    told += process.stdout.read().splitlines()
    process.wait()
    process.stdout.close()
    return [line.split() for line in told if line.strip()]


@pytest.mark.parametrize("kills", [10, pytest.param(100, marks=pytest.mark.slow)])
def test_nothing_that_was_said_to_be_saved_is_lost(tmp_path, kills):
    chance = random.Random(kills)
    chat, asked, words, ended, deleted = "", set(), {}, set(), set()
    for _ in range(kills):
        for kind, *facts in run_and_kill(tmp_path, chat, chance.randint(1, 12)):
            if kind == "asked":
                chat = facts[0]
                asked.add(int(facts[1]))
            elif kind == "saved":
                words[int(facts[0])] = int(facts[1]) + 1
            elif kind == "ended":
                ended.add(int(facts[0]))
            else:
                deleted.add(facts[0])
        store = ChatStore.open(tmp_path / "chats", tmp_path / "index")
        assert store.writable and all(not repair.kept or repair.kept.is_file() for repair in store.repairs)
        branch = store.chat(chat).state.branch()
        questions = [message.text for message in branch if message.role == "user"]
        assert questions == [f"question {number}" for number in range(len(questions))] and len(questions) > max(asked)
        replies = {
            int(branch[place - 1].text.split()[1]): message
            for place, message in enumerate(branch)
            if message.role == "assistant"
        }
        for number, message in replies.items():
            said = message.said.split()
            assert said == [f"{number}.{word}" for word in range(len(said))] and len(said) >= words.get(number, 0)
            assert message.ended == ("stopped" if number in ended else message.ended) and message.ended is not None
        assert set(words) <= set(replies) and deleted <= {one.id for one in store.trash()}
        store.close()
