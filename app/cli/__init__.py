"""The command line: one module a command, each with `configure` (its options) and `execute` (its work)."""
