/*---
arguments = ["a: each", "b: each"]
result = "each"
store = "T"
doc = "what a / b leaves, with the sign of a as in CUDA"
example = "mod(-7, 2) = -1"
threads = "n"
split = ["n"]
limits = ["b is not 0"]
words = ["modulo", "remainder", "rem"]
---*/
template <class T>
__global__ void mod_kernel(const T *a, const T *b, T *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    T x = a[i], y = b[i];
    if (y == 0)
        *status = DIVISION_BY_ZERO;
    else
        result[i] = y == -1 ? (T)0 : x % y;
}
