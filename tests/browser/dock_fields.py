"""A field of each kind, as the service describes them."""

MATH = (
    '<math xmlns="http://www.w3.org/1998/Math/MathML" display="inline"><mrow><mi>k</mi><mo '
    'stretchy="false">(</mo>'
    "<mi>u</mi><mo>,</mo><mi>v</mi><mo>)</mo><mo>=</mo><msup><mi>e</mi><mrow><mo>−</mo><mi>d</mi></mrow></msup></mrow>"
    "</math>"
)


def slider(name="sigma", value=0.5, **more):
    usual = {
        "low": 0.01,
        "high": 10.0,
        "log": True,
        "integer": False,
        "step": None,
        "percent": False,
        "words": "width",
    }
    return {"kind": "slider", "name": name, "label": name, "value": value, **usual, **more}


def plain(name="noise", value=0.05, **more):
    usual = {"low": 0.0, "high": 0.5, "log": False, "step": 0.01, "words": ""}
    return slider(name, value, **{**usual, **more})


def tiles(value="xor", names=("xor", "circles", "moons"), name="data"):
    options = [
        {"value": each, "title": each, "tip": f"Look at {each}", "image": f"tile-{each}"}
        for each in names
    ]
    return {"kind": "tiles", "name": name, "value": value, "options": options}


def choice(value="none", **more):
    options = [["none", "none"], ["unit", "unit: b"], ["radius", "radius: b"]]
    return {
        "kind": "choice",
        "name": "intercept",
        "label": "Intercept",
        "value": value,
        "options": options,
        **more,
    }


def select(value=2, **more):
    options = [[k, f"feature {k}"] for k in range(4)]
    return {
        "kind": "select",
        "name": "x",
        "label": "First feature",
        "value": value,
        "options": options,
        **more,
    }


def number(value=0):
    return {
        "kind": "number",
        "name": "seed",
        "label": "Data seed",
        "value": value,
        "low": 0,
        "high": 9999,
    }


def toggle(on=False):
    return {
        "kind": "toggle",
        "name": "stream",
        "label": "Stream",
        "value": on,
        "on": "on",
        "off": "off",
    }


def text(value="dot(u, v)", draft=None):
    usual = {"max": 200, "placeholder": "", "command": "type", "help": "dot(u, v), norm(u - v)"}
    return {
        "kind": "text",
        "name": "formula",
        "label": "k(u, v) =",
        "value": value,
        "draft": draft,
        **usual,
    }


def words(message, kind="words"):
    return {"kind": kind, "text": message}


def button(command="draw", disabled=None, **more):
    return {
        "kind": "button",
        "command": command,
        "label": f"Do {command}",
        "tip": "",
        "disabled": disabled,
        **more,
    }


def dialog():
    return {
        "kind": "dialog",
        "dialog": "table",
        "label": "Edit the numbers",
        "tip": "",
        "disabled": None,
    }


def math(mathml=MATH):
    return {"kind": "math", "mathml": mathml}


def file(draft=None):
    return {"kind": "file", "label": "Columns of numbers", "accept": ".csv,.json", "draft": draft}


def paste(draft=None):
    return {
        "kind": "paste",
        "label": "Or paste",
        "placeholder": "x1",
        "help": "Ctrl+Enter",
        "draft": draft,
    }


def items(*names):
    lines = [
        {
            "title": name,
            "text": f"run {name}",
            "command": "unpin",
            "value": {"number": k},
            "label": "Unpin",
        }
        for k, name in enumerate(names)
    ]
    return {"kind": "list", "items": lines}


def add(draft=None):
    classes = [[1, "+sports"], [-1, "−cooking"]]
    usual = {
        "label": "Add an example",
        "placeholder": "Write a sentence",
        "help": "",
        "button": "Add it",
        "command": "example",
    }
    return {"kind": "add", "classes": classes, "draft": draft, **usual}


def cards(*names):
    options = [
        {
            "title": name,
            "words": f"Why {name}",
            "image": f"tile-compare-{name}",
            "command": "compare",
            "value": {"name": name},
        }
        for name in names
    ]
    return {"kind": "cards", "options": options}


def more(*fields, opened=False):
    return {"kind": "more", "label": "My own file", "open": opened, "fields": list(fields)}
