"""A scripted expert for LIBERO scenes (`model=expert`)."""

from gauge.policies.expert.policy import ExpertPolicy

__all__ = ["ExpertPolicy"]
