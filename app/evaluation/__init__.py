"""How well questions in everyday words are answered: by the model alone, with a tool on the host, with the machine."""
