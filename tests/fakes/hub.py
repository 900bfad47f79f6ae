"""A hub on this computer: the few HTTP answers that `huggingface_hub` needs to fetch a repository."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

COMMIT = "c0ffee" + "0" * 34


@contextmanager
def fake_hub(repositories: dict[str, Path], damaged: str = "") -> Iterator[str]:
    """Serve folders as repositories; yields the endpoint. A file named `damaged` arrives with its last byte changed."""

    class Answer(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Quiet."""

        def do_HEAD(self) -> None:
            self.answer(body=False)

        def do_GET(self) -> None:
            self.answer(body=True)

        def answer(self, body: bool) -> None:
            path = self.path.split("?")[0].strip("/")
            for name, folder in repositories.items():
                files = {item.name: item for item in folder.iterdir()}
                if path.startswith(f"api/models/{name}/revision"):
                    info = {
                        "id": name,
                        "sha": COMMIT,
                        "private": False,
                        "tags": [],
                        "downloads": 0,
                        "likes": 0,
                        "siblings": [{"rfilename": file} for file in sorted(files)],
                    }
                    return self.send(json.dumps(info).encode(), {"Content-Type": "application/json"}, body)
                if path.startswith(f"api/models/{name}/tree"):
                    tree = [
                        {"type": "file", "path": file, "size": item.stat().st_size, "oid": "0" * 40}
                        for file, item in sorted(files.items())
                    ]
                    return self.send(json.dumps(tree).encode(), {"Content-Type": "application/json"}, body)
                if path.startswith(f"{name}/resolve/") and path.split("/")[-1] in files:
                    data = files[path.split("/")[-1]].read_bytes()
                    digest = hashlib.sha256(data).hexdigest()
                    if path.endswith(f"/{damaged}"):
                        data = data[:-1] + bytes([data[-1] ^ 1])
                    return self.send(data, {"ETag": f'"{digest}"', "X-Repo-Commit": COMMIT}, body)
            return self.send(b"{}", {"X-Error-Code": "RepoNotFound"}, body, 404)

        def send(self, data: bytes, headers: dict[str, str], body: bool, status: int = 200) -> None:
            self.send_response(status)
            for key, value in {**headers, "Content-Length": str(len(data))}.items():
                self.send_header(key, value)
            self.end_headers()
            if body:
                self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
