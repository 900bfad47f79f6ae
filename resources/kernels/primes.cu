/*---
arguments = ["limit: int"]
result = "list[<=550]"
store = "int32"
doc = "the primes up to a limit"
example = "primes(10) = [2, 3, 5, 7]"
threads = "one"
shared = 126
refusals = ["primes takes limits up to 4,000"]
limits = ["the limit is at most 4,000"]
words = ["sieve"]
---*/
template <class T>
__global__ void primes_kernel(const T *limit, int *result, int *count, int *status) {
    __shared__ unsigned int composite[126];
    int last = *limit, found = 0;
    if (*limit < 2) return;
    if (*limit > 4000) {
        *status = REFUSED;
        return;
    }
    for (int word = 0; word <= last >> 5; word++) composite[word] = 0;
    for (int n = 2; n <= last; n++) {
        if (composite[n >> 5] >> (n & 31) & 1) continue;
        result[found++] = n;
        for (int k = n * n; k <= last; k += n) composite[k >> 5] |= 1u << (k & 31);
    }
    *count = found;
}
