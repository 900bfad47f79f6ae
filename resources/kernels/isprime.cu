/*---
arguments = ["x: each"]
result = "each"
store = "int32"
doc = "1 if x is prime, else 0"
example = "isprime(97) = 1"
threads = "n"
split = ["n"]
words = ["prime", "is_prime"]
---*/
template <class T> struct Witnesses;
// Enough for every number of 32 and of 64 bits (Jaeschke 1993; Sinclair 2011).
template <> struct Witnesses<int> {
    static __device__ unsigned int get(int k) { return k == 0 ? 2 : k == 1 ? 7 : 61; }
    enum { count = 3 };
};
template <> struct Witnesses<i64> {
    static __device__ u64 get(int k) {
        return k == 0 ? 2 : k == 1 ? 325 : k == 2 ? 9375 : k == 3 ? 28178 : k == 4 ? 450775 : k == 5 ? 9780504 : 1795265022;
    }
    enum { count = 7 };
};
__device__ inline unsigned int high(unsigned int a, unsigned int b) { return __umulhi(a, b); }
__device__ inline u64 high(u64 a, u64 b) { return __umul64hi(a, b); }

// x * y / R mod n for R = 2^bits, by Montgomery's reduction; inverse is -1 / n mod R
template <class U> __device__ inline U reduce(U x, U y, U n, U inverse) {
    U low = x * y, q = low * inverse;
    U r = high(x, y) + high(q, n) + (low != 0);
    return r < n ? r : r - n;
}

// What the test needs of n = odd * 2^twos + 1: one is R mod n.
template <class U> struct Facts {
    typename Kept<U>::type n, odd, one, inverse;
    int twos;
};

template <class U> __device__ inline U add_mod(U x, U y, U n) {
    U s = x + y;
    return s < n ? s : s - n;
}

// Whether a witness shows that n is composite.
template <class U> __device__ inline bool shows(U witness, const Facts<U> &of) {
    typename Kept<U>::type base = 0, power = of.one;
    for (U n = of.n; witness; witness >>= 1) {
        if (witness & 1) base = add_mod((U)base, (U)power, n);
        power = add_mod((U)power, (U)power, n);
    }
    if (base == 0) return false;
    power = of.one;
    typename Kept<U>::type rest = of.odd;
    while (rest) {
        if (rest & 1) power = reduce((U)power, (U)base, (U)of.n, (U)of.inverse);
        base = reduce((U)base, (U)base, (U)of.n, (U)of.inverse);
        rest = rest >> 1;
    }
    if (power == of.one || power == of.n - of.one) return false;
    for (int k = of.twos; --k;) {
        power = reduce((U)power, (U)power, (U)of.n, (U)of.inverse);
        if (power == of.n - of.one) return false;
    }
    return true;
}

// The test of Miller and Rabin, without a division.
template <class T> __device__ inline bool is_prime(T x) {
    typedef typename Bits<T>::type U;
    if (x < 4) return x > 1;
    if (!(x & 1)) return false;
    U n = x, odd = n - 1, inverse = n, one = 1;
    Facts<U> facts;
    facts.twos = 0;
    for (; !(odd & 1); odd >>= 1) facts.twos++;
    for (int k = 0; k < 5; k++) inverse *= 2 - n * inverse;
    for (int k = 0; k < 8 * sizeof(U); k++) one = add_mod(one, one, n);
    facts.n = n, facts.odd = odd, facts.one = one, facts.inverse = 0 - inverse;
    for (int k = 0; k < Witnesses<T>::count; k++)
        if (shows(Witnesses<T>::get(k), facts)) return false;
    return true;
}

template <class T>
__global__ void isprime_kernel(const T *x, int *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    result[i] = is_prime(x[i]);
}
