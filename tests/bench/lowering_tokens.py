"""A table of what the recorded kernels cost: prompt and generated tokens, program blocks, and the seconds of lowering.

python -m tests.bench.lowering_tokens [zig|nvcc] [NAME ..]
"""

import sys
import time

from tests.toolchain.lowered import KERNELS, launch, truth_launches
from toolchain.compiler import compile_cuda
from toolchain.launch import parse_launch
from toolchain.lower import lower
from toolchain.ptx import parse_ptx


def main(arguments: list[str]) -> None:
    """Print the table; a launch that is refused shows why."""
    compiler = arguments[0] if arguments else "zig"
    names = arguments[1:] or sorted(path.parent.name for path in KERNELS.glob("*/launches.json"))
    print(f"{'kernel':32}{'generated':>10}{'blocks':>8}{'lowered in':>12}")
    total = 0
    for name in names:
        source = (KERNELS / name / "kernel.cu").read_text()
        ptx = compile_cuda(source).ptx if compiler == "zig" else (KERNELS / name / "nvcc-sm75.ptx").read_text()
        for number, record in enumerate(truth_launches(name)):
            if not record["tiny"] or "float" in record["features"]:
                continue
            start = time.perf_counter()
            blocks = len(lower(parse_ptx(ptx), parse_launch(record["launch"])).program.blocks)
            seconds = time.perf_counter() - start
            outcome = launch(ptx, record["launch"])
            exact = outcome.fault is None and outcome.outputs == record["expect"]
            print(f"{name + f'[{number}]':32}{outcome.tokens:10,}{blocks:8}{seconds:10.2f} s{'' if exact else '   WRONG'}")
            total += outcome.tokens
    print(f"{'sum':32}{total:10,}")


if __name__ == "__main__":
    main(sys.argv[1:])
