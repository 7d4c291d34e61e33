"""rex-build: lower OpenMP target constructs in C and C++ to libomptarget host code and CUDA kernels."""

__version__ = "0.2.0"
