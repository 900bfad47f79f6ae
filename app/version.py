"""Which version of the program this is."""

from __future__ import annotations

from importlib import metadata


def version() -> str:
    """The installed version of this program."""
    try:
        return metadata.version("qwengpu-desktop")
    except metadata.PackageNotFoundError:
        return "unknown (not installed)"
