"""The page of ``rex-build profile -o`` and ``rex-build explain --html``: one HTML file that needs nothing else."""
