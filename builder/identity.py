"""Which weights this version makes of a specification, and whether their exactness has been proven.

Compiling is deterministic, so the sources name the weights. The proof (`builder.check`) takes longer than compiling; its
verdict holds for as long as the sources stay the same, so it is kept beside them and whoever changes a circuit runs it again:
`python -m builder`. Imports nothing heavy, since every command asks for the identity.
"""

from __future__ import annotations

import hashlib
import json
from importlib import resources

from engine.machine.spec import MachineSpec

SOURCES = {
    "builder": ("check", "geometry", "netlist", "place", "ranges", "sums", "tensors"),
    "builder.circuits": None,
    "engine.machine": ("container", "instructions", "program", "spec", "state_map", "tokens"),
}
"""Modules that decide the weights and their proof, by package; None means all of a package."""
RECORD = "proven.json"


def builder_hash() -> str:
    """sha256 (hex) over the sources that decide the weights, by package and module name."""
    digest = hashlib.sha256()
    for package, modules in SOURCES.items():
        files = {
            file.name.removesuffix(".py"): file for file in resources.files(package).iterdir() if file.name.endswith(".py")
        }
        for name in sorted(files) if modules is None else modules:
            digest.update(f"{package}.{name}\0".encode() + files[name].read_bytes() + b"\0")
    return digest.hexdigest()


def is_proven(spec: MachineSpec) -> bool:
    """True when the proof has passed on exactly these sources and this specification."""
    record = resources.files("builder") / RECORD
    return record.is_file() and json.loads(record.read_text("utf-8")) == proof_record(spec)


def proof_record(spec: MachineSpec) -> dict[str, object]:
    """What a passed proof is kept as."""
    return {"builder": builder_hash(), "spec": json.loads(spec.to_json())}
