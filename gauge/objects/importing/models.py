"""Taking over MJCF models in robosuite's layout (RoboCasa's are): they keep their own shapes and masses."""

import shutil
from pathlib import Path
from xml.etree import ElementTree

from gauge.errors import GaugeError
from gauge.objects.importing.references import inside, tree
from gauge.objects.model import XML


def adopt(path: Path, root: Path, folder: Path) -> Path:
    """Copy the model and what it names into `folder`; returns the copied MJCF.

    Raises:
        GaugeError: it is not laid out as robosuite wants, or names files outside of the folder.
    """
    model = tree(path)
    body = model.find("./worldbody/body/body[@name='object']")
    if body is None:
        raise GaugeError(
            "it has no worldbody/body/body named object, which is robosuite's layout; import its meshes instead"
        )
    if model.find(".//include") is not None:
        raise GaugeError("it includes other files, which is not read")
    for geom in body.iter("geom"):
        if "group" not in geom.attrib:
            raise GaugeError("a geom of it has no group; robosuite needs 0 (collision) or 1 (visual)")
    compiler = model.find("compiler")
    bases = compiler.attrib if compiler is not None else {}
    folder.mkdir(parents=True)
    for number, asset in enumerate(model.iterfind("./asset/*[@file]")):
        base = path.parent / bases.get("meshdir" if asset.tag == "mesh" else "texturedir", bases.get("assetdir", ""))
        origin = inside(asset.attrib["file"], base, root)
        name = f"{number:02d}_{origin.name}"
        shutil.copyfile(origin, folder / name)
        if asset.tag == "mesh" and "name" not in asset.attrib:
            asset.set("name", origin.stem)  # MuJoCo's default, which the new file name would change
        asset.set("file", name)
    if compiler is not None:
        model.remove(compiler)
    ElementTree.ElementTree(model).write(folder / XML, encoding="unicode")
    return folder / XML
