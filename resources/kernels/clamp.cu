/*---
arguments = ["x: each", "lo: each", "hi: each"]
result = "each"
store = "T"
doc = "x, but not below lo and not above hi"
example = "clamp(15, 0, 10) = 10"
threads = "n"
split = ["n"]
limits = ["where lo is above hi, lo"]
words = ["clip", "limit"]
---*/
template <class T>
__global__ void clamp_kernel(const T *x, const T *lo, const T *hi, T *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    T most = x[i] < hi[i] ? x[i] : hi[i];
    result[i] = most > lo[i] ? most : lo[i];
}
