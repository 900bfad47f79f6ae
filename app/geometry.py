"""Where a window may be: never off-screen, never larger than its screen. Pure arithmetic in logical pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.preferences import Window

SMALLEST = (640, 400)
DEFAULT = (1280, 800)


@dataclass(frozen=True)
class Area:
    """The usable rectangle of a screen: without menu bar and dock."""

    x: int
    y: int
    width: int
    height: int

    def shared(self, window: Window) -> int:
        """Square pixels of a window that lie on it."""
        wide = min(self.x + self.width, window.x + window.width) - max(self.x, window.x)
        high = min(self.y + self.height, window.y + window.height) - max(self.y, window.y)
        return max(0, wide) * max(0, high)


def placed(saved: Window | None, screens: Sequence[Area]) -> Window:
    """Where to show a window. saved: where it was, None for the first time; screens: the primary one first, at least one.

    A window comes back where it was if it is wholly reachable there; otherwise it is moved onto the screen that shows most
    of it, or the primary one, and made no larger than that.
    """
    if saved is None:
        return _centred(screens[0])
    size = replace(saved, width=max(saved.width, SMALLEST[0]), height=max(saved.height, SMALLEST[1]))
    screen = max(screens, key=lambda area: area.shared(size))
    if screen.shared(size) == 0:
        return replace(_centred(screens[0], size.width, size.height), maximized=saved.maximized)
    width, height = min(size.width, screen.width), min(size.height, screen.height)
    x = min(max(size.x, screen.x), screen.x + screen.width - width)
    y = min(max(size.y, screen.y), screen.y + screen.height - height)
    return Window(x, y, width, height, saved.maximized)


def _centred(screen: Area, width: int = DEFAULT[0], height: int = DEFAULT[1]) -> Window:
    width, height = min(width, screen.width), min(height, screen.height)
    return Window(screen.x + (screen.width - width) // 2, screen.y + (screen.height - height) // 2, width, height)
