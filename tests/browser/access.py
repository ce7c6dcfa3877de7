"""Faults of a page for those who do not see it, or use no pointer, as axe-core finds them
(tests/browser/axe).
"""

from pathlib import Path

AXE = Path(__file__).with_name("axe") / "axe.min.js"
COLOURS = ["color-contrast", "link-in-text-block"]  # the rules that a colour scheme can break
RUN = """async ([without, runOnly]) => {
  const off = Object.fromEntries(without.map((name) => [name, { enabled: false }]));
  const rules = { "target-size": { enabled: true }, ...off };
  const unseen = [...document.adoptedStyleSheets];
  document.adoptedStyleSheets = []; // contrast is that of what is seen
  const { violations } = await axe.run(document, { resultTypes: ["violations"], rules, ...(runOnly && { runOnly }) });
  document.adoptedStyleSheets = unseen;
  const about = ({ target, any, all, none }) =>
    [target.flat().join(" "), [...any, ...all, ...none].map(({ message }) => message).join("; ")].join(": ");
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => [id, about(node)]));
}"""


def faults(page, *, without=(), only=None):
    """Return what axe-core finds in a page: (rule, element and reason)."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(
            f"() => {{ {AXE.read_text(encoding='utf-8')} }}"
        )  # no script element: a page may forbid it
    return [tuple(found) for found in page.evaluate(RUN, [list(without), only])]
