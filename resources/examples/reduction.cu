// Sum of an array in shared memory, halving the threads at every barrier.
__global__ void reduction(const int *x, int *sum) {
    __shared__ int part[16];
    int i = threadIdx.x;
    part[i] = x[i];
    __syncthreads();
    for (int step = 8; step > 0; step /= 2) {
        if (i < step) part[i] += part[i + step];
        __syncthreads();
    }
    if (i == 0) *sum = part[0];
}
