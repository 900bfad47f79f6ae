"""A picture as a small file: few colours, well chosen, nearest for the rest."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPixmap

COLORS, SPREAD = 128, 96
"""Colours of a picture, and how many of them are spread over all shades before the most frequent ones fill the rest."""
SHADE = np.uint32(0xF0F0F0)
"""Colours that agree in these bits are one shade."""


def save_small(picture: QPixmap, path: Path) -> None:
    """Write a PNG. Screens of text have few colours, so nobody sees what is merged."""
    image = picture.toImage().convertToFormat(QImage.Format.Format_RGB32)
    rows = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.bytesPerLine() // 4)[:, : image.width()]
    small = image.convertToFormat(QImage.Format.Format_Indexed8, color_table(rows), Qt.ImageConversionFlag.AvoidDither)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not small.save(str(path), "PNG", 0):
        raise OSError(f"{path} cannot be written")


def color_table(pixels: np.ndarray) -> list[int]:
    """The most frequent colour of each of the most frequent shades, then the most frequent colours of all."""
    values, counts = np.unique(pixels, return_counts=True)
    order = np.argsort(-counts)
    values, counts = values[order], counts[order]
    _, first, shade = np.unique(values & SHADE, return_index=True, return_inverse=True)
    weight = np.bincount(shade, counts)
    spread = first[np.argsort(-weight)][:SPREAD]
    rest = [place for place in range(len(values)) if place not in set(spread.tolist())][: COLORS - len(spread)]
    return [int(values[place]) for place in (*spread, *rest)]
