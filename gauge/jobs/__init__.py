"""Submitted jobs: the ledger of a sweep, what the scheduler and the records say of each job, tables of both."""
