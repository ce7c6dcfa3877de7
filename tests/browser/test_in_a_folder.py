"""The tables of what does not open the page of a folder (in_a_folder.py) are true."""

import importlib.util
from pathlib import Path

import in_a_folder
import pytest

HERE = Path(__file__).parent
FILES = sorted(path for path in HERE.glob("test_*.py") if path != Path(__file__))


def module(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_one_test_of_a_file_opens_the_page_of_a_folder_or_a_table_says_why_none_does(path):
    first = in_a_folder.first_of(module(path))
    assert (first is None) == (path.name in in_a_folder.OTHER_PAGES), first


def test_of_these_files_each_test_opens_it_or_is_about_the_app_or_a_table_says_why_not():
    for path in FILES:
        if path.name in in_a_folder.OTHER_PAGES:
            continue
        ours = module(path)
        for name in (name for name in vars(ours) if name.startswith("test_")):
            why = in_a_folder.NOT_THERE.get(f"{path.name}::{name}")
            opens = in_a_folder.can_open(ours, name) or in_a_folder.is_in_app(ours, name)
            assert opens == (why is None), f"{path.name}::{name}"


def test_the_tables_name_files_and_tests_that_there_are():
    names = {path.name for path in FILES}
    assert {*in_a_folder.OTHER_PAGES} <= names
    for name in in_a_folder.NOT_THERE:
        file, test = name.split("::")
        assert hasattr(module(HERE / file), test.partition("[")[0]), name
