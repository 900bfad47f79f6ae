"""The worker process, which holds the model: its messages, the process itself, and the client that the app talks to it with."""
