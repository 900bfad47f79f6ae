/*---
arguments = ["x: each"]
result = "each"
store = "int64"
doc = "the x-th Fibonacci number, fib(1) = fib(2) = 1"
example = "fib(10) = 55"
threads = "n"
split = ["n"]
limits = ["x from 0 to 92: fib(93) does not fit 64 bits"]
refusals = ["the index is negative"]
words = ["fibonacci"]
---*/
template <class T>
__global__ void fib_kernel(const T *x, i64 *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    if (x[i] < 0 || x[i] > 92) {
        *status = x[i] < 0 ? REFUSED : OVERFLOW;
        return;
    }
    i64 even = 0, odd = 1;
    for (int k = x[i] >> 1; k; k--) {
        even += odd;
        odd += even;
    }
    result[i] = x[i] & 1 ? odd : even;
}
