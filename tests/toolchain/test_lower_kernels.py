"""Real kernels, compiled by zig's clang and by nvcc, lowered and interpreted: the recorded final arrays, exactly."""

import functools

import pytest

from engine.machine.errors import LimitExceeded, UnsupportedError
from tests.toolchain.lowered import KERNELS, launch, truth_launches
from toolchain.compiler import compile_cuda

NAMES = sorted(path.parent.name for path in KERNELS.glob("*/launches.json"))
QUICK = {
    "vec_add",
    "dot_atomic",
    "reduce_shuffle",
    "last_block_done",
    "nested_divergence",
    "switch_ops",
    "int64_arrays",
    "match_any",
    "compact_ballot",
    "relax_until_stable",
    "cas_lock_in_warp",
    "early_return",
    "local_array_sort",
    "constant_sbox",
    "grid3d_linear",
    "bytes_signed_unsigned",
    "functor_lambda",
    "signed_divmod",
    "syncwarp_exchange",
}
"""One of each kind; the others are marked slow."""


@functools.cache
def source(name, compiler):
    """The kernel's PTX, and the name of the source in its line table."""
    if compiler == "nvcc":
        return (KERNELS / name / "nvcc-sm75.ptx").read_text(), None
    compiled = compile_cuda((KERNELS / name / "kernel.cu").read_text())
    return compiled.ptx, compiled.source_name


def cases():
    for name in NAMES:
        for number, record in enumerate(truth_launches(name)):
            slow = name not in QUICK or number > 1 or not record["tiny"]
            for compiler in ("zig", "nvcc"):
                yield pytest.param(
                    name, number, compiler, id=f"{name}-{number}-{compiler}", marks=[pytest.mark.slow] if slow else []
                )


@pytest.mark.parametrize(("name", "number", "compiler"), list(cases()))
def test_kernel_gives_the_recorded_arrays(name, number, compiler):
    record = truth_launches(name)[number]
    ptx, source_name = source(name, compiler)
    if "float" in record["features"]:
        with pytest.raises(UnsupportedError, match="floating-point"):
            launch(ptx, record["launch"], source_name=source_name)
        return
    try:
        outcome = launch(ptx, record["launch"], source_name=source_name)
    except LimitExceeded as limit:
        assert not record["tiny"]
        assert limit.extra["needed"] > limit.extra["available"]
        return
    assert outcome.fault is None
    assert outcome.outputs == record["expect"]


def test_float_names_the_source_line():
    ptx, source_name = source("f_saxpy", "zig")
    with pytest.raises(UnsupportedError, match=r"floating-point arithmetic \(fma.rn.f32\) - kernel f_saxpy, line 4"):
        launch(ptx, truth_launches("f_saxpy")[0]["launch"], source_name=source_name)
