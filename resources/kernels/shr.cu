/*---
arguments = ["a: each", "k: each"]
result = "each"
store = "T"
doc = "a shifted right by k bits, rounded down"
example = "shr(48, 4) = 3"
threads = "n"
split = ["n"]
limits = ["k is not negative"]
refusals = ["the shift is negative"]
words = ["rshift", "shiftright", "srl", "sar"]
---*/
template <class T>
__global__ void shr_kernel(const T *a, const T *k, T *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    T k_ = k[i];
    if (k_ < 0) {
        *status = REFUSED;
        return;
    }
    int most = 8 * sizeof(T) - 1;
    result[i] = a[i] >> (k_ > most ? most : (int)k_);
}
