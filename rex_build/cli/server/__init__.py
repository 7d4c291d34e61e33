"""A process that keeps rex-build's modules imported between the commands of a build, and forks one for each command.

``ask.py`` is what a command does, ``alike.py`` says for which commands a server is, ``start.py`` starts one,
``serve.py`` is the server, and ``become.py`` what its child does to be the command.
"""
