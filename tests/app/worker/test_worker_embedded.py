"""The worker as users have it, with the model that the product carries: load, chat, launch, verify, stop, a second load."""

import asyncio
import os
import shutil

import pytest

from app.checkpoints import MACHINE, embedded_folder
from app.compute.receipts import read_receipt
from app.paths import Paths
from app.worker.client import Patience, WorkerClient
from app.worker.protocol import ChatResult, Error, LaunchProgress, LaunchResult, LoadResult, Progress, Said, Token, VerifyResult

QUESTION = "what is the dot product of [1,2,3] and [4,5,6]?"
SQUARES = "__global__ void squares(const int *a, int *out) { out[threadIdx.x] = a[threadIdx.x] * a[threadIdx.x]; }"
LAUNCH = {
    "kernel": "squares",
    "grid": [1],
    "block": [3],
    "args": [{"name": "a", "type": "int32*", "value": [3, -4, 70000]}, {"name": "out", "type": "int32*", "size": 3}],
}


class Worker:
    """A loop and a client, kept for the module."""

    def __init__(self, paths):
        self.paths = paths
        self.runner = asyncio.Runner()
        self.client = None

    def run(self, scenario):
        """Run a scenario with the client."""

        async def main():
            if self.client is None:
                self.client = WorkerClient(patience=Patience(answer=60.0, stop=120.0, start=120.0))
            return await asyncio.wait_for(scenario(self.client), 300)

        return self.runner.run(main())


@pytest.fixture(scope="module")
def worker(tmp_path_factory, machine_file, native_library):
    """The worker, in a home where machine and library are prepared."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for kind in ("CONFIG", "CACHE", "DATA", "STATE"):
            patch.setenv(f"XDG_{kind}_HOME", str(home / kind))
        paths = Paths.of_user()
        for source, target in (
            (machine_file, embedded_folder(paths) / MACHINE),
            (native_library, paths.libraries / native_library.name),
        ):
            target.parent.mkdir(parents=True)
            os.link(source, target) if os.stat(source).st_dev == os.stat(home).st_dev else shutil.copy(source, target)
        kept = Worker(paths)
        kept.run(lambda client: client.start())
    yield kept
    kept.run(lambda client: client.close())
    kept.runner.close()


async def events_of(call):
    return [event async for event in call]


def test_loading_tells_its_stages_and_what_was_opened(worker):
    async def scenario(client):
        events = await events_of(client.request("load", checkpoint="embedded"))
        assert [event.stage for event in events if isinstance(event, Progress)] == ["libraries", "machine", "language model"]
        result = events[-1]
        assert isinstance(result, LoadResult) and client.loaded == result
        info = result.checkpoint
        assert (info.kind, info.name, info.layers[0]) == ("embedded", "built-in model", 45) and len(info.hash) == 64
        assert (result.device, result.machine_device) == ("cpu", "cpu") and result.context_limit > 500

    worker.run(scenario)


def test_a_question_is_answered_by_the_weights(worker):
    async def scenario(client):
        events = await events_of(client.request("chat", text=QUESTION))
        result = events[-1]
        assert isinstance(result, ChatResult) and result.ended == "complete"
        (computed,) = (event for event in events if isinstance(event, Token) and event.source == "computed")
        (summary,) = result.launches
        assert computed.text == "32" and computed.launch == summary.id and summary.replay == "exact"
        told = [event for event in events if isinstance(event, LaunchProgress)]
        assert told and {event.launch for event in told} == {summary.id} and told[-1].tokens <= summary.tokens + summary.prompt
        assert [event.message for event in events if isinstance(event, Said)] == list(result.messages)
        assert result.tokens_per_second > 0 and 0 < result.context.used <= result.context.limit
        record = worker.paths.launches / f"{summary.id}.json"
        assert read_receipt(record).checkpoint == client.loaded.checkpoint.hash
        verified = await client.request("verify", receipt=record).result()
        assert isinstance(verified, VerifyResult) and verified.verdict == "exact" and verified.found["value"] == 32

    worker.run(scenario)


def test_a_kernel_of_ones_own(worker):
    async def scenario(client):
        result = await client.request("launch", source=SQUARES, filename="squares.cu", launch=LAUNCH).result()
        assert isinstance(result, LaunchResult) and result.outputs == {"out": [9, 16, 70000 * 70000 - (1 << 32)]}

    worker.run(scenario)


def test_text_and_launches_of_the_weights_can_be_stopped(worker):
    async def scenario(client):
        call = client.request("chat", text=QUESTION)
        while not isinstance(await anext(call), Token):
            pass
        await call.stop()
        result = (await events_of(call))[-1]
        assert result.ended == "stopped" and result.messages[0]["text"] == QUESTION
        long = {
            **LAUNCH,
            "kernel": "spin",
            "block": [1],
            "args": [{"name": "out", "type": "int32*", "size": 1}, {"name": "n", "type": "int32", "value": 1 << 30}],
        }
        source = "__global__ void spin(int *out, int n) { for (int i = 0; i < n; i++) out[0] = out[0] * 3 + i; }"
        call = client.request("launch", source=source, filename="spin.cu", launch=long)
        while not isinstance(await anext(call), LaunchProgress):
            pass
        await call.stop()
        last = (await events_of(call))[-1]
        assert isinstance(last, Error) and last.kind == "cancelled"
        assert isinstance(await client.request("chat", text=QUESTION).result(), ChatResult), "the state is as it was"

    worker.run(scenario)


def test_another_checkpoint_that_is_none_frees_the_first_and_says_so(worker, tmp_path):
    async def scenario(client):
        last = (await events_of(client.request("load", checkpoint=tmp_path)))[-1]
        assert isinstance(last, Error) and last.kind == "input" and last.where == str(tmp_path)
        assert isinstance(await client.request("chat", text=QUESTION).result(), ChatResult), "the default is opened for it"

    worker.run(scenario)


def test_the_whole_checkpoint(worker):
    async def scenario(client):
        result = await client.request("verify").result()
        assert result.verdict == "exact" and result.found["launch"] == "exact"

    worker.run(scenario)
