/*---
arguments = ["a: matrix[r,k]", "b: matrix[k,c]"]
result = "matrix[r,c]"
store = "int64"
doc = "the matrix product"
example = "matmul([[1, 2], [3, 4]], [[5, 6], [7, 8]]) = [[19, 22], [43, 50]]"
threads = "r*c"
split = ["r", "c"]
limits = ["the result must fit 64 bits"]
words = ["matrixproduct", "mm"]
---*/
template <class T>
__global__ void matmul_kernel(const T *a, const T *b, i64 *result, int *status, int r, int k, int c) {
    int i = entry();
    if (i >= r * c) return;
    int row = i / c, column = i % c;
    Total<T> total;
    for (int j = 0; j < k; j++) total.add_product(a[row * k + j], b[j * c + column]);
    result[i] = total.value(status);
}
