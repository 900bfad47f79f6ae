"""The launch inspector: a panel that shows a launch record as result, kernel, machine and proof."""

from app.ui.inspector.panel import InspectorPanel

__all__ = ["InspectorPanel"]
