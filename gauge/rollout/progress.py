"""What a person sees while a cell runs: a bar with the running success rate and the time left."""

from collections.abc import Sequence
from typing import Self

from gauge.bar import Bar
from gauge.core.metrics import Rate
from gauge.core.record import EpisodeRecord


class ProgressView:
    """Counts the episodes of a cell as they end."""

    def __init__(self, label: str, planned: int, stored: list[EpisodeRecord], shown: bool) -> None:
        self._statuses = [record.status for record in stored]
        self._bar = Bar(label, planned, shown, len(stored), self._text())

    def __enter__(self) -> Self:
        self._bar.__enter__()
        return self

    def __exit__(self, *ended: object) -> None:
        self._bar.__exit__(*ended)

    def add(self, record: EpisodeRecord) -> None:
        """Count one finished episode."""
        self.add_all([record])

    def add_all(self, records: Sequence[EpisodeRecord]) -> None:
        """Count finished episodes; an error, and what made a policy give up, is named at once."""
        self._statuses += [record.status for record in records]
        for record in records:
            if record.reason:
                what = "error" if record.status == "error" else "the policy gave up"
                self._bar.say(f"{what} in {record.scenario_id} rollout {record.rollout}: {record.reason}", "yellow")
        self._bar.update(len(self._statuses), self._text())

    def _text(self) -> str:
        errors = self._statuses.count("error")
        rate = Rate(self._statuses.count("success"), len(self._statuses) - errors, errors)
        return f"episodes, success {rate}" if self._statuses else "episodes"
