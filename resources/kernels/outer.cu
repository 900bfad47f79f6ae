/*---
arguments = ["a: list[r]", "b: list[c]"]
result = "matrix[r,c]"
store = "int64"
doc = "all products of an entry of a and one of b"
example = "outer([1, 2], [3, 4]) = [[3, 4], [6, 8]]"
threads = "r*c"
split = ["r", "c"]
limits = ["the result must fit 64 bits"]
words = ["outerproduct"]
---*/
template <class T>
__global__ void outer_kernel(const T *a, const T *b, i64 *result, int *status, int r, int c) {
    int i = entry();
    if (i < r * c) result[i] = times(a[i / c], b[i % c], status);
}
