/*---
arguments = ["list: list[n]"]
result = "int"
store = "T"
doc = "the largest entry"
example = "max([3, 1, 2]) = 3"
threads = "one"
split = ["n"]
combine = "max"
words = ["maximum", "largest", "highest"]
---*/
template <class T>
__global__ void max_kernel(const T *list, T *result, int *status, int n) {
    T best = list[0];
    for (int i = 1; i < n; i++)
        if (list[i] > best) best = list[i];
    *result = best;
}
