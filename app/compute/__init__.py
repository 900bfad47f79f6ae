"""Expressions computed by the machine: the function library, launches of its kernels, and records of what was launched."""
