"""Every kind of the fabric's catalogue has a page, a test, a sample and a reader.

The page and the test have the name of its files; the sample is a file of topologies/ that writes
the kind, or extends one that does; the reader is an alternative of the spec of that name.
"""

import re

from tree import Complaint, files, lines, main

CATALOGUE = "sim/fabric/catalogue.cpp"
ENTRY = re.compile(r'(Network|Node)Kind\{"(\w+)", add_(\w+)')
KIND = re.compile(r"\bkind:\s*(\w+)")
# What a cluster file leaves out.
DEFAULT_NODE = "hgx"
SPECS = {"Network": "sim/spec/fabric.hpp", "Node": "sim/spec/node.hpp"}


def entries(root):
    """(line, family, word, stem of its files) of every kind."""
    for number, text in lines(root, CATALOGUE):
        for family, word, stem in ENTRY.findall(text):
            yield number, family, word, stem


def kinds_in_samples(root):
    found = set()
    for path in files(root, ["topologies"], {".yaml"}):
        for _, text in lines(root, path):
            found.update(KIND.findall(text.split("#")[0]))
    return found


def check(root):
    samples = kinds_in_samples(root) | {DEFAULT_NODE}
    complaints = []
    for number, family, word, stem in entries(root):
        def missing(what):
            complaints.append(Complaint(CATALOGUE, number, f'"{word}" has no {what}'))

        for path in (f"sim/fabric/{stem}.hpp", f"sim/fabric/{stem}.cpp", f"sim/fabric/{stem}.md",
                     f"tests/fabric/{stem}_test.cpp"):
            if not (root / path).is_file():
                missing(path)
        if word not in samples:
            missing("sample in topologies/")
        spec = (root / SPECS[family]).read_text(encoding="utf-8")
        if f'kKind = "{word}"' not in spec:
            missing(f"struct in {SPECS[family]}")
    if not list(entries(root)):
        complaints.append(Complaint(CATALOGUE, 1, "names no kind; has its spelling changed?"))
    return complaints


if __name__ == "__main__":
    main(check)
