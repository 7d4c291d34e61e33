"""The C++ front end: it fills the same plan as the C front end. libclang reads the unit."""
