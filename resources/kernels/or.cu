/*---
arguments = ["a: each", "b: each"]
result = "each"
store = "T"
doc = "bitwise or"
example = "or(12, 10) = 14"
threads = "n"
split = ["n"]
words = ["bitor", "bor"]
---*/
template <class T>
__global__ void or_kernel(const T *a, const T *b, T *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    result[i] = a[i] | b[i];
}
