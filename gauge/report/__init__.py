"""Tables and plots made from the records only."""
