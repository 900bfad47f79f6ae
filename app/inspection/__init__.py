"""The launch inspector's model: what a launch record holds, and what the machine was at any token. No Qt, no torch."""
