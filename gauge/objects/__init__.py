"""The object pool: what can be put into scenes, generated, packaged or imported.

Other code needs three functions: `pool.pool()` (what there is), `ready.ready(id)` (its files, built if need be) and
`loading.register(ready)` (a type that task files can name) or `loading.thing(ready, name)` (robosuite's object).
"""


def main() -> None:
    """`python -m gauge.objects`; the command draws pictures with the scenes' renderer, so it lives above."""
    from importlib import import_module

    import_module("gauge.object_pool").main()
