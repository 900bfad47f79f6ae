"""The picture of the layers: lit exactly as told, readable without eyes, no wider than its room."""

import pytest
from PySide6.QtCore import QPointF

from app.layers import layers
from app.ui.assistant.layers_picture import LayersPicture, columns


def colors(picture):
    """The fill in the middle of every layer's MLP bar, just below the line."""
    image = picture.grab().toImage()
    scale, ratio = picture.width() / picture.sizeHint().width(), image.devicePixelRatio()
    line = 16 + 88 + 3 + 2.5
    return [image.pixelColor(round((column.left + 4) * scale * ratio), round(line * ratio)).name() for column in columns()]


@pytest.mark.parametrize(("finished", "current"), [(0, None), (0, 0), (30, 30), (45, 45), (52, 52), (69, None)])
def test_exactly_the_written_layers_are_lit(qtbot, look, finished, current):
    picture = LayersPicture()
    qtbot.addWidget(picture)
    picture.resize(picture.sizeHint())
    picture.show_layers(finished, current)
    drawn = colors(picture)
    compiled, copied = look.color("computed.fill").name(), look.color("layer.base").name()
    lit_ones = [index for index, color in enumerate(drawn) if color == (compiled if index < 45 else copied)]
    assert lit_ones == list(range(finished))
    working = [
        index
        for index, color in enumerate(drawn)
        if color == look.color("computed.idle" if index < 45 else "bg.selected").name()
    ]
    assert working == ([] if current is None else [current])


def test_it_says_what_it_shows(qtbot):
    picture = LayersPicture()
    qtbot.addWidget(picture)
    picture.show_layers(30, 30)
    assert picture.accessibleName() == "30 of 69 layers are written. Layer 30 · Stage 4, arithmetic"


def test_every_layer_can_be_pointed_at_in_any_width(qtbot):
    picture = LayersPicture()
    qtbot.addWidget(picture)
    for width in (724, 500, 1100):
        picture.resize(width, picture.sizeHint().height())
        scale = width / picture.sizeHint().width()
        found = [picture.layer_at(QPointF((column.left + 4) * scale, 50)) for column in columns()]
        assert found == [layer.index for layer in layers()]
