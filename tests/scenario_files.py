"""A small scenario as text, shared by the tests of scenarios."""

from pathlib import Path

APPLE = """(define (problem LIBERO_Tabletop_Manipulation)
  (:domain robosuite)
  (:language Put the apple in the bowl; don't spill (it rolls))
  (:regions
    (apple_region (:target main_table) (:ranges ((-0.08 0.02 -0.02 0.08))))
    (bowl_region (:target main_table) (:ranges ((-0.08 -0.18 -0.02 -0.12))))
  )
  (:fixtures main_table - table)
  (:objects gen_apple_0001_1 - gen_apple_0001  akita_black_bowl_1 - akita_black_bowl)
  (:init
    (On gen_apple_0001_1 main_table_apple_region)
    (On akita_black_bowl_1 main_table_bowl_region)
  )
  (:goal (And (On gen_apple_0001_1 akita_black_bowl_1) (Not (On akita_black_bowl_1 main_table_apple_region))))
)
"""


def write(folder: Path, name: str = "apple", **changes: str) -> Path:
    """The scenario in `folder`, with `old` text replaced by `new`."""
    folder.mkdir(parents=True, exist_ok=True)
    text = APPLE
    if changes:
        assert changes["old"] in text
        text = text.replace(changes["old"], changes["new"])
    path = folder / f"{name}.bddl"
    path.write_text(text, encoding="utf-8")
    return path
