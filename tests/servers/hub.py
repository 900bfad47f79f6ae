"""A hub on this computer that can be made to fail in every way a real one does. Knows nothing of torch."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from urllib.parse import unquote, urlsplit

COMMIT = "c0ffee" + "0" * 34
PIECE = 16 << 10


@dataclass
class Faults:
    """What goes wrong; may be changed while the hub runs. Names of files select which answers are meant.

    refuse:   path -> (status, headers), as often as `times` says (None: always); "" is the question what there is
    cut:      name -> bytes of an answer after which the connection breaks, each once
    stall:    name -> bytes of an answer after which nothing more comes until `go_on` is set
    wrong:    names whose last byte is another
    slow:     seconds between two pieces of 16 KiB
    no_range: every answer begins at the beginning
    longer:   names that get more bytes than the hub said
    redirect: address of another server that has the files
    token:    what is refused without this token
    """

    refuse: dict[str, tuple[int, dict[str, str]]] = field(default_factory=dict)
    times: int | None = None
    cut: dict[str, list[int]] = field(default_factory=dict)
    stall: dict[str, int] = field(default_factory=dict)
    go_on: Event = field(default_factory=Event)
    wrong: set[str] = field(default_factory=set)
    slow: float = 0.0
    no_range: bool = False
    longer: set[str] = field(default_factory=set)
    redirect: str = ""
    token: str = ""


@dataclass
class Hub:
    """A running hub. asked: every request as (path, headers)"""

    endpoint: str
    faults: Faults
    asked: list[tuple[str, dict[str, str]]]

    def ranges(self, name: str) -> list[str]:
        """The ranges that were asked for of a file, "" where none was."""
        return [headers.get("range", "") for path, headers in self.asked if path.endswith(f"/{name}")]


@contextmanager
def hub(
    folder: Path, repository: str = "Qwen/Qwen3.5-2B", faults: Faults | None = None, host: str = "127.0.0.1"
) -> Iterator[Hub]:
    """Serve a folder as a repository; files above 4 KiB are LFS files."""
    faults = faults or Faults()
    asked: list[tuple[str, dict[str, str]]] = []

    class Answer(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Quiet."""

        def do_GET(self) -> None:
            path = unquote(urlsplit(self.path).path).strip("/")
            asked.append((path, {key.lower(): value for key, value in self.headers.items()}))
            name = path.rpartition("/")[2] if f"{repository}/resolve/" in path else ""
            with suppress(BrokenPipeError, ConnectionResetError):
                self.answer(path, name)

        def answer(self, path: str, name: str) -> None:
            if name in faults.refuse and faults.times != 0:
                faults.times = None if faults.times is None else faults.times - 1
                status, headers = faults.refuse[name]
                return self.whole(status, headers, b"{}")
            if faults.token and self.headers.get("Authorization") != f"Bearer {faults.token}":
                return self.whole(401, {"X-Error-Code": "GatedRepo"}, b"{}")
            if path.startswith(f"api/models/{repository}/revision/"):
                if path.rpartition("/")[2] not in ("main", COMMIT):
                    return self.whole(404, {"X-Error-Code": "RevisionNotFound"}, b"{}")
                return self.whole(200, {"Content-Type": "application/json"}, json.dumps(info(folder, repository)).encode())
            if name and path == f"{repository}/resolve/{COMMIT}/{name}":
                if not (folder / name).is_file():
                    return self.whole(404, {"X-Error-Code": "EntryNotFound"}, b"{}")
                if faults.redirect:
                    return self.whole(302, {"Location": f"{faults.redirect}/{path}"}, b"")
                return self.file(name)
            return self.whole(404, {"X-Error-Code": "RepoNotFound"}, b"{}")

        def whole(self, status: int, headers: dict[str, str], body: bytes) -> None:
            self.send_response(status)
            for key, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(key, value)
            self.end_headers()
            self.wfile.write(body)

        def file(self, name: str) -> None:
            data = (folder / name).read_bytes()
            size = len(data)
            if name in faults.wrong:
                data = data[:-1] + bytes([data[-1] ^ 1])
            start = 0
            wish = self.headers.get("Range", "")
            if wish and not faults.no_range:
                start = int(wish.removeprefix("bytes=").rstrip("-"))
                if start >= size:
                    return self.whole(416, {"Content-Range": f"bytes */{size}"}, b"")
            ranged = bool(wish) and not faults.no_range
            self.send_response(206 if ranged else 200)
            if ranged:
                self.send_header("Content-Range", f"bytes {start}-{size - 1}/{size}")
            if name in faults.longer:
                data += b"more" * 10
            self.send_header("Content-Length", str(len(data) - start))
            self.end_headers()
            self.body(name, data[start:])

        def body(self, name: str, data: bytes) -> None:
            cut = faults.cut[name].pop(0) if faults.cut.get(name) else None
            stall = faults.stall.get(name)
            sent = 0
            while sent < len(data):
                end = min(
                    sent + PIECE,
                    len(data),
                    *([cut] if cut is not None else []),
                    *([stall] if stall is not None and sent < stall else []),
                )
                self.wfile.write(data[sent:end])
                self.wfile.flush()
                sent = end
                if cut is not None and sent >= cut:
                    self.close_connection = True
                    return
                if stall is not None and sent >= stall:
                    faults.go_on.wait(60)
                    stall = None
                if faults.slow:
                    time.sleep(faults.slow)

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, *_: object) -> None:
            """A client that hangs up is no news."""

    server = Server((host, 0), Answer)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield Hub(f"http://{host}:{server.server_port}", faults, asked)
    finally:
        faults.go_on.set()
        server.shutdown()
        thread.join()
        server.server_close()


def info(folder: Path, repository: str) -> dict[str, object]:
    """What the hub says of a repository."""
    files = []
    for path in sorted(folder.iterdir()):
        if path.is_file():
            data = path.read_bytes()
            entry: dict[str, object] = {
                "rfilename": path.name,
                "size": len(data),
                "blobId": hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest(),
            }
            if len(data) > 4096:
                entry["lfs"] = {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 135}
            files.append(entry)
    return {"id": repository, "sha": COMMIT, "private": False, "tags": [], "downloads": 0, "likes": 0, "siblings": files}


def tiny_model(folder: Path, size: int = 1 << 20, shards: int = 2) -> Path:
    """A folder in the real layout whose weights are noise: right names, sizes and headers, no meaning."""
    folder.mkdir(parents=True, exist_ok=True)
    placed = {}
    for number in range(1, shards + 1):
        name = f"model.safetensors-{number:05d}-of-{shards:05d}.safetensors"
        header = json.dumps({f"t{number}": {"dtype": "U8", "shape": [size], "data_offsets": [0, size]}}).encode()
        noise = b"".join(hashlib.sha256(b"%d %d" % (number, place)).digest() for place in range(size // 32 + 1))[:size]
        (folder / name).write_bytes(len(header).to_bytes(8, "little") + header + noise)
        placed[f"t{number}"] = name
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": placed}))
    (folder / "config.json").write_text(json.dumps({"model_type": "qwen3_5"}))
    for name, text in {
        "tokenizer.json": '{"version": "1.0"}' + " " * 5000,
        "tokenizer_config.json": "{}",
        "vocab.json": "{}",
        "merges.txt": "",
        "chat_template.jinja": "{{ messages }}",
        "LICENSE": "Apache License",
        "README.md": "card",
        "preprocessor_config.json": "{}",
        "pytorch_model.bin": "not wanted",
    }.items():
        (folder / name).write_text(text)
    return folder
