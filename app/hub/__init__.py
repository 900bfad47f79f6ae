"""Getting a language model: from a hub by Range requests that resume, or from a folder that is already there. No torch."""
