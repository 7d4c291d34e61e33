"""The run-time library of the check device, in C, and where it is built."""
