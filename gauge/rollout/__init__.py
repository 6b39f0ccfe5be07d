"""Orchestration: one episode, one cell of episodes, worker processes, progress."""
