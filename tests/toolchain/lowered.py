"""Lower a launch and run it on the reference interpreter."""

import json
from dataclasses import dataclass
from pathlib import Path

from engine.machine.errors import FaultError
from engine.machine.interpreter import Interpreter
from engine.machine.tokens import Token
from toolchain.launch import parse_launch
from toolchain.lower import Lowered, lower
from toolchain.ptx import parse_ptx

KERNELS = Path(__file__).parents[1] / "truth" / "kernels"
TOKEN_LIMIT = 400_000

HEAD = ".version 7.5\n.target sm_75\n.address_size 64\n"


@dataclass(frozen=True)
class Outcome:
    """What a launch did: final arrays, generated tokens, its fault in the user's words or None."""

    outputs: dict
    tokens: int
    fault: FaultError | None
    lowered: Lowered


def launch(ptx: str, document: dict, limit: int = TOKEN_LIMIT, source_name: str | None = "kernel.cu") -> Outcome:
    """Lower and run; fails when the launch does not end within `limit` tokens."""
    lowered = lower(parse_ptx(ptx, source_name), parse_launch(document))
    machine = Interpreter()
    token = machine.load(lowered.program)[-1]
    count, following = 0, machine.step(token)
    while following is not None:
        count, token = count + 1, following
        assert count <= limit, f"no end within {limit} tokens"
        following = machine.step(token)
    fault = None
    if token.kind == "FAULT":
        address = machine.faulted.address if machine.faulted else None
        fault = lowered.describe_fault(token.fields[0], machine.block, machine.warp, address)
    else:
        assert token == Token("END")
    return Outcome(lowered.read_outputs(machine.memory), count, fault, lowered)


def array(name: str, kind: str, values_or_size) -> dict:
    """A pointer argument of LAUNCH.json."""
    key = "size" if isinstance(values_or_size, int) else "value"
    return {"name": name, "type": f"{kind}*", key: values_or_size}


def scalar(name: str, kind: str, value) -> dict:
    """A scalar argument of LAUNCH.json."""
    return {"name": name, "type": kind, "value": value}


def one_dimensional(threads: int, args: list, kernel: str = "k", blocks: int = 1, shared: int = 0) -> dict:
    """A launch of `blocks` x `threads`."""
    return {"kernel": kernel, "grid": [blocks], "block": [threads], "shared": shared, "args": args}


def kernel_ptx(body: str, parameters: int = 4, before: str = "", declarations: str = "") -> str:
    """A PTX kernel `k` with pointer parameters p0 .. whose addresses are in %d0 .., the thread's index in %r0."""
    listed = ", ".join(f".param .u64 p{i}" for i in range(parameters))
    loads = "".join(f"ld.param.u64 %d{i}, [p{i}];\n" for i in range(parameters))
    return (
        f"{HEAD}{before}\n.visible .entry k({listed})\n{{\n.reg .pred %p<12>;\n.reg .b16 %h<12>;\n.reg .b32 %r<40>;\n"
        f".reg .b64 %d<40>;\n.reg .f32 %f<4>;\n{declarations}\n{loads}mov.u32 %r0, %tid.x;\n{body}\nret;\n}}\n"
    )


def truth_launches(name: str) -> list[dict]:
    """The recorded launches of one of the kernels in tests/truth."""
    return json.loads((KERNELS / name / "launches.json").read_text())
