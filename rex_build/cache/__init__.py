"""Lowered units and device images, kept by what they were made from.

``quick`` answers a command line from the store, ``step`` and ``image`` are what the pipeline and the device compilation
call. They use ``unit``, which knows what a result depends on; below are ``manifest``, ``key``, ``store`` and ``memo``.
The modules that a hit needs import next to nothing: on a hit, Python's own start takes most of the time.
"""
