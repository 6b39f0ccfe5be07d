"""What can be evaluated: scripted, random and remote policies behind the face in `gauge.core.policy`."""
