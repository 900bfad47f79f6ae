"""Which version of the program this is."""

from __future__ import annotations


def version() -> str:
    """The installed version of this program."""
    from importlib import metadata  # takes as long as a page of the window

    try:
        return metadata.version("qwengpu-desktop")
    except metadata.PackageNotFoundError:
        return "unknown (not installed)"
