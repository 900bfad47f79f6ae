"""Inference with the compiled machine: runtimes, launches, replay."""
