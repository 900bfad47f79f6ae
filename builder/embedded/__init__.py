"""The small language model that the product carries: its data, its training, its measure, its files."""
