"""Each page opened directly: all that it asks for is there, and of the player it loads one script."""

from collections import Counter

import pytest

PAGES = ["/", "/lab", "/fisher"]
pytestmark = pytest.mark.in_app


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("at", ["server", "server_behind_a_base"])
def test_a_page_opened_directly_finds_all_that_it_asks_for(at, page, app_context, request):
    tab = app_context.new_page()
    answers, said = [], []
    tab.on("response", lambda answer: answers.append(answer))
    tab.on("console", lambda message: message.type in {"error", "warning"} and said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.goto(f"{request.getfixturevalue(at)}{page}")
    tab.locator(".chip").first.wait_for()
    tab.wait_for_load_state("networkidle")
    files = Counter(answer.url for answer in answers if "/bidi-components/" in answer.url)
    assert [(answer.url, answer.status) for answer in answers if answer.status >= 400] == []
    assert len([url for url in files if url.endswith(".js")]) == 1
    assert set(files.values()) == {1}
    assert said == []
    tab.close()
