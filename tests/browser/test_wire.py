"""What a first visit loads: all bytes of its requests, as the browser counts them."""

import pytest
from driver import PATIENCE

LIMIT = 1_700_000  # bytes


@pytest.mark.parametrize("path", ["/", "/lessons"])
def test_a_first_visit_loads_at_most_1_7_megabytes_and_no_icons_of_streamlit(
    chromium, server, path
):
    context = chromium.new_context(viewport={"width": 1366, "height": 768})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    client = context.new_cdp_session(page)
    addresses, sizes = {}, {}
    client.on(
        "Network.requestWillBeSent",
        lambda event: addresses.update({event["requestId"]: event["request"]["url"]}),
    )
    client.on(
        "Network.loadingFinished",
        lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}),
    )
    client.send("Network.enable")
    page.goto(server + path)
    if path == "/":
        page.wait_for_function("root => root.kpviz?.board", arg=page.wait_for_selector(".kpviz"))
    else:
        page.wait_for_selector(".kpviz-lessons .start")
    page.wait_for_load_state("networkidle")
    context.close()
    assert sum(sizes.values()) <= LIMIT, sorted(
        ((size, addresses[one]) for one, size in sizes.items()), reverse=True
    )
    assert [url for url in addresses.values() if "MaterialSymbols" in url] == []
    assert any(
        "/static/js/" in url for url in addresses.values()
    )  # Streamlit's scripts were counted, too
