/*---
arguments = ["list: list[n]"]
result = "list[n]"
store = "T"
doc = "the entries in ascending order"
example = "sort([3, 1, 2]) = [1, 2, 3]"
threads = "n"
largest = { n = 256 }
limits = ["at most 256 entries"]
words = ["sorted", "order"]
---*/
template <class T>
__global__ void sort_kernel(const T *list, T *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    T x = list[i];
    int place = 0;
    for (int k = 0; k < n; k++) place += list[k] < x || (list[k] == x && k < i);
    result[place] = x;
}
