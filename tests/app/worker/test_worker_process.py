"""The worker as a process, with small parts: what it refuses, how it stops, that it leaves no orphan and nothing is lost."""

import asyncio
import json
import random
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from app.compute.receipts import read_receipt
from app.paths import Paths
from app.worker.client import Patience, WorkerClient
from app.worker.protocol import (
    BuildResult,
    ChatResult,
    CompileResult,
    DownloadResult,
    Error,
    LaunchProgress,
    LaunchResult,
    Progress,
    Said,
    Token,
)
from tests.servers.hub import Faults, hub, tiny_model

ROOT = Path(__file__).parents[3]
STANDINS = (sys.executable, "-m", "tests.app.worker.standins")
SCRIPTED = (*STANDINS, "scripted")
PATIENT = Patience(answer=30.0, stop=60.0, start=120.0)
"""The worker itself must end what is stopped; the client's own end of it is another test's matter."""
LONG = "__global__ void spin(int *out, int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 3 + i; out[0] = s; }"
LAUNCH = {
    "kernel": "spin",
    "grid": [1],
    "block": [1],
    "args": [{"name": "out", "type": "int32*", "size": 1}, {"name": "n", "type": "int32", "value": 5}],
}
ENDLESS = "".join(
    f"__global__ void k{i}(long long *a) {{ for (int j = 0; j < {i}; j++) a[j] = a[j % 7] * {i} / (j + 1); }}\n"
    for i in range(2400)
)
"""A source that keeps the compiler busy for long."""


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """A base and a machine that fit together."""
    from tests.fakes import LAYER, SIZE, make_base, make_machine

    folder = tmp_path_factory.mktemp("parts")
    make_base(folder / "base", SIZE)
    make_machine(folder / "machine.safetensors", LAYER)
    return folder


def run(scenario, command=SCRIPTED, seconds=120):
    """Run a scenario with a client of a worker of its own."""

    async def main():
        client = WorkerClient(command, patience=PATIENT)
        try:
            return await asyncio.wait_for(scenario(client), seconds)
        finally:
            await client.close()

    return asyncio.run(main())


class Shared:
    """A loop and a client with one worker, for all tests that leave it alive. It has a home of its own."""

    def __init__(self, command):
        self.paths = Paths.of_user()
        self._runner = asyncio.Runner()
        self._client = None

        async def start():
            self._client = WorkerClient(command, patience=PATIENT)
            await self._client.start()

        self._runner.run(start())

    def run(self, scenario):
        """Run a scenario with the client."""

        async def main():
            return await asyncio.wait_for(scenario(self._client), 120)

        return self._runner.run(main())

    def close(self):
        """End the worker."""
        self.run(lambda client: client.close())
        self._runner.close()


@contextmanager
def sharing(home, command):
    with pytest.MonkeyPatch.context() as patch:
        for kind in ("CONFIG", "CACHE", "DATA", "STATE"):
            patch.setenv(f"XDG_{kind}_HOME", str(home / kind))
        worker = Shared(command)
    yield worker
    worker.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """The scripted worker."""
    with sharing(tmp_path_factory.mktemp("shared"), SCRIPTED) as worker:
        yield worker


@pytest.fixture(scope="module")
def builder(parts, tmp_path_factory):
    """The worker with the small machine."""
    with sharing(tmp_path_factory.mktemp("builder"), (*STANDINS, "small", str(parts))) as worker:
        yield worker


async def until(call, kind):
    """The events of a call up to the first of a kind."""
    events = []
    async for event in call:
        events.append(event)
        if isinstance(event, kind):
            break
    return events


async def rest(call):
    return [event async for event in call]


# ---------------------------------------------------------------- lines
def lines_of(*requests, command=SCRIPTED):
    """What a worker answers to lines, then to the end of its stdin; its exit code."""
    done = subprocess.run(
        command,
        input="".join(f"{line}\n" for line in requests),
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        check=False,
    )
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode


def test_lines_that_are_no_requests_are_refused_and_nothing_else_happens():
    (ready, *told), code = lines_of(
        "not json",
        "[]",
        '{"id":"a","op":"dance"}',
        '{"id":"b","op":"chat"}',
        '{"id":"c","op":"chat","text":3}',
        '{"id":"d","op":"stop","target":"nobody"}',
        '{"id":"e","op":"compile","source":"","filename":"x.ptx","why":1}',
    )
    assert ready["event"] == "ready" and ready["protocol"] == 1 and code == 0
    assert [(line["event"], line["id"], line["kind"]) for line in told] == [
        ("error", name, "usage") for name in ("", "", "a", "b", "c", "e")
    ]
    assert all(line["message"] for line in told)


def test_a_request_without_room_for_another_of_its_name():
    twice = json.dumps({"id": "a", "op": "chat", "text": "a long answer ..................................."})
    (_, *told), _ = lines_of(twice, twice)
    assert [line["kind"] for line in told if line["event"] == "error"] == ["usage", "cancelled"] or [
        line["event"] for line in told if line["event"] in ("error", "result")
    ] == ["error", "result"]


def test_shutdown_ends_it_and_the_rest_is_not_read():
    (_, *told), code = lines_of('{"id":"a","op":"shutdown"}', '{"id":"b","op":"dance"}')
    assert told == [] and code == 0


def test_the_program_itself_is_the_worker(home):
    told, code = lines_of(
        '{"id":"a","op":"build","base":"nowhere/at/all","out":"x","note":1}', command=(sys.executable, "-m", "app", "--worker")
    )
    assert [line["event"] for line in told] == ["ready", "error"] and code == 0
    assert "over" in (Paths.of_user().logs / "worker.log").read_text()


def test_prints_of_a_library_do_not_reach_the_messages():
    code = (
        "from app.worker import operations, server\n"
        "import os\n"
        "def noisy(request, desk, ticket):\n"
        "    print('{\"event\":\"ready\"}'); os.write(1, b'noise\\n'); os.system('echo from a child'); input()\n"
        "operations.OPERATIONS['compile'] = server.OPERATIONS['compile'] = operations.Operation('compiler', noisy)\n"
        "server.leave(server.main())\n"
    )
    asked = json.dumps({"id": "a", "op": "compile", "source": "", "filename": "x"})
    worker = subprocess.Popen(
        (sys.executable, "-c", code), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    )
    worker.stdin.write(asked.encode() + b"\n")
    worker.stdin.flush()
    told = [json.loads(worker.stdout.readline()) for _ in range(2)]
    out, err = worker.communicate(timeout=60)
    assert [line["event"] for line in told] == ["ready", "error"] and out == b"", "input() finds nothing, and says so"
    assert "EOFError" in told[1]["message"]
    assert b"noise" in err and b"from a child" in err


def test_nothing_heavy_is_loaded_before_it_is_needed():
    code = "import sys, app.worker.server, app.worker.client; sys.exit('torch' in sys.modules or 'PySide6' in sys.modules)"
    assert subprocess.run((sys.executable, "-c", code), cwd=ROOT, timeout=60, check=False).returncode == 0


# ---------------------------------------------------------------- work and its end
def test_a_turn_is_told_while_it_comes_about_and_its_records_lie_on_the_disk(shared):
    async def scenario(client):
        events = await rest(client.request("chat", text="(call)mul(6, 7)| is it."))
        result = events[-1]
        assert isinstance(result, ChatResult) and result.ended == "complete"
        assert [event.message for event in events if isinstance(event, Said)] == list(result.messages)
        assert [message["role"] for message in result.messages] == ["user", "assistant", "tool", "assistant"]
        tokens = [event for event in events if isinstance(event, Token)]
        assert "".join(token.text for token in tokens) == "".join(segment.text for segment in result.segments)
        (computed,) = (token for token in tokens if token.source == "computed")
        assert computed.text == "42" and [summary.id for summary in result.launches] == [computed.launch]
        assert any(isinstance(event, LaunchProgress) and event.launch == computed.launch for event in events)
        assert read_receipt(shared.paths.launches / f"{computed.launch}.json").value == 42
        after = await client.request("chat", text="(call)add(v1, 1)|.", messages=result.messages).result()
        assert after.messages[2]["value"] == 43, "what was computed before has its name"

    shared.run(scenario)


def test_launches_and_compilations_of_ones_own(shared):
    async def scenario(client):
        launched = await client.request("launch", source=LONG, filename="spin.cu", launch=LAUNCH).result()
        expected = 0
        for i in range(5):
            expected = expected * 3 + i
        assert isinstance(launched, LaunchResult) and launched.outputs == {"out": [expected]}
        assert launched.launch.title == "spin" and launched.launch.replay == "exact"
        compiled = await client.request("compile", source=LONG, filename="spin.cu").result()
        assert isinstance(compiled, CompileResult)
        assert [(kernel.name, kernel.params) for kernel in compiled.kernels] == [("spin", ("int*", "int"))]
        wrong = (await rest(client.request("compile", source="\n__global__ void k() { no; }", filename="k.cu")))[-1]
        assert isinstance(wrong, Error) and wrong.kind == "compile" and wrong.facts["line"] == 2
        assert wrong.where.startswith("k.cu:2")
        bad = (await rest(client.request("launch", source=LONG, filename="spin.cu", launch={"kernel": "spin"})))[-1]
        assert isinstance(bad, Error) and bad.kind == "input"

    shared.run(scenario)


def test_the_compiler_works_while_the_model_writes(shared):
    async def scenario(client):
        chat = client.request("chat", text="." * 9000)
        await until(chat, Token)
        assert isinstance(await client.request("compile", source=LONG, filename="k.cu").result(), CompileResult)
        assert not chat.over
        await chat.stop()
        assert (await rest(chat))[-1].ended == "stopped"

    shared.run(scenario)


# ---------------------------------------------------------------- stop, state by state
def test_stop_while_the_model_writes(shared):
    async def scenario(client):
        call = client.request("chat", text="(call)mul(6, 7)| is it" + "." * 4000)
        await until(call, Said)
        while True:
            event = await anext(call)
            if isinstance(event, Token) and event.part == "text" and event.source == "sampled":
                break
        await call.stop()
        result = (await rest(call))[-1]
        assert isinstance(result, ChatResult) and result.ended == "stopped"
        assert result.messages[2]["value"] == 42 and result.messages[3]["text"].startswith("42")
        assert isinstance(await client.request("chat", text="on").result(), ChatResult)

    shared.run(scenario)


def test_stop_while_a_prompt_is_read(shared):
    async def scenario(client):
        call = client.request("chat", text="never said")
        await until(call, Said)
        await call.stop()
        result = (await rest(call))[-1]
        assert (result.ended, result.segments) == ("stopped", ())

    shared.run(scenario)


@pytest.mark.parametrize("op", ["chat", "launch"])
def test_stop_while_a_launch_runs(op, shared):
    endless = json.loads(json.dumps(LAUNCH))
    endless["args"][1]["value"] = 1 << 30

    def records():
        return set(shared.paths.launches.glob("*"))

    before = records()

    async def scenario(client):
        call = (
            client.request("chat", text="(call)pow(3, 30)|.")
            if op == "chat"
            else client.request("launch", source=LONG, filename="spin.cu", launch=endless)
        )
        await until(call, LaunchProgress)
        await call.stop()
        last = (await rest(call))[-1]
        if op == "chat":
            assert isinstance(last, ChatResult) and last.ended == "stopped" and not last.launches
        else:
            assert isinstance(last, Error) and last.kind == "cancelled"
        assert before == records()

    shared.run(scenario)


def test_stop_while_a_source_is_compiled_ends_the_compiler(shared):
    async def scenario(client):
        call = client.request("compile", source=ENDLESS, filename="endless.cu")
        await client.start()
        worker = psutil.Process(client.pid)
        while not worker.children(recursive=True):
            await asyncio.sleep(0.01)
        await call.stop()
        last = (await rest(call))[-1]
        assert isinstance(last, Error) and last.kind == "cancelled"
        assert not worker.children(recursive=True)

    shared.run(scenario)


def test_stop_of_what_waits_for_its_turn(shared):
    async def scenario(client):
        first = client.request("chat", text="." * 4000)
        await until(first, Token)
        second = client.request("chat", text="never begun")
        await second.stop()
        await first.stop()
        assert (await rest(first))[-1].ended == "stopped"
        result = (await rest(second))[-1]
        assert result.ended == "stopped" and result.messages == ({"role": "user", "text": "never begun"},)

    shared.run(scenario)


def test_stop_of_a_build_in_every_stage_and_going_on(builder, parts, tmp_path):
    out = tmp_path / "made"

    async def scenario(client):
        for stage in ("base", "mute", "write", "verify"):
            call = client.request("build", base=parts / "base", out=out)
            async for event in call:
                if isinstance(event, Progress) and event.stage == stage:
                    await call.stop()
            assert isinstance(event, Error) and event.kind == "cancelled" and not out.exists(), stage
        events = await rest(client.request("build", base=parts / "base", out=out))
        assert isinstance(events[-1], BuildResult) and Path(events[-1].checkpoint) == out

    builder.run(scenario)


def test_a_build_tells_every_layer_and_becomes_the_default(builder, parts, tmp_path):
    async def scenario(client):
        events = await rest(client.request("build", base=parts / "base", out=tmp_path / "made"))
        told = [event for event in events if isinstance(event, Progress)]
        layers = [event.layer for event in told if event.layer is not None]
        assert list(dict.fromkeys(layers)) == sorted(set(layers)) and max(layers) == 6, "three compiled, four of the base"
        assert {event.stage for event in told} == {"base", "mute", "write", "verify"}
        assert all(event.eta is None or event.eta >= 0 for event in told)
        assert events[-1].report["checkpoint"]

    builder.run(scenario)
    assert json.loads(builder.paths.settings.read_text())["checkpoint"] == str(tmp_path / "made")


def test_a_download_that_is_stopped_and_begun_again(tmp_path, monkeypatch):
    model = tiny_model(tmp_path / "model", 1 << 20)
    with hub(model, faults=Faults(slow=0.01)) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.endpoint)

        async def scenario(client):
            call = client.request("download", repository="Qwen/Qwen3.5-2B", folder=tmp_path / "got")
            async for event in call:
                if isinstance(event, Progress) and 0 < event.done < event.total:
                    await call.stop()
            assert isinstance(event, Error) and event.kind == "cancelled"
            server.faults.slow = 0.0
            result = await client.request("download", repository="Qwen/Qwen3.5-2B", folder=tmp_path / "got").result()
            assert isinstance(result, DownloadResult) and result.folder == str(tmp_path / "got")
            for name in ("config.json", "model.safetensors-00001-of-00002.safetensors"):
                assert (tmp_path / "got" / name).read_bytes() == (model / name).read_bytes()

        run(scenario)


# ---------------------------------------------------------------- sudden ends
def test_no_orphan_of_a_parent_that_is_killed():
    """The worker is in mid-compilation; it ends, and the compiler with it."""
    code = (
        "import subprocess, sys, json, time\n"
        f"child = subprocess.Popen({list(SCRIPTED)!r}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "child.stdout.readline()\n"
        "source = sys.stdin.read()\n"
        "ask = json.dumps({'id': 'a', 'op': 'compile', 'source': source, 'filename': 'e.cu'})\n"
        "child.stdin.write(ask.encode() + b'\\n'); child.stdin.flush()\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    parent = subprocess.Popen((sys.executable, "-c", code), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True)
    parent.stdin.write(ENDLESS)
    parent.stdin.close()
    worker = psutil.Process(int(parent.stdout.readline()))
    while not (children := worker.children(recursive=True)):
        time.sleep(0.01)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    gone, left = psutil.wait_procs([worker, *children], timeout=60)
    assert not left and worker in gone


KILLS, MANY = 10, 100
"""By default, and by hand."""


async def kill_after(client, seconds):
    """Kill the worker of a client, and wait until the client knows: what is asked before would go to a dead process."""
    await asyncio.sleep(seconds)
    if (killed := client.pid) is not None:
        psutil.Process(killed).kill()
        while client.pid == killed:
            await asyncio.sleep(0.005)


def check_chats(count, seed, folder):
    chance = random.Random(seed)

    async def scenario(client):
        died = 0
        for number in range(count):
            await client.start()
            call = client.request("chat", text=f"(call)mul(6, {number})| and |(call)add(v1, 1)|{'.' * 40}")
            events, at = [], chance.randint(1, 40)
            async for event in call:
                events.append(event)
                if len(events) == at:
                    await kill_after(client, chance.uniform(0, 0.05))
            last = events[-1]
            died += isinstance(last, Error)
            assert isinstance(last, ChatResult) or (last.kind == "worker" and last.facts["death"] == "killed")
            for event in events:
                if isinstance(event, Token) and event.launch:
                    assert str(read_receipt(folder / f"{event.launch}.json").value) == event.text
        assert died >= count // 4, "the moments do not hit"

    run(scenario, seconds=60 * count)
    left = [path for path in folder.glob("*") if path.suffix != ".json" and not path.name.startswith(".")]
    assert not left


def test_a_worker_killed_in_mid_answer_loses_no_record_that_was_told(paths):
    check_chats(KILLS, 1, paths.launches)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_worker_killed_in_mid_answer_a_hundred_times(paths):
    check_chats(MANY, 2, paths.launches)


def check_builds(count, seed, parts, out):
    chance = random.Random(seed)

    async def scenario(client):
        finished, died = set(), 0
        for _ in range(count):
            await client.start()
            call = client.request("build", base=parts / "base", out=out)
            begun = await until(call, Progress)
            await kill_after(client, chance.uniform(0, 0.5))
            event = [*begun, *await rest(call)][-1]
            died += isinstance(event, Error)
            if isinstance(event, BuildResult):
                finished.add(event.report["checkpoint"])
                shutil.rmtree(out)  # there is always something to be killed in
        result = await client.request("build", base=parts / "base", out=out).result()
        assert finished <= {result.report["checkpoint"]} and died >= count // 4
        return result.report["checkpoint"]

    return run(scenario, (*STANDINS, "small", str(parts)), 60 * (count + 1))


def check_killed_builds(count, seed, parts, folder, builder):
    from builder.verify import verify

    made = check_builds(count, seed, parts, folder / "killed")
    assert verify(folder / "killed").checkpoint == made
    whole = builder.run(lambda client: client.request("build", base=parts / "base", out=folder / "whole").result())
    assert made == whole.report["checkpoint"]
    assert [path.name for path in folder.iterdir() if path.name.startswith("killed")] == ["killed"]


def test_a_build_killed_again_and_again_is_the_same_in_the_end(parts, tmp_path, builder):
    check_killed_builds(KILLS, 3, parts, tmp_path, builder)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_build_killed_a_hundred_times(parts, tmp_path, builder):
    check_killed_builds(MANY, 4, parts, tmp_path, builder)
