"""The first-run assistant as a state machine over data: four steps, each resumable. No widgets, no torch."""
