"""Where the configuration folder is: inside the installed package, or beside it in a checkout."""

from pathlib import Path

import gauge


def conf_dir() -> Path:
    """The absolute path of `conf/`, symlinks resolved.

    A wheel holds it as `gauge/conf`; in a checkout it is the neighbour of `gauge/`. It is looked for next
    to the imported package, because an editable install leaves a stale copy in site-packages.
    """
    package = Path(str(gauge.__file__)).resolve().parent
    packaged = package / "conf"
    return packaged if packaged.is_dir() else package.parent / "conf"
