// Exceptions, iostream, strings, virtual functions, maps and unique_ptr on the host around regions.
#include "check.hpp"
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

class Backend
{
  public:
    virtual ~Backend() = default;
    virtual long run(std::vector<long> &v) = 0;
    virtual std::string name() const { return R"(back"end)"; }
};
class Target : public Backend
{
  public:
    long run(std::vector<long> &v) override
    {
        if (v.empty())
            throw std::invalid_argument("empty");
        long *p = v.data();
        long s = 0;
#pragma omp target teams distribute parallel for map(tofrom : p[0 : v.size()]) reduction(+ : s)
        for (std::size_t i = 0; i < v.size(); ++i) {
            p[i] *= 2;
            s += p[i];
        }
        return s;
    }
    std::string name() const override { return "target"; }
};

int guarded(int n)
try {
    int sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)
    for (int i = 0; i < n; ++i)
        sum += i;
    if (sum > 10)
        throw std::out_of_range("large");
    return sum;
} catch (const std::out_of_range &) {
    return -1;
}

class Buffer
{
  public:
    explicit Buffer(int n)
    try : data_(new long[n]), size_(n) {
        if (n > 100)
            throw std::length_error("long");
        long *data = data_;
#pragma omp target enter data map(alloc : data[0 : n])
#pragma omp target teams distribute parallel for
        for (int i = 0; i < n; ++i)
            data[i] = 3 * i;
    } catch (const std::length_error &) {
        throw std::out_of_range("length");
    }
    ~Buffer()
    try {
        long *data = data_;
#pragma omp target exit data map(from : data[0 : size_])
        last = data[size_ - 1];
        delete[] data;
    } catch (...) {
    }
    static long last;

  private:
    long *data_;
    int size_;
};
long Buffer::last = 0;

int main()
try {
    {
        Buffer buffer(10);
    }
    check("constructors and destructors with try blocks", Buffer::last, 27L);
    check("a try block as a body", guarded(3) == 3 && guarded(10) == -1, true);
    std::map<std::string, std::unique_ptr<Backend>> all;
    all["t"] = std::make_unique<Target>();
    std::vector<long> v(100), none;
    std::iota(v.begin(), v.end(), 1);
    check("run", all["t"]->run(v), 10100L);
    bool thrown = false;
    try {
        all["t"]->run(none);
    } catch (const std::exception &e) {
        thrown = std::string(e.what()) == "empty";
    }
    check("thrown", thrown, true);
    std::ostringstream os;
    os << all["t"]->name() << ' ' << v.back();
    check("text", os.str(), std::string("target 200"));
    auto buf = std::make_unique<float[]>(32);
    float *raw = buf.get();
#pragma omp target teams distribute parallel for map(from : raw[0 : 32])
    for (int i = 0; i < 32; i++)
        raw[i] = i;
    check("unique", buf[31], 31.f);
    std::sort(v.begin(), v.end(), [](long a, long b) { return a > b; });
    check("sorted", v.front(), 200L);
    std::cout << std::flush;
    return report();
} catch (const std::exception &error) {
    std::cout << error.what() << '\n';
    return 1;
}
