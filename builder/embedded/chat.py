"""The contract between the small model and whoever talks with it.

The text is what Qwen3.5's own chat template writes with thinking off, so that one conversation library drives both models:

    <|im_start|>user
    add 3 and 4<|im_end|>
    <|im_start|>assistant
    <think>

    </think>

    <tool_call>
    <function=compute>
    <parameter=expression>
    add(3, 4)
    </parameter>
    </function>
    </tool_call><|im_end|>
    <|im_start|>user
    <tool_response>
    7
    </tool_response><|im_end|>
    <|im_start|>assistant
    <think>

    </think>

    7 is the sum.<|im_end|>

1. The host renders the conversation (there is no system prompt; the checkpoint's own ``chat_template.jinja`` does the same
   as ``render`` here) and lets the model go on. User text is encoded with special tokens switched off (``encode``), so that
   a typed ``<|im_start|>`` is text. The user's words are written in small letters: case says nothing here.
2. A reply without a call is plain text up to ``END``. A call begins with ``CALL``; the expression follows, held well-formed by
   ``grammar.CallGrammar``; ``CALL_END`` and ``END`` end it.
3. The host computes the expression and writes the result twice: into the tool response, and as the first tokens of the
   last assistant turn, where it is the *computed* text of the reply. The model goes on from there (" is the sum.") and ends
   with ``END``; it never repeats a number.
4. If a call cannot be computed, the tool response is ``error: ...`` and the host says what happened: this model
   knows no repair.

Every fixed piece is one token of the model's tokenizer, so that this long form costs what a short one would.
"""

from dataclasses import dataclass, replace

from tokenizers import Tokenizer

PAD = "<|endoftext|>"
START = "<|im_start|>"
END = "<|im_end|>"
USER = "<|im_start|>user\n"
ASSISTANT = "<|im_start|>assistant\n<think>\n\n</think>\n\n"
CALL = "<tool_call>\n<function=compute>\n<parameter=expression>\n"
CALL_END = "\n</parameter>\n</function>\n</tool_call>"
RESULT = "<|im_start|>user\n<tool_response>\n"
RESULT_END = "\n</tool_response>"
MARKS = (PAD, START, END, USER, ASSISTANT, CALL, CALL_END, RESULT, RESULT_END)


@dataclass(frozen=True)
class Turn:
    """What the user said and how it was answered: by talk alone, or by a call, its result and the rest of the sentence."""

    user: str
    reply: str
    call: str = ""
    result: str = ""


@dataclass(frozen=True)
class Piece:
    """A stretch of the conversation: its text, whether it is a mark, and whether the model writes it."""

    text: str
    mark: bool
    written: bool


def open_turn(user: str) -> list[Piece]:
    """The user's words, up to where the model goes on."""
    return [
        Piece(USER, True, False),
        Piece(user, False, False),
        Piece(END, True, False),
        Piece("\n", False, False),
        Piece(ASSISTANT, True, False),
    ]


def call_pieces(call: str) -> list[Piece]:
    """The call, as the model writes it."""
    return [Piece(CALL, True, True), Piece(call, False, True), Piece(CALL_END, True, True), Piece(END, True, True)]


def result_pieces(result: str) -> list[Piece]:
    """What the host writes when the call has been computed; the model goes on behind it."""
    return [
        Piece("\n", False, False),
        Piece(RESULT, True, False),
        Piece(result, False, False),
        Piece(RESULT_END, True, False),
        Piece(END, True, False),
        Piece("\n", False, False),
        Piece(ASSISTANT, True, False),
        Piece(result, False, False),
    ]


def in_small_letters(turn: Turn) -> Turn:
    """The turn with the user's words as the model is shown them."""
    return replace(turn, user=turn.user.lower())


def turn_pieces(turn: Turn) -> list[Piece]:
    """A whole turn."""
    pieces = open_turn(turn.user)
    if turn.call:
        pieces += call_pieces(turn.call) + result_pieces(turn.result)
    return [*pieces, Piece(turn.reply, False, True), Piece(END, True, True)]


def render(turns: list[Turn], user: str) -> list[Piece]:
    """The conversation so far and a new question, in small letters, ready for the model to go on."""
    pieces: list[Piece] = []
    for turn in turns:
        pieces += [*turn_pieces(in_small_letters(turn)), Piece("\n", False, False)]
    return pieces + open_turn(user.lower())


def mark_id(tokenizer: Tokenizer, mark: str) -> int:
    """The token of a mark; raises KeyError where the vocabulary lacks it."""
    token = tokenizer.token_to_id(mark)
    if token is None:
        raise KeyError(mark)
    return token


def encode(tokenizer: Tokenizer, pieces: list[Piece]) -> list[int]:
    """Token ids: marks as their tokens, everything else as text, whatever it looks like."""
    return [token for piece in pieces for token in piece_ids(tokenizer, piece)]


def piece_ids(tokenizer: Tokenizer, piece: Piece) -> list[int]:
    """Token ids of one piece."""
    if piece.mark:
        return [mark_id(tokenizer, piece.text)]
    tokenizer.encode_special_tokens = True
    return tokenizer.encode(piece.text, add_special_tokens=False).ids
