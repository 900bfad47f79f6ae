"""Draws the app's icon, four bars of which one is amber: `python packaging/icon.py FOLDER` writes `icon.png`, `.icns`, `.ico`.

Colours come from the interface's tokens; nothing is kept in the repository that could differ from them.
"""

from __future__ import annotations

import json
import os
import struct
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
BARS = ((1, 6, 8, "text"), (6, 1, 18, "computed"), (11, 3, 14, "text"), (16, 7, 6, "text"))
"""Left, top and height on a grid of 20, and which colour: the mark of the app's window."""
ICNS = {
    b"icp4": 16,
    b"icp5": 32,
    b"ic11": 32,
    b"ic12": 64,
    b"ic07": 128,
    b"ic13": 256,
    b"ic08": 256,
    b"ic14": 512,
    b"ic09": 512,
    b"ic10": 1024,
}
"""Apple's names of PNG pictures by their side in pixels; those at double density have names of their own."""
ICO = (16, 24, 32, 48, 64, 128, 256)


def colours() -> dict[str, str]:
    """Tile, bars and the amber bar, of the dark theme."""
    dark = json.loads((ROOT / "resources" / "ui" / "tokens.json").read_text(encoding="utf-8"))["color"]["dark"]
    return {"tile": dark["bg"]["canvas"], "text": dark["text"]["primary"], "computed": dark["computed"]["fill"]}


def png(side: int) -> bytes:
    """The icon as a PNG of so many pixels a side: a tile with the margin that macOS expects, the mark on it."""
    from PySide6.QtCore import QBuffer, QIODevice, QRectF, Qt
    from PySide6.QtGui import QColor, QImage, QPainter

    chosen = colours()
    image = QImage(side, side, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    unit = side / 32
    painter.setBrush(QColor(chosen["tile"]))
    painter.drawRoundedRect(QRectF(2.5 * unit, 2.5 * unit, 27 * unit, 27 * unit), 6 * unit, 6 * unit)
    for left, top, height, colour in BARS:
        painter.setBrush(QColor(chosen[colour]))
        painter.drawRoundedRect(QRectF((6 + left) * unit, (6 + top) * unit, 3 * unit, height * unit), unit, unit)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())


def icns(pictures: dict[int, bytes]) -> bytes:
    """An Apple icon of PNG pictures."""
    parts = b"".join(name + struct.pack(">I", len(pictures[side]) + 8) + pictures[side] for name, side in ICNS.items())
    return b"icns" + struct.pack(">I", len(parts) + 8) + parts


def ico(pictures: dict[int, bytes]) -> bytes:
    """A Windows icon of PNG pictures."""
    place = 6 + 16 * len(ICO)
    entries, bodies = b"", b""
    for side in ICO:
        entries += struct.pack("<BBBBHHII", side % 256, side % 256, 0, 0, 1, 32, len(pictures[side]), place + len(bodies))
        bodies += pictures[side]
    return struct.pack("<HHH", 0, 1, len(ICO)) + entries + bodies


def write(folder: Path) -> None:
    """All three files."""
    pictures = {side: png(side) for side in {*ICNS.values(), *ICO}}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "icon.png").write_bytes(pictures[512])
    (folder / "icon.icns").write_bytes(icns(pictures))
    (folder / "icon.ico").write_bytes(ico(pictures))


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    write(Path(sys.argv[1]))
