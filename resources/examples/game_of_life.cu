// Game of Life: one generation on a board whose edges meet.
__global__ void game_of_life(const int *board, int *next, int size) {
    int row = threadIdx.y, column = threadIdx.x, neighbours = 0;
    for (int down = -1; down <= 1; down++)
        for (int right = -1; right <= 1; right++)
            if (down || right)
                neighbours += board[(row + down + size) % size * size + (column + right + size) % size];
    next[row * size + column] = neighbours == 3 || (neighbours == 2 && board[row * size + column]);
}
