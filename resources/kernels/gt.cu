/*---
arguments = ["a: each", "b: each"]
result = "each"
store = "int32"
doc = "1 where a is greater than b, else 0"
example = "gt(2, 3) = 0"
threads = "n"
split = ["n"]
words = ["greater", "larger"]
---*/
template <class T>
__global__ void gt_kernel(const T *a, const T *b, int *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    result[i] = a[i] > b[i];
}
