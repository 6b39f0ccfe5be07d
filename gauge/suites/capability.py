"""The six capability suites: the generated scenarios by capability and split, each under the id of its capability."""

from dataclasses import replace
from functools import cache

from gauge.errors import GaugeError, unknown
from gauge.suites.generate import FOLDER
from gauge.suites.libero import Suite
from gauge.suites.planned import CAPABILITIES, SPLITS
from gauge.suites.scenario import load_folder

ALL = "all"


@cache
def load(name: str, capability: str, split: str | None) -> Suite:
    """The scenarios of a capability, or of all six, as a suite called `name`, in one split or both.

    A scenario keeps its id, `CAPABILITY/NAME`, in whichever suite it is, and so its initial states and seeds.

    Raises:
        GaugeError: no such capability or split, or none of its scenarios is built.
    """
    if capability not in (ALL, *CAPABILITIES):
        raise unknown("capability", capability, [ALL, *CAPABILITIES])
    if split not in (None, *SPLITS):
        raise GaugeError(f"suite.split={split} is neither {' nor '.join(SPLITS)}; null takes both")
    wanted = CAPABILITIES if capability == ALL else (capability,)
    places = [(one, half) for one in wanted for half in SPLITS if split in (None, half)]
    built = [(one, FOLDER / one / half) for one, half in places if (FOLDER / one / half).is_dir()]
    if not built:
        raise GaugeError(f"none of the scenarios of suite={name} is built yet; type python -m gauge.suites count")
    tasks = [task for one, folder in built for task in load_folder(folder, one).tasks]
    return Suite(name, tuple(replace(task, index=number) for number, task in enumerate(tasks)))
