// Vector addition: one thread for each pair.
__global__ void vector_add(const int *a, const int *b, int *sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = a[i] + b[i];
}
