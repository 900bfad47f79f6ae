/*---
arguments = ["list: list[n]"]
result = "int"
store = "int64"
doc = "the sum divided by the length, truncated towards zero, and the remainder"
example = "mean([1, 2, 4]) = 2 remainder 1"
threads = "one"
extra = ["remainder"]
limits = ["the sum must fit 64 bits", "the list must fit one launch"]
words = ["average", "avg"]
---*/
template <class T>
__global__ void mean_kernel(const T *list, i64 *result, i64 *remainder, int *status, int n) {
    Total<T> total;
    for (int i = 0; i < n; i++) total.add(list[i]);
    i64 all = total.value(status);
    *result = all / n;
    *remainder = all % n;
}
