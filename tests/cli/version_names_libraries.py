#!/usr/bin/env python3
"""`weftsim --version` names every library that a CMakeLists.txt of sim/ finds, with a number."""
import pathlib
import re
import subprocess
import sys

binary, source = sys.argv[1:]
TOOLS = {"git"}

wanted = set()
for path in pathlib.Path(source, "sim").rglob("CMakeLists.txt"):
    text = path.read_text()
    wanted |= {name.lower() for name in re.findall(r"find_package\(([\w+-]+)", text)}
    wanted |= {name.lower() for name in re.findall(r"find_library\(\w+ ([\w+-]+)", text)}
wanted -= TOOLS
assert len(wanted) > 10, wanted

words = subprocess.run([binary, "--version"], check=True, capture_output=True, text=True).stdout
told = dict(line.lower().split(" ", 1) for line in words.splitlines())
missing = sorted(wanted - set(told))
assert not missing, f"--version does not name {missing}"
unknown = sorted(name for name in wanted if not re.match(r"\d+(\.\d+)*", told[name]))
assert not unknown, f"--version has no number for {unknown}"
