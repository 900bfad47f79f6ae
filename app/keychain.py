"""The hub token: in the system's keychain, or, where there is none, in a file that only its owner can read.

A token belongs to one endpoint; another endpoint never gets it. Calls may ask the user for a password: use a thread.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from app.files import reason, replace_file
from app.paths import APPLICATION
from engine.machine.errors import EnvironmentProblem, InputError

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

FILE = "tokens.json"
USUAL = "hub"
"""What the usual hub is called where tokens are kept; others are called by their host."""
_TOKEN = re.compile(r"[!-~]{4,500}")


@dataclass(frozen=True)
class Keychain:
    """Tokens by endpoint. folder: the config folder, where the fallback lies."""

    folder: Path

    def place(self) -> str:
        """Where a token is kept, for people: "the system keychain (NAME)" or the file's path."""
        backend = _backend()
        return f"{self._file} (this computer has no keychain)" if backend is None else f"the system keychain ({backend.name})"

    def token(self, endpoint: str = "") -> str:
        """The token of an endpoint ("" is the usual hub, whose HF_TOKEN and login count, too); "" when there is none."""
        name = _name(endpoint)
        return _ask(name) or self._read().get(name, "") or (_token_of_login() if name == USUAL else "")

    def keep(self, token: str, endpoint: str = "") -> str:
        """Keep a token; where it is now. Raises InputError for what is no token, EnvironmentProblem when it cannot be kept."""
        token, name = token.strip(), _name(endpoint)
        if not _TOKEN.fullmatch(token):
            raise InputError("this is no access token", "token", "copy it from the hub's website, without spaces")
        backend = _backend()
        if backend is not None:
            try:
                backend.set_password(APPLICATION, name, token)
            except Exception as error:  # keychains are plug-ins, and each fails in its own way
                raise EnvironmentProblem(
                    f"the keychain did not take the token: {reason(error)}", backend.name, "unlock it and try again"
                ) from error
            self._forget_file(name)
            return self.place()
        self._write({**self._read(), name: token})
        return self.place()

    def forget(self, endpoint: str = "") -> None:
        """Remove a token from wherever it is kept."""
        name, backend = _name(endpoint), _backend()
        if backend is not None and _ask(name):
            try:
                backend.delete_password(APPLICATION, name)
            except Exception as error:
                raise EnvironmentProblem(
                    f"the keychain did not give the token up: {reason(error)}", backend.name, "unlock it and try again"
                ) from error
        self._forget_file(name)

    # ------------------------------------------------------------ the fallback
    @property
    def _file(self) -> Path:
        return self.folder / FILE

    def _read(self) -> dict[str, str]:
        try:
            value = json.loads(self._file.read_bytes())
        except (OSError, ValueError):
            return {}
        return {str(name): token for name, token in value.items() if isinstance(token, str)} if isinstance(value, dict) else {}

    def _write(self, tokens: dict[str, str]) -> None:
        try:
            replace_file(self._file, json.dumps(tokens).encode())  # readable by its owner only, from its first byte on
        except OSError as error:
            raise EnvironmentProblem(
                f"the token cannot be kept: {reason(error)}", str(self._file), "make the folder writable, or set HF_TOKEN"
            ) from error

    def _forget_file(self, name: str) -> None:
        tokens = self._read()
        if tokens.pop(name, None) is not None:
            self._write(tokens)


def _name(endpoint: str) -> str:
    """What an endpoint's token is filed under."""
    from app.hub.client import endpoint_of, usual
    from app.hub.model import Source

    address = endpoint_of(Source(endpoint=endpoint))
    return USUAL if usual(address) else urlsplit(address).netloc


def _backend() -> KeyringBackend | None:
    """The system's keychain; None where there is none that keeps a secret."""
    try:
        import keyring

        backend = keyring.get_keyring()
        return backend if backend.priority >= 1 else None
    except Exception:  # a broken keychain service is none
        return None


def _ask(name: str) -> str:
    backend = _backend()
    try:
        return (backend.get_password(APPLICATION, name) if backend is not None else None) or ""
    except Exception:  # locked, or the user said no
        return ""


def _token_of_login() -> str:
    """What HF_TOKEN or the hub's own command line says."""
    from huggingface_hub import get_token

    if "HF_OIDC_RESOURCE" in os.environ:  # would ask a server
        return ""
    return get_token() or ""
