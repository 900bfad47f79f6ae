"""The Playground: a kernel, its launch and what comes of it, without a language model."""

from app.ui.playground.page import PlaygroundPage

__all__ = ["PlaygroundPage"]
