"""The icon's files are what macOS and Windows read, and show four bars of which one is amber."""

import struct

import pytest
from scripts import load

icon = load("icon")


@pytest.fixture(scope="module")
def pictures():
    return {side: icon.png(side) for side in {*icon.ICNS.values(), *icon.ICO}}


def test_an_apple_icon_is_a_list_of_pictures(pictures):
    content = icon.icns(pictures)
    assert content[:4] == b"icns" and struct.unpack(">I", content[4:8])[0] == len(content)
    place, found = 8, {}
    while place < len(content):
        name, length = content[place : place + 4], struct.unpack(">I", content[place + 4 : place + 8])[0]
        found[name] = struct.unpack(">II", content[place + 8 + 16 : place + 8 + 24])  # width and height of a PNG
        place += length
    assert found == {name: (side, side) for name, side in icon.ICNS.items()}


def test_a_windows_icon_points_at_its_pictures(pictures):
    content = icon.ico(pictures)
    assert struct.unpack("<HHH", content[:6]) == (0, 1, len(icon.ICO))
    for number, side in enumerate(icon.ICO):
        width, _, _, _, planes, bits, length, place = struct.unpack("<BBBBHHII", content[6 + 16 * number : 22 + 16 * number])
        assert (width or 256, planes, bits) == (side, 1, 32) and content[place : place + length] == pictures[side]


def test_one_bar_is_amber(pictures):
    from PySide6.QtGui import QColor, QImage

    image = QImage.fromData(pictures[512], "PNG")
    chosen, unit = icon.colours(), 512 / 32
    for left, top, height, colour in icon.BARS:
        middle = image.pixelColor(round((6 + left + 1.5) * unit), round((6 + top + height / 2) * unit))
        assert middle == QColor(chosen[colour])
    assert [colour for *_, colour in icon.BARS].count("computed") == 1 and image.pixelColor(0, 0).alpha() == 0


def test_the_mark_is_that_of_the_window():
    from app.ui.sidebar import sidebar

    assert [(*bar[:3], bar[3] == "computed") for bar in icon.BARS] == list(sidebar._BARS)
