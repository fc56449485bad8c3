"""The source tree as the rules see it, and how a broken rule is told."""

import pathlib
import sys
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Complaint:
    path: str
    line: int
    words: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.words}"


def files(root, folders, endings):
    """Paths of the tree's files, relative to root, in a fixed order."""
    found = []
    for folder in folders:
        for path in (root / folder).rglob("*"):
            if path.suffix in endings and path.is_file():
                found.append(path.relative_to(root))
    return sorted(found)


def lines(root, path):
    """Pairs (number from 1, text) of a file."""
    text = (root / path).read_text(encoding="utf-8")
    return list(enumerate(text.splitlines(), start=1))


def main(check):
    """Runs check(root) on the tree named on the command line; exits 1 when it complains."""
    complaints = sorted(check(pathlib.Path(sys.argv[1])))
    for complaint in complaints:
        print(complaint)
    print(f"{len(complaints)} broken")
    sys.exit(1 if complaints else 0)
