"""The families of household objects: what each is called, made of, used for, and coloured."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from gauge.errors import unknown
from gauge.objects.makers import blocks, cutlery, lying, tools, toys, turned, vessels
from gauge.objects.recipe import Draw, Recipe

ANY = ("red", "orange", "yellow", "green", "teal", "blue", "purple", "pink", "white", "grey", "black", "cream", "brown")
BRIGHT = ("red", "orange", "yellow", "green", "teal", "blue", "purple", "pink")
TABLE = ("white", "cream", "grey", "black", "blue", "green", "teal", "red", "yellow", "brown")
METAL, WOODEN, PALE = ("silver", "grey"), ("tan", "brown", "cream"), ("white", "cream", "pink", "yellow", "green")


@dataclass(frozen=True, slots=True)
class Family:
    """One family.

    Attributes:
        name: also the category.
        make: draws one object.
        materials: what it can be made of; the first word is drawn from.
        colors, patterns: what its skin is drawn from; no pattern means the material's own.
        uses: what it is for, as verb phrases; what a common-sense instruction can ask for.
        synonyms: other names of the category.
        grasp: body or rim.
        receptacle: whether things can be put on or in it.
        unseen: whether the whole family is kept out of the seen split.
        content: density of what fills the whole body, kg/m^3; 0 is nothing.
    """

    name: str
    make: Callable[[Draw], Recipe]
    materials: tuple[str, ...]
    colors: tuple[str, ...] = ANY
    patterns: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    grasp: str = "body"
    receptacle: bool = False
    unseen: bool = False


def _open(
    name: str,
    materials: str,
    uses: str,
    synonyms: str = "",
    colors: tuple[str, ...] = TABLE,
    patterns: str = "",
    grasp: str = "rim",
    unseen: bool = False,
) -> Family:
    return Family(
        name,
        vessels.OPEN[name],
        _words(materials),
        colors,
        _words(patterns),
        _words(uses),
        _words(synonyms),
        grasp,
        True,
        unseen,
    )


def _solid(
    name: str,
    materials: str,
    uses: str,
    synonyms: str = "",
    colors: tuple[str, ...] = ANY,
    patterns: str = "",
    unseen: bool = False,
) -> Family:
    make = turned.SOLID.get(name) or blocks.CUBOIDS.get(name) or lying.LYING.get(name) or OTHER[name]
    return Family(
        name, make, _words(materials), colors, _words(patterns), _words(uses), _words(synonyms), unseen=unseen
    )


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


OTHER: dict[str, Callable[[Draw], Recipe]] = {
    "carton": blocks.carton,
    "toy brick": blocks.brick,
    "book": blocks.book,
    "toy house": blocks.house,
    "cheese wedge": blocks.wedge,
    "toy star": blocks.star,
    "toy cross": blocks.cross,
    "solid": blocks.polygon,
    "spoon": cutlery.spoon,
    "ladle": cutlery.ladle,
    "fork": cutlery.fork,
    "knife": cutlery.knife,
    "spatula": cutlery.spatula,
    "brush": tools.brush,
    "toothbrush": tools.toothbrush,
    "hairbrush": tools.hairbrush,
    "screwdriver": tools.screwdriver,
    "hammer": tools.hammer,
    "wrench": tools.wrench,
    "paddle": tools.paddle,
    "comb": tools.comb,
    "toy car": toys.car,
    "toy truck": toys.truck,
    "toy train": toys.train,
    "toy boat": toys.boat,
    "toy plane": toys.plane,
    "ring tower": toys.ring_tower,
}

FAMILIES = (
    # Hollow bodies
    _open("bowl", "ceramic, plastic, wood", "eat cereal, serve soup, hold salad", "dish",
        patterns="glaze, plain, stripes, dots, checks"),
    _open("square bowl", "ceramic, plastic, wood", "serve salad, hold snacks", "square dish",
        patterns="glaze, plain, stripes, dots"),
    _open("plate", "ceramic, plastic, wood", "serve food, eat from", "dish", patterns="glaze, plain, stripes, dots",
        grasp="rim"),
    _open("saucer", "ceramic, plastic", "stand a cup on", "small plate", patterns="glaze, plain, stripes"),
    _open("ramekin", "ceramic", "bake a pudding in", "small dish", patterns="glaze, plain, pinstripes"),
    _open("mug", "ceramic, plastic", "drink coffee, drink tea", "cup, coffee mug", ANY,
        "glaze, plain, stripes, dots, checks"),
    _open("teacup", "ceramic", "drink tea", "cup", patterns="glaze, plain, dots", unseen=True),
    _open("tumbler", "plastic, glass, ceramic", "drink water", "cup, beaker", ANY, "plain, stripes, glaze, dots"),
    _open("pot", "aluminium, ceramic", "cook soup, boil pasta", "cooking pot, saucepan", ("silver", "grey", "red",
        "black", "blue"), "brushed, plain"),
    _open("pan", "aluminium", "fry an egg", "frying pan, skillet", ("black", "grey", "silver", "red"),
        "plain, brushed"),
    _open("jug", "ceramic, plastic, glass", "pour water, pour milk", "pitcher", ANY, "glaze, plain, stripes"),
    _open("vase", "ceramic, glass", "hold flowers", "flower vase", ANY, "glaze, marble, plain, stripes, dots"),
    _open("flowerpot", "ceramic, plastic", "grow a plant in", "plant pot", ("brown", "orange", "grey", "white",
        "green"), "plain, speckle", unseen=True),
    _open("tray", "wood, plastic", "carry dishes", "serving tray", TABLE, "wood, plain, checks"),
    _open("storage bin", "plastic", "store small things", "bin, container", ANY, "plain, pinstripes"),
    _open("wine glass", "glass", "drink wine", "goblet, glass", ("white", "cream", "teal", "purple", "blue"), "plain",
        grasp="rim"),
    _open("egg cup", "ceramic, wood", "hold a boiled egg", "", patterns="glaze, plain, stripes", unseen=True),
    _open("pencil cup", "plastic, wood", "hold pens", "pen holder", ANY, "plain, pinstripes, dots, checks"),
    _open("cake stand", "ceramic, glass", "present a cake", "", patterns="glaze, plain", unseen=True),
    # Packs with a lid, bottles, and other turned solids
    _solid("bottle", "food", "carry water, pour a drink", "flask", patterns="label"),
    _solid("vase bottle", "food", "serve oil, hold a drink", "carafe, decanter", patterns="glaze, plain, marble"),
    _solid("can", "food", "store food, hold a drink", "tin", patterns="label, stripes"),
    _solid("jar", "food", "keep jam fresh, store food", "lidded jar", patterns="label, plain"),
    _solid("spice jar", "dry", "season food", "spice shaker", patterns="label, plain"),
    _solid("pill bottle", "dry", "store pills, keep medicine", "medicine bottle", ("orange", "white", "brown",
        "blue"), "label", unseen=True),
    _solid("shaker", "dry", "salt food, season food", "salt shaker", ("white", "cream", "grey", "silver", "black"),
        "plain, brushed, glaze"),
    _solid("pepper mill", "wood", "grind pepper", "pepper grinder", ("brown", "tan", "black", "white"), "wood, plain"),
    _solid("thermos", "food", "keep coffee hot", "vacuum flask", ANY, "plain, brushed, stripes"),
    _solid("spray can", "food", "spray paint, spray hair", "aerosol can", ANY, "label, plain", unseen=True),
    _solid("lotion bottle", "food", "care for skin, wash hair", "shampoo bottle", ANY, "label, plain"),
    _solid("yogurt cup", "food", "eat yogurt", "yoghurt pot", PALE, "label, plain"),
    _solid("candle", "wax", "give light, light in a power cut", "wax candle", ("white", "cream", "red", "green",
        "purple", "yellow", "pink"), "plain, marble"),
    _solid("ball", "hollow", "throw, bounce, play with", "toy ball", (*BRIGHT, "white"),
        "plain, stripes, dots, pinstripes"),
    _solid("apple", "fruit", "eat as fruit, bake a pie", "", ("red", "green", "yellow"), "fruit"),
    _solid("orange", "fruit", "eat as fruit, press for juice", "mandarin", ("orange",), "fruit, speckle"),
    _solid("tomato", "fruit", "make a salad, make a sauce", "", ("red", "orange", "yellow"), "fruit"),
    _solid("pear", "fruit", "eat as fruit", "", ("green", "yellow", "brown"), "fruit"),
    _solid("onion", "fruit", "chop and fry", "", ("brown", "purple", "white", "tan"), "pinstripes, fruit"),
    _solid("bell pepper", "bread", "make a salad", "pepper, capsicum", ("red", "green", "yellow", "orange"), "fruit"),
    _solid("pumpkin", "fruit", "carve a lantern, make soup", "squash", ("orange", "green", "cream"), "fruit",
        unseen=True),
    _solid("mushroom", "bread", "fry, make a sauce", "", ("brown", "white", "tan", "red"), "plain, dots"),
    _solid("muffin", "bread", "eat as a snack", "cupcake", ("brown", "tan", "pink", "cream"), "speckle"),
    _solid("bun", "bread", "make a burger", "bread roll", ("tan", "brown"), "speckle"),
    _solid("pawn", "wood", "play chess", "chess piece, game piece", ("black", "white", "brown", "tan", "red"),
        "wood, plain"),
    _solid("paper roll", "dry", "dry hands, wipe a spill", "toilet roll, kitchen roll", ("white", "cream"),
        "plain, dots", unseen=True),
    _solid("spool", "wood", "wind up thread", "reel", ANY, "pinstripes, plain, stripes"),
    _solid("toy cone", "hollow", "mark a pitch", "traffic cone, pylon", ("orange", "red", "yellow", "blue"),
        "stripes, plain"),
    _solid("cheese wheel", "food", "slice for a sandwich", "cheese", ("yellow", "orange", "cream", "red"),
        "plain, speckle"),
    _solid("bell", "hollow", "ring", "hand bell", ("yellow", "silver", "orange"), "brushed, plain"),
    # Packs and blocks
    _solid("box", "dry", "store cereal, pack goods", "pack, package", ANY, "label"),
    _solid("tea box", "dry", "store tea bags", "tea pack", ANY, "label, stripes"),
    _solid("carton", "food", "store milk, store juice", "milk carton, juice carton", ANY, "label, stripes"),
    _solid("soap", "soap", "wash hands", "bar of soap", (*PALE, "teal", "orange"), "plain, marble, speckle"),
    _solid("sponge", "foam", "wash dishes", "kitchen sponge", ("yellow", "green", "blue", "pink", "orange"), "speckle"),
    _solid("toy block", "wood", "build a tower, play with", "building block", (*BRIGHT, "tan"),
        "plain, wood, dots, stripes"),
    _solid("toy cube", "wood", "build a tower, play with", "cube, dice", (*BRIGHT, "white"),
        "plain, dots, checks, wood"),
    _solid("toy brick", "plastic", "build with", "interlocking brick", (*BRIGHT, "white", "black"), "plain"),
    _solid("book", "paper", "read", "novel", ANY, "label, plain, stripes"),
    _solid("phone", "electronics", "make a call", "mobile phone", ("black", "white", "grey", "blue", "pink"), "plain"),
    _solid("remote", "electronics", "switch channels", "remote control", ("black", "grey", "white"), "dots, plain",
        unseen=True),
    _solid("eraser", "rubber", "erase pencil", "rubber", (*PALE, "blue"), "plain, stripes"),
    _solid("card deck", "paper", "play cards", "deck of cards", ("red", "blue", "black", "green"),
        "checks, dots, label"),
    _solid("chocolate bar", "food", "eat as a snack", "bar of chocolate", ("brown", "purple", "red", "blue", "black"),
        "label, checks"),
    _solid("matchbox", "dry", "light a candle", "box of matches", ("red", "blue", "yellow", "brown"), "label",
        unseen=True),
    _solid("butter pack", "food", "spread on bread", "butter, margarine", ("yellow", "cream", "white", "blue"),
        "label, plain"),
    _solid("tin box", "dry", "store biscuits", "biscuit tin", ANY, "checks, label, brushed"),
    _solid("bread slice", "bread", "make toast", "toast", ("tan", "cream", "brown"), "speckle"),
    _solid("wallet", "hollow", "carry money", "purse", ("brown", "black", "red", "blue"), "plain, speckle"),
    _solid("tissue box", "dry", "blow a nose", "box of tissues", ANY, "checks, dots, marble", unseen=True),
    _solid("cheese wedge", "food", "grate over pasta", "piece of cheese", ("yellow", "orange", "cream"),
        "dots, speckle, plain"),
    _solid("toy house", "wood", "play village with", "model house", ANY, "plain, checks, wood"),
    _solid("toy star", "wood", "sort shapes, play with", "star", BRIGHT, "plain, wood, dots, marble"),
    _solid("toy cross", "wood", "sort shapes, play with", "T-shaped block, L-shaped block", (*BRIGHT, "tan"),
        "plain, wood, marble, checks"),
    _solid("solid", "wood", "sort shapes", "prism, cylinder, textured solid", ANY,
        "marble, checks, dots, stripes, pinstripes, speckle"),
    # Long things, cutlery and tools
    _solid("spoon", "steel, wood, plastic", "eat soup, stir", "tablespoon", METAL + WOODEN + ("red", "blue"), ""),
    _solid("ladle", "steel, plastic", "serve soup", "soup spoon", (*METAL, "black", "red"), "", unseen=True),
    _solid("fork", "steel, plastic", "eat pasta, pick up food", "", (*METAL, "white", "black"), ""),
    _solid("knife", "plastic", "cut food, spread butter", "table knife", ("black", "brown", "red", "blue", "white"),
        "plain"),
    _solid("spatula", "plastic, steel, wood", "flip a pancake, turn food in a pan", "turner",
        (*METAL, "black", "red", "tan"), ""),
    _solid("pen", "plastic", "sign a letter, write", "ballpoint pen", ANY, "plain, stripes"),
    _solid("marker", "hollow", "write on a board, draw thick lines", "felt pen", (*BRIGHT, "black"), "plain, label"),
    _solid("pencil", "wood", "draw, write", "", (*BRIGHT, "black"), "plain, stripes"),
    _solid("crayon", "wax", "colour a picture", "wax crayon", (*BRIGHT, "black", "brown"), "plain, stripes",
        unseen=True),
    _solid("brush", "wood", "paint a wall", "paint brush", ANY, "wood, plain"),
    _solid("toothbrush", "plastic", "clean teeth", "", (*BRIGHT, "white"), "plain, stripes"),
    _solid("hairbrush", "wood, plastic", "brush hair", "", ANY, "wood, plain", unseen=True),
    _solid("comb", "plastic", "comb hair", "", ANY, "plain"),
    _solid("screwdriver", "plastic", "turn a screw", "", (*BRIGHT, "black"), "plain, pinstripes"),
    _solid("hammer", "wood", "drive a nail", "mallet", (*WOODEN, "black", "red"), "wood, plain"),
    _solid("wrench", "aluminium", "tighten a bolt", "spanner", (*METAL, "black", "red"), "brushed, plain"),
    _solid("paddle", "wood", "play table tennis", "bat", WOODEN, "wood"),
    _solid("rolling pin", "wood", "roll out dough", "", WOODEN, "wood"),
    _solid("flashlight", "plastic", "see in the dark", "torch", ("black", "silver", "red", "yellow", "blue"),
        "plain, brushed"),
    _solid("battery", "electronics", "power a torch", "cell", ("black", "silver", "green", "blue", "orange"),
        "label, stripes", unseen=True),
    _solid("toothpaste", "food", "clean teeth", "tube", ("white", "red", "blue", "green"), "label, stripes"),
    _solid("dumbbell", "rubber", "train muscles", "weight", ("black", "grey", "blue", "pink"), "plain, speckle"),
    _solid("bone", "rubber", "give a dog", "dog toy", ("cream", "white", "tan"), "plain", unseen=True),
    # Food that lies down
    _solid("egg", "egg", "boil for breakfast, fry", "", ("white", "cream", "tan", "brown"), "speckle, plain"),
    _solid("lemon", "fruit", "squeeze for juice, make lemonade", "", ("yellow",), "fruit, speckle"),
    _solid("banana", "fruit", "peel and eat, eat as fruit", "", ("yellow", "green"), "plain, speckle"),
    _solid("potato", "food", "mash, fry as chips", "", ("tan", "brown", "cream", "yellow"), "speckle"),
    _solid("kiwi", "fruit", "eat as fruit", "kiwi fruit", ("brown", "tan"), "speckle"),
    _solid("avocado", "fruit", "make guacamole", "", ("green", "black"), "speckle, fruit"),
    _solid("carrot", "fruit", "make a salad, feed a rabbit", "", ("orange", "purple", "yellow"), "plain, speckle"),
    _solid("cucumber", "fruit", "make a salad", "courgette", ("green",), "plain, speckle, fruit"),
    _solid("eggplant", "fruit", "grill, make moussaka", "aubergine", ("purple", "black", "white"), "plain"),
    _solid("corn", "fruit", "grill, make popcorn", "corn cob", ("yellow", "cream"), "checks, dots", unseen=True),
    _solid("sausage", "food", "grill, make a hot dog", "hot dog", ("brown", "red", "tan"), "plain, speckle"),
    _solid("baguette", "bread", "slice for breakfast", "loaf, bread", ("tan", "brown"), "speckle, stripes"),
    # Toys
    _solid("toy car", "hollow", "drive on wheels, play with", "car", (*BRIGHT, "white", "black"), "plain, stripes"),
    _solid("toy truck", "hollow", "carry loads in play", "lorry, bus", (*BRIGHT, "white"), "plain, stripes, label"),
    _solid("toy train", "hollow", "run on rails, play with", "locomotive", (*BRIGHT, "black"), "plain, stripes",
        unseen=True),
    _solid("toy boat", "hollow", "float in a bath, play with", "ship", (*BRIGHT, "white"), "plain, stripes"),
    _solid("toy plane", "hollow", "fly in play", "aeroplane", (*BRIGHT, "white", "silver"), "plain, stripes",
        unseen=True),
    _solid("ring tower", "plastic", "stack in play", "stacking rings", BRIGHT, "plain"),
)  # fmt: skip


@cache
def by_name() -> dict[str, Family]:
    """The families by their name."""
    return {one.name: one for one in FAMILIES}


def family(name: str) -> Family:
    """The family of that name.

    Raises:
        GaugeError: there is none.
    """
    known = by_name()
    if name not in known:
        raise unknown("family", name, list(known))
    return known[name]
