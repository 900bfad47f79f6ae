/*---
arguments = ["a: each", "b: each"]
result = "each"
store = "int64"
doc = "a * b"
example = "mul(6, 7) = 42"
threads = "n"
split = ["n"]
limits = ["the result must fit 64 bits"]
words = ["times", "multiply", "product"]
---*/
template <class T>
__global__ void mul_kernel(const T *a, const T *b, i64 *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    result[i] = times(a[i], b[i], status);
}
