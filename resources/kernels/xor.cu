/*---
arguments = ["a: each", "b: each"]
result = "each"
store = "T"
doc = "bitwise exclusive or"
example = "xor(12, 10) = 6"
threads = "n"
split = ["n"]
words = ["bitxor"]
---*/
template <class T>
__global__ void xor_kernel(const T *a, const T *b, T *result, int *status, int n) {
    int i = entry();
    if (i >= n) return;
    result[i] = a[i] ^ b[i];
}
