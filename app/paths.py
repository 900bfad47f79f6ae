"""Where the program keeps its files: the platform's own folders, or what the XDG variables say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

APPLICATION = "qwengpu"


@dataclass(frozen=True)
class Paths:
    """The folders of one user. None of them needs to exist.

    config: settings; cache: what can be made again; data: checkpoints and what else the user would miss; logs: log files
    """

    config: Path
    cache: Path
    data: Path
    logs: Path

    @classmethod
    def of_user(cls) -> Paths:
        """The present user's folders."""
        from platformdirs import PlatformDirs

        folders = PlatformDirs(APPLICATION, appauthor=False)
        return cls(folders.user_config_path, folders.user_cache_path, folders.user_data_path, folders.user_log_path)

    @property
    def settings(self) -> Path:
        """The settings file."""
        return self.config / "settings.json"

    @property
    def checkpoints(self) -> Path:
        """Where built checkpoints go unless the user says otherwise."""
        return self.data / "checkpoints"

    @property
    def chats(self) -> Path:
        """Where conversations lie."""
        return self.data / "chats"

    @property
    def chat_index(self) -> Path:
        """The list of all chats with their words; made again when it is missing."""
        return self.cache / "chats.sqlite"

    @property
    def launches(self) -> Path:
        """Where the records of launches lie."""
        return self.data / "launches"

    @property
    def models(self) -> Path:
        """Where downloaded language models go unless the user says otherwise."""
        return self.data / "models"

    @property
    def libraries(self) -> Path:
        """Where what was compiled for this computer lies."""
        return self.cache / "libraries"

    @property
    def machines(self) -> Path:
        """Where prepared embedded machines lie."""
        return self.cache / "machines"
