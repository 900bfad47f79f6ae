/*---
arguments = ["signal: list[n]", "kernel: list[k]"]
result = "list[n+k-1]"
store = "int64"
doc = "the convolution, full length"
example = "conv1d([1, 2, 3], [1, 1]) = [1, 3, 5, 3]"
threads = "n+k"
limits = ["both lists must fit one launch", "the result must fit 64 bits"]
words = ["convolve", "convolution"]
---*/
template <class T>
__global__ void conv1d_kernel(const T *signal, const T *kernel, i64 *result, int *status, int n, int k) {
    int i = entry();
    if (i >= n + k - 1) return;
    Total<T> total;
    for (int j = 0; j < k; j++)
        if (i - j >= 0 && i - j < n) total.add_product(signal[i - j], kernel[j]);
    result[i] = total.value(status);
}
