/*---
arguments = ["a: each", "b: each"]
result = "each"
store = "int64"
doc = "a to the power b"
example = "pow(2, 10) = 1024"
threads = "n"
split = ["n"]
limits = ["b is not negative", "the result must fit 64 bits"]
refusals = ["the exponent is negative"]
words = ["power", "exp", "exponent"]
---*/
template <class T>
__global__ void pow_kernel(const T *a, const T *b, i64 *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    if (b[i] < 0) {
        *status = REFUSED;
        return;
    }
    u64 square = magnitude((i64)a[i]), power = 1, rest = b[i];
    bool negative = a[i] < 0 && (rest & 1), over = false;
    while (rest) {
        if (rest & 1) power = times(power, square, &over);
        rest >>= 1;
        if (rest) square = times(square, square, &over);
    }
    if (over) *status = OVERFLOW;
    result[i] = with_sign(power, negative, status);
}
