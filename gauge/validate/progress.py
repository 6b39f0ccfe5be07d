"""What a person sees while values are certified."""

from collections.abc import Sequence
from typing import Self

from gauge.bar import Bar
from gauge.perturbations.certificate import Certificate


class Tally:
    """Counts certified values; those that were certified before count from the start."""

    def __init__(self, planned: int, shown: bool) -> None:
        self._done, self._dropped = 0, 0
        self._bar = Bar("validate", planned, shown)

    def __enter__(self) -> Self:
        self._bar.__enter__()
        return self

    def __exit__(self, *ended: object) -> None:
        self._bar.__exit__(*ended)

    def skip(self, count: int) -> None:
        """Count values that are certified already."""
        self._done += count
        self._bar.update(self._done, self._text())

    def add(self, found: Sequence[Certificate]) -> None:
        """Count new certificates."""
        self._dropped += sum(one.verdict == "dropped" for one in found)
        self.skip(len(found))

    def _text(self) -> str:
        return f"values, {self._dropped} dropped"
