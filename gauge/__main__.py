"""`gauge <verb>`, the same as `python -m gauge.<verb>`."""

from importlib import import_module

from gauge.command import command, pick

VERBS = {
    "run": "evaluate a model, clean or perturbed; -m for sweeps",
    "plan": "what a study or sweep would take: episodes, hours, cost; nothing is run",
    "study": "the protocol's stages for several models: plan, run what is missing, compute",
    "serve": "offer a model to other processes and machines over a websocket",
    "demos": "record, check, render, replay and export demonstrations",
    "train": "train model=tiny, a small policy of our own, on recorded demonstrations",
    "models": "list the profiles of published policies, and what each is shown",
    "objects": "list, show and check the objects of the pool, and import your own",
    "suites": "count, build and check the scenarios of the capability suites",
    "perturbations": "list the perturbation space, or draw what an attribute does",
    "validate": "certify perturbation values per scenario: effect, feasibility, semantics",
    "certify": "certify scenarios: starts that vary, a solution, no shortcut",
    "lint": "check task files (V-BDDL, BDDL) and list every problem with its place",
    "status": "what the jobs of a sweep are doing",
    "collect": "the table of a sweep whose terminal is gone",
    "doctor": "check the installation, the renderer and the task files",
    "records": "compact the records of a study, or ask them with SQL",
    "reproduce": "recompute the paper's tables and counts; exit code 1 if anything is off",
}


@command()
def main() -> None:
    """Hand over to the verb's own module; without one, or with --help, list all of them."""
    import_module(f"gauge.{pick('gauge', VERBS)}").main()


if __name__ == "__main__":
    main()
