"""The simulator: LIBERO tasks compiled by MuJoCo, started from seeds, stepped and rendered."""
