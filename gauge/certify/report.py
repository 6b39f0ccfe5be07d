"""The certificates on a terminal: a line for each scenario, then what keeps some of them out."""

from rich import box
from rich.console import Console
from rich.table import Table

from gauge.certify.campaign import Campaign
from gauge.suites.certificate import Certificate, Share, horizon

HEADS = (
    "starts",
    "target moves (mm)",
    "declared (mm)",
    "pixels",
    "expert",
    "steps",
    "horizon",
    "replay",
    "sibling's",
    "both",
    "verdict",
)


def report(console: Console, found: Campaign) -> None:
    """Print the table, the reasons and the sums."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("scenario")
    for head in HEADS:
        table.add_column(head, justify="right")
    for one in found.scenarios:
        if one.id in found.known:
            table.add_row(one.id, *_row(found.known[one.id]))
    console.print(table)
    for line in lines(found):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def lines(found: Campaign) -> list[str]:
    """What keeps scenarios out, what differs from its certificate, and the sums."""
    faults = {one.id: found.known[one.id].faults() for one in found.scenarios if one.id in found.known}
    told = [f"{name}: {'; '.join(why)}" for name, why in faults.items() if why]
    told += [f"{name}: {'; '.join(one.what for one in what)}" for name, what in found.differences.items() if what]
    good = sum(not why for why in faults.values())
    told.append(f"{len(found.scenarios)} scenarios: {len(faults)} certified, {good} of them without fault")
    if checked := list(found.differences.values()):
        same = sum(not what for what in checked)
        near = sum(all(one.tolerable for one in what) for what in checked) - same
        close = f", {near} as near as another machine may be" if near else ""
        told.append(f"{len(checked)} layouts and goals checked: {same} exactly as on record{close}")
    return told


def _row(one: Certificate) -> tuple[str, ...]:
    starts = one.starts
    return (
        str(len(starts.hashes)),
        " ".join(f"{x:.0f}" for x in starts.spread_mm),
        " ".join(f"{x:.0f}" for x in starts.region_mm),
        str(starts.pixels),
        _share(one.solved),
        f"{one.steps:.0f}",
        str(horizon(one.steps)) if one.witness is not None else "",
        _share(one.replay),
        _share(one.sibling),
        _share(one.both),
        "dropped" if one.faults() else "kept",
    )


def _share(share: Share) -> str:
    return f"{share.successes}/{share.n}"
