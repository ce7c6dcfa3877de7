"""How tests read the tree of the controls."""

from kpviz.service import dock

GROUPS = ("data", "kernel", "learner", "compare")


def tree(settings, wanted=GROUPS, *, pins=(), origin=None, **given):
    return dock.tree(dock.Shown(settings, pins, origin, **given), wanted)


def flat(fields):
    """All fields, those that can be folded away included."""
    for field in fields:
        yield field
        yield from flat(field.get("fields", ()))


def fields(settings, group, **given):
    return list(flat(tree(settings, [group], **given)["groups"][group]))


def everything(shown):
    """All fields of all groups of a tree."""
    return [field for group in shown["groups"].values() for field in flat(group)]


def by_name(found):
    return {field["name"]: field for field in found if "name" in field}


def of_kind(found, kind):
    return [field for field in found if field["kind"] == kind]


def texts(found, kind="words"):
    return [field["text"] for field in of_kind(found, kind)]


def strings(thing):
    """All strings in it."""
    if isinstance(thing, dict):
        thing = list(thing.values())
    if isinstance(thing, list | tuple):
        return [text for part in thing for text in strings(part)]
    return [thing] if isinstance(thing, str) else []
