"""A detector worker that sees motion, for any master that speaks the worker protocol."""
