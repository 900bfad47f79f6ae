/*---
arguments = ["a: each", "b: each"]
result = "each"
store = "int64"
doc = "a / b, truncated towards zero as in CUDA"
example = "div(-7, 2) = -3"
threads = "n"
split = ["n"]
limits = ["b is not 0", "-2^63 / -1 does not fit"]
words = ["divide", "quotient"]
---*/
template <class T>
__global__ void div_kernel(const T *a, const T *b, i64 *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    T x = a[i], y = b[i];
    if (y == 0)
        *status = DIVISION_BY_ZERO;
    else if (y == -1)
        result[i] = minus((T)0, x, status);
    else
        result[i] = x / y;
}
