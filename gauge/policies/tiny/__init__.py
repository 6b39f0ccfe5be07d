"""`model=tiny` and `model=blind`: a small vision-language-action policy of our own, trained by `gauge.train`."""

from gauge.policies.tiny.policy import TinyPolicy

__all__ = ["TinyPolicy"]
