"""A machine that is nothing but the reference interpreter: what the library's kernels give, without weights and at once."""

from engine.launch import LaunchResult
from engine.machine.errors import Cancelled, FaultError
from engine.machine.interpreter import Interpreter
from engine.machine.spec import SPEC
from engine.replay import fault_error
from engine.trace import Follower, trace_line


class FastMachine:
    """Runs programs on the interpreter; counts them."""

    identity = "f" * 64

    def __init__(self):
        self.launches = 0

    def launch(self, program, max_tokens, trace=None, on_token=None, cancelled=lambda: False):
        """Run a program to its end."""
        self.launches += 1
        interpreter = Interpreter(SPEC)
        prompt = interpreter.load(program)
        follower, told = Follower(program, SPEC), 0

        def tell(token, source):
            nonlocal told
            if on_token is not None:
                on_token(trace_line(follower, told, told, token, source))
                told += 1

        for token in prompt:
            tell(token, "host")
        token, generated = interpreter.step(prompt[-1]), []
        while token is not None:
            if cancelled():
                raise Cancelled("launch cancelled")
            generated.append(token)
            tell(token, "model")
            if token.kind == "FAULT":
                raise fault_error(program, generated, SPEC)
            if len(generated) > max_tokens:
                raise FaultError(f"the launch has not ended after {max_tokens:,} tokens", f"kernel {program.kernel}")
            token = interpreter.step(token)
        return LaunchResult(
            tuple(interpreter.memory),
            {},
            tuple(prompt),
            tuple(generated),
            len(prompt) + len(generated),
            0.0,
            "interpreter",
            "none",
        )
