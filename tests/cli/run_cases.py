#!/usr/bin/env python3
"""Runs the commands of a .cases file and compares their words.

    $ command       run by sh, in an empty directory, with `weftsim` on the PATH
    > text          a line of stdout          ! text   a line of stderr
    ? 2             the exit code; 0 when not said

A line `> ...` or `! ...` stands for any number of lines; `*` inside a line for any text.
$SOURCE is the source tree; it is written <source> in what is compared. Both streams are compared
whole; a stream no line speaks of must be empty.
"""
import os
import re
import subprocess
import sys
import tempfile


def read(path):
    cases = []
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        line = line.rstrip("\n")
        mark, text = line[:1], line[2:]
        if mark == "$":
            at = f"{path}:{number}"
            cases.append({"at": at, "command": text, "out": [], "err": [], "code": 0})
        elif mark == ">":
            cases[-1]["out"].append(text)
        elif mark == "!":
            cases[-1]["err"].append(text)
        elif mark == "?":
            cases[-1]["code"] = int(text)
        elif line and mark != "#":
            sys.exit(f"{path}:{number}: not a case line: {line}")
    return cases


def pattern(lines):
    parts = []
    for line in lines:
        if line == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*".join(re.escape(piece) for piece in line.split("*")) + r"\n")
    return "".join(parts)


def check(case, stream, text, source):
    text = text.replace(source, "<source>")
    if re.fullmatch(pattern(case[stream]), text):
        return True
    print(f"{case['at']}: $ {case['command']}\nexpected {stream}:")
    print("\n".join(case[stream]) + "\ngot:\n" + text)
    return False


def main():
    binary, source, path = sys.argv[1:]
    environment = dict(os.environ, SOURCE=source, NO_COLOR="1",
                       PATH=os.path.dirname(os.path.abspath(binary)) + ":" + os.environ["PATH"])
    failed = 0
    with tempfile.TemporaryDirectory() as directory:
        for case in read(path):
            done = subprocess.run(["sh", "-c", case["command"]], cwd=directory, env=environment,
                                  capture_output=True, text=True)
            good = check(case, "out", done.stdout, source) & check(case, "err", done.stderr, source)
            if done.returncode != case["code"]:
                print(f"{case['at']}: $ {case['command']}\n"
                      f"expected exit code {case['code']}, got {done.returncode}\n{done.stderr}")
                good = False
            failed += not good
    sys.exit(1 if failed else 0)


main()
