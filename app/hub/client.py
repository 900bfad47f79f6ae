"""Asking a hub over HTTP: the client, the addresses, and what its answers mean in words.

The HTTP library is the one that `huggingface_hub` brings, whatever it is called in the installed release; the usual endpoint
and offline mode are that library's, too. Nothing about this computer is sent along.
"""

from __future__ import annotations

import email.utils
import functools
import os
import ssl
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from app.hub.model import Manifest, RemoteFile, Source
from app.paths import APPLICATION
from engine.machine.errors import EnvironmentProblem, GpuError, InputError

if TYPE_CHECKING:
    from huggingface_hub.utils import httpx

CONNECT_SECONDS = 15.0
LONGEST_WAIT = 900.0
"""Longest time that a hub may ask us to wait, in seconds."""
WANTED = (
    "config.json",
    "model.safetensors.index.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.json",
    "merges.txt",
    "special_tokens_map.json",
    "added_tokens.json",
    "chat_template.jinja",
    "chat_template.json",
    "generation_config.json",
    "LICENSE",
    "LICENSE.txt",
    "LICENSE.md",
    "NOTICE",
)
"""Files of a repository that a base needs beside its weights."""
WEIGHTS = ".safetensors"
MAX_FILES, MAX_BYTES = 1000, 1 << 42


class Refusal(Exception):
    """The hub said no, or could not be asked.

    problem: in words; retry: whether it may say yes later; after: seconds it asked us to wait, None when it did not
    """

    def __init__(self, problem: GpuError, retry: bool = False, after: float | None = None) -> None:
        super().__init__(str(problem))
        self.problem, self.retry, self.after = problem, retry, after


def endpoint_of(source: Source) -> str:
    """The address that files come from."""
    from huggingface_hub import constants

    return (source.endpoint or os.environ.get("HF_ENDPOINT") or constants.ENDPOINT).rstrip("/")


def usual(endpoint: str) -> bool:
    """Whether an address is the hub's own, not a mirror."""
    from huggingface_hub import constants

    return not endpoint or urlsplit(endpoint).hostname == urlsplit(constants._HF_DEFAULT_ENDPOINT).hostname


def open_client(source: Source, read_seconds: float) -> httpx.AsyncClient:
    """A client for a source. Takes a tenth of a second. Raises InputError for a proxy that is none."""
    from huggingface_hub.utils import httpx

    headers = {"User-Agent": APPLICATION, "Accept-Encoding": "identity"}
    if source.token:
        # the library takes it off when it follows a redirect to another host
        headers["Authorization"] = f"Bearer {source.token}"
    try:
        return httpx.AsyncClient(
            headers=headers,
            verify=_certificates(),
            proxy=source.proxy or None,
            follow_redirects=True,
            timeout=httpx.Timeout(read_seconds, connect=CONNECT_SECONDS, pool=None),
        )
    except (ValueError, ImportError, httpx.InvalidURL) as error:
        raise InputError(f"the proxy cannot be used: {error}", source.proxy, "correct it in the settings") from error


@functools.cache
def _certificates() -> ssl.SSLContext:
    """The certificates that are trusted; reading them takes longer than everything else about a client."""
    from huggingface_hub.utils import httpx

    return httpx.create_ssl_context()


def info_address(source: Source) -> str:
    """Where a hub says what a repository holds."""
    revision = quote(source.revision, safe="")
    return f"{endpoint_of(source)}/api/models/{source.repository}/revision/{revision}?blobs=true"


def file_address(source: Source, commit: str, path: str) -> str:
    """Where a hub gives a file."""
    return f"{endpoint_of(source)}/{source.repository}/resolve/{commit}/{quote(path)}"


async def ask(client: httpx.AsyncClient, source: Source) -> Manifest:
    """What the hub says of a repository. Raises Refusal, InputError for an answer that makes no sense."""
    from huggingface_hub.utils import httpx

    try:
        response = await client.get(info_address(source))
    except httpx.HTTPError as error:
        raise refusal_of_network(error, source) from error
    if response.status_code != 200:
        raise refusal_of_answer(response, source)
    try:
        return manifest_of(response.json(), source)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            "the answer is not what a hub says of a repository", endpoint_of(source), "check the mirror in the settings"
        ) from error


def manifest_of(answer: Mapping[str, Any], source: Source) -> Manifest:
    """What a base needs of the files that a hub lists. Raises InputError, and ValueError for a malformed list."""
    from huggingface_hub.hf_api import ModelInfo

    info = ModelInfo(**answer)
    files = []
    for entry in (info.siblings or [])[:MAX_FILES]:
        if wanted(entry.rfilename):
            size = entry.lfs.size if entry.lfs is not None else entry.size
            if type(size) is not int or not 0 <= size <= MAX_BYTES:
                raise ValueError("a file without a size")
            files.append(
                RemoteFile(
                    entry.rfilename,
                    size,
                    entry.lfs.sha256 if entry.lfs is not None else "",
                    "" if entry.lfs is not None else entry.blob_id or "",
                )
            )
    if not info.sha or not any(file.path.endswith(WEIGHTS) for file in files):
        raise InputError(f"'{source.repository}' has no safetensors weights", endpoint_of(source), "choose a Qwen3.5 model")
    return Manifest(source.repository, info.sha, tuple(sorted(files, key=lambda file: (file.size, file.path))))


def wanted(path: str) -> bool:
    """Whether a base needs a file of a repository. Only its top folder is looked at, so no name leads elsewhere."""
    return path in WANTED or (
        path.endswith(WEIGHTS) and path == os.path.basename(path) and "\\" not in path and not path.startswith(".")
    )


# ---------------------------------------------------------------- what answers mean
def refusal_of_answer(response: httpx.Response, source: Source, path: str = "") -> Refusal:
    """The refusal in an answer that is not what was asked for."""
    status, code = response.status_code, response.headers.get("X-Error-Code", "")
    host, what = urlsplit(str(response.url)).hostname or "", f"'{source.repository}'"
    if status == 429:
        after = wait_of(response.headers)
        return Refusal(EnvironmentProblem("the hub is busy and asks to wait (429)", host, "it goes on by itself"), True, after)
    if status == 408 or status >= 500:
        return Refusal(
            EnvironmentProblem(f"the hub has a problem of its own ({status})", host, "it goes on by itself"),
            True,
            wait_of(response.headers),
        )
    if code == "GatedRepo" or status == 403:
        return Refusal(
            InputError(
                f"access to {what} must be granted first ({status})",
                host,
                "accept its terms on the hub's website and give a token that may read it in the settings",
            )
        )
    if code == "RevisionNotFound":
        return Refusal(InputError(f"{what} has no revision '{source.revision}'", host, "begin the download anew"))
    if status == 404 and path:
        return Refusal(InputError(f"{what} has no file '{path}'", host, "begin the download anew, or choose another mirror"))
    if status == 401 and source.token:
        return Refusal(InputError("the hub refused the token (401)", host, "give a valid token in the settings, or none"))
    if status in (401, 404):
        return Refusal(
            InputError(
                f"the hub has no repository {what}, or it is private ({status})",
                host,
                "check the name, or give a token that may read it in the settings",
            )
        )
    return Refusal(
        EnvironmentProblem(
            f"the hub gave an answer that makes no sense here ({status})", host, "check mirror and proxy in the settings"
        )
    )


def refusal_of_network(error: Exception, source: Source) -> Refusal:
    """The refusal in a connection that did not come about or broke."""
    host = urlsplit(endpoint_of(source)).hostname or endpoint_of(source)
    said = str(error) or ("nothing came for too long" if "Timeout" in type(error).__name__ else type(error).__name__)
    if "CERTIFICATE_VERIFY_FAILED" in said:
        return Refusal(
            EnvironmentProblem(
                "the connection is not safe: the certificate cannot be checked",
                host,
                "a proxy or virus scanner may stand in between; ask whoever runs it",
            )
        )
    if "UnsupportedProtocol" in type(error).__name__ or "InvalidURL" in type(error).__name__:
        return Refusal(InputError(f"the address cannot be used: {said}", host, "correct the mirror in the settings"))
    return Refusal(EnvironmentProblem(f"no connection ({said})", host, "the download goes on by itself when it is back"), True)


def wait_of(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Seconds that an answer asks to wait: Retry-After in seconds or as a date; None when it does not say."""
    said = headers.get("Retry-After", "")
    try:
        seconds = float(said)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(said).timestamp() - (time.time() if now is None else now)
        except (ValueError, TypeError):
            return None
    return min(max(seconds, 0.0), LONGEST_WAIT) if seconds == seconds else None
