/*---
arguments = ["list: list[n]"]
result = "list[<=n]"
store = "T"
doc = "every value once, in ascending order"
example = "unique([2, 1, 2]) = [1, 2]"
threads = "block"
largest = { n = 256 }
shared = 256
limits = ["at most 256 entries"]
words = ["distinct", "set", "dedup"]
---*/
template <class T>
__global__ void unique_kernel(const T *list, T *result, int *count, int *status, int n) {
    __shared__ int first[256];
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int earlier = 0;
        for (int k = 0; k < i; k++) earlier |= list[k] == list[i];
        first[i] = !earlier;
        if (!earlier) atomicAdd(count, 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        if (!first[i]) continue;
        int place = 0;
        for (int k = 0; k < n; k++) place += first[k] && list[k] < list[i];
        result[place] = list[i];
    }
}
