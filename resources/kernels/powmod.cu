/*---
arguments = ["a: each", "b: each", "m: each"]
result = "each"
store = "T"
doc = "a to the power b, modulo m, from 0 to m - 1"
example = "powmod(3, 100, 7) = 4"
threads = "n"
split = ["n"]
limits = ["m is positive", "b is not negative"]
refusals = ["the modulus is negative", "the exponent is negative"]
words = ["modpow", "modexp"]
---*/
// (x + y) mod m and (x * y) mod m for x, y < m < 2^(bits - 1)
template <class U> __device__ inline U add_mod(U x, U y, U m) {
    U s = x + y;
    return s < m ? s : s - m;
}
template <class U> __device__ inline U times_mod(U x, U y, U m) {
    U r = 0;
    for (; y; y >>= 1) {
        if (y & 1) r = add_mod(r, x, m);
        x = add_mod(x, x, m);
    }
    return r;
}

template <class T>
__global__ void powmod_kernel(const T *a, const T *b, const T *m, T *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    typedef typename Bits<T>::type U;
    T x = a[i], modulus = m[i];
    if (modulus == 0 || modulus < 0 || b[i] < 0) {
        *status = modulus == 0 ? DIVISION_BY_ZERO : modulus < 0 ? REFUSED : REFUSED + 1;
        return;
    }
    U whole = modulus;
    typename Kept<U>::type square = magnitude(x) % whole, power = whole == 1 ? 0 : 1, rest = b[i];
    if (x < 0 && square) square = whole - square;
    while (rest) {
        if (rest & 1) power = times_mod((U)power, (U)square, whole);
        rest = rest >> 1;
        if (rest) square = times_mod((U)square, (U)square, whole);
    }
    result[i] = power;
}
