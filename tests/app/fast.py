"""A machine that is nothing but the reference interpreter: what the library's kernels give, without weights and at once."""

from engine.launch import LaunchResult
from engine.machine.errors import FaultError
from engine.machine.interpreter import Interpreter
from engine.machine.spec import SPEC


class FastMachine:
    """Runs programs on the interpreter; counts them."""

    identity = "f" * 64

    def __init__(self):
        self.launches = 0

    def launch(self, program, max_tokens, trace=None):
        """Run a program to its end."""
        self.launches += 1
        interpreter = Interpreter(SPEC)
        prompt = interpreter.load(program)
        token, generated = interpreter.step(prompt[-1]), []
        while token is not None:
            generated.append(token)
            if token.kind == "FAULT" or len(generated) > max_tokens:
                raise FaultError("the launch faults or does not end", f"kernel {program.kernel}")
            token = interpreter.step(token)
        return LaunchResult(tuple(interpreter.memory), {}, tuple(prompt), tuple(generated), len(prompt) + len(generated), 0.0,
                            "interpreter", "none")
