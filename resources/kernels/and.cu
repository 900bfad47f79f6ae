/*---
arguments = ["a: each", "b: each"]
result = "each"
store = "T"
doc = "bitwise and"
example = "and(12, 10) = 8"
threads = "n"
split = ["n"]
words = ["bitand", "band"]
---*/
template <class T>
__global__ void and_kernel(const T *a, const T *b, T *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    result[i] = a[i] & b[i];
}
