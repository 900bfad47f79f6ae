"""All recorded kernels on this computer's GPU: python -m tests.silicon.run [--nvcc PATH] [--only NAME,NAME] [--out FILE]

Runs NVIDIA's PTX of every kernel, translated by the driver without and with optimisation, and with `--nvcc` also what that
compiler makes of the source at -O0 and -O3. Stores the final arrays under the GPU's name in `tests/conformance/results`, where
the report finds them; exit code 1 when an array differs from the recorded one.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.silicon.driver import DriverError, Gpu, load_library
from toolchain.launch import ArrayArgument, Launch, parse_launch
from toolchain.ptx import find_entry, parse_ptx

KERNELS = Path(__file__).parents[1] / "truth" / "kernels"
RESULTS = Path(__file__).parents[1] / "conformance" / "results"
JIT_LEVELS = {"driver -O0": 0, "driver -O4": 4}
Way = Callable[[Path, Gpu], tuple[bytes, int]]
"""How a folder's kernel becomes an image for the GPU: (PTX or cubin, optimisation level of the driver)."""


def jit(level: int) -> Way:
    """NVIDIA's PTX beside the kernel, translated by the driver."""
    return lambda folder, gpu: ((folder / "nvcc-sm75.ptx").read_bytes(), level)


def compiled(nvcc: Path, level: str) -> Way:
    """The source through `nvcc` for this very GPU."""

    def image(folder: Path, gpu: Gpu) -> tuple[bytes, int]:
        with tempfile.TemporaryDirectory() as place:
            out = Path(place) / "kernel.cubin"
            command = [str(nvcc), "-cubin", f"-arch=sm_{gpu.compute}", f"-O{level}", "-Xptxas", f"-O{level}", "-std=c++17",
                       "-o", str(out), str(folder / "kernel.cu")]  # fmt: skip
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise DriverError(f"nvcc: {done.stderr.strip()[-300:]}")
            return out.read_bytes(), 4

    return image


def records(folder: Path) -> list[Mapping[str, Any]]:
    """The launches of a kernel."""
    return json.loads((folder / "launches.json").read_text())


def run_launch(gpu: Gpu, module: Any, entry: str, launch: Launch) -> dict[str, list[int | float]]:
    """One launch; the final content of every array."""
    parameters = [bytearray(a.content) if isinstance(a, ArrayArgument) else a.content for a in launch.arguments]
    contents = gpu.launch(module, entry, launch.grid, launch.block, launch.shared, parameters)
    return {array.name: decode(array, content) for array, content in zip(launch.arrays, contents, strict=True)}


def decode(array: ArrayArgument, content: bytes) -> list[int | float]:
    """Elements from bytes."""
    size = array.type.bytes
    return [array.type.decode(int.from_bytes(content[at : at + size], "little")) for at in range(0, len(content), size)]


def run_all(gpu: Gpu, ways: Mapping[str, Way], folders: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """{kernel, launch, way, arrays, exact} of everything; {kernel, way, error} for what the GPU or a compiler refuses."""
    for folder in folders:
        ptx = parse_ptx((folder / "nvcc-sm75.ptx").read_text())
        for name, way in ways.items():
            try:
                image, level = way(folder, gpu)
                module = gpu.load(image, level)
                for number, record in enumerate(records(folder)):
                    launch = parse_launch(record["launch"])
                    arrays = run_launch(gpu, module, find_entry(ptx, launch.kernel).name, launch)
                    exact = arrays == record["expect"]
                    yield {"kernel": folder.name, "launch": number, "way": name, "arrays": arrays, "exact": exact}
                gpu.unload(module)
            except DriverError as error:
                yield {"kernel": folder.name, "way": name, "error": str(error)}


def main(arguments: Sequence[str], library: Any = None) -> int:
    """Run, store, print a line for whatever is not exact."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args(arguments)
    try:
        gpu = Gpu(library or load_library())
    except DriverError as error:
        print(f"error: {error}", file=sys.stderr)
        return 5
    ways = {name: jit(level) for name, level in JIT_LEVELS.items()}
    if options.nvcc:
        ways |= {f"nvcc -O{level}": compiled(options.nvcc, level) for level in "03"}
    wanted = set(filter(None, options.only.split(",")))
    folders = [path.parent for path in sorted(KERNELS.glob("*/launches.json")) if not wanted or path.parent.name in wanted]
    found = list(run_all(gpu, ways, folders))
    out = options.out or RESULTS / f"silicon-{re.sub(r'[^A-Za-z0-9]+', '-', gpu.name).strip('-')}.json"
    out.parent.mkdir(parents=True, exist_ok=True)
    document = {"gpu": gpu.name, "compute": gpu.compute, "driver": gpu.driver, "ways": list(ways), "launches": found}
    out.write_text(json.dumps(document) + "\n")
    bad = [entry for entry in found if not entry.get("exact")]
    for entry in bad:
        print(f"{entry['kernel']}[{entry.get('launch', '')}] {entry['way']}: {entry.get('error', 'arrays differ')}")
    print(f"{len(found) - len(bad)} of {len(found)} exact on {gpu.name}; {out}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
