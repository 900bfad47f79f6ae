/*---
arguments = ["a: matrix[r,c]"]
result = "matrix[c,r]"
store = "T"
doc = "rows and columns exchanged"
example = "transpose([[1, 2], [3, 4]]) = [[1, 3], [2, 4]]"
threads = "r*c"
split = ["r", "c"]
words = ["transposed"]
---*/
template <class T>
__global__ void transpose_kernel(const T *a, T *result, int *status, int r, int c) {
    int i = entry();
    if (i < r * c) result[i % c * r + i / c] = a[i];
}
