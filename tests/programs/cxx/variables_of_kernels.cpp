// Variables, members and types that have the names of CUDA's variables of each kernel.
// flags: -std=c++17
// reference: -O1
#include "check.hpp"

struct dim {
    int x, y;
};
namespace grid {
int gridDim = 3;
struct blockDim {
    int w;
};
struct K {
    int blockDim;
    double *threadIdx;
    int get() const { return blockDim; }
};
}
#pragma omp declare target(grid::gridDim)

static int work(dim blockIdx, int threadIdx) { return blockIdx.x * threadIdx + blockIdx.y + grid::gridDim; }

template <int B> long run(const dim gridDim, int *threadIdx)
{
    long s = 0;
    int blockIdx;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : threadIdx[0 : gridDim.x * gridDim.y]) \
    reduction(+ : s) private(blockIdx)
    for (int i = 0; i < gridDim.x; i++)
        for (int j = 0; j < gridDim.y; j++) {
            blockIdx = i * gridDim.y + j;
            threadIdx[blockIdx] += work(gridDim, i) + B;
            s += threadIdx[blockIdx];
        }
    return s;
}

struct Scaled {
    int blockDim;
    double *gridDim;
    double sum()
    {
        double threadIdx = 0;
#pragma omp target teams distribute parallel for map(to : gridDim[0 : blockDim]) reduction(+ : threadIdx)
        for (int blockIdx = 0; blockIdx < blockDim; blockIdx++)
            threadIdx += gridDim[blockIdx] * this->blockDim;
        return threadIdx;
    }
};

int main()
{
    int blockDim = 4, blockIdx = 7, a[100], cells[12] = {1, 2, 3};
    dim threadIdx{2, 9}, gridDim{5, 1};
    long s = 0;
#pragma omp target teams distribute parallel for map(from : a) reduction(+ : s)
    for (int i = 0; i < 100; i++) {
        a[i] = blockDim + threadIdx.x * i + gridDim.x + blockIdx;
        s += a[i];
    }
    check("captured", s, 11500L);
    check("parameters", run<6>(dim{3, 4}, cells), 198L);

    double q[5] = {1, 2, 3, 4, 5};
    Scaled scaled{5, q};
    check("members", scaled.sum(), 75.0);

    grid::K k{7, q};
    int r = 0;
    auto f = [=](int blockIdx) { return threadIdx.x * blockIdx + k.blockDim; };
#pragma omp target map(to : k, k.threadIdx[0 : 5]) map(tofrom : r)
    {
        grid::blockDim b{100};
        r = k.get() + (int)k.threadIdx[4] + f(3) + threadIdx.y + b.w;
        const char *text = "gridDim";
        r += text[0] == 'g';
#pragma omp parallel for reduction(+ : r)
        for (int gridDim = 0; gridDim < 4; gridDim++)
            r += gridDim * threadIdx.x;
    }
    check("in a team", r, 147);
    return report();
}
