/*---
arguments = ["list: list[n]", "value: int"]
result = "int"
store = "int32"
doc = "how often the value is in the list"
example = "count([1, 2, 1], 1) = 2"
threads = "block"
split = ["n"]
combine = "sum"
words = ["occurrences"]
---*/
template <class T>
__global__ void count_kernel(const T *list, const T *value, int *result, int *status, int n) {
    int times = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) times += list[i] == *value;
    if (times) atomicAdd(result, times);
}
