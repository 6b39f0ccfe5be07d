"""`python -m gauge.models list|show|probe`: which policies gauge knows, what it does for each, what they mean."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf

from gauge.command import command
from gauge.errors import GaugeError

EXAMPLE = """examples:
  python -m gauge.models list
  python -m gauge.models show pi05
  python -m gauge.models show pi05 --frame --to frames
  python -m gauge.models probe model=pi05 model.host=gpu-box model.port=8000
  python -m gauge.run model=pi05 model.host=gpu-box model.port=8000 suite=libero_goal suite.horizon=300"""
REACH = ("host", "port", "connect_timeout_s", "first_call_timeout_s", "call_timeout_s", "attempts", "api_key_env")


@command()
def main() -> None:
    """Hand over to the verb; faults are one sentence."""
    if sys.argv[1:2] == ["probe"]:
        from gauge.models.probe import main as probe

        sys.argv = ["gauge models probe", *sys.argv[2:]]
        probe()
        return
    parser = argparse.ArgumentParser(
        prog="python -m gauge.models",
        description=__doc__,
        epilog=EXAMPLE,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    verbs = parser.add_subparsers(dest="verb", metavar="list|show|probe", required=True)
    verbs.add_parser("list", help="a table of all profiles")
    verbs.add_parser("probe", help="ask a policy about a few moments of real scenes: are its conventions as said?")
    show = verbs.add_parser("show", help="everything one profile says, and how to start its server")
    show.add_argument("name", metavar="NAME", help="an option of model=")
    show.add_argument("--frame", action="store_true", help="write what the policy would receive from a real scene")
    show.add_argument("--suite", default="libero_spatial", help="of the scene (default %(default)s)")
    show.add_argument("--task", type=int, default=0, help="index of the task in it (default %(default)s)")
    show.add_argument("--to", type=Path, default=Path("frames"), metavar="FOLDER", help="default %(default)s")
    typed = parser.parse_args()
    print(table() if typed.verb == "list" else shown(typed.name))
    if typed.verb == "show" and typed.frame:
        print("\nWritten:", *_frame(typed), sep="\n  ")


def table() -> str:
    """One line per profile: name, title, whether the paper has it, protocol, views, chunk and executed, gripper."""
    from gauge.models.read import profiles

    rows = [("model=", "title", "paper", "protocol", "views", "state", "chunk", "executed", "action", "start")]
    for model in profiles():
        about = model.about
        rows.append(
            (
                model.name,
                about.title,
                "yes" if about.in_paper else "",
                model.protocol,
                str(len(model.input.views)),
                "" if model.input.state == "none" else str(8 if "eef" in model.input.state else 9),
                str(about.chunk),
                _executed(about.executed),
                about.actions,
                "no published server" if about.start.startswith("unknown") else "known",
            )
        )
    return _columns(rows)


def _executed(value: Any) -> str:
    return str(value) if isinstance(value, int) or value == "unknown" else "every step"


def shown(name: str) -> str:
    """Everything the profile says, in three parts.

    Raises:
        GaugeError: there is no such profile.
    """
    from gauge.config.profiles import profile
    from gauge.models.read import served

    model = served(name)
    found = profile(model)
    about = _plain(model.about)
    turns = [f"{view.camera} {view.turn}" for view in found.views]
    does = [
        ("protocol", model.protocol),
        ("views", ", ".join(turns) + (f", then {found.blank} black" if found.blank else "")),
        ("rendered", " x ".join(map(str, found.render))),
        ("done here", ", ".join(map(str, found.sent)) or "nothing"),
        ("done by the server", ", ".join(map(str, found.server)) or "unknown or nothing"),
        ("state", found.state),
        ("prompt", "the instruction, byte for byte" if found.prompt is None else found.prompt),
        ("constants", _text(_plain(model.constants))),
        ("answer", f"{found.chunk or 'any number of'} actions, {found.executed} executed, columns {found.columns}"),
        ("gripper", _gripper(model)),
        ("server must say", _text(found.handshake) if found.handshake else "nothing that could be checked"),
    ]
    parts = {
        f"{about.pop('title')} (model={name})": [("start its server", about.pop("start"))],
        "What gauge does": does,
        "The model's own convention": [(key.replace("_", " "), _text(value)) for key, value in about.items()],
        "How it is reached (change with model.KEY=VALUE)": [(key, _text(model[key])) for key in REACH],
    }
    return "\n\n".join(f"{head}\n" + _columns([("  " + a, b) for a, b in rows]) for head, rows in parts.items())


def _gripper(model: DictConfig) -> str:
    rule = model.output.gripper
    if rule.threshold is None:
        return "passed through" if rule.above == "close" else "sign turned"
    above, other = ("+1 (closes)", "-1") if rule.above == "close" else ("-1 (opens)", "+1")
    return f"above {rule.threshold:g} becomes {above}, else {other}"


def _frame(typed: argparse.Namespace) -> Sequence[Path]:
    from gauge.config.profiles import profile
    from gauge.models.read import served
    from gauge.sim import backend
    from gauge.suites import load

    tasks = load(typed.suite).tasks
    if not 0 <= typed.task < len(tasks):
        raise GaugeError(f"--task is 0 to {len(tasks) - 1} in {typed.suite}, not {typed.task}")
    backend.prepare("auto")  # before anything imports MuJoCo
    from gauge.models.frame import write_frame

    model = served(typed.name)
    steps = model.about.settle_steps
    return write_frame(typed.name, profile(model), tasks[typed.task], steps if isinstance(steps, int) else 10, typed.to)


def _plain(node: Any) -> Any:
    return OmegaConf.to_container(node, resolve=True)


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_text(one)}" for key, one in value.items()) or "none"
    if isinstance(value, list):
        return "; ".join(map(_text, value)) or "none"
    if value is None or isinstance(value, bool):
        return {True: "yes", False: "no", None: "none"}[value]
    return str(value)


def _columns(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    lines = ("  ".join([*map(str.ljust, row[:-1], widths), row[-1]]).rstrip() for row in rows)
    return "\n".join(lines)
