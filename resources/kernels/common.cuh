// What the kernels of the library share. This text stands before each of them.
typedef long long i64;
typedef unsigned long long u64;

// Status codes; those from REFUSED on are explained by the function's manifest.
enum { OVERFLOW = 1, DIVISION_BY_ZERO = 2, REFUSED = 3 };

template <class T> struct Bits;
template <> struct Bits<int> { typedef unsigned int type; };
template <> struct Bits<i64> { typedef u64 type; };

// A value that may wait in memory: the registers hold only a few of 64 bits.
template <class U> struct Kept { typedef U type; };
template <> struct Kept<u64> { typedef volatile u64 type; };

__device__ inline int entry() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ inline u64 magnitude(i64 x) { return x < 0 ? 0 - (u64)x : (u64)x; }
__device__ inline unsigned int magnitude(int x) { return x < 0 ? 0u - (unsigned int)x : (unsigned int)x; }

// The integer with this sign and magnitude, if 64 bits hold it.
__device__ inline i64 with_sign(u64 m, bool negative, int *status) {
    if (m > ((u64)1 << 63) - (negative ? 0 : 1)) *status = OVERFLOW;
    return (i64)(negative ? 0 - m : m);
}

// Sums and products. Those of two 32-bit integers always fit; others say when they do not.
__device__ inline i64 plus(int a, int b, int *) { return (i64)a + b; }
__device__ inline i64 minus(int a, int b, int *) { return (i64)a - b; }
__device__ inline i64 times(int a, int b, int *) { return (i64)a * b; }
__device__ inline i64 plus(i64 a, i64 b, int *status) {
    i64 r = (i64)((u64)a + (u64)b);
    if (((a ^ r) & (b ^ r)) < 0) *status = OVERFLOW;
    return r;
}
__device__ inline i64 minus(i64 a, i64 b, int *status) {
    i64 r = (i64)((u64)a - (u64)b);
    if (((a ^ b) & (a ^ r)) < 0) *status = OVERFLOW;
    return r;
}
__device__ inline i64 times(i64 a, i64 b, int *status) {
    i64 r = (i64)((u64)a * (u64)b);
    if (__mul64hi(a, b) != r >> 63) *status = OVERFLOW;
    return r;
}
__device__ inline u64 times(u64 a, u64 b, bool *over) {
    if (__umul64hi(a, b)) *over = true;
    return a * b;
}

// A running total that is exact whatever its order: only the final one has to fit.
template <class T> struct Total;
template <> struct Total<int> {
    i64 low;
    int wraps;  // how often low went beyond 64 bits, upwards less downwards
    __device__ Total() : low(0), wraps(0) {}
    __device__ void add(int x) { low += x; }  // an array has too few entries to leave 64 bits
    __device__ void add_product(int a, int b) {
        i64 x = (i64)a * b, sum = (i64)((u64)low + (u64)x);
        if (((low ^ sum) & (x ^ sum)) < 0) wraps += x < 0 ? -1 : 1;
        low = sum;
    }
    __device__ i64 value(int *status) const {
        if (wraps) *status = OVERFLOW;
        return low;
    }
};
template <> struct Total<i64> {
    u64 low;
    i64 high;
    __device__ Total() : low(0), high(0) {}
    __device__ void add(u64 l, i64 h) {
        low += l;
        high += h + (low < l);
    }
    __device__ void add(i64 x) { add((u64)x, x >> 63); }
    __device__ void add_product(i64 a, i64 b) { add((u64)a * (u64)b, __mul64hi(a, b)); }
    __device__ i64 value(int *status) const {
        if (high != (i64)low >> 63) *status = OVERFLOW;
        return (i64)low;
    }
};
