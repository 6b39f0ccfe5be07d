"""Gauge: how far a vision-language-action policy can be trusted."""

__version__ = "0.1.0"
