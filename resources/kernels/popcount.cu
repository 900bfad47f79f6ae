/*---
arguments = ["x: each"]
result = "each"
store = "int32"
doc = "how many of the 64 bits are 1"
example = "popcount(255) = 8"
threads = "n"
split = ["n"]
words = ["popc", "bitcount", "hamming"]
---*/
template <class T>
__global__ void popcount_kernel(const T *x, int *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    result[i] = __popcll((u64)(i64)x[i]);
}
