"""Pictures of every screen, made from sample data: `python -m tests.screenshots`."""
