"""CUDA C++ to PTX, and PTX to a program of the machine."""
