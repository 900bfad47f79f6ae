"""The chat screen without its widgets: replies as parts, launch rows, the queue of questions, the model's state.

No Qt, no torch.
"""
