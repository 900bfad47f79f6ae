"""What helps when something is wrong: error cards, the diagnostics window, what the app is made of."""
