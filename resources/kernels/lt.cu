/*---
arguments = ["a: each", "b: each"]
result = "each"
store = "int32"
doc = "1 where a is less than b, else 0"
example = "lt(2, 3) = 1"
threads = "n"
split = ["n"]
words = ["less", "smaller"]
---*/
template <class T>
__global__ void lt_kernel(const T *a, const T *b, int *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    result[i] = a[i] < b[i];
}
