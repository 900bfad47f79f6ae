/*---
arguments = ["x: each"]
result = "each"
store = "int64"
doc = "x without its sign"
example = "abs(-5) = 5"
threads = "n"
split = ["n"]
limits = ["the result must fit 64 bits"]
words = ["absolute", "magnitude"]
---*/
template <class T>
__global__ void abs_kernel(const T *x, i64 *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    result[i] = x[i] < 0 ? minus((T)0, x[i], status) : (i64)x[i];
}
