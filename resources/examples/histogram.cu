// Histogram: count how often each value occurs, with atomic additions.
__global__ void histogram(const int *x, int *bins) {
    int i = threadIdx.x;
    atomicAdd(&bins[x[i]], 1);
}
