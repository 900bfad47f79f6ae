"""Downloads from a hub that fails in every way: nothing wrong is ever taken, nothing right is fetched twice."""

import asyncio
import json
import socket
from contextlib import suppress

import pytest

from app.hub.client import WANTED, manifest_of, refusal_of_network, wait_of
from app.hub.download import Download, Timing, ask, folder_of, unfinished
from app.hub.model import FileState, Source, State
from app.hub.parts import NOTE, read_note
from app.hub.rate import Rate
from engine.machine.errors import Cancelled, EnvironmentProblem, InputError
from tests.servers.hub import COMMIT, Faults, hub, info, tiny_model

ONE, TWO = (f"model.safetensors-0000{number}-of-00002.safetensors" for number in (1, 2))
FAST = Timing(stall=0.2, read=20.0, backoff=(0.01, 0.02), tick=0.02, told=0.0)
SIZE = 1 << 20


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny_model(tmp_path_factory.mktemp("repository") / "model", SIZE)


@pytest.fixture
def server(model):
    with hub(model) as running:
        yield running


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, 60))


def source(server, **options):
    return Source(endpoint=server.endpoint, **options)


async def fetched(server, folder, timing=FAST, **options):
    """Download to the end; the download and everything it told."""
    told = []
    download = Download(folder, source(server, **options), told.append, timing)
    download.start()
    with suppress(EnvironmentProblem, InputError, Cancelled):
        await download.finished()
    return download, told


async def until(download, test):
    """Wait for a progress."""
    while not test(download.progress):
        assert download.progress.state is not State.FAILED, download.progress.problem
        await asyncio.sleep(0.005)


def same(folder, model):
    wanted = [path for path in model.iterdir() if path.name in WANTED or path.suffix == ".safetensors"]
    assert wanted and all((folder / path.name).read_bytes() == path.read_bytes() for path in wanted)
    assert not list(folder.glob("*.part")) and not any((folder / name).exists() for name in ("README.md", "pytorch_model.bin"))


# ---------------------------------------------------------------- the good case
def test_all_files_that_a_base_needs_come_and_are_checked(server, model, tmp_path):
    download, told = run(fetched(server, tmp_path / "m"))
    assert download.progress.state is State.DONE and download.progress.fraction == 1.0
    same(tmp_path / "m", model)
    assert {file.state for file in download.progress.files} == {FileState.CHECKED}
    done = [progress.have for progress in told]
    assert done == sorted(done) and told[-1].have == told[-1].size > 2 * SIZE
    assert told[0].state is State.ASKING and unfinished(tmp_path / "m") is None
    assert not any("authorization" in headers for _, headers in server.asked)


def test_the_wanted_files_are_those_of_the_builder():
    from builder.base import HUB_PATTERNS

    assert set(WANTED) | {"*.safetensors"} == set(HUB_PATTERNS)


def test_the_builder_finds_the_hashes_of_what_was_fetched(server, tmp_path):
    from builder.base import recorded_hashes

    run(fetched(server, tmp_path))
    manifest = read_note(tmp_path).manifest
    expected = {file.path: file.sha256 for file in manifest.files if file.path in (ONE, TWO)}
    assert recorded_hashes(tmp_path, {name: tmp_path / name for name in (ONE, TWO)}) == expected


def test_sizes_are_known_before_anything_is_fetched(server, model):
    manifest = run(ask(source(server)))
    assert manifest.commit == COMMIT and manifest.size == sum((model / file.path).stat().st_size for file in manifest.files)
    assert [len(request) for request in server.asked] and all("/resolve/" not in path for path, _ in server.asked)


def test_a_finished_folder_is_not_fetched_again(server, tmp_path):
    run(fetched(server, tmp_path))
    before = len(server.asked)
    download, _ = run(fetched(server, tmp_path))
    assert download.progress.state is State.DONE and len(server.asked) == before


def test_a_file_that_was_changed_after_its_check_is_fetched_again(server, model, tmp_path):
    run(fetched(server, tmp_path))
    content = bytearray((tmp_path / ONE).read_bytes())
    content[-1] ^= 1
    (tmp_path / ONE).write_bytes(content)
    (tmp_path / "merges.txt").unlink()
    download, _ = run(fetched(server, tmp_path))
    assert download.progress.state is State.DONE
    same(tmp_path, model)
    assert len(server.ranges(ONE)) == 2 and len(server.ranges(TWO)) == 1


# ---------------------------------------------------------------- pause, resume, cancel
def paused_in_the_middle(server, folder):
    async def work():
        server.faults.slow = 0.01
        download = Download(folder, source(server), timing=FAST)
        download.start()
        await until(download, lambda now: any(file.path == ONE and 100_000 < file.have < SIZE for file in now.files))
        download.pause()
        assert download.progress.state is State.PAUSED
        with pytest.raises(Cancelled):
            await download.finished()
        return download

    download = run(work())
    server.faults.slow = 0.0
    return download


def test_a_paused_download_goes_on_where_it_was_at_the_next_start(server, model, tmp_path):
    paused_in_the_middle(server, tmp_path)
    left = unfinished(tmp_path)
    part = (tmp_path / f"{ONE}.part").stat().st_size
    assert left.state is State.PAUSED and part > 100_000 and left.have >= part
    assert next(file for file in left.files if file.path == ONE).have == part
    download, _ = run(fetched(server, tmp_path))
    assert download.progress.state is State.DONE and server.ranges(ONE) == ["", f"bytes={part}-"]
    same(tmp_path, model)


def test_pausing_and_starting_at_once_in_one_run(server, model, tmp_path):
    async def work():
        server.faults.slow = 0.02
        download = Download(tmp_path, source(server), timing=FAST)
        download.start()
        for _ in range(4):
            before = download.progress.have
            await until(download, lambda now, before=before: now.have > before)
            assert download.progress.state.running
            download.pause()
            download.start()
            download.start()
        server.faults.slow = 0.0
        assert await download.finished() == tmp_path

    run(work())
    same(tmp_path, model)


def test_cancelled_stays_cancelled_and_keeps_the_files_until_they_are_discarded(server, tmp_path):
    async def work():
        server.faults.slow = 0.01
        download = Download(tmp_path, source(server), timing=FAST)
        download.start()
        await until(download, lambda now: now.have > 100_000)
        download.cancel()
        with pytest.raises(Cancelled):
            await download.finished()

    run(work())
    left = unfinished(tmp_path)
    assert left.state is State.CANCELLED and left.have > 100_000
    again = Download(tmp_path, source(server))
    assert again.progress.state is State.CANCELLED
    assert again.discard() > 100_000 and again.progress.state is State.IDLE
    assert unfinished(tmp_path) is None and not list(tmp_path.glob("*.part")) and not list(tmp_path.glob("*.json"))


def test_a_cancelled_one_goes_on_when_somebody_starts_it(server, model, tmp_path):
    paused_in_the_middle(server, tmp_path).cancel()
    assert unfinished(tmp_path).state is State.CANCELLED
    run(fetched(server, tmp_path))
    same(tmp_path, model)


def test_a_loop_that_ends_leaves_a_paused_download(server, tmp_path):
    async def work():
        server.faults.slow = 0.01
        download = Download(tmp_path, source(server), timing=FAST)
        download.start()
        await until(download, lambda now: now.have > 100_000)
        return download

    assert run(work()).progress.state is State.PAUSED and unfinished(tmp_path).state is State.PAUSED


# ---------------------------------------------------------------- the network
def test_cut_connections_are_taken_up_again(server, model, tmp_path):
    server.faults.cut = {ONE: [100_000, 200_000, 1], TWO: [5]}
    download, told = run(fetched(server, tmp_path))
    assert download.progress.state is State.DONE
    assert server.ranges(ONE) == ["", "bytes=100000-", "bytes=300000-", "bytes=300001-"]
    assert server.ranges(TWO) == ["", "bytes=5-"] and State.WAITING in {one.state for one in told}
    assert len(download.progress.outages) == 4 and all(gap.until >= gap.since for gap in download.progress.outages)
    same(tmp_path, model)


def test_a_server_without_ranges_does_not_cost_what_is_here(server, model, tmp_path):
    server.faults.cut, server.faults.no_range = {ONE: [700_000]}, True
    download, told = run(fetched(server, tmp_path))
    assert download.progress.state is State.DONE
    assert [one.have for one in told] == sorted(one.have for one in told)
    same(tmp_path, model)


@pytest.mark.parametrize(("status", "name"), [(500, ""), (503, ONE), (408, TWO), (429, ""), (429, ONE)])
def test_a_busy_hub_is_asked_again(server, model, tmp_path, status, name):
    server.faults.refuse, server.faults.times = {name: (status, {"Retry-After": "0.05"})}, 3
    download, told = run(fetched(server, tmp_path))
    assert download.progress.state is State.DONE
    waits = [one for one in told if one.state is State.WAITING]
    assert waits and str(status) in waits[0].problem.what and waits[0].retry_in == 0.05
    same(tmp_path, model)


def test_no_connection_is_said_and_waited_for(server, tmp_path):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{unused.getsockname()[1]}"

        async def work():
            told = []
            download = Download(tmp_path, Source(endpoint=closed), told.append, FAST)
            download.start()
            await until(download, lambda now: len([one for one in told if one.state is State.WAITING]) > 2)
            assert "no connection" in download.progress.problem.what and download.progress.outages[-1].until is None
            download.source = source(server)
            await download.finished()
            assert download.progress.outages[-1].until is not None and len(download.progress.outages) == 1

        run(work())


def test_a_stalled_server_is_said_and_no_bar_moves(server, tmp_path):
    server.faults.stall = {ONE: 300_000}

    async def work():
        download = Download(tmp_path, source(server), timing=FAST)
        download.start()
        await until(download, lambda now: now.state is State.STALLED)
        have = download.progress.have
        shown = []
        download._on_change = shown.append
        await asyncio.sleep(0.3)
        assert {one.have for one in shown} == {have} and {one.state for one in shown} == {State.STALLED}
        download.pause()
        with pytest.raises(Cancelled):
            await download.finished()
        assert (tmp_path / f"{ONE}.part").stat().st_size == 300_000
        server.faults.go_on.set()
        server.faults.stall = {}
        download.start()
        await download.finished()

    run(work())


def test_a_server_that_stays_silent_is_left_and_asked_again(server, model, tmp_path):
    server.faults.stall = {ONE: 300_000}

    async def work():
        download = Download(tmp_path, source(server), timing=Timing(0.1, 0.5, (0.01,), 0.02, 0.0))
        download.start()
        await until(download, lambda now: now.state is State.STALLED)
        server.faults.stall = {}
        await download.finished()

    run(work())
    assert server.ranges(ONE) == ["", "bytes=300000-"]
    same(tmp_path, model)


# ---------------------------------------------------------------- refusals
@pytest.mark.parametrize(
    ("name", "status", "headers", "words"),
    [
        ("", 401, {"X-Error-Code": "GatedRepo"}, "must be granted first"),
        ("", 403, {}, "must be granted first"),
        ("", 401, {"X-Error-Code": "RepoNotFound"}, "no repository"),
        ("", 404, {"X-Error-Code": "RepoNotFound"}, "no repository"),
        ("", 404, {"X-Error-Code": "RevisionNotFound"}, "no revision 'main'"),
        (ONE, 404, {"X-Error-Code": "EntryNotFound"}, f"no file '{ONE}'"),
        (ONE, 403, {}, "must be granted first"),
        ("", 418, {}, "makes no sense here"),
    ],
)
def test_refusals_are_named_and_nothing_is_lost(server, model, tmp_path, name, status, headers, words):
    server.faults.refuse = {name: (status, headers)}
    download, _ = run(fetched(server, tmp_path))
    assert download.progress.state is State.FAILED and words in download.progress.problem.what
    assert download.progress.problem.remedy
    kept = {path.name for path in tmp_path.glob("*.json")}
    server.faults.refuse = {}
    assert run(fetched(server, tmp_path))[0].progress.state is State.DONE and kept <= {path.name for path in tmp_path.iterdir()}


def test_a_token_opens_what_is_gated_and_a_wrong_one_is_named(server, tmp_path):
    server.faults.token = "good"
    assert "must be granted" in run(fetched(server, tmp_path))[0].progress.problem.what
    assert run(fetched(server, tmp_path, token="good"))[0].progress.state is State.DONE
    server.faults.token, server.faults.refuse = "", {"": (401, {})}
    assert "refused the token" in run(fetched(server, tmp_path / "new", token="bad"))[0].progress.problem.what


def test_the_token_does_not_follow_a_redirect_to_another_host(server, model, tmp_path):
    with hub(model, host="localhost") as other:
        server.faults.redirect, server.faults.token = other.endpoint, "secret"
        download, _ = run(fetched(server, tmp_path, token="secret"))
        assert download.progress.state is State.DONE and other.asked
        assert not any("authorization" in headers or "secret" in str(headers) for _, headers in other.asked)
        assert all(headers["authorization"] == "Bearer secret" for _, headers in server.asked)


def test_offline_mode_is_named(server, tmp_path, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.is_offline_mode", lambda: True)
    assert "HF_HUB_OFFLINE" in run(fetched(server, tmp_path))[0].progress.problem.what
    assert not server.asked


def test_the_mirror_of_the_environment_is_used(server, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", server.endpoint + "/")
    assert run(ask(Source())).commit == COMMIT


def test_a_proxy_that_is_none_is_named(server, tmp_path):
    assert "proxy cannot be used" in run(fetched(server, tmp_path, proxy="nonsense://x"))[0].progress.problem.what


def test_a_proxy_is_used(server, tmp_path):
    with hub(tmp_path, faults=Faults(refuse={"": (503, {"Retry-After": "60"})})) as proxy:

        async def work():
            download = Download(tmp_path / "m", source(server, proxy=proxy.endpoint), timing=FAST)
            download.start()
            await until(download, lambda now: now.state is State.WAITING)
            download.cancel()

        run(work())
        assert proxy.asked and not server.asked


# ---------------------------------------------------------------- wrong bytes
def test_wrong_bytes_of_the_right_size_are_never_taken(server, model, tmp_path):
    server.faults.wrong = {ONE}
    download, _ = run(fetched(server, tmp_path))
    assert download.progress.state is State.FAILED and "other bytes" in download.progress.problem.what
    assert not (tmp_path / ONE).exists() and (tmp_path / f"{ONE}.wrong").stat().st_size == (model / ONE).stat().st_size
    assert next(file for file in download.progress.files if file.path == ONE).state is FileState.WRONG
    server.faults.wrong = set()
    assert run(fetched(server, tmp_path))[0].progress.state is State.DONE
    same(tmp_path, model)
    assert not (tmp_path / f"{ONE}.wrong").exists()


def test_small_files_are_checked_by_their_git_hash(server, tmp_path):
    server.faults.wrong = {"LICENSE"}
    assert "'LICENSE' arrived with other bytes" in run(fetched(server, tmp_path))[0].progress.problem.what


def test_more_bytes_than_promised_are_not_taken(server, tmp_path):
    server.faults.longer = {ONE}
    download, _ = run(fetched(server, tmp_path))
    assert "longer than the hub said" in download.progress.problem.what and not (tmp_path / ONE).exists()


def test_a_part_that_is_not_the_files_beginning_is_found(server, model, tmp_path):
    paused_in_the_middle(server, tmp_path)
    part = tmp_path / f"{ONE}.part"
    part.write_bytes(bytes(part.stat().st_size))
    assert "other bytes" in run(fetched(server, tmp_path))[0].progress.problem.what
    assert run(fetched(server, tmp_path))[0].progress.state is State.DONE
    same(tmp_path, model)


def test_a_part_that_is_too_long_is_set_aside(server, model, tmp_path):
    paused_in_the_middle(server, tmp_path)
    (tmp_path / f"{ONE}.part").write_bytes(bytes(2 * SIZE))
    assert run(fetched(server, tmp_path))[0].progress.state is State.DONE
    same(tmp_path, model)


# ---------------------------------------------------------------- the disk
def test_too_little_space_is_said_before_anything_is_fetched(server, tmp_path):
    download = Download(tmp_path, source(server), timing=FAST, free=lambda folder: SIZE)

    async def work():
        download.start()
        with pytest.raises(EnvironmentProblem, match="not enough disk space"):
            await download.finished()

    run(work())
    assert not any("/resolve/" in path for path, _ in server.asked) and download.progress.problem.extra["available"] == SIZE


def test_a_disk_that_fills_up_stops_it_with_everything_kept(server, model, tmp_path, monkeypatch):
    import app.hub.download as module

    monkeypatch.setattr(module, "DISK_BYTES", 200_000)
    monkeypatch.setattr(module, "WRITE_BYTES", 100_000)
    room = [1 << 40, 1 << 40, 1 << 40, 0]
    download = Download(tmp_path, source(server), timing=FAST, free=lambda folder: room.pop(0) if room else 1 << 40)
    server.faults.slow = 0.002

    async def work():
        download.start()
        with pytest.raises(EnvironmentProblem, match="not enough disk space"):
            await download.finished()
        kept = download.progress.have
        assert kept > 200_000
        download.start()
        await download.finished()

    run(work())
    same(tmp_path, model)


def test_a_full_disk_is_named_and_the_part_stays_whole(server, model, tmp_path, monkeypatch):
    import os

    real, written = os.write, []

    def write(handle, content):
        written.append(len(content))
        if sum(written) > 300_000 and len(content) > 1000:
            real(handle, content[:100])
            raise OSError(28, "No space left on device")
        return real(handle, content)

    monkeypatch.setattr("app.hub.parts.os.write", write)
    server.faults.slow = 0.002
    download, _ = run(fetched(server, tmp_path))
    assert download.progress.problem.what == "the disk is full"
    monkeypatch.setattr("app.hub.parts.os.write", real)
    assert run(fetched(server, tmp_path))[0].progress.state is State.DONE
    same(tmp_path, model)


def test_a_folder_that_cannot_be_made_is_named(server, tmp_path):
    (tmp_path / "file").write_text("")
    download, _ = run(fetched(server, tmp_path / "file" / "m"))
    assert download.progress.state is State.FAILED and "cannot be written" in download.progress.problem.what


def test_two_downloads_into_one_folder(server, tmp_path):
    async def work():
        server.faults.slow = 0.01
        first = Download(tmp_path, source(server), timing=FAST)
        first.start()
        await until(first, lambda now: now.have > 0)
        second = Download(tmp_path, source(server), timing=FAST)
        second.start()
        with pytest.raises(EnvironmentProblem, match="another process downloads"):
            await second.finished()
        server.faults.slow = 0.0
        await first.finished()

    run(work())


# ---------------------------------------------------------------- hostile answers
def test_names_that_lead_out_of_the_folder_are_not_wanted(model):
    answer = info(model, "a/b")
    for name in ("../evil.safetensors", "/etc/x.safetensors", "sub/x.safetensors", "..\\x.safetensors", ".x.safetensors"):
        answer["siblings"].append({"rfilename": name, "size": 5, "blobId": "0" * 40})
    assert {file.path for file in manifest_of(answer, Source("a/b")).files} == {
        file.path for file in manifest_of(info(model, "a/b"), Source("a/b")).files
    }


@pytest.mark.parametrize("siblings", [[], [{"rfilename": "config.json", "size": 3}]])
def test_a_repository_without_weights_is_named(siblings):
    with pytest.raises(InputError, match="no safetensors weights"):
        manifest_of({"id": "a/b", "sha": COMMIT, "siblings": siblings}, Source("a/b"))


def test_an_answer_that_is_no_hubs_is_named(tmp_path):
    class Page:
        status_code, headers = 200, {}

        def json(self):
            return json.loads("<html>")

    class Client:
        async def get(self, address):
            return Page()

    from app.hub.client import ask as ask_client

    with pytest.raises(InputError, match="not what a hub says"):
        run(ask_client(Client(), Source(endpoint="http://mirror")))


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        '{"format": 1}',
        '{"format": 99}',
        json.dumps({"format": 1, "manifest": {"repository": "a/b", "commit": "c", "files": [{"path": "../x", "size": 1}]}}),
    ],
)
def test_a_damaged_note_is_no_note(tmp_path, content):
    (tmp_path / NOTE).write_text(content)
    assert unfinished(tmp_path) is None and Download(tmp_path, Source()).progress.state is State.IDLE


# ---------------------------------------------------------------- small things
def test_waits_are_read_as_seconds_and_dates():
    assert wait_of({"Retry-After": "7"}) == 7 and wait_of({}) is None and wait_of({"Retry-After": "soon"}) is None
    assert wait_of({"Retry-After": "Thu, 01 Jan 1970 00:01:00 GMT"}, now=20.0) == 40 and wait_of({"Retry-After": "1e9"}) == 900
    assert wait_of({"Retry-After": "-5"}) == 0 and wait_of({"Retry-After": "nan"}) is None


def test_a_connection_that_is_not_safe_is_not_tried_again():
    refusal = refusal_of_network(OSError("[SSL: CERTIFICATE_VERIFY_FAILED] unable to get issuer"), Source(endpoint="https://h"))
    assert not refusal.retry and "not safe" in refusal.problem.what


def test_speed_is_of_the_last_seconds():
    now = [100.0]
    rate = Rate(lambda: now[0])
    assert rate.speed == 0.0
    for _ in range(10):
        now[0] += 1
        rate.moved(500)
    assert rate.speed == pytest.approx(500, rel=0.15) and rate.trace()[-3:] == (500, 500, 500)
    now[0] += 4
    assert rate.speed < 320 and rate.trace()[-2:] == (0, 0) and rate.quiet == 4
    now[0] += 1000
    assert rate.speed == 0.0 and set(rate.trace()) == {0.0} and len(rate.trace()) == 120


def test_the_folder_of_a_repository(tmp_path):
    assert folder_of(tmp_path, "Qwen/Qwen3.5-2B") == tmp_path / "Qwen--Qwen3.5-2B"
