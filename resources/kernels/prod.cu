/*---
arguments = ["list: list[n]"]
result = "int"
store = "int64"
doc = "all entries multiplied"
example = "prod([2, 3, 4]) = 24"
threads = "one"
split = ["n"]
combine = "prod"
limits = ["the result must fit 64 bits; of a list that needs several launches, the product of each part too"]
words = ["product", "multiplyall"]
---*/
template <class T>
__global__ void prod_kernel(const T *list, i64 *result, int *status, int n) {
    u64 product = 1;
    bool negative = false, over = false;
    for (int i = 0; i < n; i++) {
        T x = list[i];
        if (x == 0) {
            *result = 0;
            return;
        }
        product = times(product, (u64)magnitude(x), &over);
        negative ^= x < 0;
    }
    if (over) *status = OVERFLOW;
    *result = with_sign(product, negative, status);
}
