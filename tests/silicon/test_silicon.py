"""The GPU comparison with a driver that is a PTX interpreter: everything but the device itself."""

import ctypes
import json

import pytest

from tests.silicon import driver, run
from tests.truth import ptxsim
from toolchain.ptx import parse_ptx


class FakeDriver:
    """The driver's functions over host memory; a launch runs on the PTX interpreter. `spoil` changes every stored byte."""

    def __init__(self, spoil=0, fails=None):
        self.memory, self.modules, self.functions = {}, {}, {}
        self.next, self.spoil, self.fails = 1 << 32, spoil, fails
        self.levels, self.freed = [], 0

    def __getattr__(self, name):
        if name == self.fails:
            return lambda *arguments: 999
        raise AttributeError(name)

    def cuInit(self, flags):
        return 0

    def cuGetErrorString(self, status, out):
        out._obj.value = b"unspecified launch failure"
        return 0

    def cuDeviceGet(self, out, ordinal):
        return 0

    def cuDeviceGetName(self, buffer, size, device):
        buffer.value = b"Fake GPU (9 SM)"
        return 0

    def cuDeviceGetAttribute(self, out, attribute, device):
        out._obj.value = {driver.COMPUTE_MAJOR: 9, driver.COMPUTE_MINOR: 0}[attribute]
        return 0

    def cuDriverGetVersion(self, out):
        out._obj.value = 13000
        return 0

    def cuDevicePrimaryCtxRetain(self, out, device):
        return 0

    def cuCtxSetCurrent(self, context):
        return 0

    def cuModuleLoadDataEx(self, out, image, count, options, values):
        assert list(options) == [driver.JIT_OPTIMIZATION_LEVEL]
        self.levels.append(values[0] or 0)
        out._obj.value = len(self.modules) + 1
        self.modules[out._obj.value] = parse_ptx(image.value.decode())
        return 0

    def cuModuleUnload(self, module):
        del self.modules[module.value]
        return 0

    def cuModuleGetFunction(self, out, module, name):
        out._obj.value = len(self.functions) + 1
        ptx = self.modules[module.value]
        self.functions[out._obj.value] = ptx, next(f for f in ptx.functions if f.name == name.decode())
        return 0

    def cuMemAlloc_v2(self, out, size):
        out._obj.value, self.next = self.next, self.next + (1 << 32)
        self.memory[out._obj.value] = bytearray(size.value)
        return 0

    def cuMemFree_v2(self, place):
        del self.memory[place.value]
        self.freed += 1
        return 0

    def cuMemcpyHtoD_v2(self, place, content, size):
        self.memory[place.value][: size.value] = content[: size.value]
        return 0

    def cuMemcpyDtoH_v2(self, buffer, place, size):
        ctypes.memmove(buffer, bytes(b ^ self.spoil for b in self.memory[place.value]), size.value)
        return 0

    def cuCtxSynchronize(self):
        return 0

    def cuLaunchKernel(self, function, gx, gy, gz, bx, by, bz, shared, stream, pointers, extra):
        ptx, entry = self.functions[function.value]
        args = []
        for number, parameter in enumerate(entry.parameters):
            raw = ctypes.string_at(pointers[number], parameter.size)
            value = int.from_bytes(raw, "little")
            if value in self.memory:
                args.append({"name": str(value), "type": "uint8*", "value": list(self.memory[value])})
            else:
                args.append({"name": "", "type": "struct", "fields": ["uint8"] * parameter.size, "value": list(raw)})
        outputs = ptxsim.run(ptx, entry, (gx, gy, gz), (bx, by, bz), args, shared)
        for name, content in outputs.items():
            self.memory[int(name)][:] = bytes(content)
        return 0


NAMES = "vec_add,int64_arrays,scan_blelloch,bytes_signed_unsigned"


def test_all_launches_are_stored_under_the_gpus_name(tmp_path, capsys):
    fake = FakeDriver()
    assert run.main(["--only", NAMES, "--out", str(tmp_path / "gpu.json")], fake) == 0
    document = json.loads((tmp_path / "gpu.json").read_text())
    assert (document["gpu"], document["compute"], document["driver"]) == ("Fake GPU (9 SM)", "90", 13000)
    assert {entry["way"] for entry in document["launches"]} == set(run.JIT_LEVELS)
    assert set(fake.levels) == {0, 4}
    wanted = {(name, number): record["expect"] for name in NAMES.split(",")
              for number, record in enumerate(run.records(run.KERNELS / name))}  # fmt: skip
    assert {(e["kernel"], e["launch"]): e["arrays"] for e in document["launches"]} == wanted
    assert not fake.memory and not fake.modules and fake.freed
    assert "exact on Fake GPU" in capsys.readouterr().out


def test_other_arrays_are_named(tmp_path, capsys):
    assert run.main(["--only", "vec_add", "--out", str(tmp_path / "gpu.json")], FakeDriver(spoil=1)) == 1
    assert "vec_add[0] driver -O0: arrays differ" in capsys.readouterr().out


def test_a_failing_call_is_named_and_memory_given_back(tmp_path, capsys, monkeypatch):
    monkeypatch.delattr(FakeDriver, "cuCtxSynchronize")
    fake = FakeDriver(fails="cuCtxSynchronize")
    assert run.main(["--only", "vec_add", "--out", str(tmp_path / "gpu.json")], fake) == 1
    assert "cuCtxSynchronize: unspecified launch failure" in capsys.readouterr().out
    assert not fake.memory


def test_without_a_driver_it_says_so(capsys, monkeypatch):
    def missing(name):
        raise OSError("not found")

    monkeypatch.setattr(driver.ctypes, "CDLL", missing)
    assert run.main([]) == 5
    assert "no CUDA driver" in capsys.readouterr().err


def test_nvcc_is_asked_for_the_gpu_and_the_level(tmp_path, monkeypatch):
    seen = []

    def fake_run(command, **options):
        seen.append(command)
        (out,) = (command[k + 1] for k, part in enumerate(command) if part == "-o")
        run.Path(out).write_bytes(b"cubin")
        return run.subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(run.subprocess, "run", fake_run)
    image, _ = run.compiled(run.Path("nvcc"), "0")(run.KERNELS / "vec_add", driver.Gpu(FakeDriver()))
    assert image == b"cubin"
    assert "-arch=sm_90" in seen[0] and "-O0" in seen[0]


def test_a_source_that_nvcc_refuses_is_named(monkeypatch):
    done = run.subprocess.CompletedProcess([], 1, "", "error: no such file")
    monkeypatch.setattr(run.subprocess, "run", lambda *a, **k: done)
    with pytest.raises(driver.DriverError, match="no such file"):
        run.compiled(run.Path("nvcc"), "3")(run.KERNELS / "vec_add", driver.Gpu(FakeDriver()))
