/*---
arguments = ["a: each", "b: each"]
result = "each"
store = "int64"
doc = "the greatest common divisor, never negative"
example = "gcd(12, 18) = 6"
threads = "n"
split = ["n"]
limits = ["gcd(0, 0) is 0"]
---*/
template <class U> __device__ inline int low_zeros(U x) {
    int zeros = 0;
    for (; !(x & 1); x >>= 1) zeros++;
    return zeros;
}

// The binary algorithm: a division would cost more than all of its shifts.
template <class U> __device__ inline U common_divisor(U x, U y) {
    if (x == 0 || y == 0) return x | y;
    int twos = low_zeros(x | y);
    x >>= low_zeros(x);
    while (y) {
        y >>= low_zeros(y);
        if (x > y) {
            U larger = x;
            x = y;
            y = larger;
        }
        y -= x;
    }
    return x << twos;
}

template <class T>
__global__ void gcd_kernel(const T *a, const T *b, i64 *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    result[i] = with_sign(common_divisor(magnitude(a[i]), magnitude(b[i])), false, status);
}
