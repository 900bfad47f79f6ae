/*---
arguments = ["a: each", "b: each"]
result = "each"
store = "int32"
doc = "1 where a equals b, else 0"
example = "eq(3, 3) = 1"
threads = "n"
split = ["n"]
words = ["equal", "equals"]
---*/
template <class T>
__global__ void eq_kernel(const T *a, const T *b, int *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    result[i] = a[i] == b[i];
}
