"""Importing reads no configuration and says nothing: both are the entry point's business."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

IMPORT_ALL = """
import importlib, pkgutil, sys
from pathlib import Path

def watch(event, arguments):
    if event == "open" and str(arguments[0]).endswith("hush.toml"):
        raise AssertionError("the configuration is read at import")

sys.addaudithook(watch)
import companion.catalogue as catalogue

def say(*_, **__):
    raise AssertionError("a sentence is said at import")

catalogue.Catalogue.say = say
count = 0
for room in ("companion", "vision", "hardware", "sounds"):
    for module in pkgutil.walk_packages([room], f"{room}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
            count += 1
print(count, catalogue.current.language)
"""


def test_no_module_reads_the_configuration_or_speaks_when_it_is_imported(tmp_path: Path) -> None:
    file = tmp_path / "hush.toml"
    file.write_text('language = "nl"\n')
    environment = {"HUSH_CONFIG": str(file), "HOME": str(tmp_path), "LANG": "pl_PL.UTF-8", "SDL_VIDEODRIVER": "dummy"}
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL], cwd=Path(__file__).parent.parent.parent, env=environment,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    count, language = done.stdout.split()[-2:]
    assert int(count) > 200
    assert language == "en"
