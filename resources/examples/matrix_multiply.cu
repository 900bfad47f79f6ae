// Matrix multiplication: one thread for each entry of the product.
__global__ void matrix_multiply(const int *a, const int *b, int *product, int n) {
    int row = threadIdx.y, column = threadIdx.x, sum = 0;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
    product[row * n + column] = sum;
}
