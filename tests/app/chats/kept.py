"""Ways for a disk to refuse."""

import os


def full_disk(monkeypatch):
    """From now on a line is written by half, then the disk is full. Returns what makes room again."""
    real = os.write

    def write(handle, content):
        if len(content) < 2:
            raise OSError(28, "No space left on device")
        real(handle, content[: len(content) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("app.chats.journal.os.write", write)
    return lambda: monkeypatch.setattr("app.chats.journal.os.write", real)
