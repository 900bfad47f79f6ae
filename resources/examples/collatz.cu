// Collatz: how many steps each number takes down to 1.
__global__ void collatz(const unsigned int *n, int *steps) {
    int i = threadIdx.x, count = 0;
    unsigned int x = n[i];
    while (x != 1) {
        x = x % 2 ? 3 * x + 1 : x / 2;
        count++;
    }
    steps[i] = count;
}
