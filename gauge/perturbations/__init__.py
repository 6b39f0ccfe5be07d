"""Perturbations: one small value object per attribute, one file each."""
