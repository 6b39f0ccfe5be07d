"""Experiment trackers: a copy of the results for looking at, never their source."""

from gauge.tracking.base import NullTracker, Tracker, build

__all__ = ["NullTracker", "Tracker", "build"]
