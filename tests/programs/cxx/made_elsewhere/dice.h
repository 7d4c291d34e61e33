// A class for the device whose constructors, destructor and conversion another unit defines.
#pragma once

#pragma omp declare target
class Dice {
public:
    explicit Dice(unsigned seed, double *last);
    Dice(const Dice &other);
    ~Dice();
    unsigned next();
    operator double() const;

private:
    unsigned state;
    double *last;
};
#pragma omp end declare target
