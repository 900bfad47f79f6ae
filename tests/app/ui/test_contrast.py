"""The colours of the theme, against WCAG 2.2: every pair that stands on a screen, computed from `tokens.json`."""

import json
from pathlib import Path

import pytest

import resources

COLORS = json.loads((Path(resources.__file__).parent / "ui" / "tokens.json").read_text(encoding="utf-8"))["color"]

MAIN, TEXT, GRAPHIC = 7.0, 4.5, 3.0
"""Least ratios: main text (AAA), other text (AA), controls and graphics."""
PAIRS = [
    *(
        ("text.primary", ground, MAIN)
        for ground in ("bg.canvas", "bg.sidebar", "bg.raised", "bg.selected", "bg.sunken", "computed.tint")
    ),
    *(
        ("text.secondary", ground, TEXT)
        for ground in ("bg.canvas", "bg.sidebar", "bg.raised", "bg.selected", "bg.hover", "warning.tint", "success.tint")
    ),
    *(("text.tertiary", ground, TEXT) for ground in ("bg.canvas", "bg.sidebar", "bg.sunken", "bg.raised", "bg.hover")),
    ("text.primary", "warning.tint", MAIN),
    ("text.primary", "error.tint", MAIN),
    ("text.primary", "accent.tint", MAIN),
    ("text.on_tooltip", "bg.tooltip", MAIN),
    ("text.on_tooltip_dim", "bg.tooltip", TEXT),
    *(("accent.on", ground, TEXT) for ground in ("accent.fill", "accent.hover", "accent.pressed")),
    *(("accent.text", ground, TEXT) for ground in ("bg.canvas", "bg.sidebar", "bg.raised", "accent.tint")),
    *(("accent.focus", ground, GRAPHIC) for ground in ("bg.canvas", "bg.sidebar", "bg.raised", "bg.selected")),
    *(("border.control", ground, GRAPHIC) for ground in ("bg.raised", "bg.canvas", "bg.sidebar", "bg.sunken")),
    *(
        ("computed.text", ground, TEXT)
        for ground in ("computed.tint", "computed.tint_hover", "computed.tint_pressed", "bg.canvas", "bg.sunken", "bg.raised")
    ),
    *(("computed.line", ground, GRAPHIC) for ground in ("computed.tint", "bg.canvas", "bg.raised")),
    *(("computed.fill", ground, GRAPHIC) for ground in ("bg.canvas", "bg.raised", "bg.sunken")),
    ("computed.fill", "computed.idle", 1.5),
    ("layer.base", "bg.canvas", GRAPHIC),
    ("layer.base", "bg.raised", GRAPHIC),
    *(
        (f"{tone}.text", ground, TEXT)
        for tone in ("success", "warning", "error")
        for ground in (f"{tone}.tint", "bg.canvas", "bg.raised")
    ),
    *((f"{tone}.fill", "bg.canvas", GRAPHIC) for tone in ("success", "warning", "error")),
    *((f"syntax.{name}", "bg.sunken", TEXT) for name in COLORS["light"]["syntax"]),
    ("bg.canvas", "text.secondary", TEXT),
]


def color(scheme: str, name: str) -> tuple[float, float, float]:
    group, key = name.split(".", 1)
    value = COLORS[scheme][group][key]
    assert len(value) == 7, f"{name} is not opaque, so it has no contrast of its own"
    return tuple(int(value[start : start + 2], 16) / 255 for start in (1, 3, 5))


def luminance(channels: tuple[float, float, float]) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(scheme: str, front: str, ground: str) -> float:
    lighter, darker = sorted((luminance(color(scheme, front)), luminance(color(scheme, ground))), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_the_formula_is_the_standards():
    assert luminance((1.0, 1.0, 1.0)) == pytest.approx(1.0)
    assert luminance((0.0, 0.0, 0.0)) == 0.0
    # WCAG's own well-known boundary: #767676 is the lightest grey that white text may stand on
    grey = (0x76 / 255,) * 3
    assert 4.5 <= 1.05 / (luminance(grey) + 0.05) < 4.6


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("front", "ground", "least"), PAIRS)
def test_every_pair_is_readable(scheme, front, ground, least):
    assert contrast(scheme, front, ground) >= least


def test_both_schemes_have_the_same_names():
    light, dark = (
        {f"{group}.{name}" for group, names in COLORS[scheme].items() for name in names} for scheme in ("light", "dark")
    )
    assert light == dark
