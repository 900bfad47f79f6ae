"""The hub token: in the system's keychain, or, where there is none, in a file that only its owner can read.

A token belongs to one endpoint; another endpoint never gets it. Calls may ask the user for a password: use a thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Keychain:
    """Tokens by endpoint. folder: the config folder, where the fallback lies."""

    folder: Path

    def place(self) -> str:
        """Where a token is kept, for people: "the system keychain (NAME)" or the file's path."""
        raise NotImplementedError

    def token(self, endpoint: str = "") -> str:
        """The token of an endpoint ("" is the usual hub, whose HF_TOKEN and login count, too); "" when there is none."""
        raise NotImplementedError

    def keep(self, token: str, endpoint: str = "") -> str:
        """Keep a token; where it is now. Raises InputError for what is no token, EnvironmentProblem when it cannot be kept."""
        raise NotImplementedError

    def forget(self, endpoint: str = "") -> None:
        """Remove a token from wherever it is kept."""
        raise NotImplementedError
