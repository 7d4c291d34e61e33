"""What OpenMP's constructs mean, whatever the language of the program is."""
