/*---
arguments = ["x: each"]
result = "each"
store = "int32"
doc = "how many Collatz steps lead from x to 1"
example = "collatz(6) = 8"
threads = "n"
split = ["n"]
limits = ["x is at least 1", "every value on the way must fit 64 bits"]
refusals = ["Collatz starts at 1 or above"]
---*/
template <class T>
__global__ void collatz_kernel(const T *x, int *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    if (x[i] < 1) {
        *status = REFUSED;
        return;
    }
    u64 value = x[i];
    int steps = 0;
    for (; value != 1; steps++) {
        if (value & 1) {
            if (value > ((((u64)1 << 63) - 1) - 1) / 3) {
                *status = OVERFLOW;
                return;
            }
            value = 3 * value + 1;
        } else {
            value >>= 1;
        }
    }
    result[i] = steps;
}
