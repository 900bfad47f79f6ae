/*---
arguments = ["list: list[n]"]
result = "matrix[<=n,2]"
store = "T"
doc = "rows of value and how often it is there, by value"
example = "histogram([2, 1, 2]) = [[1, 1], [2, 2]]"
threads = "block"
largest = { n = 256 }
shared = 256
limits = ["at most 256 entries"]
words = ["frequencies", "counter", "hist"]
---*/
template <class T>
__global__ void histogram_kernel(const T *list, T *result, int *count, int *status, int n) {
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
        int place = 0, times = 0;
        for (int k = 0; k < n; k++) {
            place += first[k] && list[k] < list[i];
            times += list[k] == list[i];
        }
        result[2 * place] = list[i];
        result[2 * place + 1] = times;
    }
}
