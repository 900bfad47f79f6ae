"""Greedy replies of the small model, with the grammar inside calls."""

from dataclasses import dataclass

import torch
from tokenizers import Tokenizer
from transformers import Qwen3_5ForCausalLM

from builder.embedded.chat import CALL, CALL_END, END, MARKS, Turn, encode, mark_id, render
from builder.embedded.grammar import CallGrammar

LONGEST_REPLY = 400


@dataclass(frozen=True)
class Reply:
    """A call, or a text without one; not ``ended`` where the model would not stop."""

    call: str
    text: str
    ended: bool


class Speaker:
    """A model with its tokenizer and what its tokens spell."""

    def __init__(self, model: Qwen3_5ForCausalLM, tokenizer: Tokenizer) -> None:
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.call, self.call_end, self.end = (mark_id(tokenizer, mark) for mark in (CALL, CALL_END, END))
        self._marks = {mark_id(tokenizer, mark) for mark in MARKS}
        size = tokenizer.get_vocab_size()
        self.spelling = ["" if token in self._marks else tokenizer.decode([token]) for token in range(size)]

    def choose(self, logits: torch.Tensor, prefix: str, grammar: CallGrammar) -> int:
        """The likeliest token that may come next in a call; the end of the call where nothing may."""
        if grammar.complete(prefix):
            return self.call_end
        for token in logits.argsort(descending=True).tolist():
            if self.spelling[token] and grammar.allows(prefix + self.spelling[token]):
                return token
        return self.call_end

    @torch.no_grad()
    def reply(self, turns: list[Turn], user: str, *, free: bool = False) -> Reply:
        """The greedy reply to a question: its call, or its text."""
        grammar = grammar_of(turns, user)
        fed = torch.tensor([encode(self.tokenizer, render(turns, user))])
        cache, call = None, None
        tokens: list[int] = []
        for _ in range(LONGEST_REPLY):
            output = self.model(input_ids=fed, cache=cache, use_cache=True)
            cache, logits = output.cache, output.logits[0, -1]
            token = int(logits.argmax()) if call is None or free else self.choose(logits, call, grammar)
            if token == self.call_end and call is not None:
                return Reply(call, "", True)
            if token == self.end:
                return Reply("", self.tokenizer.decode(tokens), True)
            if token == self.call:
                call = ""
            elif call is not None:
                call += self.spelling[token]
            else:
                tokens.append(token)
            fed = torch.tensor([[token]])
        return Reply(call or "", self.tokenizer.decode(tokens), False)


def grammar_of(turns: list[Turn], user: str) -> CallGrammar:
    """The grammar over everything that was said, called and computed."""
    return CallGrammar(user, *(text for turn in turns for text in (turn.user, turn.call, turn.result)))
