// Pointers of namespaces and classes under their whole names, and static members that a region names by an object.
#include "check.hpp"

namespace engine {
double *heap;
int factor = 2;
namespace inner {
float *rows;
}
}

static double *top;

struct Model {
    static double *weights;
    static float table[4];
    static const int sizes[3];
    static int count;
    static constexpr int step = 3;
    float own = 0;

    int by_this()
    {
        int r = 0;
#pragma omp target map(tofrom : r)
        {
            r = int(this->table[1]) + this->count * 10 + sizes[2] * 1000;
            this->table[3] = 70;
        }
        return r;
    }
};

double *Model::weights;
float Model::table[4] = {1, 2, 3, 4};
const int Model::sizes[3] = {5, 6, 7};
int Model::count = 1;

template <class T> T in_template(T x)
{
    Model model;
    T r = 0;
#pragma omp target map(tofrom : r)
    r = x + T(model.table[1]);
    return r;
}

// No conversion shows that these only read the variables.
template <class T>
static T read_in_template(T x)
{
    T r = 0;
#pragma omp target map(tofrom : r)
    {
        const T k = Model::count;
        r = x + k * T(Model::count) - static_cast<T>(engine::factor);
        r += Model::count;
        if (x < engine::factor)
            r = engine::factor;
    }
    return r;
}

int main()
{
    const int n = 64;
    engine::heap = new double[n];
    engine::inner::rows = new float[n];
    Model::weights = new double[n];
    top = engine::heap;
    for (int i = 0; i < n; i++) {
        engine::heap[i] = i;
        engine::inner::rows[i] = 0;
        Model::weights[i] = 2 * i;
    }

    double sum = 0;
#pragma omp target enter data map(to : engine::heap[0 : n])
#pragma omp target teams distribute parallel for reduction(+ : sum) map(engine::inner::rows[0 : n])
    for (int i = 0; i < n; i++) {
        engine::inner::rows[i] = float(engine::heap[i]) * engine::factor;
        sum += ::engine::heap[i] + ::top[i];
    }
    for (int i = 0; i < n; i++) {
        check("rows", engine::inner::rows[i], float(2 * i));
    }
    check("sum", sum, n * (n - 1));
#pragma omp target exit data map(delete : engine::heap[0 : n])

    Model model, *place = &model;
    Model::count = 7;
    double weighted = 0;
#pragma omp target teams distribute parallel for reduction(+ : weighted) map(to : Model::weights[0 : n])
    for (int i = 0; i < n; i++) {
        weighted += Model::weights[i] * place->count + model.weights[i];
    }
    check("weighted", weighted, 8 * n * (n - 1));

    int r = 0;
#pragma omp target map(tofrom : r)
    {
        r = int(model.table[2]) + model.sizes[1] * 1000 + (model).count + place->sizes[2] + model.step;
        place->table[0] = 8;
    }
    check("through objects", r, 3 + 6000 + 7 + 7 + 3);
    check("table", Model::table[0], 8);
    check("by this", model.by_this(), 2 + 70 + 7000);
    check("table by this", Model::table[3], 70);
    check("template", in_template(4), 6);
    check("double template", in_template(0.5), 2.5);
    check("read in a template", read_in_template(4), 4 + 49 - 2 + 7);
    check("read in a double template", read_in_template(0.5), 2.0);

    delete[] engine::heap;
    delete[] engine::inner::rows;
    delete[] Model::weights;
    return report();
}
