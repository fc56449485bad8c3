"""Reads YAML as the core schema of YAML 1.2 has it, and schemas from the program."""

import json
import re
import subprocess

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    """PyYAML is of YAML 1.1, where `off` is false, 1:30 is 90 and 2024-01-01 a date."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in (
        ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
        ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
        ("int", r"[-+]?[0-9]+", "-+0123456789"),
        ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789")):
    Loader.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile(f"^(?:{pattern})$"),
                                 list(first))
# "08" is ten less two, and 1e3 a number without a point.
Loader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))
Loader.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value))


def with_text_keys(value):
    if isinstance(value, dict):
        return {str(key): with_text_keys(inner) for key, inner in value.items()}
    return [with_text_keys(item) for item in value] if isinstance(value, list) else value


def read(path):
    return with_text_keys(yaml.load(path.read_text(encoding="utf-8"), Loader))


class Definitions:
    """Resolves `#/$defs/NAME`; jsonschema's own resolver searches the whole schema each time."""

    def __init__(self, schema):
        self.known = {"#/$defs/" + name: inner for name, inner in schema["$defs"].items()}

    def resolve(self, reference):
        return reference, self.known[reference]

    def push_scope(self, scope):
        pass

    def pop_scope(self):
        pass


class Schemas:
    """Schemas by kind, each made once."""

    def __init__(self, binary):
        self.binary = binary
        self.made = {}
        self.validators = {}

    def of(self, kind):
        """A mapping of an experiment is among the definitions of the experiment's schema."""
        if "." in kind:
            return {**self.of("experiment"), "$ref": f"#/$defs/{kind}:over"}
        if kind not in self.made:
            text = subprocess.run([self.binary, "check", "--schema", kind], check=True,
                                  capture_output=True, text=True).stdout
            self.made[kind] = json.loads(text)
        return self.made[kind]

    def complaints(self, kind, document):
        if kind not in self.validators:
            schema = self.of(kind)
            self.validators[kind] = jsonschema.Draft202012Validator(
                schema, resolver=Definitions(schema))
        return [f"{'.'.join(map(str, error.absolute_path))}: {innermost(error)}"
                for error in self.validators[kind].iter_errors(document)]


def innermost(error):
    best = jsonschema.exceptions.best_match([error])
    return f"{'.'.join(map(str, best.absolute_path))}: {best.message}"[:300]
