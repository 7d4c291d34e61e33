#include "../check.hpp"
#include "counters.hpp"

int Counter::made = 5;

int main()
{
    check("its first value", read_on_device(), 10);
    return report();
}
