/*---
arguments = ["a: each", "b: each"]
result = "each"
store = "int64"
doc = "a - b"
example = "sub(2, 3) = -1"
threads = "n"
split = ["n"]
limits = ["the result must fit 64 bits"]
words = ["minus", "subtract", "difference"]
---*/
template <class T>
__global__ void sub_kernel(const T *a, const T *b, i64 *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    result[i] = minus(a[i], b[i], status);
}
