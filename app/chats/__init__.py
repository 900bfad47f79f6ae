"""Conversations on disk: append-only files, a tree of messages, search, export and import. No Qt, no torch."""
