"""What all tests of the pages share."""

import pytest
from streamlit.components.v2 import manifest_scanner


@pytest.fixture(autouse=True, scope="session")
def installed_components():
    """Look for components among the installed packages once: each page would, for longer than all
    else takes it.
    """
    manifests = manifest_scanner.scan_component_manifests()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda: manifests)
        yield
