/*---
arguments = ["list: list[n]"]
result = "int"
store = "int64"
doc = "all entries added"
example = "sum([1, 2, 3]) = 6"
threads = "one"
split = ["n"]
combine = "sum"
limits = ["the result must fit 64 bits; of a list that needs several launches, the sum of each part too"]
words = ["total", "addall"]
---*/
template <class T>
__global__ void sum_kernel(const T *list, i64 *result, int *status, int n) {
    Total<T> total;
    for (int i = 0; i < n; i++) total.add(list[i]);
    *result = total.value(status);
}
