"""The cells of a study with their records as DuckDB tables, a few cells at a time."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gauge.core.items import Combination, Item, Value
from gauge.errors import GaugeError
from gauge.records.lines import BATCH_BYTES, Owner, batches, connect, gather, settle
from gauge.records.shelf import PARTS, Shelf, contents, shelf, shelves
from gauge.records.store import CELL_FILE, read_cell

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

TRIES = 3  # compaction may remove a file between the look and the reading

_VIEWS = """
CREATE OR REPLACE VIEW episodes AS SELECT ids.cell_id, lines.* FROM lines JOIN ids USING (cell) WHERE ok;
CREATE OR REPLACE VIEW surplus AS SELECT ids.cell_id, later.* FROM later JOIN ids USING (cell);
CREATE OR REPLACE VIEW damaged AS
SELECT ids.cell_id, count(*) AS lines FROM lines JOIN ids USING (cell) WHERE NOT ok GROUP BY ids.cell_id
"""


class Planned(NamedTuple):
    """The episodes that a run or sweep is about.

    A cell may hold more, from an earlier and larger run; cells compared over different episodes would compare
    their scenes. `left_out` counts by cell the scenarios in which its perturbation makes no sense, `suites` the
    scenarios by suite; without it there is one suite.
    """

    scenarios: tuple[str, ...]
    rollouts: int
    left_out: tuple[tuple[str, int], ...] = ()
    suites: tuple[tuple[str, int], ...] = ()

    def episodes(self, suite: str, cell_id: str = "") -> int:
        """How many of them a cell of `suite` should hold."""
        every = dict(self.suites).get(suite, len(self.scenarios))
        return self.rollouts * (every - dict(self.left_out).get(cell_id, 0))


@dataclass(frozen=True, slots=True)
class CellInfo:
    """What `cell.json` says, as far as tables and plots need it.

    Attributes:
        folder: where its records are.
        cell_id, model, suite, branch: names.
        label: the combination's label, `clean` without items.
        attribute, value: of a single item (`dynamic` for a dynamic one); empty and None for none or several.
    """

    folder: Path
    cell_id: str
    model: str
    suite: str
    branch: str
    label: str
    attribute: str
    value: Value | None


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Some cells, and where their records lie."""

    cells: list[CellInfo]
    shelves: list[Shelf]

    @classmethod
    def of(cls, root: Path) -> "Catalogue":
        """All cells in a study's folder, or the one in its own.

        Raises:
            GaugeError: the folder is missing or holds no cell, or a cell's description is missing or damaged.
        """
        found = cells_at(root)
        return cls([read_info(one.folder) for one in found], found)

    @classmethod
    def among(cls, folders: Sequence[Path]) -> "Catalogue":
        """The cells in these folders.

        Raises:
            GaugeError: a cell's description is missing or damaged.
        """
        return cls([read_info(folder) for folder in folders], list(shelves(folders)))

    def tables(
        self,
        fields: Collection[str] = (),
        planned: Planned | None = None,
        cell_ids: Collection[str] | None = None,
        most: int = BATCH_BYTES,
    ) -> Iterator["DuckDBPyConnection"]:
        """A private in-memory database, filled with the next cells at every step.

        Views: `episodes`, one row per episode (a success or fail beats an error; the earliest `finished_at` counts, of
        errors the last attempt), `surplus`, the other records of the same episodes, and `damaged`, the number of
        damaged lines by cell. An episode is in exactly one of the steps.

        Args:
            fields: columns beside cell_id, scenario_id, rollout, status, attempt and finished_at; see
                `gauge.records.lines.EVERY`.
            planned: leaves out all other episodes.
            cell_ids: leaves out all other cells.
            most: bytes of records, as they were written, in one step.

        Raises:
            GaugeError: the records cannot be read.
        """
        same: dict[str, list[Shelf]] = {}  # a cell may have been copied, and counts once
        for info, one in zip(self.cells, self.shelves, strict=True):
            if one.sources and (cell_ids is None or info.cell_id in cell_ids):
                same.setdefault(info.cell_id, []).append(one)
        owners = [Owner(number, key, one) for number, (key, own) in enumerate(same.items()) for one in own]
        with connect() as con:
            for batch in batches(owners, most):
                read(con, batch, [name for name in fields if name != "cell_id"])
                con.execute("CREATE OR REPLACE TABLE ids (cell INTEGER, cell_id VARCHAR)")
                names = {owner.number: owner.cell_id for owner in batch}
                con.execute("INSERT INTO ids SELECT unnest(?), unnest(?)", [list(names), list(names.values())])
                _keep(con, planned)
                con.execute(_VIEWS)
                yield con


def read(con: "DuckDBPyConnection", owners: Sequence[Owner], fields: Collection[str]) -> None:
    """The tables `lines` and `later` of some cells; files that were compacted and removed meanwhile are found again.

    Raises:
        GaugeError: the records cannot be read.
    """
    import duckdb

    for left in reversed(range(TRIES)):
        try:
            gather(con, owners, fields)
            return settle(con)
        except duckdb.Error as error:
            folder = owners[0].shelf.folder.parent
            if not left:
                raise GaugeError(f"the record files in {folder} cannot be read: {error}") from error
        again = shelves([owner.shelf.folder for owner in owners])
        owners = [owner._replace(shelf=one) for owner, one in zip(owners, again, strict=True)]
    return None


def _keep(con: "DuckDBPyConnection", planned: Planned | None) -> None:
    """Delete what was not planned; damaged lines stay, since nobody knows what they were."""
    if planned is None:
        return
    values = {"scenarios": list(planned.scenarios), "rollouts": planned.rollouts}
    outside = "NOT (list_contains($scenarios, scenario_id) AND rollout < $rollouts)"
    con.execute(f"DELETE FROM lines WHERE ok AND {outside}", values)
    con.execute(f"DELETE FROM later WHERE {outside}", values)


def cells_at(root: Path) -> list[Shelf]:
    """The cells at `root`, by name: itself, or else its children.

    Raises:
        GaugeError: there is none.
    """
    if not root.is_dir():
        raise GaugeError(f"{root} is not a folder; results of study=NAME are in outputs/NAME")
    itself = next(iter(shelves([root])))
    if _is_cell(itself):
        return [itself]
    held = contents(root)
    folders = sorted(path for path in root.iterdir() if path.name != PARTS)
    found = [one for one in (shelf(path, held.get(path.name, {})) for path in folders) if _is_cell(one)]
    if not found:
        raise GaugeError(f"{root} holds no results; give the folder of a study (outputs/NAME) or of one cell")
    return found


def _is_cell(found: Shelf) -> bool:
    return found.described or bool(found.sources)


def read_info(folder: Path) -> CellInfo:
    """The description of the cell in `folder`.

    Raises:
        GaugeError: it is missing or damaged.
    """
    data: dict[str, Any] = read_cell(folder)
    try:
        items = [Item("", "", item["attribute"], tuple(item["values"]), item["mode"]) for item in data["items"]]
        model, suite, branch = data["model"]["name"], data["suite"]["name"], data["branch"]
    except (KeyError, TypeError) as error:
        raise GaugeError(f"{folder / CELL_FILE} does not describe a cell of this version ({error!r})") from error
    single = items[0] if len(items) == 1 else None
    value = (single.values[0] if single.mode == "static" else "dynamic") if single else None
    label = Combination.of(items).label
    return CellInfo(folder, data["id"], model, suite, branch, label, single.attribute if single else "", value)
