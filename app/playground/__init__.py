"""The Playground without its widgets: drafts that are kept, and the gallery of kernels. No Qt, no torch."""
