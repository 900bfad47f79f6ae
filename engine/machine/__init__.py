"""The one definition of the machine: parameters, instructions, tokens, programs, reference interpreter.

Everything else (assembler, circuit compiler, documentation, tests) derives from it. It imports nothing of ours and never
torch.
"""
