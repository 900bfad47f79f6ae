"""The chat screen: messages, launch rows, computed values, composer."""
