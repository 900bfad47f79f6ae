/*---
arguments = ["list: list[n]"]
result = "list[n]"
store = "T"
doc = "the entries from last to first"
example = "reverse([1, 2, 3]) = [3, 2, 1]"
threads = "n"
limits = ["the list must fit one launch"]
words = ["reversed", "backwards", "flip"]
---*/
template <class T>
__global__ void reverse_kernel(const T *list, T *result, int *status, int n) {
    int i = entry();
    if (i < n) result[n - 1 - i] = list[i];
}
