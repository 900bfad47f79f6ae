/*---
arguments = ["a: int", "x: list[n]", "y: list[n]"]
result = "list[n]"
store = "int64"
doc = "a * x + y, entry by entry"
example = "saxpy(2, [1, 2], [3, 4]) = [5, 8]"
threads = "n"
split = ["n"]
limits = ["the result must fit 64 bits"]
words = ["axpy"]
---*/
template <class T>
__global__ void saxpy_kernel(const T *a, const T *x, const T *y, i64 *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    Total<T> total;
    total.add_product(*a, x[i]);
    total.add(y[i]);
    result[i] = total.value(status);
}
