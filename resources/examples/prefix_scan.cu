// Running sums of an array, doubling the distance at every step.
__global__ void prefix_scan(const int *x, int *sums) {
    __shared__ int now[8];
    int i = threadIdx.x;
    now[i] = x[i];
    __syncthreads();
    for (int step = 1; step < 8; step *= 2) {
        int add = i >= step ? now[i - step] : 0;
        __syncthreads();
        now[i] += add;
        __syncthreads();
    }
    sums[i] = now[i];
}
