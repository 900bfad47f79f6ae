"""A kernel with its launch as a model writes them, and what can be wrong with it."""

import json

from tests.app.conversation.scripted import kernel

SQUARES = """__global__ void squares(const int *a, int *out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = a[i] * a[i];
}
"""
BROKEN = SQUARES.replace("a[i] * a[i]", "a[i] * b[i]")
BEYOND = SQUARES.replace("out[i] =", "out[i + 1] =")
ENDLESS = SQUARES.replace("int i = threadIdx.x;", "volatile int *p = out; while (p[0] == 0) {} int i = 0;")
LAUNCH = json.dumps(
    {
        "kernel": "squares",
        "grid": [1],
        "block": [3],
        "args": [
            {"name": "a", "type": "int32*", "value": [3, 4, 5]},
            {"name": "out", "type": "int32*", "size": 3},
            {"name": "n", "type": "int32", "value": 3},
        ],
    }
)
GOOD = kernel(SQUARES, LAUNCH)
