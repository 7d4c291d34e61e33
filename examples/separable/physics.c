#include "physics.h"

double damping = 0.5;

double step(double x, double v)
{
    return x + damping * v;
}
