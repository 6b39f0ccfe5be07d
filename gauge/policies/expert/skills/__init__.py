"""What the expert can do, one skill a file."""
