"""Profiles of published policies: list them, show one, and what it does to a real observation."""
