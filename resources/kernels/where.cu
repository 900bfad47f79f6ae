/*---
arguments = ["mask: each", "a: each", "b: each"]
result = "each"
store = "T"
doc = "a where the mask is not 0, else b"
example = "where([1, 0], [5, 6], [7, 8]) = [5, 8]"
threads = "n"
split = ["n"]
words = ["select", "choose", "if"]
---*/
template <class T>
__global__ void where_kernel(const T *mask, const T *a, const T *b, T *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    result[i] = mask[i] ? a[i] : b[i];
}
