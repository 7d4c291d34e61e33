"""The cache of lowered units and device images. Each is stored under a digest of everything it was made from.

``quick`` answers a command line from the store. The pipeline calls ``step``, and the compilation of images calls
``image_compile``. They use ``unit`` and ``image``, which say what a result depends on. Below them are ``manifest``,
``key``, ``store`` and ``memo``. The modules that a hit needs import very little, as Python's own start already takes
most of a hit's time.
"""
