/*---
arguments = ["list: list[n+1]"]
result = "list[n]"
store = "int64"
doc = "every entry minus the one before it"
example = "diff([1, 4, 9]) = [3, 5]"
threads = "n"
split = ["n"]
limits = ["at least 2 entries", "the result must fit 64 bits"]
words = ["differences", "delta"]
---*/
template <class T>
__global__ void diff_kernel(const T *list, i64 *result, int *status, int n) {
    int i = entry();
    if (i < n) result[i] = minus(list[i + 1], list[i], status);
}
