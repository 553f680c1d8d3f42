"""Arena: tournaments between programs, with a referee whose results can be proved."""

__version__ = "0.1.0"
