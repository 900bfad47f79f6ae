/*---
arguments = ["list: list[n]"]
result = "int"
store = "int32"
doc = "the index, from 0, of the first largest entry"
example = "argmax([3, 1, 2]) = 0"
threads = "one"
limits = ["the list must fit one launch"]
words = ["indexmax", "whichmax"]
---*/
template <class T>
__global__ void argmax_kernel(const T *list, int *result, int *status, int n) {
    T best = list[0];
    int place = 0;
    for (int i = 1; i < n; i++)
        if (list[i] > best) {
            best = list[i];
            place = i;
        }
    *result = place;
}
