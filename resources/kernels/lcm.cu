/*---
arguments = ["a: each", "b: each"]
result = "each"
store = "int64"
doc = "the least common multiple, never negative"
example = "lcm(4, 6) = 12"
threads = "n"
split = ["n"]
limits = ["the result must fit 64 bits"]
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
__global__ void lcm_kernel(const T *a, const T *b, i64 *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    typename Bits<T>::type x = magnitude(a[i]), y = magnitude(b[i]);
    if (x == 0 || y == 0) {
        result[i] = 0;
        return;
    }
    bool over = false;
    u64 multiple = times((u64)(x / common_divisor(x, y)), (u64)y, &over);
    if (over) *status = OVERFLOW;
    result[i] = with_sign(multiple, false, status);
}
