"""The language in which calculations are written: integers, lists, names and calls of library functions."""
