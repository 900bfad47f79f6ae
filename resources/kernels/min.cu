/*---
arguments = ["list: list[n]"]
result = "int"
store = "T"
doc = "the smallest entry"
example = "min([3, 1, 2]) = 1"
threads = "one"
split = ["n"]
combine = "min"
words = ["minimum", "smallest", "lowest"]
---*/
template <class T>
__global__ void min_kernel(const T *list, T *result, int *status, int n) {
    T best = list[0];
    for (int i = 1; i < n; i++)
        if (list[i] < best) best = list[i];
    *result = best;
}
