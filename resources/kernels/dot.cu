/*---
arguments = ["a: list[n]", "b: list[n]"]
result = "int"
store = "int64"
doc = "the sum of the products of entries"
example = "dot([1, 2, 3], [4, 5, 6]) = 32"
threads = "one"
split = ["n"]
combine = "sum"
limits = ["the result must fit 64 bits; of lists that need several launches, the result of each part too"]
words = ["inner", "scalar_product", "dotproduct"]
---*/
template <class T>
__global__ void dot_kernel(const T *a, const T *b, i64 *result, int *status, int n) {
    Total<T> total;
    for (int i = 0; i < n; i++) total.add_product(a[i], b[i]);
    *result = total.value(status);
}
