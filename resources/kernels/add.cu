/*---
arguments = ["a: each", "b: each"]
result = "each"
store = "int64"
doc = "a + b"
example = "add(2, 3) = 5"
threads = "n"
split = ["n"]
limits = ["the result must fit 64 bits"]
words = ["plus", "addition"]
---*/
template <class T>
__global__ void add_kernel(const T *a, const T *b, i64 *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    result[i] = plus(a[i], b[i], status);
}
