"""Where things lie in the machine's memory.

Everything lives in one word-addressed memory: the arrays of the launch, shared and constant variables, device globals, each
thread's local memory, and a few words of the lowering's own. Arrays start at multiples of the lanes; each has a tag, which
loads and stores compare. A pointer's numeric value is its byte address, 4 times the word address; the words of line 0 belong
to nothing, so that a null pointer faults.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from engine.machine.errors import LimitExceeded
from engine.machine.program import Allocation
from engine.machine.spec import BYTES_PER_WORD, MachineSpec

Content = bytes
"""The type, where a field has its name."""


@dataclass(frozen=True, slots=True)
class MemoryObject:
    """An array in memory.

    name:     how messages call it
    space:    "global", "shared", "const", "local" or "system" (the lowering's own)
    base:     first word; words: how many
    bytes:    how many bytes of it exist; an access beyond them must fault even inside the last word
    tag:      array id
    content:  first bytes; the rest is zero
    argument: True for an array that the launch passes; its content is an output
    """

    name: str
    space: str
    base: int
    words: int
    bytes: int
    tag: int
    content: Content = b""
    argument: bool = False

    @property
    def address(self) -> int:
        """The numeric value of a pointer to its start."""
        return self.base * BYTES_PER_WORD

    def allocation(self) -> Allocation:
        """The array as the program declares it."""
        padded = self.content + bytes(-len(self.content) % BYTES_PER_WORD)
        data = tuple(int.from_bytes(padded[i : i + BYTES_PER_WORD], "little") for i in range(0, len(padded), BYTES_PER_WORD))
        return Allocation(self.name, self.base, self.words, self.tag, data if any(data) else ())


@dataclass
class MemoryMap:
    """Hands out memory, from the first line behind line 0 upwards."""

    spec: MachineSpec
    kernel: str
    objects: list[MemoryObject] = field(default_factory=list)

    def allocate(self, name: str, space: str, size: int, content: bytes = b"", argument: bool = False,
                 multiple: int = 1) -> MemoryObject:  # fmt: skip
        """A new array of `size` bytes, at a multiple of so many words while there is room to spare.

        Raises LimitExceeded when words or array ids run out, naming everything so far.
        """
        spec, where = self.spec, f"kernel {self.kernel}, array {name}"
        words = -(-size // BYTES_PER_WORD)
        base = self._free()
        aligned = -(-base // multiple) * multiple
        if aligned + words <= spec.words // 2:
            base = aligned
        if base + words > spec.words:
            raise LimitExceeded("memory words", base + words, spec.words, where, "use smaller arrays")
        tag = len(self.objects) + 1
        if tag >= spec.tags:
            raise LimitExceeded("arrays", tag, spec.tags - 1, where, "pass fewer arrays, or several in one")
        made = MemoryObject(name, space, base, words, size, tag, content, argument)
        self.objects.append(made)
        return made

    def extend(self, obj: MemoryObject, size: int) -> MemoryObject:
        """Make the last array longer by `size` bytes. Raises LimitExceeded when the words run out."""
        longer = replace(obj, words=obj.words + size // BYTES_PER_WORD, bytes=obj.bytes + size)
        if obj is not self.objects[-1]:
            raise AssertionError("only the last array can grow")
        self.spec.require(
            "memory words",
            longer.base + longer.words,
            self.spec.words,
            f"kernel {self.kernel}, array {obj.name}",
            "use smaller arrays",
        )
        self.objects[-1] = longer
        return longer

    def _free(self) -> int:
        """The first word of the next array: behind the last one, at a line."""
        lanes = self.spec.lanes
        end = max((o.base + max(1, o.words) for o in self.objects), default=lanes)
        return -(-end // lanes) * lanes

    def by_tag(self, tag: int) -> MemoryObject | None:
        """The array with this id."""
        return self.objects[tag - 1] if 0 < tag <= len(self.objects) else None

    def allocations(self) -> tuple[Allocation, ...]:
        """All arrays, as the program declares them."""
        return tuple(o.allocation() for o in self.objects if o.words)
