"""A published policy behind its own server: what its profile says, applied."""
