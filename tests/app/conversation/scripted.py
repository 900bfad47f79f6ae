"""A language model that says what it is told to: its tokens are characters, its likeliest token is the script's next one."""

from app.compute.library import load_library
from app.conversation.grammar import ExpressionGrammar
from app.conversation.messages import CALL_OPEN, KERNEL_BETWEEN, KERNEL_OPEN, PARAMETER_END
from app.conversation.options import PLAIN

END, CALL, THOUGHT = 0x110000, 0x110001, 0x110002
SPELLED = {END: "", CALL: "<tool_call>", THOUGHT: ""}
BEGIN = "<tool_call>"


def kernel(source, launch):
    """The script of a kernel's call."""
    return f"(kernel){source}{KERNEL_BETWEEN}{launch}{PARAMETER_END}"


class Scripted:
    """script: what it writes each time it is asked, "(call)" in front of a call, "(thought)" behind thinking; then END."""

    limit, ends, opening, thought_end, limit_context = 0x110003, frozenset({END}), CALL, THOUGHT, 10_000
    writes_kernels = True

    def __init__(self, *script, repairs=2, refusal=None):
        self.repairs, self.refused = repairs, refusal
        self.script, self.prompts, self.asked, self.read = list(script), [], [], []
        self._left = []

    def refusal(self, text):
        return self.refused

    def prompt(self, messages, options=PLAIN):
        self.prompts.append(list(messages))
        self.asked.append(options)
        return [ord(letter) for message in messages for letter in f"{message.text}{message.call or ''}"]

    def encode(self, text):
        return [ord(letter) for letter in text]

    def decode(self, tokens):
        return "".join(SPELLED[token] if token in SPELLED else chr(token) for token in tokens)

    def grammar(self, messages, names):
        return ExpressionGrammar(load_library(), names)

    def begin(self, tokens, ask=None):
        self.read = list(tokens)
        said = self.script.pop(0) if self.script else ""
        thought, mark, rest = said.partition("(thought)")
        self._left = [*map(ord, thought), THOUGHT, *map(ord, "\n\n")] if mark else []
        rest = rest if mark else said
        for name, opening in (("(call)", CALL_OPEN), ("(kernel)", KERNEL_OPEN)):
            text, found, call = rest.partition(name)
            if found:
                self._left += [*map(ord, text), CALL, *map(ord, opening.removeprefix(BEGIN)), *map(ord, call)]
                return
        self._left += [*map(ord, rest), END]

    def feed(self, tokens):
        self.read += tokens
        self._left = self._left[len(tokens) :]

    def ranked(self):
        return [*self._left[:1], *map(ord, "0123456789,()[]abcdefghijklmnopqrstuvwxyz -x"), END]

    def candidates(self, count):
        return [(token, -float(rank)) for rank, token in enumerate(self.ranked()[:count])]
