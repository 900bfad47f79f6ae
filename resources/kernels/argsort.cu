/*---
arguments = ["list: list[n]"]
result = "list[n]"
store = "int32"
doc = "the indices, from 0, that sort the list; equal entries keep their order"
example = "argsort([3, 1, 2]) = [1, 2, 0]"
threads = "n"
largest = { n = 256 }
limits = ["at most 256 entries"]
words = ["sortindex"]
---*/
template <class T>
__global__ void argsort_kernel(const T *list, int *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    T x = list[i];
    int place = 0;
    for (int k = 0; k < n; k++) place += list[k] < x || (list[k] == x && k < i);
    result[place] = i;
}
