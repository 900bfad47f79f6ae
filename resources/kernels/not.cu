/*---
arguments = ["x: each"]
result = "each"
store = "T"
doc = "all bits inverted"
example = "not(0) = -1"
threads = "n"
split = ["n"]
words = ["invert", "bitnot", "complement"]
---*/
template <class T>
__global__ void not_kernel(const T *x, T *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    result[i] = ~x[i];
}
