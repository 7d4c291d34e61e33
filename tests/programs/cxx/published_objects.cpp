// Threads use the variables of another thread by their addresses, which a GPU has on the heap therefore.
#include "check.hpp"

struct Link {
    int value;
    Link *next;
    explicit Link(int v) : value(v), next(nullptr) {}
    Link(const Link &) = delete;
    ~Link() { value = -1; }
    void join(Link *&front)
    {
        next = front;
        front = this;
    }
};

template <class T> struct Keeper {
    T *kept;
    void keep(T &what) { kept = &what; }
};

// All threads see the parameter of the last one that published it.
static int published(int **where, int given)
{
#pragma omp critical
    *where = &given;
#pragma omp barrier
    const int seen = **where;
#pragma omp barrier
    return seen;
}

int main()
{
    int out[8] = {};
#pragma omp target teams num_teams(1) map(tofrom : out)
    {
        int *shared = nullptr, *row = nullptr;
        Keeper<const float> keeper{nullptr};
        Link *front = nullptr;
#pragma omp parallel num_threads(4)
        {
            int mine = 7, *lead = &mine, other = 2;
            auto twice = mine * 2;
            float half(2.5f), most{1.5f};
            int filled[3] = {1, 2, 3}, plain[2];
            plain[0] = 5;
            Link first(11), second{12};
            auto publish = [&] {
                keeper.keep(half);
                first.join(front);
                second.join(front);
            };
#pragma omp single
            {
                shared = lead;
                row = filled;
                publish();
            }
#pragma omp barrier
#pragma omp critical
            {
                out[0] += *shared + other;
                out[1] += int(*keeper.kept * 2);
                out[2] += front->value + front->next->value;
                out[3] += row[2];
            }
#pragma omp barrier
#pragma omp single
            {
                shared = &twice;
                row = plain;
                keeper.keep(most);
            }
#pragma omp barrier
#pragma omp critical
            {
                out[4] += *shared;
                out[5] += int(*keeper.kept * 2) + row[0];
            }
#pragma omp barrier
            const int seen = published(&shared, 3);
#pragma omp critical
            out[6] += seen;
        }
    }
    check("mine", out[0], 36);
    check("half", out[1], 20);
    check("links", out[2], 92);
    check("filled", out[3], 12);
    check("twice", out[4], 56);
    check("plain", out[5], 32);
    check("given", out[6], 12);
    return report();
}
