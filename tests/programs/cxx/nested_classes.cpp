// Classes in classes: their regions, and regions that use them.
#include "check.hpp"

class Mesh {
public:
    class Cell {
        double value = 0;

    public:
        void set(double v) { value = v; }
        double get() const { return value; }
        struct Face {
            int axis;
            double length() const { return axis + 0.5; }
        };
    };
    struct Solver {
        Mesh *mesh;
        void run(int steps)
        {
            Cell *cells = mesh->cells_;
            const int n = mesh->n_;
            for (int s = 0; s < steps; ++s) {
#pragma omp target teams distribute parallel for map(tofrom: cells[0:n])
                for (int i = 0; i < n; ++i) {
                    const Cell::Face face{i % 3};
                    cells[i].set(cells[i].get() + face.length());
                }
            }
        }
    };
    explicit Mesh(int n) : n_(n), cells_(new Cell[n]) {}
    ~Mesh() { delete[] cells_; }
    Mesh(const Mesh &) = delete;
    Mesh &operator=(const Mesh &) = delete;
    double at(int i) const { return cells_[i].get(); }

private:
    int n_;
    Cell *cells_;
};

int main()
{
    Mesh mesh(10);
    Mesh::Solver{&mesh}.run(4);
    check("axis 0", mesh.at(9), 2.0);
    check("axis 2", mesh.at(5), 10.0);
    return report();
}
