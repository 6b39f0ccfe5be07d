"""Results on disk: written a line at a time, locked per cell, read as tables."""
