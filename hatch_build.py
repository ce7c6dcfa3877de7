"""What the package index is told beside pyproject.toml: addresses, made of the repository's."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

BOARD = "board/"  # docs/_ext/live_figure.py writes it in the same way.


class Metadata(MetadataHookInterface):
    """Adds the README and the addresses: `repository` in pyproject.toml is set at first release."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add them."""
        repository = str(self.config["repository"]).rstrip("/")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": with_addresses(text, repository, f"v{metadata['version']}"),
        }
        metadata["urls"] = addresses(repository)


def addresses(repository: str) -> dict[str, str]:
    """Return what the index links to; nothing as long as there is no repository."""
    if not repository:
        return {}
    owner, name = repository.split("/")[-2:]
    return {
        "Documentation": f"https://{owner}.github.io/{name}/",
        "Source": repository,
        "Issues": f"{repository}/issues",
        "Changelog": f"{repository}/blob/main/CHANGELOG.md",
    }


def with_addresses(text: str, repository: str, tag: str) -> str:
    """Return a text in which pictures and links to files have whole addresses, at this tag.

    The folder of the documentation in which kpviz runs without a server becomes a link to it.
    """
    if not repository:
        return text
    documentation = addresses(repository)["Documentation"]
    text = text.replace(f"`{BOARD}`", f"[`{BOARD}`]({documentation}{BOARD})")
    text = re.sub(
        r'(!\[[^\]]*\]\(|<img[^>]* src=")(?!https?:)', rf"\1{repository}/raw/{tag}/", text
    )
    return re.sub(
        r'(\]\(|<a[^>]* href=")(?!https?:|#|mailto:)', rf"\1{repository}/blob/{tag}/", text
    )
