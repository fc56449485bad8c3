#!/usr/bin/env python3
"""sim/config/README.md lists the keys that the schemas have, and no others.

    schema_and_page.py WEFTSIM SOURCE
"""

import pathlib
import re
import sys

from schema_files import Schemas

PAGE = "sim/config/README.md"
# Where a key of the table may stand that is written without what is around it.
AROUND = ["", "fabric.", "collective.", "host."]
# Parts of files of configs/hardware, which list their keys with sources.
IN_FILES = ("cluster.gpu.hbm.device.", "cluster.host.dram.module.", "cluster.host.storage.drive.")
# Mappings with the keys of one that the page lists.
LIKE = {
    "trace.recorded_on.": "cluster.gpu.",
    "cluster.fabric.core.": "cluster.fabric.leaf.",
    "cluster.fabric.switch.": "cluster.fabric.leaf.",
    "cluster.fabric.switches.model.": "cluster.fabric.leaf.",
    "cluster.gpu.math_efficiency.": "cluster.gpu.peak.",
    "workload.framework.kernels.gemm.": "cluster.gpu.peak.",
}
# Mappings whose keys other pages list.
ELSEWHERE = {
    "cluster.fabric.nodes": "sim/fabric/custom.md",
    "cluster.fabric.switches": "sim/fabric/custom.md",
    "cluster.fabric.links": "sim/fabric/custom.md",
}


def paths(schema, name="document", path=(), over=False):
    """Every key with all that is around it; items of lists are passed through."""
    for key, inner in schema["$defs"][name + ":whole"]["properties"].items():
        if key == "extends":
            continue
        yield path + (key,)
        for reference in references(inner):
            if reference + ":whole" in schema["$defs"]:
                yield from paths(schema, reference, path + (key,))


def references(schema):
    if isinstance(schema, dict):
        for key, inner in schema.items():
            if key == "$ref":
                yield inner.removeprefix("#/$defs/")
            else:
                yield from references(inner)
    elif isinstance(schema, list):
        for item in schema:
            yield from references(item)


def rows(text):
    """(keys as written, the row) of every table row, under the prefix of its part of the table."""
    prefix = ""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("| ") or cells[0] in ("key", "key, other spellings"):
            continue
        part = re.fullmatch(r"\*\*`(\w+\.)`\*\*", cells[0])
        if part:
            prefix = part.group(1)
            continue
        if line.startswith("| **`trace.`**"):
            prefix = "trace."
        keys, before = [], ""
        names = re.sub(r"\*\*`\w+`\*\*", "", cells[0]).replace("LIBRARY", "cudnn")
        for key in re.findall(r"`([\w.]+)`", names):
            full = before.rsplit(".", 1)[0] + key if key.startswith(".") else key
            keys.append(full)
            before = full
        yield prefix, keys, line


def sections(text):
    """The page's parts by their headings."""
    return {part.split("\n", 1)[0]: part for part in re.split(r"^## ", text, flags=re.M)}


def words(text):
    return set(re.findall(r"\w+", text))


class Table:
    """The rows of one table against the keys of one schema."""

    def __init__(self, known):
        self.known = {".".join(path) for path in known}
        self.rows = {}  # full key -> text of its rows
        self.wrong = []

    def add(self, prefix, key, row):
        found = [prefix + around + key for around in AROUND if prefix + around + key in self.known]
        if not found:
            self.wrong.append(f"{PAGE}: no reader asks for {prefix}{key}")
        for full in found:
            self.rows[full] = self.rows.get(full, "") + row

    def told(self, full, pages):
        """The key has a row, or the row or page of one around it has its name."""
        for front, same in LIKE.items():
            full = full.replace(front, same) if full.startswith(front) else full
        if full in self.rows or full.startswith(IN_FILES):
            return True
        if any(known.startswith(full + ".") for known in self.known):
            return True  # its keys are looked at
        full = re.sub(r"attention\.\w+\.", "attention.cudnn.", full)
        parts = full.split(".")
        for length in range(len(parts) - 1, 0, -1):
            around = ".".join(parts[:length])
            text = pages.get(around) or self.rows.get(around, "")
            if all(part in words(text) for part in parts[length:]):
                return True
        return False


def main(binary, source):
    schemas = Schemas(binary)
    page = sections((source / PAGE).read_text(encoding="utf-8"))
    pages = {key: (source / path).read_text(encoding="utf-8") for key, path in ELSEWHERE.items()}
    experiment = schemas.of("experiment")
    wrong = []
    for schema, heading, prefix in ((experiment, "Keys of an experiment", ""),
                                    (schemas.of("sweep"), "Keys of a sweep", ""),
                                    (experiment, "Models", "workload.model.")):
        known = [path for path in paths(schema)
                 if (path[:2] == ("workload", "model")) == bool(prefix) or path[1:] == ("model",)]
        table = Table(known)
        for part, keys, row in rows(page[heading]):
            for key in keys:
                table.add(prefix + part, key, row)
        wrong += table.wrong
        wrong += [f"{PAGE} does not list {'.'.join(path)}" for path in known
                  if not table.told(".".join(path), pages)]
    print("\n".join(wrong) or "the page lists the keys")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2])))
