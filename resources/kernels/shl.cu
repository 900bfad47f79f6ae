/*---
arguments = ["a: each", "k: each"]
result = "each"
store = "int64"
doc = "a shifted left by k bits, that is a * 2^k"
example = "shl(3, 4) = 48"
threads = "n"
split = ["n"]
limits = ["k is not negative", "the result must fit 64 bits"]
refusals = ["the shift is negative"]
words = ["lshift", "shiftleft", "sll"]
---*/
template <class T>
__global__ void shl_kernel(const T *a, const T *k, i64 *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    i64 x = a[i];
    T k_ = k[i];
    if (k_ < 0) {
        *status = REFUSED;
        return;
    }
    i64 shifted = k_ > 63 ? 0 : (i64)((u64)x << (int)k_);
    if (x && (k_ > 63 || shifted >> (int)k_ != x)) *status = OVERFLOW;
    result[i] = shifted;
}
