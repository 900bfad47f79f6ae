/*---
arguments = ["x: each"]
result = "each"
store = "int64"
doc = "1 * 2 * ... * x"
example = "factorial(5) = 120"
threads = "n"
split = ["n"]
limits = ["x from 0 to 20: 21! does not fit 64 bits"]
refusals = ["a negative number has no factorial"]
words = ["fact"]
---*/
template <class T>
__global__ void factorial_kernel(const T *x, i64 *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    if (x[i] < 0 || x[i] > 20) {
        *status = x[i] < 0 ? REFUSED : OVERFLOW;
        return;
    }
    i64 product = 1;
    for (int k = x[i]; k > 1; k--) product *= k;
    result[i] = product;
}
