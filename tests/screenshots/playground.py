"""The Playground with a kernel that was compiled and run: the histogram of the gallery, worked out by the interpreter."""

from __future__ import annotations

from app.compute.kernels import launch_kernel
from app.playground.gallery import examples
from app.ui.playground import PlaygroundPage
from tests.app.fast import FastMachine


def show_run(page: PlaygroundPage) -> None:
    """Open the example, and answer as the worker would."""
    draft = next(draft for draft in examples() if draft.filename == "histogram.cu")
    record = launch_kernel(draft.source, draft.filename, draft.launch, FastMachine())
    page.open(draft)
    page.show_compiled({"ptx": record.ptx, "kernels": [{"name": record.function}]})
    page._compile_timer.stop()  # nobody would answer
    page.show_result(
        {
            "launch": {"id": "7c58e2a1", "prompt": len(record.prompt), "tokens": len(record.generated), "seconds": 0.3},
            "outputs": record.outputs,
        }
    )
