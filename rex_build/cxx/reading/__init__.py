"""C++ as the tree of :mod:`rex_build.tree`: bodies of functions, instantiations and closures as libclang shows them."""
