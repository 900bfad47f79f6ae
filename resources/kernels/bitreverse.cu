/*---
arguments = ["x: each"]
result = "each"
store = "int64"
doc = "the 32 bits of x in reverse order, as an unsigned number"
example = "bitreverse(1) = 2147483648"
threads = "n"
split = ["n"]
limits = ["x from -2^31 to 2^32 - 1"]
refusals = ["the number has more than 32 bits"]
words = ["reversebits", "brev"]
---*/
template <class T>
__global__ void bitreverse_kernel(const T *x, i64 *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    if ((i64)x[i] < -((i64)1 << 31) || (i64)x[i] >= (i64)1 << 32) {
        *status = REFUSED;
        return;
    }
    result[i] = __brev((unsigned int)x[i]);
}
