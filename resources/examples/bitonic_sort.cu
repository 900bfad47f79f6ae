// Bitonic sort: compare and exchange in a fixed network.
__global__ void bitonic_sort(int *x) {
    int i = threadIdx.x;
    for (int size = 2; size <= 8; size *= 2) {
        for (int step = size / 2; step > 0; step /= 2) {
            int j = i ^ step;
            if (j > i) {
                int a = x[i], b = x[j];
                bool up = (i & size) == 0;
                if (up ? a > b : a < b) {
                    x[i] = b;
                    x[j] = a;
                }
            }
            __syncthreads();
        }
    }
}
