"""What a program does, as a typed and resolved tree that is the same for C and C++. The front ends fill it.

:mod:`.types`, :mod:`.symbols` and :mod:`.nodes` are the tree. Nothing here knows pycparser or libclang.
"""
