"""Where the records of a running cell go: to disk first, then to whoever watches."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from gauge.core.record import EpisodeRecord
from gauge.errors import IncompleteError
from gauge.records.store import RecordWriter
from gauge.rollout.progress import ProgressView
from gauge.tracking.base import Tracker

FILMED_FIRST = frozenset({"success", "fail"})


@dataclass(slots=True)
class Collector:
    """The live state of one cell: what is stored, what is filmed, how many errors came in a row."""

    writer: RecordWriter
    tracker: Tracker
    view: ProgressView
    video: str
    stop_after_errors: int
    records: dict[tuple[str, int], EpisodeRecord] = field(default_factory=dict)
    errors_in_a_row: int = 0

    def add(self, record: EpisodeRecord) -> None:
        """Store one finished episode, then show it.

        Raises:
            IncompleteError: too many errors in a row; the cause is probably not the episodes.
        """
        self.writer.write(record)
        self.records[record.key] = record
        self.tracker.episode(record)
        self.view.add(record)
        self.errors_in_a_row = self.errors_in_a_row + 1 if record.status == "error" else 0
        if self.errors_in_a_row >= self.stop_after_errors:
            raise IncompleteError(
                f"stopped after {self.errors_in_a_row} errors in a row (stop_after_errors), the last one: "
                f"{record.reason}; what was evaluated is stored, run the same command again to continue"
            )

    def add_all(self, records: Sequence[EpisodeRecord]) -> None:
        """Store and show many episodes at once, none of them an error."""
        self.writer.write_all(records)
        for record in records:
            self.records[record.key] = record
            self.tracker.episode(record)
        self.view.add_all(records)

    def video_of(self) -> frozenset[str]:
        """The statuses of which an episode that starts now should be filmed."""
        if self.video == "all":
            return FILMED_FIRST | {"error"}
        if self.video == "off":
            return frozenset()
        return FILMED_FIRST - {record.status for record in self.records.values() if record.video}
