/*---
arguments = ["list: list[n]"]
result = "list[n]"
store = "int64"
doc = "the running totals"
example = "cumsum([1, 2, 3]) = [1, 3, 6]"
threads = "one"
limits = ["every running total must fit 64 bits", "the list must fit one launch"]
words = ["running", "prefixsum", "cumulative", "scan"]
---*/
template <class T>
__global__ void cumsum_kernel(const T *list, i64 *result, int *status, int n) {
    i64 total = 0;
    for (int i = 0; i < n; i++) {
        total = plus(total, (i64)list[i], status);
        result[i] = total;
    }
}
