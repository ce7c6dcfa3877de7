"""What the pages of the tests share: a document that looks as the app does, in light
and in dark.
"""

from kpviz import tokens

# What the app calls the colours that the player reads.
COLOURS = {
    "background": "paper",
    "secondary-background": "panel",
    "text": "ink",
    "primary": "accent",
    "border": "rule",
    "red": "positive",
}
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>kpviz</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<style>
:root {{ --st-font: {font}; {light} }}
@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}
body {{ margin: 0; background: var(--st-background-color); color: var(--st-text-color); }}
{style}
</style>
{body}
</html>"""


def html(style, body):
    """A document with rules and elements of its own."""
    font = tokens.FONTS["canvas"]
    return PAGE.format(
        font=font, light=_variables("light"), dark=_variables("dark"), style=style, body=body
    )


def _variables(theme):
    return " ".join(
        f"--st-{name}-color: {tokens.THEMES[theme][own]};" for name, own in COLOURS.items()
    )
