"""A language model that says what it is told to: its tokens are characters, its likeliest token is the script's next one."""

from app.compute.library import load_library
from app.conversation.grammar import ExpressionGrammar
from app.conversation.messages import CALL_OPEN

END, CALL = 0x110000, 0x110001
SPELLED = {END: "", CALL: "<tool_call>"}


class Scripted:
    """script: what it writes each time it is asked, "(call)" in front of a call; everything after it is END."""

    limit, ends, opening, limit_context = 0x110002, frozenset({END}), CALL, 10_000

    def __init__(self, *script, repairs=2, refusal=None):
        self.repairs, self.refused = repairs, refusal
        self.script, self.prompts, self.read = list(script), [], []
        self._left = []

    def refusal(self, text):
        return self.refused

    def prompt(self, messages):
        self.prompts.append(list(messages))
        return [ord(letter) for message in messages for letter in f"{message.text}{message.call or ''}"]

    def encode(self, text):
        return [ord(letter) for letter in text]

    def decode(self, tokens):
        return "".join(SPELLED[token] if token in SPELLED else chr(token) for token in tokens)

    def grammar(self, conversation):
        return ExpressionGrammar(load_library(), conversation.names)

    def begin(self, tokens):
        self.read = list(tokens)
        said, call, expression = (self.script.pop(0) if self.script else "").partition("(call)")
        self._left = [*map(ord, said), *([CALL, *map(ord, CALL_OPEN.removeprefix("<tool_call>")), *map(ord, expression)] if call
                                         else [END])]

    def feed(self, tokens):
        self.read += tokens
        self._left = self._left[len(tokens):]

    def ranked(self):
        return [*self._left[:1], *map(ord, "0123456789,()[]abcdefghijklmnopqrstuvwxyz -x"), END]
