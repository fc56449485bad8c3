#!/usr/bin/env python3
"""What the reader takes the schema takes; what is plainly wrong both refuse.

    schema_and_reader.py WEFTSIM SOURCE
"""

import copy
import json
import pathlib
import random
import subprocess
import sys
import tempfile

from schema_files import Schemas, read

MUTANTS = 150
TOO_LARGE = 4  # for the GPU's memory: the input itself was right

# What to write at a dotted key of tests/cli/small.yaml; None takes the key away.
WRONG = {
    "an unknown key": {"workload.recompte": "full"},
    "a key of another kind of fabric": {"cluster.fabric.radix": 64},
    "a missing key": {"workload.sequence": None},
    "a word that is none of the list": {"workload.precision": "bf61"},
    "a kind that there is not": {"cluster.fabric.kind": "clos"},
    "a number without its unit": {"workload.framework.gradient_bucket": 80},
    "a unit of another quantity": {"cluster.nic.bandwidth": "400 GB"},
    "a text for a number": {"cluster.nodes": "many"},
    "a fraction for a count": {"cluster.nodes": 2.5},
    "a mapping for a value": {"cluster.nic.bandwidth": {"rate": "400 Gbps"}},
    "a value for a mapping": {"cluster.nic": "fast"},
    "a value for a list": {"cluster.nic.of_gpu": 0},
    "a list for a value": {"seed": [1, 2]},
    "neither true nor false": {"workload.dropout": "yes"},
    "a negative time": {"cluster.nic.latency": "-1 us"},
    "a version to come": {"format": 2},
    "an event without its time": {"cluster.events": [{"resource": "a", "capacity": "50 %"}]},
    "a core with two tiers": {"cluster.fabric.core": {"extends": "x.yaml"}},
    "something beside value": {"seed": {"value": 7, "unit": "none"}},
    "a key that no model has": {"workload.model": {"hidden_sise": 64}},
}


def put(document, dotted, value):
    *way, last = dotted.split(".")
    for name in way:
        document = document.setdefault(name, {})
    if value is None:
        document.pop(last, None)
    else:
        document[last] = value


def resolved(document, folder):
    """All that the files it extends hold, and paths as they are found from anywhere."""
    if isinstance(document, list):
        return [resolved(item, folder) for item in document]
    if not isinstance(document, dict):
        return document
    base = {}
    whole = {}
    for key, value in document.items():
        if key == "extends":
            path = (folder / value).resolve()
            base = resolved(read(path), path.parent)
        elif key == "model" and isinstance(value, str):
            whole[key] = str((folder / value).resolve())
        else:
            whole[key] = resolved(value, folder)
    return laid_over(base, whole)


def laid_over(base, local):
    if not (isinstance(base, dict) and isinstance(local, dict)):
        return local
    merged = {key: value for key, value in base.items() if key not in local}
    return {**merged, **{key: laid_over(base.get(key), value) for key, value in local.items()}}


def mappings(document, path=()):
    if isinstance(document, dict) and "value" not in document:
        yield path
        for key, value in document.items():
            yield from mappings(value, path + (key,))


def leaves(document, path=()):
    if isinstance(document, dict) and "value" not in document:
        for key, value in document.items():
            yield from leaves(value, path + (key,))
    elif path:
        yield path


def at(document, path):
    for name in path:
        document = document[name]
    return document


class Mutations:
    """Small changes, many of them right: other spellings, other words, keys added or taken."""

    def __init__(self, schema, seed):
        self.definitions = schema["$defs"]
        self.random = random.Random(seed)

    def words(self, schema, depth=0):
        """Some values that a property may have."""
        found = list(schema.get("enum", [])) + list(schema.get("examples", []))
        found += [schema["default"]] if "default" in schema else []
        if "such as " in schema.get("description", ""):
            found.append(schema["description"].split("such as ")[1])
        for inner in schema.get("anyOf", []):
            found += self.words(inner, depth + 1)
        if depth < 2 and schema.get("$ref", "").count(":") == 0 and "$ref" in schema:
            name = schema["$ref"].removeprefix("#/$defs/")
            found += self.words(self.definitions[name], depth + 1)
        return found

    def properties(self, path):
        name = ".".join(path) or "document"
        return self.definitions.get(name + ":whole", {}).get("properties", {})

    def change(self, document):
        way = self.random.randrange(4)
        if way == 0:
            path = self.random.choice(list(mappings(document)))
            names = sorted(set(self.properties(path)) - {"extends"})
            if names:
                name = self.random.choice(names)
                values = self.words(self.properties(path)[name]) + [0, 1, 2, 3, {}, [], "0"]
                at(document, path)[name] = self.random.choice(values)
            return
        *way_there, last = self.random.choice(list(leaves(document)))
        mapping = at(document, way_there)
        if way == 1:
            del mapping[last]
        elif way == 2:
            value = mapping[last]
            mapping[last] = self.random.choice(
                [str(value), {"value": value, "source": "here"}, None, "1e0", "007", "0", " 1 "]
                if not isinstance(value, (dict, list)) else [None, value])
        else:
            values = self.words(self.properties(way_there).get(last, {}))
            mapping[last] = self.random.choice(values or [mapping[last]])


class Reader:
    def __init__(self, binary, folder):
        self.binary, self.path = binary, folder / "mutant.yaml"

    def takes(self, document):
        self.path.write_text(json.dumps(document, indent=1), encoding="utf-8")
        code = subprocess.run([self.binary, "check", "-q", str(self.path)], check=False,
                              capture_output=True).returncode
        if code not in (0, 2, TOO_LARGE):
            raise SystemExit(f"exit code {code} for {json.dumps(document)}")
        return code != 2


def main(binary, source):
    schemas = Schemas(binary)
    small = resolved(read(source / "tests/cli/small.yaml"), source / "tests/cli")
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        reader = Reader(binary, pathlib.Path(folder))
        assert reader.takes(small) and not schemas.complaints("experiment", small)
        for what, changes in WRONG.items():
            document = copy.deepcopy(small)
            for key, value in changes.items():
                put(document, key, value)
            if reader.takes(document):
                wrong.append(f"the reader takes {what}")
            if not schemas.complaints("experiment", document):
                wrong.append(f"the schema takes {what}")
        taken = refused = caught = 0
        for seed in range(MUTANTS):
            document = copy.deepcopy(small)
            Mutations(schemas.of("experiment"), seed).change(document)
            complaints = schemas.complaints("experiment", document)
            if reader.takes(document):
                taken += 1
                wrong += [f"mutant {seed} is read, but: {complaint}" for complaint in complaints]
            else:
                refused += 1
                caught += bool(complaints)
    print("\n".join(wrong) or f"{taken} mutants are read, {refused} are not; the schema refuses "
          f"{caught} of these")
    return 1 if wrong or taken < MUTANTS // 4 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2])))
