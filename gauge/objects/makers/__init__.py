"""Makers: one file per kind of shape; each function draws the numbers of one family and returns its parts."""
