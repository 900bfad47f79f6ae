"""The conversation: a model decides what to compute, the machine computes it, the result returns as computed tokens."""
