/*---
arguments = ["list: list[n]"]
result = "int"
store = "int32"
doc = "the index, from 0, of the first smallest entry"
example = "argmin([3, 1, 2]) = 1"
threads = "one"
limits = ["the list must fit one launch"]
words = ["indexmin", "whichmin"]
---*/
template <class T>
__global__ void argmin_kernel(const T *list, int *result, int *status, int n) {
    T best = list[0];
    int place = 0;
    for (int i = 1; i < n; i++)
        if (list[i] < best) {
            best = list[i];
            place = i;
        }
    *result = place;
}
