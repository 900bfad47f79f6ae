/*---
arguments = ["a: matrix[n,n]"]
result = "int"
store = "int64"
doc = "the sum of the diagonal"
example = "trace([[1, 2], [3, 4]]) = 5"
threads = "one"
limits = ["a square matrix that fits one launch", "the result must fit 64 bits"]
words = ["diagonalsum"]
---*/
template <class T>
__global__ void trace_kernel(const T *a, i64 *result, int *status, int n) {
    Total<T> total;
    for (int i = 0; i < n; i++) total.add(a[i * n + i]);
    *result = total.value(status);
}
