/*---
arguments = ["a: matrix[r,c]", "x: list[c]"]
result = "list[r]"
store = "int64"
doc = "the matrix times the vector"
example = "matvec([[1, 2], [3, 4]], [5, 6]) = [17, 39]"
threads = "r"
split = ["r"]
limits = ["the result must fit 64 bits"]
words = ["mv", "gemv"]
---*/
template <class T>
__global__ void matvec_kernel(const T *a, const T *x, i64 *result, int *status, int r, int c) {
    int i = entry();
    if (i >= r) return;
    Total<T> total;
    for (int j = 0; j < c; j++) total.add_product(a[i * c + j], x[j]);
    result[i] = total.value(status);
}
