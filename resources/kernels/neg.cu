/*---
arguments = ["x: each"]
result = "each"
store = "int64"
doc = "x with the other sign"
example = "neg(5) = -5"
threads = "n"
split = ["n"]
limits = ["the result must fit 64 bits"]
words = ["negate", "negative"]
---*/
template <class T>
__global__ void neg_kernel(const T *x, i64 *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    result[i] = minus((T)0, x[i], status);
}
